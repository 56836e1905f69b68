"""Figures of real translations that alignment must reproduce, through the library's own calls."""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from normalizers import (
    AnchorIsotonic,
    AnchorLinear,
    AnchorPiecewiseLinear,
    Autorank,
    GroupAverage,
    GroupCentering,
    GroupMinMax,
    GroupPercentile,
    GroupRobust,
    GroupZScore,
    LinkMeanSigma,
)
from normalizers.evaluation.evaluate import evaluate
from normalizers.measures.agreement import pair_accuracy
from normalizers.measures.rated import Rated
from normalizers.normalizer import Normalizer

DATA = Path(__file__).parents[4] / "shared" / "data" / "metrics"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the shared data are not here")


@cache
def table(name: str) -> dict[str, np.ndarray]:
    """Return the columns of a file: numbers where all are numbers or missing."""
    with gzip.open(DATA / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
        head, *rows = csv.reader(file, delimiter="\t")
    return {column: _column([row[at] for row in rows]) for at, column in enumerate(head)}


def _column(texts: list[str]) -> np.ndarray:
    try:
        return np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        return np.array(texts, dtype=object)


def _halves(table_: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of even and of odd places among the sorted segments."""
    segments = np.unique(table_["seg"])
    even = np.isin(table_["seg"], segments[::2])
    return even, ~even


@cache
def chrf() -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return fit and test rows of chrF++ on XQ-MEval: score, language, quality."""
    rows = table("xqmeval_chrfpp")
    return tuple(  # type: ignore[return-value]
        {
            "x": rows["chrfpp"][half],
            "groups": rows["lang"][half],
            "qualities": -5.0 * rows["errors"][half],
        }
        for half in _halves(rows)
    )


def accuracy(scores: np.ndarray, rows: dict[str, np.ndarray], pairs: str = "cross_group") -> float:
    return pair_accuracy(Rated.of(scores, rows["qualities"], rows["groups"]), pairs=pairs)


def test_raw_scores_across_languages_and_the_ceiling_within_them() -> None:
    _, test = chrf()
    assert accuracy(test["x"], test) == pytest.approx(0.7386, abs=1e-4)
    assert accuracy(test["x"], test, "within_group") == pytest.approx(0.8199, abs=1e-4)


@pytest.mark.parametrize(
    "method, expected",
    [
        (GroupMinMax(), 0.8047),
        (GroupCentering(), 0.8150),
        (GroupRobust(), 0.8157),
        (GroupPercentile(), 0.8163),
        (GroupZScore(), 0.8164),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_alignment_by_anchors_of_known_scores(method: Normalizer, expected: float) -> None:
    fit, test = chrf()
    x = fit["x"][:, None] if method.name == "group_centering" else fit["x"]
    method.fit(x, groups=fit["groups"])
    given = test["x"][:, None] if method.name == "group_centering" else test["x"]
    aligned = np.ravel(method.transform(given, groups=test["groups"]))
    assert accuracy(aligned, test) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "method, expected",
    [
        (AnchorPiecewiseLinear(), 0.8141),
        (AnchorPiecewiseLinear(out_of_bounds="linear"), 0.8165),
        (AnchorLinear(), 0.8188),
        (AnchorLinear(regression="score_on_quality_inverted"), 0.8170),
        (AnchorLinear(regression="score_on_quality_inverted", fit_on="level_means"), 0.8168),
        (AnchorIsotonic(), 0.8181),
    ],
    ids=["levels", "levels on", "line", "inverted", "inverted on means", "isotonic"],
)
def test_alignment_by_anchors_of_known_quality(method: Normalizer, expected: float) -> None:
    fit, test = chrf()
    method.fit(**fit)
    aligned = np.ravel(method.transform(test["x"], groups=test["groups"]))
    assert accuracy(aligned, test) == pytest.approx(expected, abs=1.5e-4)


def test_a_level_more_for_the_reference_itself() -> None:
    fit, test = chrf()
    languages = np.unique(fit["groups"])
    with_reference = {
        "x": np.concatenate([fit["x"], np.full(len(languages), 100.0)]),
        "groups": np.concatenate([fit["groups"], languages]),
        "qualities": np.concatenate([fit["qualities"], np.zeros(len(languages))]),
    }
    fitted = AnchorPiecewiseLinear().fit(**with_reference)
    aligned = np.ravel(fitted.transform(test["x"], groups=test["groups"]))
    assert accuracy(aligned, test) == pytest.approx(0.8158, abs=1e-4)


@cache
def wmt23() -> dict[str, np.ndarray]:
    rows = table("wmt23_sys")
    pairs = {"en-de", "en-ja", "en-zh"}
    there = np.array([pair in pairs for pair in rows["lp"]]) & ~np.isnan(rows["comet22"])
    return {name: column[there] for name, column in rows.items()}


def _agreement(scores: np.ndarray) -> float:
    rows = wmt23()
    result = evaluate(["kendall"], scores=scores, qualities=rows["da_raw"], groups=list(rows["lp"]))
    return float(result.results[0].value)


def _comet_levels() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    levels = table("xqmeval_level_means")
    comet = levels["metric"] == "COMET-22"
    return levels["score"][comet], levels["lp"][comet], -levels["errors"][comet]


def test_wmt23_is_ordered_by_anchors_that_never_saw_it() -> None:
    rows = wmt23()
    assert len(rows["lp"]) == 40
    score, pair, quality = _comet_levels()
    aligner = GroupZScore(anchors="level_means").fit(score, groups=pair, qualities=quality)
    groups = [str(name) for name in rows["lp"]]
    x = rows["comet22"]
    assert _agreement(x) == pytest.approx(0.403, abs=1e-3)
    assert _agreement(aligner.transform(x, groups=groups)) == pytest.approx(0.861, abs=1e-3)
    own = GroupZScore(reference_kind="self").fit(x, groups=groups).transform(x, groups=groups)
    assert _agreement(own) == pytest.approx(0.630, abs=1e-3)
    narrow = GroupMinMax(reference_kind="self").fit(x, groups=groups).transform(x, groups=groups)
    assert _agreement(narrow) == pytest.approx(0.298, abs=1e-3)


@cache
def mlqe() -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    rows = table("mlqe_da_seg")
    halves = (rows["split"] == name for name in ("dev", "test20"))
    return tuple(  # type: ignore[return-value]
        {
            "x": rows["nmt_logprob"][half],
            "groups": rows["lp"][half],
            "qualities": rows["da_mean"][half],
        }
        for half in halves
    )


@pytest.mark.parametrize(
    "method, pearson, error",
    [
        (None, 0.204, None),
        (GroupZScore(reference_kind="self"), 0.367, None),
        (AnchorLinear(), 0.684, 14.4),
        (AnchorIsotonic(), 0.685, 14.2),
    ],
    ids=["raw", "own z", "line", "isotonic"],
)
def test_mlqe_pooled_over_seven_pairs(
    method: Normalizer | None, pearson: float, error: float | None
) -> None:
    fit, test = mlqe()
    aligned = test["x"]
    if method is not None:
        known = {} if method.name == "group_z_score" else {"qualities": fit["qualities"]}
        method.fit(fit["x"], groups=fit["groups"], **known)
        aligned = np.ravel(method.transform(test["x"], groups=test["groups"]))
    result = evaluate(["pearson"], scores=aligned, qualities=test["qualities"])
    assert result.results[0].value == pytest.approx(pearson, abs=1e-3)
    if error is not None:
        assert np.abs(aligned - test["qualities"]).mean() == pytest.approx(error, abs=0.05)


def test_mlqe_mean_sigma_to_human_scores() -> None:
    fit, test = mlqe()
    aligned = np.empty(len(test["x"]))
    for pair in np.unique(fit["groups"]):
        own = fit["groups"] == pair
        link = LinkMeanSigma().fit(
            fit["x"][own], groups=fit["groups"][own], reference=fit["qualities"][own]
        )
        asked = test["groups"] == pair
        aligned[asked] = link.transform(test["x"][asked], groups=test["groups"][asked])
    result = evaluate(["pearson"], scores=aligned, qualities=test["qualities"])
    assert result.results[0].value == pytest.approx(0.627, abs=1e-3)
    assert np.abs(aligned - test["qualities"]).mean() == pytest.approx(16.5, abs=0.05)


DRAWS = 200


def _half_coverage(x: np.ndarray, human: np.ndarray) -> float:
    """Return the pair accuracy of averages when each system keeps a random half of its pairs."""
    systems, pairs = x.shape
    random = np.random.default_rng(0)
    truth = human.mean(axis=1)
    names = np.array([f"s{at}" for at in range(systems)], dtype=object)
    found = []
    for _ in range(DRAWS):
        kept = np.stack([random.permutation(pairs)[: pairs // 2] for _ in range(systems)])
        rows = np.repeat(np.arange(systems), pairs // 2)
        places = kept.ravel()
        answer = GroupAverage().apply_to(
            x[rows, places], systems=names[rows], groups=[f"p{at}" for at in places]
        )
        mean = np.ravel(answer["mean"])
        found.append(pair_accuracy(Rated.of(mean, truth), ties="wrong", pairs="all"))
    return float(np.mean(found))


@pytest.mark.parametrize(
    "column, raw, aligned, sign",
    [("chrfpp", 0.665, 0.847, 1.0), ("cometkiwi23xl", 0.783, 0.907, 1.0),
     ("metricx23xl", 0.851, 0.892, -1.0)],
)  # fmt: skip
def test_half_coverage_of_wmt24(column: str, raw: float, aligned: float, sign: float) -> None:
    rows = table("wmt24_sys")
    whole = ("esa", "chrfpp", "cometkiwi23xl", "metricx23xl")
    there = ~np.isnan([rows[name] for name in whole]).any(axis=0)
    pairs = sorted(set(rows["lp"][there]))
    names = [
        name
        for name in sorted(set(rows["system"]))
        if all(((rows["system"] == name) & (rows["lp"] == pair) & there).any() for pair in pairs)
    ]
    assert (len(names), len(pairs)) == (8, 4)

    def cell(what: str, name: str, pair: str) -> float:
        return float(rows[what][(rows["system"] == name) & (rows["lp"] == pair)][0])

    x = sign * np.array([[cell(column, name, pair) for pair in pairs] for name in names])
    human = np.array([[cell("esa", name, pair) for pair in pairs] for name in names])
    groups = [pair for _ in names for pair in pairs]
    z = GroupZScore().fit(x.ravel(), groups=groups).transform(x.ravel(), groups=groups)
    assert _half_coverage(x, human) == pytest.approx(raw, abs=0.02)
    assert _half_coverage(z.reshape(x.shape), human) == pytest.approx(aligned, abs=0.02)


def test_autorank_of_wmt24_on_all_pairs() -> None:
    """The published sheet averages the two ranks; ours equals that formula to 1e-12."""
    rows = table("wmt24_sys")
    for pair in sorted(set(rows["lp"])):
        own = rows["lp"] == pair
        x = np.column_stack([rows["metricx23xl"][own], rows["cometkiwi23xl"][own]])
        if np.isnan(x).any():
            continue
        answer = Autorank(variant="2024", higher_is_better=[False, True]).apply_to(x)
        n = len(x)
        first = 1 + n * (x[:, 0] - x[:, 0].min()) / (x[:, 0].max() - x[:, 0].min())
        second = 1 + n * (x[:, 1].max() - x[:, 1]) / (x[:, 1].max() - x[:, 1].min())
        expected = (first + second) / 2
        assert np.allclose(np.ravel(answer["autorank"]), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    "metric, first, fifth, aligned",
    [
        ("spBLEU", 0.54, 1.89, 0.25),
        ("chrF++", 2.57, 3.97, 0.16),
        ("BLEURT-20", 0.63, 3.26, 0.26),
        ("COMET-22", 1.43, 3.55, 0.23),
        ("XCOMET-XL", 2.39, 3.00, 0.45),
        ("MetricX-23-large", 1.46, 4.57, 0.30),
        ("CometKiwi-22", 1.14, 1.29, 0.18),
        ("CometKiwi-23-XL", 1.72, 2.67, 0.16),
        ("MetricX-23-QE-large", 1.79, 2.98, 0.37),
    ],
)
def test_languages_of_equal_quality_are_apart_until_they_are_aligned(
    metric: str, first: float, fifth: float, aligned: float
) -> None:
    levels = table("xqmeval_level_means")
    own = levels["metric"] == metric
    x, groups, qualities = levels["score"][own], levels["lp"][own], -levels["errors"][own]
    better = not levels["lower_is_better"][own][0]
    shared = {"groups": groups, "qualities": qualities, "higher_is_better": better}
    raw = evaluate(["group_bias"], scores=x, **shared).results[0]
    assert raw.details["ranges"][[-1, 0]] == pytest.approx([first, fifth], abs=0.006)
    z = GroupZScore(anchors="level_means").fit(x, groups=groups, qualities=qualities)
    after = evaluate(["group_bias"], scores=z.transform(x, groups=groups), **shared).results[0]
    assert after.value == pytest.approx(aligned, abs=0.006)
