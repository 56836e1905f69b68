"""Mean and deviation of tensors along an axis, with gradients that stay finite."""

from __future__ import annotations

import torch
from torch import Tensor


def standardized(x: Tensor, dim: int, *, ddof: int, eps: float) -> Tensor:
    """Return ``(x - mean) / std`` along an axis; what is equal along it gives 0.

    Parameters
    ----------
    x : Tensor
        Without gaps.
    dim : int
        The axis of the statistics.
    ddof : int
        The divisor of the variance is n - ddof.
    eps : float
        A deviation below it counts as 1.
    """
    centred = x - x.mean(dim, keepdim=True)
    constant = x.amax(dim, keepdim=True) == x.amin(dim, keepdim=True)
    variance = (centred**2).sum(dim, keepdim=True) / max(x.shape[dim] - ddof, 1)
    # The root of 0 has no derivative: what takes its place is chosen before it.
    deviation = torch.sqrt(torch.where(constant, torch.ones_like(variance), variance))
    deviation = torch.where(deviation < eps, torch.ones_like(deviation), deviation)
    # Equal values differ from their rounded mean.
    return torch.where(constant, torch.zeros_like(x), centred / deviation)


def root_mean_square(x: Tensor, eps: float) -> Tensor:
    """Return ``sqrt(mean of x^2 + eps)`` over the steps of windows, of shape (n, 1, c)."""
    return torch.sqrt((x**2).mean(1, keepdim=True) + eps)
