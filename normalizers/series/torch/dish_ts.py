"""Dish-TS, to train."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from normalizers.series.torch.scaled import Scaled


class DishTS(nn.Module):
    """Standardize windows about a level to train, and forecasts about another one.

    Parameters
    ----------
    num_features, num_steps : int
        Channels and steps of every window.
    eps : float
        Added to the variance about a level.

    See Also
    --------
    normalizers.DishTs : The same without torch, from these weights.

    References
    ----------
    Fan et al., AAAI 2023; weifantt/Dish-TS, whose parameter names these are.

    Examples
    --------
    >>> import torch
    >>> from normalizers import DishTs
    >>> from normalizers.series.torch import DishTS
    >>> layer = DishTS(2, 3).double()
    >>> x = torch.tensor([[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]]]).double()
    >>> method = DishTs().fit_weights(layer.state_dict())
    >>> bool(torch.allclose(method.transform(x), layer(x)))
    True
    """

    def __init__(self, num_features: int, num_steps: int, eps: float = 1e-8) -> None:
        super().__init__()
        self.eps = eps
        # Levels near the mean of the window, not equal ones.
        levels = torch.rand(num_features, num_steps, 2) / num_steps
        self.reduce_mlayer = nn.Parameter(levels)
        self.gamma = nn.Parameter(torch.ones(num_features))
        self.beta = nn.Parameter(torch.zeros(num_features))

    def forward(self, x: Tensor) -> Tensor:
        """Return windows ``(n, t, c)`` about their level."""
        return self.scaled(x)[0].y

    def scaled(self, x: Tensor) -> tuple[Scaled, Scaled]:
        """Return the windows about their own level, and about that of what follows them.

        Give the second one to `restored`, with the forecast.
        """
        levels = functional.gelu(torch.einsum("ntc,ctk->nkc", x, self.reduce_mlayer))
        return self._about(x, levels[:, :1]), self._about(x, levels[:, 1:])

    def restored(self, y: Tensor, window: Scaled) -> Tensor:
        """Return a forecast ``(n, h, c)`` about the level that was learned for it."""
        return (y - self.beta) / self.gamma * window.scale + window.loc

    def _about(self, x: Tensor, level: Tensor) -> Scaled:
        centred = x - level
        variance = (centred**2).sum(1, keepdim=True) / (x.shape[1] - 1)
        scale = torch.sqrt(variance + self.eps)
        return Scaled(centred / scale * self.gamma + self.beta, level, scale)
