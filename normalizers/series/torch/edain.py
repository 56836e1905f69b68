"""Extended deep adaptive input normalization, to train."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from normalizers.series.torch.moments import root_mean_square


class OutlierRemoval(nn.Module):
    """Cut what is far from the centre: ``b tanh((x - mu) / b) + mu``, mixed with x by `alpha`.

    The centre is the window's mean where `local`; otherwise the mean of all windows that were seen
    in training, which is kept beside the parameters.
    """

    def __init__(self, num_features: int, *, local: bool, residual: bool) -> None:
        super().__init__()
        self.local, self.residual = local, residual
        self.log_cutoff = nn.Parameter(torch.full((num_features,), 3.0))
        if residual:
            self.alpha = nn.Parameter(torch.zeros(num_features))
        if not local:
            self.running_mean: Tensor
            self.running_n: Tensor
            self.register_buffer("running_mean", torch.zeros(num_features))
            self.register_buffer("running_n", torch.zeros(1))

    def forward(self, x: Tensor, cutoff: Tensor) -> Tensor:
        """Return windows without their outliers."""
        if self.local:
            centre = x.mean(1, keepdim=True)
        else:
            if self.training:
                self.seen_(x.detach())
            # Training goes on to change it, while a gradient may still need the one of now.
            centre = self.running_mean.clone()
        soft = cutoff * torch.tanh((x - centre) / cutoff) + centre
        if not self.residual:
            return soft
        share = torch.sigmoid(self.alpha)
        return (1 - share) * x + share * soft

    @torch.no_grad()
    def seen_(self, x: Tensor) -> None:
        """Count windows into the mean."""
        self.running_n += x.shape[0]
        self.running_mean += (x.mean((0, 1)) - self.running_mean) * x.shape[0] / self.running_n


class Shift(nn.Module):
    """What is subtracted of each channel; of a window's mean where `local`."""

    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(num_features))


class Scale(nn.Module):
    """The logarithm of what divides each channel."""

    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(num_features))


class PowerTransform(nn.Module):
    """The map of Yeo and Johnson with a power for each channel."""

    def __init__(self, num_features: int) -> None:
        super().__init__()
        self.lambd = nn.Parameter(torch.ones(num_features))

    def forward(self, x: Tensor) -> Tensor:
        """Return the bent values."""
        above = _power(torch.log1p(x.clamp(min=0)), self.lambd)
        below = _power(torch.log1p((-x).clamp(min=0)), 2 - self.lambd)
        return torch.where(x >= 0, above, -below)


class EDAIN(nn.Module):
    """Cut outliers, shift, scale and bend each channel by numbers to train.

    Parameters
    ----------
    num_features : int
        Channels.
    variant : {"global", "local"}
        Whether the training data or the window itself say what is shifted and scaled by.
    residual : bool
        Whether the outlier step is mixed with its input.
    cutoff : {"softplus", "exp"}
        What makes the cutoff of `log_cutoff`.
    min_beta : float
        The smallest cutoff.
    eps : float
        Added to the mean square of a window, where `variant` is local.

    Notes
    -----
    Store it with ``sign="minus"`` and the same parameters. The mean of ``global`` moves in
    training alone: call ``eval()`` before you compare.

    See Also
    --------
    normalizers.Edain : The same without torch, from these weights.

    References
    ----------
    September et al., arXiv:2310.14720; marcusGH/edain_paper, whose parameter names these are.

    Examples
    --------
    >>> import torch
    >>> from normalizers import Edain
    >>> from normalizers.series.torch import EDAIN
    >>> layer = EDAIN(2, "local").double()
    >>> x = torch.tensor([[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]]]).double()
    >>> method = Edain(variant="local", sign="minus").fit_weights(layer.state_dict())
    >>> bool(torch.allclose(method.transform(x), layer(x)))
    True
    """

    def __init__(
        self,
        num_features: int,
        variant: Literal["global", "local"] = "global",
        residual: bool = False,
        cutoff: Literal["softplus", "exp"] = "softplus",
        min_beta: float = 1.0,
        eps: float = 1e-8,
    ) -> None:
        super().__init__()
        self.local = variant == "local"
        self.cutoff, self.min_beta, self.eps = cutoff, min_beta, eps
        self.outlier_removal = OutlierRemoval(num_features, local=self.local, residual=residual)
        self.shift, self.scale = Shift(num_features), Scale(num_features)
        self.power_transform = PowerTransform(num_features)

    def forward(self, x: Tensor) -> Tensor:
        """Return windows ``(n, t, c)`` after all four steps."""
        log = self.outlier_removal.log_cutoff
        beta = self.min_beta + (
            torch.exp(log) if self.cutoff == "exp" else functional.softplus(log)
        )
        x = self.outlier_removal(x, beta)
        if self.local:
            x = x - (1 + self.shift.shift) * x.mean(1, keepdim=True)
            x = x / root_mean_square(x, self.eps)
        else:
            x = x - self.shift.shift
        return self.power_transform(x * torch.exp(-self.scale.log_scale))


def _power(logs: Tensor, lam: Tensor) -> Tensor:
    """Return ``expm1(lam log) / lam``, which has a limit and a derivative at 0."""
    near = lam.abs() < 1e-6
    product = lam * logs
    # expm1(p) / p = 1 + p / 2 + p^2 / 6 + O(p^3): below a bit for |lam| < 1e-6.
    series = logs * (1 + product / 2 + product**2 / 6)
    return torch.where(near, series, torch.expm1(product) / torch.where(near, 1.0, lam))
