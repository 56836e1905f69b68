"""RMS norm: every row divided by its root mean square."""

from __future__ import annotations

from normalizers.bases.row_norms import Lengths
from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.affine_rows import WeightedRows
from normalizers.kernels.row_norms import root_mean_squares


class RmsNorm(WeightedRows):
    """Divide each row by its root mean square: y = x / sqrt(mean(x^2) + eps) [weight].

    See Also
    --------
    layer_norm, scale_norm, unit_norm

    Notes
    -----
    Missing values: refused, or a missing row. Equal rows have equal answers, so ties need no rule.
    Cost O(m d).

    References
    ----------
    Zhang, Sennrich: Root mean square layer normalization, 2019; the layer of that name in PyTorch.

    Examples
    --------
    >>> from normalizers import RmsNorm
    >>> RmsNorm(eps=0.0).transform([[1.0, 7.0], [0.0, 0.0]]).tolist()
    [[0.2, 1.4], [0.0, 0.0]]
    """

    name = "rms_norm"
    aliases = {"rmsnorm": {}}
    example = Example(input={"x": [[1.0, 7.0], [2.0, 0.0]]})

    eps: float | None = param(
        default=None, default_value=1e-6, ge=0, affects="answer", help="added to the mean square"
    )

    def divisors(self, lengths: Lengths) -> Array:
        """Return the root mean squares."""
        return root_mean_squares(lengths.rows, lengths.exponents, unwrap(self.eps))
