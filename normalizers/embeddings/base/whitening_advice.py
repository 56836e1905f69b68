"""What the fit report of a whitening recommends."""

from __future__ import annotations

from typing import NamedTuple

from normalizers.contract import Notice, notice

# Measured on five spaces of sentence vectors: priors, not laws. Isoscores of 0.087 and 0.110 went
# with a large benefit, 0.165, 0.202 and 0.288 with harm.
WHITENING_HELPS_BELOW = 0.12
WHITENING_HURTS_ABOVE = 0.16
CENTRING_HELPS_ABOVE = 0.2
# Beyond it no space was measured in which whitening helped: 0.59 went with a gain, 0.75 with harm.
MEAN_HIDES_ABOVE = 0.65
FEW_ROWS_PER_DIM = 5.0


class Finding(NamedTuple):
    """What the advice rests on.

    Parameters
    ----------
    isoscore : float or None
        (PR - 1) / (d - 1) of the unbiased participation ratio: PR over d in many dims, and in few
        of them 0 for one direction and 1 for equal ones. None for one dim.
    decided : bool
        Whether there are rows enough, and a known number of them, to trust the isoscore.
    mean_energy : float
        Share of the mean in the mean squared length.
    rows_per_dim : float or None
        n / d.
    softened : bool
        Whether shrinkage or an epsilon is in effect.
    dropped, dead : int
        Null directions that were dropped, and dims without spread.
    """

    isoscore: float | None
    decided: bool
    mean_energy: float
    rows_per_dim: float | None
    softened: bool
    dropped: int
    dead: int


def advice(finding: Finding, *, wrong_axis: bool = False) -> list[dict[str, object]]:
    """Return what to do, each with a code and a sentence; labelled data decide."""
    if wrong_axis:
        message = "rows look like dims: a row is one vector, the matrix may be transposed"
        return [one.as_dict() for one in (notice("check_axis", message), *_on_rows(finding))]
    centring = _on_centring(finding)
    found = [*_on_whitening(finding, bool(centring)), *centring, *_on_rows(finding)]
    return [item.as_dict() for item in found]


def _on_whitening(finding: Finding, centring: bool) -> list[Notice]:
    if finding.isoscore is None:
        return []
    if not finding.decided:
        message = "too few rows, or not known how many, to judge: compare on labelled data"
        return [notice("try", message)]
    if finding.isoscore < WHITENING_HELPS_BELOW and finding.mean_energy <= MEAN_HIDES_ABOVE:
        message = (
            "few directions hold the variance: on sentence embeddings whitening helped there; it "
            "may harm other data, so compare on labelled data"
        )
        return [notice("whiten", message)]
    if finding.isoscore <= WHITENING_HURTS_ABOVE:
        return [notice("try", "the spectrum does not decide: compare on labelled data")]
    if finding.softened and not centring:
        message = "no change recommended: many directions share the variance"
        return [notice("no_change", message)]
    message = (
        "on sentence embeddings full whitening hurt here, and eps_rel 3 to 10 did not; compare on "
        "labelled data"
    )
    return [notice("stay_soft", message)]


def _on_centring(finding: Finding) -> list[Notice]:
    if finding.mean_energy <= CENTRING_HELPS_ABOVE:
        return []
    message = (
        "the mean is long: centring is worthwhile for thresholds, fusion and binary quantization; "
        "the ranking changes little"
    )
    return [notice("centre", message)]


def _on_rows(finding: Finding) -> list[Notice]:
    found = []
    few = finding.rows_per_dim is not None and finding.rows_per_dim < FEW_ROWS_PER_DIM
    if few and not finding.softened:
        found.append(notice("shrink", "few rows a dim: use shrinkage or eps, or fit on more rows"))
    if finding.dropped:
        message = "null directions were dropped: their variance is rounding noise of the input"
        found.append(notice("null_directions", message, count=finding.dropped))
    if finding.dead:
        message = "some dims have no spread; see dead_dims"
        found.append(notice("dead_dims", message, count=finding.dead))
    return found
