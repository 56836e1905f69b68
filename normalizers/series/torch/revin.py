"""Reversible instance normalization, to train."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from normalizers.series.torch.scaled import Scaled


class RevIN(nn.Module):
    """Standardize windows, ``y = w (x - mean) / sqrt(var + eps) + b``, with w and b to train.

    Unlike the authors' class it keeps no statistics: `scaled` returns them, and `restored` takes
    them, so that two batches cannot be mixed up.

    Parameters
    ----------
    num_features : int
        Channels.
    eps : float
        Added to the variance.
    affine : bool
        Whether there are w and b; without them nothing is trained.

    See Also
    --------
    normalizers.Revin : The same without torch, from these weights.

    References
    ----------
    Kim et al., ICLR 2022; ts-kim/RevIN (MIT), whose parameter names these are.

    Examples
    --------
    >>> import torch
    >>> from normalizers import Revin
    >>> from normalizers.series.torch import RevIN
    >>> layer = RevIN(1).double()
    >>> x = torch.tensor([[[1.0], [2.0], [3.0]]]).double()
    >>> scaled = layer.scaled(x)
    >>> layer.restored(scaled.y, scaled).detach().round(decimals=3).flatten().tolist()
    [1.0, 2.0, 3.0]
    >>> method = Revin(affine=True).fit_weights(layer.state_dict())
    >>> bool(torch.allclose(method.transform(x), layer(x)))
    True
    """

    def __init__(self, num_features: int, eps: float = 1e-5, affine: bool = True) -> None:
        super().__init__()
        self.eps, self.affine = eps, affine
        if affine:
            self.affine_weight = nn.Parameter(torch.ones(num_features))
            self.affine_bias = nn.Parameter(torch.zeros(num_features))

    def forward(self, x: Tensor) -> Tensor:
        """Return normalized windows ``(n, t, c)``."""
        return self.scaled(x).y

    def scaled(self, x: Tensor) -> Scaled:
        """Return normalized windows with their mean and deviation, which take no gradient."""
        loc = x.mean(1, keepdim=True).detach()
        scale = torch.sqrt(x.var(1, keepdim=True, unbiased=False) + self.eps).detach()
        y = (x - loc) / scale
        return Scaled(y * self.affine_weight + self.affine_bias if self.affine else y, loc, scale)

    def restored(self, y: Tensor, window: Scaled) -> Tensor:
        """Return a forecast ``(n, h, c)`` in the units of its window."""
        if self.affine:
            y = (y - self.affine_bias) / (self.affine_weight + self.eps**2)
        return y * window.scale + window.loc
