"""A window with what was subtracted and what divided, for the way back."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class Scaled(NamedTuple):
    """Normalized windows and their statistics, which a layer does not keep.

    Parameters
    ----------
    y : Tensor of shape (n, t, c)
        Normalized windows.
    loc, scale : Tensor of shape (n, 1, c)
        What was subtracted and what divided.
    """

    y: Tensor
    loc: Tensor
    scale: Tensor
