"""Bilinear input normalization, to train."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

from normalizers.series.torch.moments import standardized

# Divisor n - ddof, and the deviation below which it counts as 1, as in the published forms.
STANDARDS = {"paper": (0, 0.0), "mlproject": (1, 1e-4)}


class BiN(nn.Module):
    """Mix z-scores over time and z-scores over channels by weights to train.

    Parameters
    ----------
    num_features, num_steps : int
        Channels and steps of every window.
    variant : {"paper", "mlproject"}
        Along which axis gamma and beta run; see `normalizers.Bin`. It is part of what the weights
        mean, and nothing in them says it: name it again where they are stored.

    Notes
    -----
    With ``paper`` the shares are kept at 0 or above, as the paper asks: call `constrained_` after
    each step of the optimizer.

    See Also
    --------
    normalizers.Bin : The same without torch, from these weights.

    References
    ----------
    Tran, Kanniainen, Gabbouj, Iosifidis, arXiv:2109.00983; viebboy/mlproject (Apache-2.0).

    Examples
    --------
    >>> import torch
    >>> from normalizers import Bin
    >>> from normalizers.series.torch import BiN
    >>> layer = BiN(2, 3, "paper").double()
    >>> x = torch.tensor([[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]]]).double()
    >>> method = Bin(variant="paper").fit_weights(layer.state_dict())
    >>> bool(torch.allclose(method.transform(x), layer(x)))
    True
    """

    def __init__(
        self,
        num_features: int,
        num_steps: int,
        variant: Literal["paper", "mlproject"],
    ) -> None:
        super().__init__()
        if variant not in STANDARDS:
            raise ValueError(f"variant is one of {', '.join(STANDARDS)}")
        self.variant = variant
        if variant == "paper":
            self.gamma_feature = nn.Parameter(torch.ones(num_features))
            self.beta_feature = nn.Parameter(torch.zeros(num_features))
            self.gamma_time = nn.Parameter(torch.ones(num_steps))
            self.beta_time = nn.Parameter(torch.zeros(num_steps))
            self.lambda_feature = nn.Parameter(torch.tensor(0.5))
            self.lambda_time = nn.Parameter(torch.tensor(0.5))
        else:
            self.gamma1 = nn.Parameter(torch.ones(1, num_steps, 1))
            self.beta1 = nn.Parameter(torch.zeros(1, num_steps, 1))
            self.gamma2 = nn.Parameter(torch.ones(1, 1, num_features))
            self.beta2 = nn.Parameter(torch.zeros(1, 1, num_features))
            self.lambda1 = nn.Parameter(torch.ones(1))
            self.lambda2 = nn.Parameter(torch.ones(1))

    def forward(self, x: Tensor) -> Tensor:
        """Return the mixed branches of windows ``(n, t, c)``."""
        ddof, eps = STANDARDS[self.variant]
        over_time = standardized(x, 1, ddof=ddof, eps=eps)
        over_channels = standardized(x, 2, ddof=ddof, eps=eps)
        if self.variant == "mlproject":
            of_time = self.gamma1 * over_time + self.beta1
            of_channels = self.gamma2 * over_channels + self.beta2
            return self.lambda1 * of_time + self.lambda2 * of_channels
        of_time = self.gamma_feature * over_time + self.beta_feature
        of_channels = self.gamma_time[:, None] * over_channels + self.beta_time[:, None]
        return self.lambda_feature * of_time + self.lambda_time * of_channels

    @torch.no_grad()
    def constrained_(self) -> None:
        """Lift negative shares of ``paper`` to 0; those of ``mlproject`` are free."""
        if self.variant == "paper":
            self.lambda_feature.clamp_(min=0)
            self.lambda_time.clamp_(min=0)
