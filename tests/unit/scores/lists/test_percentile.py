"""Percentiles of score lists: kinds, ties, direction, stored quantiles, and the way back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Boltzmann, Percentile, errors, load
from normalizers.versions import fitting

SAMPLE = [0.1, 0.2, 0.2, 0.2, 0.5, 0.7, 0.9, 0.9]
ASKED = [0.0, 0.1, 0.15, 0.2, 0.6, 0.9, 1.0]
NAN = float("nan")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("strict", [0.0, 0.0, 0.125, 0.125, 0.625, 0.75, 1.0]),
        ("weak", [0.0, 0.125, 0.125, 0.5, 0.625, 1.0, 1.0]),
        ("mean", [0.0, 0.0625, 0.125, 0.3125, 0.625, 0.875, 1.0]),
        ("rank", [0.0, 0.125, 0.125, 0.375, 0.625, 0.9375, 1.0]),
    ],
)
def test_kinds_against_a_stored_sample(kind: str, expected: list[float]) -> None:
    assert Percentile(kind=kind).fit(SAMPLE).transform(ASKED).tolist() == expected


@pytest.mark.parametrize("kind", ["strict", "weak", "mean", "rank"])
def test_kinds_are_those_of_scipy(kind: str) -> None:
    from scipy.stats import percentileofscore

    scores = [5.0, 1.0, 3.0, 3.0, 2.0]
    expected = [percentileofscore(scores, score, kind) / 100 for score in scores]
    assert Percentile(kind=kind).transform(scores) == pytest.approx(expected, rel=1e-15)


def test_the_list_itself_as_sample() -> None:
    answer = Percentile().apply_to(scores=[[5.0, 1.0, 3.0, 3.0, 2.0], [-1.0], [], [2.0, 2.0]])
    parts = [part.tolist() for part in answer["values"]]
    assert parts == [pytest.approx([0.9, 0.1, 0.6, 0.6, 0.3]), [0.5], [], [0.5, 0.5]]
    assert answer.flags == {}
    assert answer.report is None


def test_equal_scores_get_equal_values_whatever_their_order() -> None:
    scores = [0.5, 0.5, 0.5, 0.9]
    assert Percentile(kind="weak").transform(scores).tolist() == [0.75, 0.75, 0.75, 1.0]
    assert Percentile(kind="weak").transform(scores[::-1]).tolist() == [1.0, 0.75, 0.75, 0.75]


def test_a_strictly_increasing_map_changes_nothing() -> None:
    scores = np.random.default_rng(0).normal(size=50).round(1)
    plain = Percentile().transform(scores).tolist()
    assert Percentile().transform(np.exp(scores)).tolist() == plain
    assert Percentile().transform(scores * 1e300).tolist() == plain
    assert Percentile().transform(scores * 1e-300).tolist() == plain


def test_a_list_does_not_depend_on_its_neighbours() -> None:
    rng = np.random.default_rng(1)
    parts = [rng.integers(0, 5, size=size).astype(float) for size in (3, 0, 7, 1)]
    together = Percentile().transform(parts)
    for part, values in zip(parts, together, strict=True):
        assert values.tolist() == Percentile().transform(part).tolist()


@pytest.mark.parametrize("kind", ["strict", "weak", "mean", "rank"])
def test_lower_is_better_is_the_sign_changed_first(kind: str) -> None:
    sample, asked = np.array(SAMPLE), np.array(ASKED)
    lower = Percentile(kind=kind, higher_is_better=False)
    negated = Percentile(kind=kind).fit(-sample)
    assert lower.fit(sample).transform(asked).tolist() == negated.transform(-asked).tolist()
    alone = Percentile(kind=kind, higher_is_better=False).transform(sample).tolist()
    assert alone == Percentile(kind=kind).transform(-sample).tolist()


def test_lower_is_better_counts_the_share_above() -> None:
    fitted = Percentile(kind="strict", higher_is_better=False).fit([1.0, 2.0, 3.0, 4.0])
    assert fitted.transform([0.0, 1.0, 2.5, 4.0, 5.0]).tolist() == [1.0, 0.75, 0.5, 0.0, 0.0]


def test_scores_beyond_the_sample_are_flagged_and_their_share_reported() -> None:
    answer = Percentile().fit(SAMPLE).apply_to(scores=[[0.05, 0.1], [0.9, 2.0]])
    assert answer.flags["out_of_range"].tolist() == [[0, 0], [1, 1]]
    assert answer.report == {"out_of_range": 0.5}


def test_missing_scores_are_never_ranked() -> None:
    with pytest.raises(errors.NonFiniteError):
        Percentile().transform([1.0, NAN])
    for policy in ("omit", "last", "propagate"):
        answer = Percentile(nan_policy=policy).apply_to(scores=[[1.0, None, 3.0], [NAN]])
        assert answer["values"][0].tolist() == pytest.approx([0.25, NAN, 0.75], nan_ok=True)
        assert answer.flags["missing"].tolist() == [[0, 1], [1, 0]]
    fitted = Percentile(nan_policy="omit").fit([1.0, NAN, 3.0])
    assert fitted.version_.n == 2
    answer = fitted.apply_to(scores=[NAN, 3.0])
    assert answer["values"].tolist() == pytest.approx([NAN, 0.75], nan_ok=True)
    assert answer.report == {"out_of_range": 0.0}


def test_finite_logs_keep_logarithms_finite_and_the_order() -> None:
    fitted = Percentile(finite_logs=True).fit([1.0, 2.0, 3.0])
    values = fitted.transform([0.0, 1.0, 1.5, 3.0, 9.0])
    assert values.tolist() == [0.25, 0.25, 1 / 3, 5 / 6, 1.0]
    assert (np.diff(values) >= 0).all()
    own = Percentile(kind="strict", finite_logs=True).transform([[1.0, 2.0, 3.0], [5.0]])
    assert [part.tolist() for part in own] == [[0.25, 1 / 3, 2 / 3], [0.5]]


def test_stored_quantiles() -> None:
    stored = Percentile().fit_statistics(quantiles={"p": [0.0, 0.5, 1.0], "v": [0.0, 1.0, 4.0]})
    answer = stored.apply_to(scores=[-1.0, 0.5, 1.0, 2.5, 5.0])
    assert answer["values"].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert answer.flags["out_of_range"].tolist() == [[0, 0], [0, 4]]
    assert stored.inverse_transform([0.25, 0.75]).tolist() == [0.5, 2.5]


@pytest.mark.parametrize(
    ("kind", "higher", "lower"), [("strict", 0.2, 0.4), ("weak", 0.6, 0.8), ("mean", 0.4, 0.6)]
)
def test_stored_quantiles_jump_where_two_share_a_value(
    kind: str, higher: float, lower: float
) -> None:
    curve = {"p": [0.0, 0.2, 0.6, 1.0], "v": [0.0, 1.0, 1.0, 4.0]}
    up = Percentile(kind=kind).fit_statistics(quantiles=curve)
    down = Percentile(kind=kind, higher_is_better=False).fit_statistics(quantiles=curve)
    assert up.transform([1.0]) == pytest.approx([higher], rel=1e-15)
    assert down.transform([1.0]) == pytest.approx([lower], rel=1e-15)


@pytest.mark.parametrize("params", [{"kind": "rank"}, {"finite_logs": True}])
def test_stored_quantiles_without_their_size(params: dict[str, object]) -> None:
    curve = {"p": [0.0, 1.0], "v": [0.0, 1.0]}
    with pytest.raises(errors.FitError, match="'n'"):
        Percentile(**params).fit_statistics(quantiles=curve)
    sized = Percentile(**params).fit_statistics(quantiles={**curve, "n": 4})
    assert sized.transform([0.0]).tolist() == [0.125 if "kind" in params else 0.2]


def test_statistics_of_several_columns_are_refused() -> None:
    with pytest.raises(errors.InvalidInput, match="one column"):
        Percentile().fit_statistics(quantiles={"p": [0.0, 1.0], "v": [[0.0, 1.0], [1.0, 2.0]]})


@pytest.mark.parametrize("kind", ["strict", "weak", "mean", "rank"])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_the_sample_comes_back(kind: str, higher_is_better: bool) -> None:
    fitted = Percentile(kind=kind, higher_is_better=higher_is_better).fit(SAMPLE)
    assert fitted.inverse_transform(fitted.transform(SAMPLE)).tolist() == SAMPLE


def test_inverse_is_linear_between_mean_ranks() -> None:
    fitted = Percentile().fit([0.0, 10.0])
    answer = fitted.version_.inverse({"values": [0.0, 0.25, 0.5, 0.75, 1.0]})
    assert answer["scores"].tolist() == [0.0, 0.0, 5.0, 10.0, 10.0]
    assert answer.flags["clipped"].tolist() == [[0, 0], [0, 1], [0, 3], [0, 4]]


def test_r20_what_is_no_share_comes_back_as_an_end_and_flagged_or_as_asked() -> None:
    for method in (Percentile, Boltzmann):
        back = method().fit(SAMPLE).inverse_to([1.02, 0.6, -0.5])
        found = np.asarray(back.output["scores"])
        assert found[[0, 2]].tolist() == [max(SAMPLE), min(SAMPLE)]
        assert min(SAMPLE) < found[1] < max(SAMPLE)
        assert np.asarray(back.flags["clipped"]).tolist() == [[0, 0], [0, 2]]
        asked = method(out_of_bounds="missing").fit(SAMPLE).inverse_transform([1.02, 0.6])
        assert np.isnan(asked).tolist() == [True, False]
        with pytest.raises(errors.InvalidInput, match="0 to 1"):
            method(out_of_bounds="error").fit(SAMPLE).inverse_transform([1.5])


def test_inverse_keeps_missing_values_missing() -> None:
    fitted = Percentile(nan_policy="omit").fit([0.0, 10.0])
    assert fitted.inverse_transform([NAN, 0.5]).tolist() == pytest.approx([NAN, 5.0], nan_ok=True)


def test_the_list_itself_has_no_inverse() -> None:
    with pytest.raises(errors.UnsupportedOperation):
        Percentile().inverse_transform([0.5])


def test_shards_add_up_to_one_fit() -> None:
    whole = Percentile().fit(SAMPLE)
    merged = Percentile().fit(SAMPLE[:3]).merge(Percentile().fit(SAMPLE[3:]))
    assert merged.transform(ASKED).tolist() == whole.transform(ASKED).tolist()
    streamed = Percentile().partial_fit(SAMPLE[:5]).partial_fit(SAMPLE[5:])
    assert streamed.transform(ASKED).tolist() == whole.transform(ASKED).tolist()


def test_a_large_sample_is_sketched_and_says_so() -> None:
    sample = np.random.default_rng(1).normal(size=5000)
    sketched = Percentile(quantiles_exact_limit=100).fit(sample)
    exact = Percentile().fit(sample)
    error = sketched.version_.report["rank_error"]
    assert 0 < error < 500
    warned = sketched.version_.fitted.warnings[0]
    assert (warned.code, dict(warned.detail)) == ("sketched", {"rank_error": error})
    answer = sketched.apply_to(scores=sample[:200])
    assert answer.report == {"out_of_range": 0.0, "rank_error": error}
    assert np.abs(answer["values"] - exact.transform(sample[:200])).max() <= error / 5000
    assert "rank_error" not in exact.version_.report
    assert exact.apply_to(scores=[0.0]).report == {"out_of_range": 0.0}


def test_a_sketch_serves_both_directions_and_comes_back_from_a_file(tmp_path: Path) -> None:
    sample = np.random.default_rng(2).normal(size=3000)
    params = {"quantiles_exact_limit": 50, "higher_is_better": False}
    sketched = Percentile(**params).fit(sample)
    values = sketched.transform([-1.0, 0.0, 1.0])
    exact = Percentile(higher_is_better=False).fit(sample).transform([-1.0, 0.0, 1.0])
    assert np.abs(values - exact).max() <= sketched.version_.report["rank_error"] / 3000
    sketched.save(tmp_path / "sketch")
    again = load(tmp_path / "sketch")
    assert again.transform([-1.0, 0.0, 1.0]).tolist() == values.tolist()


def test_explain_counts() -> None:
    own = Percentile(nan_policy="omit").apply_to(scores=[[2.0, 1.0, NAN, 2.0], []], explain=True)
    assert own.explain == [
        {"n": 3, "below": [1, 0, None, 1], "equal": [2, 1, None, 2]},
        {"n": 0, "below": [], "equal": []},
    ]
    fitted = Percentile().fit(SAMPLE).apply_to(scores=[0.2, 0.3], explain=True)
    assert fitted.explain == [{"n": 8, "below": [1, 4], "equal": [3, 0]}]


def test_explain_of_stored_quantiles_gives_shares() -> None:
    stored = Percentile().fit_statistics(
        quantiles={"p": [0.0, 0.25, 0.5, 1.0], "v": [0.0, 1.0, 1.0, 4.0]}
    )
    assert stored.apply_to(scores=[1.0], explain=True).explain == [
        {"n": None, "share_below": [0.25], "share_not_above": [0.5]}
    ]


def test_alias_scope_and_fit_rules() -> None:
    with pytest.raises(errors.UnsupportedOperation, match="scope"):
        fitting.fit(Percentile(scope="query"), {"scores": [1.0]})
    with pytest.raises(errors.NotFitted):
        Percentile(scope="fitted").transform([1.0])
    assert Percentile.aliases == {"pit": {}}
    assert Percentile().apply_to(scores=[1.0]).effective_params["scope"] == "query"


def test_float32_scores_are_compared_exactly() -> None:
    scores = np.array([0.1, 0.2, 0.1], dtype=np.float32)
    values = Percentile().fit(scores).transform(scores)
    assert values.dtype == np.float32
    assert values.tolist() == pytest.approx([1 / 3, 5 / 6, 1 / 3])


def test_r10_stored_subnormal_quantiles_are_linear_between() -> None:
    stored = Percentile(scope="fitted").fit_statistics(quantiles={"p": [0, 1], "v": [0, 2e-323]})
    scores = [5e-324, 1e-323, 1.5e-323]
    assert stored.transform(scores).tolist() == [0.25, 0.5, 0.75]
    assert stored.inverse_transform([0.25, 0.5, 0.75]).tolist() == scores
