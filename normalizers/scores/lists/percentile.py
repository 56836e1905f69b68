"""Percentile: the share of a sample, or of the list itself, that a score is better than."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    like,
    lists,
    notice,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels.ecdf import Kind
from normalizers.scores.base.flags import flag_out_of_range
from normalizers.scores.lists.base.constant_rule import no_spread
from normalizers.scores.lists.base.rank_counts import (
    RankCounts,
    Sample,
    StoredCurve,
    rank_counts_within,
    require_size,
)
from normalizers.scores.lists.base.scoped import ScopedScoreMethod, require_one_column
from normalizers.scores.lists.base.shares_back import BEYOND_HELP, SharesBeyond, within_unit
from normalizers.statistics import Quantiles


class Percentile(ScopedScoreMethod):
    """Replace a score by the share of a sample that it is better than.

    With ``lt`` of the sample's ``N`` scores below and ``le`` not above: kind ``strict`` lt/N,
    ``weak`` le/N, ``mean`` (lt + le)/(2N), ``rank`` (lt + le + 1)/(2N) where the score occurs in
    the sample and lt/N elsewhere. The sample is the list itself (``scope: query``) or a stored
    one (``scope: fitted``). Where lower scores are better all scores change their sign first.

    Notes
    -----
    Equal scores get equal values, and no strictly increasing map of the scores changes any.
    Missing scores follow `nan_policy` and are never counted. Below the whole sample the value is
    0, above it 1; scores beyond a stored sample are flagged ``out_of_range`` and their share
    stands in the report. With `finite_logs` no value is below ``1/(N + 1)``, so that logarithms
    stay finite. A list of equal scores gives 0.5 throughout (kind ``mean``). Stored quantiles in
    place of a sample are linear between; kind ``rank`` and `finite_logs` then need their ``n``.

    The inverse of the fitted scope is approximate: it is linear between the values that the
    scores of the sample have themselves (their mean ranks by default), so those come back and
    what lies between two of them comes back between them. Values at the ends come back as the
    sample's ends and are flagged ``clipped``, as are values beyond 0..1 unless
    `out_of_bounds` says otherwise.
    Cost O(N log N).

    References
    ----------
    The kinds are those of ``scipy.stats.percentileofscore``; the map is the probability integral
    transform of the empirical distribution.

    Examples
    --------
    >>> from normalizers import Percentile
    >>> Percentile().transform([0.5, 0.5, 0.9]).tolist()
    [0.3333333333333333, 0.3333333333333333, 0.8333333333333334]
    >>> Percentile(kind="weak").fit([1.0, 2.0, 2.0, 4.0]).transform([2.0, 3.0, 5.0]).tolist()
    [0.75, 0.75, 1.0]
    """

    name = "percentile"
    aliases = {"pit": {}}
    traits = Traits(monotone=True)
    ascending = ("values", "p", "v")
    example = Example(
        fit={"scores": [12.7, 9.3, 8.0, 8.0, 3.2, 0.4]},
        input={"scores": [[9.3, 8.0, 5.0], [14.1], []]},
    )

    kind: Kind | None = param(
        default=None,
        default_value="mean",
        affects="answer",
        help="what a score equal to some of the sample gets",
    )
    finite_logs: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="lift values below 1/(N + 1), 0 among them, to it",
    )
    out_of_bounds: SharesBeyond | None = param(
        default=None, default_value="clip", affects="answer", help=BEYOND_HELP
    )
    quantiles_exact_limit: int | None = param(
        default=None,
        resolves="1,000,000 in the fitted scope",
        affects="statistics",
        ge=1,
        help="distinct scores that a fitted sample keeps; more are sketched",
    )

    @property
    def gives(self) -> Fields:
        """Values between 0 and 1."""
        return Fields(values=like("scores", lists(help="share of the sample below, 0..1")))

    @property
    def inverse_takes(self) -> Fields:
        """Values, where a stored sample knows the way back."""
        return self.gives if self.is_fitted_scope else NO_FIELDS

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The sample's distinct scores and their counts."""
        if not self.fittable:
            return {}
        return {"quantiles": Quantiles(self.quantiles_exact_limit or Quantiles.EXACT_LIMIT)}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide the scope, and the limit of a fitted sample."""
        decided = super().defaults(statistics)
        if decided["scope"] == "fitted":
            decided["quantiles_exact_limit"] = Quantiles.EXACT_LIMIT
        return decided

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the sample, or its stored quantiles."""
        quantiles = cast(Quantiles, statistics["quantiles"])
        require_one_column(quantiles.width)
        if quantiles.curve is None:
            fitted = _fitted_sample(quantiles)
        else:
            curve = quantiles.curve
            size = np.asarray(quantiles.n, dtype=np.int64)
            fitted = Fitted({"p": curve.p, "v": curve.v[:, 0], "n": size})
        self._sample(fitted)
        if not quantiles.constant[0]:
            return fitted
        told = no_spread("a score is below, at or above that one score, and nothing between")
        return replace(fitted, warnings=(*fitted.warnings, *told))

    def normalized(self, fitted: Fitted, scores: Ragged, options: Options) -> Answer:
        """Return the share of the sample below each score."""
        directed = self.directed(scores)
        if self.is_fitted_scope:
            return self._against_sample(self._sample(fitted), directed, options)
        return self._in_own_list(directed, options)

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return a score for each share, linear between those of the sample."""
        values = batch.ragged("values")
        shares = within_unit(values.values, unwrap(self.out_of_bounds), "input.values")
        sample = self._sample(fitted)
        scores = sample.score(shares, unwrap(self.kind))
        ends = sample.values[[0, -1]]
        directed = scores if self.higher_is_better else -scores + 0.0
        answer = Answer({"scores": values.with_values(directed)})
        return self.flag_scores(answer, values, clipped=np.isin(scores, ends))

    def _sample(self, fitted: Fitted) -> Sample | StoredCurve:
        """Return the stored sample in the direction of better, or say what it lacks."""
        higher = unwrap(self.higher_is_better)
        sample = fitted.once(("sample", higher), lambda: _directed_sample(fitted, higher=higher))
        if self.kind == "rank":
            require_size(sample, "kind 'rank'")
        if self.finite_logs:
            require_size(sample, "finite_logs")
        return sample

    def _in_own_list(self, scores: Ragged, options: Options) -> Answer:
        standing = rank_counts_within(scores)
        values = self._lifted(standing.share(unwrap(self.kind)), standing.n)
        answer = Answer({"values": scores.with_values(values)})
        return replace(answer, explain=_counts(scores, standing)) if options.explain else answer

    def _against_sample(
        self, sample: Sample | StoredCurve, scores: Ragged, options: Options
    ) -> Answer:
        values = self._lifted(sample.share(scores.values, unwrap(self.kind)), sample.n)
        answer = Answer({"values": scores.with_values(values)})
        answer = flag_out_of_range(answer, scores, sample.values[0], sample.values[-1])
        if isinstance(sample, Sample) and sample.rank_error:
            report = {**(answer.report or {}), "rank_error": sample.rank_error}
            answer = replace(answer, report=report)
        if not options.explain:
            return answer
        if isinstance(sample, Sample):
            return replace(answer, explain=_counts(scores, sample.normalize_in_pool(scores.values)))
        return replace(answer, explain=_shares(scores, sample))

    def _lifted(self, values: Array, n: Array | int) -> Array:
        # Less than 1/n, the share of one score, and above 0: its logarithm is finite.
        return np.maximum(values, 1 / (np.asarray(n) + 1)) if self.finite_logs else values


def _directed_sample(fitted: Fitted, *, higher: bool) -> Sample | StoredCurve:
    sample: Sample | StoredCurve
    if "counts" in fitted.arrays:
        error = fitted.get("rank_error")
        sample = Sample(fitted["values"], fitted["counts"], 0.0 if error is None else float(error))
    else:
        sample = StoredCurve(fitted["p"], fitted["v"], int(fitted["n"]))
    return sample if higher else sample.mirrored()


def _fitted_sample(quantiles: Quantiles) -> Fitted:
    """Return the one column of exact or sketched quantiles, with its rank error if it has one."""
    values, counts = quantiles.column(0)
    arrays = {"values": values, "counts": counts}
    error = float(quantiles.rank_error[0])
    if not error:
        return Fitted(arrays)
    told = notice(
        "sketched",
        f"the sample has more than {quantiles.exact_limit} distinct scores: counts below a score "
        f"are within {error:.0f} of {quantiles.n}; raise 'quantiles_exact_limit' for exact ones",
        rank_error=error,
    )
    arrays["rank_error"] = np.asarray(error)
    return Fitted(arrays, report={"rank_error": error}, warnings=(told,))


def _counts(scores: Ragged, standing: RankCounts) -> list[dict[str, object]]:
    """Return by list the size of the sample, and for each score the counts below and equal."""
    equal = standing.not_above - standing.below
    missing = np.isnan(scores.values)
    return [
        {
            "n": int(standing.n[start:stop].max(initial=0)),
            "below": _plain(standing.below[start:stop], missing[start:stop]),
            "equal": _plain(equal[start:stop], missing[start:stop]),
        }
        for start, stop in zip(scores.offsets[:-1], scores.offsets[1:], strict=True)
    ]


def _shares(scores: Ragged, curve: StoredCurve) -> list[dict[str, object]]:
    """Return by list the size behind the curve, and both ends of its jump at each score."""
    low, high = (curve.share(scores.values, kind) for kind in ("strict", "weak"))
    missing = np.isnan(scores.values)
    return [
        {
            "n": curve.n or None,
            "share_below": _plain(low[start:stop], missing[start:stop]),
            "share_not_above": _plain(high[start:stop], missing[start:stop]),
        }
        for start, stop in zip(scores.offsets[:-1], scores.offsets[1:], strict=True)
    ]


def _plain(numbers: Array, missing: Array) -> list[float | None]:
    return [
        None if lost else number
        for number, lost in zip(numbers.tolist(), missing.tolist(), strict=True)
    ]
