"""Layer norm: every row with its mean subtracted, divided by its deviation."""

from __future__ import annotations

from normalizers.bases.row_norms import Lengths
from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.affine_rows import AffineRows
from normalizers.kernels.row_norms import root_mean_squares


class LayerNorm(AffineRows):
    """Standardize each row: y = (x - mean(x)) / sqrt(var(x) + eps) [weight + bias].

    The variance is biased (divided by the number of columns).

    See Also
    --------
    rms_norm, scale_norm, unit_norm

    Notes
    -----
    Missing values: refused, or a missing row. Equal rows have equal answers, so ties need no rule.
    Without `weight` and `bias` it is ``rms_norm`` of the row without its mean: a vector of length
    sqrt(d) that sums to 0. Cost O(m d).

    References
    ----------
    Ba, Kiros, Hinton: Layer normalization, 2016; the layer of that name in PyTorch.

    Examples
    --------
    >>> from normalizers import LayerNorm
    >>> LayerNorm(eps=0.0).transform([[1.0, 3.0], [7.0, 7.0]]).tolist()
    [[-1.0, 1.0], [0.0, 0.0]]
    """

    name = "layer_norm"
    aliases = {"layernorm": {}}
    example = Example(input={"x": [[1.0, 3.0, 8.0], [2.0, 0.0, 5.0]]})
    centres = True

    eps: float | None = param(
        default=None, default_value=1e-5, ge=0, affects="answer", help="added to the variance"
    )

    def divisors(self, lengths: Lengths) -> Array:
        """Return the deviations."""
        return root_mean_squares(lengths.rows, lengths.exponents, unwrap(self.eps))
