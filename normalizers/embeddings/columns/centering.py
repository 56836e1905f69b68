"""Centring: every column with its mean subtracted."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.embeddings.base.centred import CentredRows
from normalizers.embeddings.base.exported_columns import ExportedColumns
from normalizers.statistics import Moments


class Centering(ExportedColumns[Moments], CentredRows):
    """Subtract the mean of each column: y = x - mean; with `post` ``l2``, y / |y|.

    Notes
    -----
    Cost O(n d). On embeddings it removes the direction that all of them share; measured on word
    averages and unlike languages it is the cheapest step that helps, and the one to do before rows
    are quantized to one bit.

    See Also
    --------
    GroupCentering : a mean for each group, such as a language.
    Standardization : divides by the deviation too.

    References
    ----------
    Mu, Viswanath: All-but-the-top, 2018, the first of its two steps.

    Examples
    --------
    >>> from normalizers import Centering
    >>> Centering().fit([[1.0, 0.0], [3.0, 4.0]]).transform([[5.0, 6.0]]).tolist()
    [[3.0, 4.0]]
    >>> Centering(post="l2").fit([[1.0, 0.0], [3.0, 4.0]]).transform([[5.0, 6.0]]).tolist()
    [[0.6, 0.8]]
    """

    name = "centering"
    aliases = {"center": {}, "centring": {}, "mean_centering": {}}
    example = Example(fit={"x": [[1.0, 0.0], [3.0, 4.0]]}, input={"x": [[5.0, 6.0]]})

    @property
    def gives_unit_rows(self) -> bool:
        """Whether rows are brought to length 1 in the end."""
        return self.post == "l2"
