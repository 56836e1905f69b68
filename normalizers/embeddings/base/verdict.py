"""What to do with vectors, in one word and with its evidence; nothing where that is not known."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.embeddings.base.spectrum import Spectrum
from normalizers.embeddings.base.whitening_advice import (
    CENTRING_HELPS_ABOVE,
    MEAN_HIDES_ABOVE,
    WHITENING_HELPS_BELOW,
    WHITENING_HURTS_ABOVE,
    Finding,
)

MEASURED_ON = "sentence vectors of five models, ranked by cosine; labelled data decide"
# Share of the variance that sets groups apart: five languages of one model have 0.1, groups drawn
# by chance none.
GROUPS_APART_ABOVE = 0.03
# Rows of vectors hardly differ in the mean of their own numbers, dims differ in theirs.
ROWS_DIFFER_TIMES = 4.0
CHANCE = 5.0
# Columns whose lengths differ by less than this share of what chance makes of them were made so.
MADE_EQUAL = 0.02
CENTRED = 1e-9

SAYS = {
    "unknown": "not known: compare on labelled data",
    "leave_alone": "leave them alone: many directions share the variance",
    "centre": "centre: it repairs the scale of cosines, and the ranking changes little",
    "centre_by_group": "centre by group (by language): groups lie around means of their own",
    "soft": "soft, eps_rel 10: it never cost rank correlation; full whitening may",
    "full": "full: few directions hold the variance",
}


class Axis(NamedTuple):
    """How far means of rows and means of columns differ, as shares of the mean squared length."""

    rows: float
    columns: float
    d: int
    equal_columns: bool

    @property
    def suspect(self) -> bool:
        """Whether the rows look like the dims of vectors that stand in the columns."""
        # Where one direction u holds all, rows differ by chance by (sum u)^2 / d, about chi^2 / d.
        apart = self.rows > max(CHANCE / self.d, ROWS_DIFFER_TIMES * self.columns)
        return apart or self.equal_columns

    @classmethod
    def of(cls, spectrum: Spectrum) -> Axis:
        """Return what mean and covariance tell of both."""
        mean, d = spectrum.mean, spectrum.d
        second = spectrum.covariance * spectrum.biased_share + np.outer(mean, mean)
        total = float(np.trace(second))
        grand = d * float(np.mean(mean)) ** 2 / total
        rows = float(second.sum()) / (d * total) - grand
        columns = float(mean @ mean) / total - grand
        lengths = np.sqrt(np.maximum(np.diagonal(second), 0.0))
        # By chance lengths of equal columns differ by about 1 / sqrt(2 n) of themselves. Columns
        # that were standardized are equal too, and their mean is 0.
        n = spectrum.n or np.inf
        spread = float(np.std(lengths) / np.mean(lengths)) * np.sqrt(2 * n)
        return cls(rows, columns, d, d > 2 and spread < MADE_EQUAL and columns > CENTRED)


def verdict(finding: Finding, axis: Axis, groups_apart: float | None = None) -> dict[str, object]:
    """Return the verdict: a code, a sentence, what it rests on and where that was measured.

    Parameters
    ----------
    finding : Finding
        Of all rows, or of those of one group.
    axis : Axis
        Of the same.
    groups_apart : float, optional
        Share of the variance that lies between groups, where there are some.
    """
    code, why = _chosen(finding, axis, groups_apart)
    evidence: dict[str, object] = {
        "unbiased_isoscore": finding.isoscore,
        "mean_energy_fraction": finding.mean_energy,
        "n_over_d": finding.rows_per_dim,
        "row_means_differ": axis.rows,
        "column_means_differ": axis.columns,
    }
    if groups_apart is not None:
        evidence["groups_apart"] = groups_apart
    says = SAYS[code] + (f"; {why}" if why else "")
    return {"code": code, "says": says, "evidence": evidence, "measured_on": MEASURED_ON}


def _chosen(finding: Finding, axis: Axis, groups_apart: float | None) -> tuple[str, str]:
    few = finding.rows_per_dim is not None and finding.rows_per_dim < 1
    if axis.suspect:
        return "unknown", "rows look like dims, so the axis may be wrong: a row is one vector"
    if groups_apart is not None and groups_apart > GROUPS_APART_ABOVE:
        return "centre_by_group", ""
    if finding.isoscore is None or not finding.decided:
        return "unknown", "too few rows, or not known how many"
    narrow = finding.isoscore < WHITENING_HELPS_BELOW
    if narrow and finding.mean_energy <= MEAN_HIDES_ABOVE:
        return "full", "shrink it, for there are fewer rows than dims" if few else ""
    if finding.mean_energy > CENTRING_HELPS_ABOVE:
        return "centre", "rows of several languages or sources: try group_centering"
    return ("soft" if finding.isoscore <= WHITENING_HURTS_ABOVE else "leave_alone"), ""


def groups_apart(n: Array, means: Array, within: float) -> float:
    """Return the share of the squared deviations that lies between groups, less that of chance.

    Parameters
    ----------
    n : array of shape (g,)
        Rows of each group.
    means : array of shape (g, d)
        Their means.
    within : float
        Sum of squared deviations from the means of the groups.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.embeddings.base.verdict import groups_apart
    >>> round(groups_apart(np.array([50.0, 50.0]), np.array([[1.0], [-1.0]]), 100.0), 3)
    0.49
    """
    total = float(n.sum())
    about = means - (n @ means) / total
    between = float(n @ np.einsum("ij,ij->i", about, about))
    if between + within <= 0 or total <= 1:
        return 0.0
    return max(0.0, between / (between + within) - (len(n) - 1) / (total - 1))


def verdict_on_groups(apart: float) -> dict[str, object]:
    """Return the verdict on centring by group, where nothing but its gain is asked."""
    code = "centre_by_group" if apart > GROUPS_APART_ABOVE else "centre"
    says = SAYS[code] if apart > GROUPS_APART_ABOVE else "one mean for all: groups hardly differ"
    return {
        "code": code,
        "says": says,
        "evidence": {"groups_apart": apart},
        "measured_on": MEASURED_ON,
    }
