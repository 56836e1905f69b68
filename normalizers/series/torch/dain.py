"""Deep adaptive input normalization, to train."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from normalizers.series.torch.moments import root_mean_square
from normalizers.series.torch.scaled import Scaled

SMALLEST_SCALE = 1e-8
# By how much slower or faster the authors train each layer than the model behind it.
RATES = {"mean_layer": 1e-6, "scaling_layer": 1e-3, "gating_layer": 10.0}


class DAIN(nn.Module):
    """Shift, scale and gate windows by matrices to train.

    Parameters
    ----------
    num_features : int
        Channels.
    variant : {"full", "adaptive_scale", "adaptive_avg"}
        Shift, scale and gate; without the gate; the shift alone.
    eps : float
        Added to the mean square.

    See Also
    --------
    normalizers.Dain : The same without torch, from these weights.

    References
    ----------
    Passalis et al., arXiv:1902.07892; passalis/dain, whose parameter names these are. Windows are
    ``(n, t, c)`` here and ``(n, c, t)`` there.

    Examples
    --------
    >>> import torch
    >>> from normalizers import Dain
    >>> from normalizers.series.torch import DAIN
    >>> layer = DAIN(2).double()
    >>> x = torch.tensor([[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]]]).double()
    >>> method = Dain().fit_weights(layer.state_dict())
    >>> bool(torch.allclose(method.transform(x), layer(x)))
    True
    """

    def __init__(
        self,
        num_features: int,
        variant: Literal["full", "adaptive_scale", "adaptive_avg"] = "full",
        eps: float = 1e-8,
    ) -> None:
        super().__init__()
        self.variant, self.eps = variant, eps
        self.mean_layer = nn.Linear(num_features, num_features, bias=False)
        nn.init.eye_(self.mean_layer.weight)
        if variant != "adaptive_avg":
            self.scaling_layer = nn.Linear(num_features, num_features, bias=False)
            nn.init.eye_(self.scaling_layer.weight)
        if variant == "full":
            self.gating_layer = nn.Linear(num_features, num_features)

    def forward(self, x: Tensor) -> Tensor:
        """Return adapted windows ``(n, t, c)``."""
        scaled = self.scaled(x)
        if self.variant != "full":
            return scaled.y
        return scaled.y * torch.sigmoid(self.gating_layer(scaled.y.mean(1, keepdim=True)))

    def scaled(self, x: Tensor) -> Scaled:
        """Return windows before the gate, with their shift and scale."""
        loc = self.mean_layer(x.mean(1, keepdim=True))
        centred = x - loc
        if self.variant == "adaptive_avg":
            return Scaled(centred, loc, torch.ones_like(loc))
        scale = self.scaling_layer(root_mean_square(centred, self.eps))
        scale = torch.where(scale <= SMALLEST_SCALE, torch.ones_like(scale), scale)
        return Scaled(centred / scale, loc, scale)

    def parameter_groups(self, learning_rate: float) -> list[dict[str, object]]:
        """Return what an optimizer takes, with the authors' rate for each layer.

        Parameters
        ----------
        learning_rate : float
            That of the model behind the layer.
        """
        return [
            {"params": list(layer.parameters()), "lr": learning_rate * RATES[name]}
            for name, layer in self.named_children()
        ]
