"""What a method is like, in values that checks and descriptions read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from normalizers.contract.tolerance import CLOSE, Tolerance
from normalizers.data.devices import CPU

WayBack: TypeAlias = Literal["exact", "lossy", "quantized", "kept", "onward"]


@dataclass(frozen=True)
class Traits:
    """What holds of the answers of a method, as scikit-learn's tags tell of an estimator.

    Parameters
    ----------
    monotone : bool
        Whether a larger input never gives a smaller output.
    batch_invariant : bool
        Whether a row's answer depends on that row, the parameters and the fit alone.
    preserves_columns : bool
        Whether a column of the output is the column of the input in its place, and its name.
    options : frozenset of str
        Options it honours beside those of every method.
    fit_options : frozenset of str
        Options of a fit it honours beside `strict`: ``layout``, ``recommend``. They stand in the
        `asked` of the batch.
    devices : tuple of str
        What it can be computed on: ``cpu``, and ``cuda`` where its arithmetic is written for
        any array library.
    flag_axes : tuple of int
        Axes of the main output that a flag's position names.
    column_flags : frozenset of str
        Flags that name columns of the main output instead: what holds of a column holds of it in
        every row.
    same_bits : bool
        Whether a row alone gets the very bits that it gets among others: matrix products in the
        input's dtype do not promise that.
    way_back : {'exact', 'lossy', 'quantized', 'kept', 'onward'}
        What the way back gives: the input; some input of the same answer; the input within
        `way_back_bound`; the input where the answer is not 0; what follows on the input, from the
        state that it left.
    way_back_bound : float
        By how much it may be off, as a share of the largest number.
    tolerance : Tolerance
        How far off the fitted arrays of a file from another processor may be.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from normalizers.contract.traits import Traits
    >>> replace(Traits(options=frozenset({"depth"})), monotone=True).options
    frozenset({'depth'})
    """

    monotone: bool = False
    batch_invariant: bool = True
    preserves_columns: bool = True
    options: frozenset[str] = frozenset()
    fit_options: frozenset[str] = frozenset()
    devices: tuple[str, ...] = (CPU,)
    flag_axes: tuple[int, ...] = (0,)
    column_flags: frozenset[str] = frozenset()
    same_bits: bool = True
    way_back: WayBack = "exact"
    way_back_bound: float = 1e-9
    tolerance: Tolerance = CLOSE
