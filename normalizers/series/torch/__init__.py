"""Input layers to train inside a model of torch; their state dicts are the weights of the methods.

Each is a plain ``nn.Module`` on windows ``(n, t, c)`` with the parameter names of the published
class. Train it before your model, then store what it learned:
``Bin(variant="paper").fit_weights(layer.state_dict())``, or ``weights`` in a request. The method
gives the layer's own numbers, without torch. Windows are complete here: gaps are for the methods.

It needs the extra ``torch``, and is imported by nothing else of the library.
"""

from normalizers.errors import MissingDependency

try:
    from normalizers.series.torch.bin import BiN
    from normalizers.series.torch.dain import DAIN
    from normalizers.series.torch.dish_ts import DishTS
    from normalizers.series.torch.edain import EDAIN
    from normalizers.series.torch.revin import RevIN
    from normalizers.series.torch.scaled import Scaled
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    message = "layers to train need torch, which is not installed: pip install 'normd[torch]'"
    raise MissingDependency(message) from error

__all__ = ["DAIN", "EDAIN", "BiN", "DishTS", "RevIN", "Scaled"]
