"""Unit norm: every vector brought to length 1."""

from __future__ import annotations

from normalizers.bases.row_norms import Lengths, RowNormalizer
from normalizers.contract import Example
from normalizers.data.arrays import Array


class UnitNorm(RowNormalizer):
    """Divide each row by its Euclidean length: y = x / ||x||.

    See Also
    --------
    layer_norm, rms_norm, scale_norm

    Notes
    -----
    Missing values: refused, or a missing row. Zero rows stay zero. Equal rows have equal answers,
    so ties need no rule. The way back needs the ``scale`` of the answer. Cost O(m d).

    References
    ----------
    ``sklearn.preprocessing.normalize``, which loses rows whose squares leave the range of floats.

    Examples
    --------
    >>> from normalizers import UnitNorm
    >>> UnitNorm().transform([[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """

    name = "unit_norm"
    aliases = {"row_l2": {}}
    example = Example(input={"x": [[3.0, 4.0], [0.0, 2.0]]})

    def divisors(self, lengths: Lengths) -> Array:
        """Return the lengths themselves."""
        return lengths.norms
