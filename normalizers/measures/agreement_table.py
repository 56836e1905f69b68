"""The measures of agreement, with the tables beside their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from normalizers.kernels.pairs import pair_counts
from normalizers.measures.agreement import (
    Kendall,
    PairAccuracy,
    Pairs,
    Ties,
    Variant,
    kendall,
    ordered_pairs,
    pair_accuracy,
    pearson,
    spearman,
)
from normalizers.measures.measure import Measure
from normalizers.measures.rated import Rated
from normalizers.measures.resampled_agreement import (
    kendall_resamples,
    pair_accuracy_resamples,
    pearson_resamples,
)

# A pass over the bits of the ranks is what a row costs more than in a sum.
WORK = 50


def _within(
    function: Callable[..., float], rated: Rated, params: Mapping[str, object]
) -> Mapping[str, object]:
    """Return a measure within each group, and the mean over those where it is defined."""
    parts = rated.by_group()
    if not parts:
        return {}
    values = np.array([function(one, **params) for one in parts])
    known = values[~np.isnan(values)]
    return {
        "groups": list(rated.keys),
        "n": np.array([one.rows for one in parts]),
        "values": values,
        "within_groups": float(known.mean()) if len(known) else None,
    }


def _pearson_details(rated: Rated) -> Mapping[str, object]:
    return _within(pearson, rated, {})


def _spearman_details(rated: Rated) -> Mapping[str, object]:
    return _within(spearman, rated, {})


def _kendall_details(
    rated: Rated, variant: Variant = "b", tie_epsilon: float = 0.0
) -> Mapping[str, object]:
    counts = pair_counts(rated.qualities, rated.scores, rated.weights, tie_epsilon)
    return {
        "pairs": int(counts.pairs),
        "concordant": int(counts.concordant),
        "discordant": int(counts.discordant),
        "tied_scores": int(counts.tied_y),
        "tied_qualities": int(counts.tied_x),
        "tied_both": int(counts.tied_both),
        **_within(kendall, rated, {"variant": variant, "tie_epsilon": tie_epsilon}),
    }


def _pair_accuracy_details(
    rated: Rated, ties: Ties = "half", pairs: Pairs = "cross_group"
) -> Mapping[str, object]:
    right, tied, total = ordered_pairs(rated, pairs)
    return {"pairs": int(total), "right": int(right), "tied_scores": int(tied)}


_agreeing = partial(Measure, needs="qualities")
MEASURES = (
    _agreeing(
        "pearson",
        function=pearson,
        help="linear correlation of scores and qualities; by group in the details",
        undefined="fewer than two complete rows, or scores or qualities that are all equal",
        details=_pearson_details,
        resample=pearson_resamples,
    ),
    _agreeing(
        "spearman",
        function=spearman,
        help="linear correlation of the ranks of scores and qualities; by group in the details",
        undefined="fewer than two complete rows, or scores or qualities that are all equal",
        details=_spearman_details,
        work=WORK,
    ),
    _agreeing(
        "kendall",
        function=kendall,
        help="rank correlation of scores and qualities; pairs and groups in the details",
        undefined="fewer than two complete rows, or scores or qualities that are all equal",
        parameters=Kendall,
        details=_kendall_details,
        resample=kendall_resamples,
        work=WORK,
    ),
    _agreeing(
        "pair_accuracy",
        function=pair_accuracy,
        help="share of pairs of rows of different quality that the scores order right",
        undefined="none of these pairs has two qualities",
        parameters=PairAccuracy,
        details=_pair_accuracy_details,
        resample=pair_accuracy_resamples,
        work=WORK,
    ),
)
