"""Scale norm: every row brought to one length, unless it is shorter than an epsilon."""

from __future__ import annotations

import numpy as np

from normalizers.bases.row_norms import LARGEST, Lengths, RowNormalizer
from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array, namespace


class ScaleNorm(RowNormalizer):
    """Bring each row to length g: y = g x / max(||x||, eps).

    See Also
    --------
    layer_norm, rms_norm, unit_norm

    Notes
    -----
    Missing values: refused, or a missing row. Equal rows have equal answers, so ties need no rule.
    Rows shorter than `eps` stay as short in proportion. Cost O(m d).

    References
    ----------
    Nguyen, Salazar: Transformers without tears, 2019, whose learned g begins at sqrt(d).

    Examples
    --------
    >>> from normalizers import ScaleNorm
    >>> ScaleNorm(g=10.0).transform([[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[6.0, 8.0], [0.0, 0.0]]
    """

    name = "scale_norm"
    aliases = {"fix_norm": {}, "scalenorm": {}}
    example = Example(input={"x": [[3.0, 4.0], [0.0, 2.0]]})

    g: float | None = param(
        default=None, resolves="sqrt(d)", gt=0, affects="answer", help="the length of every row"
    )
    eps: float | None = param(
        default=None, default_value=1e-5, ge=0, affects="answer", help="the shortest length"
    )

    def divisors(self, lengths: Lengths) -> Array:
        """Return the lengths, or what stands for them, over g."""
        xp = namespace(lengths.norms)
        length = max(1, lengths.rows.shape[1]) ** 0.5 if self.g is None else self.g
        with np.errstate(over="ignore"):
            shortest = unwrap(self.eps) * 2.0 ** (-xp.astype(lengths.exponents, xp.float64))
        # In units of a tiny row's power of two the epsilon may be beyond the largest float.
        shortest = xp.where(shortest > LARGEST, LARGEST, shortest)
        found: Array = xp.where(lengths.norms > shortest, lengths.norms, shortest) / length
        return found
