"""Min-max of score lists: both scopes, all bounds, constants, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import MinMax, errors
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.versions import fitting

LISTS = [[12.7, 9.3, 0.4], [3.0], [], [2.0, 2.0]]
NAN = float("nan")


def values(scores: object, **params: object) -> list[float]:
    return MinMax(**params).transform(scores).tolist()


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([12.0, 7.0, 2.0], [1.0, 0.5, 0.0]),
        ([4e-12, 3e-12, 1e-12], [1.0, 2 / 3, 0.0]),
        ([1e15 + 2, 1e15 + 1, 1e15], [1.0, 0.5, 0.0]),
        ([1e-300, 2e-300, 3e-300], [0.0, 0.5, 1.0]),
        ([-1e300, 0.0, 1e300], [0.0, 0.5, 1.0]),
    ],
)
def test_no_epsilon_at_any_magnitude(scores: list[float], expected: list[float]) -> None:
    assert values(scores) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("params", [{}, {"bounds": "percentile"}, {"higher_is_better": False}])
def test_scaling_and_shifting_change_nothing(params: dict[str, object]) -> None:
    scores = np.array([0.3, 7.0, -2.5, 11.25, 4.0])
    plain = values(scores, **params)
    assert values(scores * 1e-250, **params) == pytest.approx(plain, rel=1e-12)
    assert values(scores * 1e250, **params) == pytest.approx(plain, rel=1e-12)
    assert values(scores + 1024.0, **params) == pytest.approx(plain, rel=1e-12)


def test_elasticsearch_120201_and_opensearch_negative_scores() -> None:
    assert values([-0.5, -2.0, -7.0]) == pytest.approx([1.0, 10 / 13, 0.0], rel=1e-15)


def test_weaviate_3243_a_lone_hit_is_not_zero() -> None:
    answer = MinMax().apply_to(scores=[[3.2], [0.9, 0.5]])
    assert [part.tolist() for part in answer["values"]] == [[1.0], [1.0, 0.0]]
    assert answer.flags["constant"].tolist() == [0]


def test_neural_search_1871_a_weak_signal_needs_fixed_ends() -> None:
    assert values([0.1, 0.0]) == [1.0, 0.0]
    assert values([0.1, 0.0], bounds="fixed", lower=0.0, upper=20.0) == pytest.approx([0.005, 0.0])
    assert values([0.003, 0.0], bounds="fixed", lower=0.0, upper=1.0) == pytest.approx([0.003, 0.0])


def test_empty_lists_and_no_lists() -> None:
    answer = MinMax().apply_to(scores=LISTS)
    assert [part.tolist() for part in answer["values"]][2:] == [[], [1.0, 1.0]]
    assert answer["loc"].tolist() == [0.4, 3.0, 0.0, 2.0]
    assert answer["scale"].tolist() == [12.7 - 0.4, 0.0, 0.0, 0.0]
    assert answer.flags["constant"].tolist() == [1, 3]
    assert MinMax().transform([]).tolist() == []


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, 1.0),
        ({"constant_value": 0.25}, 0.25),
        ({"on_constant": "zero"}, 0.0),
        ({"on_constant": "half"}, 0.5),
        ({"on_constant": "keep"}, 7.25),
        ({"on_constant": "scale_one"}, 0.0),
        ({"on_constant": "one_if_positive"}, 1.0),
    ],
)
def test_constant_lists(params: dict[str, object], expected: float) -> None:
    answer = MinMax(**params).apply_to(scores=[7.25, 7.25])
    assert answer["values"].tolist() == [expected, expected]
    assert answer.flags["constant"].tolist() == [0]


def test_one_if_positive_gives_zero_to_a_constant_that_is_not() -> None:
    assert values([-7.25], on_constant="one_if_positive") == [0.0]


def test_on_constant_error_names_the_parameter() -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        values([1.0, 1.0], on_constant="error")
    assert caught.value.path == "params.on_constant"
    assert values([1.0, 2.0], on_constant="error") == [0.0, 1.0]


def test_constants_are_recognised_exactly() -> None:
    assert values([0.1] * 7) == [1.0] * 7
    assert values([5.0, np.nextafter(5.0, 6.0)]) == [0.0, 1.0]


def test_lower_is_better_mirrors() -> None:
    assert values([0.1, 0.4, 0.9], higher_is_better=False) == [1.0, 0.625, 0.0]


def test_missing_scores() -> None:
    with pytest.raises(errors.NonFiniteError) as caught:
        values([[1.0, 2.0], [3.0, NAN]])
    assert caught.value.positions == [(1, 1)]
    answer = MinMax(nan_policy="omit").apply_to(scores=[[1.0, None, 3.0], [NAN, 5.0], [NAN]])
    assert answer["values"][0].tolist() == pytest.approx([0.0, NAN, 1.0], nan_ok=True)
    assert answer["values"][1].tolist() == pytest.approx([NAN, 1.0], nan_ok=True)
    assert answer.flags["missing"].tolist() == [[0, 1], [1, 0], [2, 0]]
    assert answer.flags["constant"].tolist() == [1]
    assert "clipped" not in answer.flags


def test_infinities_follow_the_missing_policy_or_are_refused() -> None:
    kept = MinMax(nan_policy="omit").transform([1.0, np.inf, 3.0])
    assert kept.tolist() == pytest.approx([0.0, NAN, 1.0], nan_ok=True)
    with pytest.raises(errors.NonFiniteError):
        MinMax(nan_policy="omit", inf_policy="reject").transform([1.0, np.inf])


def test_fitted_ends_are_those_of_all_lists_pooled() -> None:
    fitted = MinMax().fit([[0.0, 2.0], [10.0]])
    answer = fitted.apply_to(scores=[[5.0], [20.0, -1.0]])
    assert [part.tolist() for part in answer["values"]] == [[0.5], [1.0, 0.0]]
    assert answer.flags["clipped"].tolist() == [[1, 0], [1, 1]]
    assert answer.flags["out_of_range"].tolist() == [[1, 0], [1, 1]]
    assert answer.report == {"out_of_range": 2 / 3}
    assert "loc" not in answer.output


def test_fitted_ends_without_clip() -> None:
    fitted = MinMax(clip=False).fit([0.0, 10.0])
    assert fitted.transform([20.0, -10.0]).tolist() == [2.0, -1.0]


def test_a_fit_applied_page_by_page_equals_the_whole() -> None:
    scores = np.array([3.0, -1.0, 8.5, 2.25])
    fitted = MinMax(bounds="percentile").fit(scores)
    paged = np.concatenate([fitted.transform(page) for page in (scores[:1], scores[1:])])
    assert fitted.transform(scores).tolist() == paged.tolist()


def test_fitted_from_statistics_and_merged() -> None:
    posted = MinMax().fit_statistics(extrema={"n": [4], "min": [0.0], "max": [10.0]})
    merged = MinMax().fit([0.0, 2.0]).merge(MinMax().fit([10.0, 4.0]))
    assert posted.transform([5.0]).tolist() == merged.transform([5.0]).tolist() == [0.5]


def test_statistics_of_several_columns_are_refused() -> None:
    with pytest.raises(errors.InvalidInput, match="one column"):
        MinMax().fit_statistics(extrema={"n": [4, 4], "min": [0.0, 0.0], "max": [1.0, 1.0]})


def test_a_constant_fit_keeps_a_new_value_visible() -> None:
    fitted = MinMax().fit([3.0, 3.0])
    answer = fitted.apply_to(scores=[3.0, 3.25, 9.0, 2.0])
    assert answer["values"].tolist() == [0.0, 0.25, 1.0, 0.0]
    assert answer.flags["constant"].tolist() == [0]
    lower = MinMax(higher_is_better=False, clip=False).fit([3.0, 3.0])
    assert lower.transform([3.0, 2.75, 5.0]).tolist() == [0.0, 0.25, -2.0]


def test_a_constant_fit_with_a_named_value() -> None:
    fitted = MinMax(constant_value=2.0).fit([3.0])
    assert fitted.transform([1.0, 3.0, 4.0]).tolist() == [2.0, 2.0, 2.0]
    assert MinMax(on_constant="keep").fit([3.0]).transform([3.0, 9.0]).tolist() == [3.0, 9.0]


def test_percentile_ends_of_the_list() -> None:
    scores = [0.0, *range(1, 100), 1000.0]
    answer = MinMax(bounds="percentile").apply_to(scores=scores)
    expected = np.clip((np.array(scores) - 5.0) / 90.0, 0.0, 1.0)
    assert answer["values"] == pytest.approx(expected, abs=1e-15)
    assert len(answer.flags["clipped"]) == 10
    assert answer["loc"].tolist() == [5.0]
    assert answer["scale"].tolist() == [90.0]


def test_percentile_ends_of_a_sample() -> None:
    fitted = MinMax(bounds="percentile", quantile_range=[0, 50]).fit([4.0, 0.0, 2.0])
    assert fitted.transform([0.0, 1.0, 2.0, 4.0]).tolist() == [0.0, 0.5, 1.0, 1.0]
    stored = MinMax(bounds="percentile").fit_statistics(
        quantiles={"p": [0.05, 0.95], "v": [10.0, 20.0]}
    )
    assert stored.transform([15.0]).tolist() == [0.5]


def test_equal_percentiles_of_a_list_that_is_not_constant_keep_its_order() -> None:
    scores = [0.0, *[5.0] * 98, 9.0]
    answer = MinMax(bounds="percentile", constant_value=0.5).apply_to(scores=scores)
    assert answer["values"].tolist() == [0.0, *[0.5] * 98, 1.0]
    assert answer.flags["constant"].tolist() == [0]


def test_fixed_ends_clip_extend_and_ignore() -> None:
    fixed = {"bounds": "fixed", "lower": 0.0, "upper": 10.0}
    assert values([-5.0, 5.0, 20.0], **fixed) == [0.0, 0.5, 1.0]
    assert values([-5.0, 20.0], lower_mode="extend", upper_mode="extend", **fixed) == [-0.5, 2.0]
    assert values([-5.0, 20.0], higher_is_better=False, **fixed) == [1.0, 0.0]
    own_lower = {"bounds": "fixed", "upper": 10.0, "lower_mode": "ignore"}
    assert values([5.0, 7.5, 20.0], **own_lower) == [0.0, 0.5, 1.0]


def test_fixed_ends_that_cross_the_lists_own() -> None:
    crossed = {"bounds": "fixed", "lower": 5.0, "lower_mode": "extend", "upper_mode": "ignore"}
    answer = MinMax(**crossed).apply_to(scores=[[1.0, 2.0], [4.0, 6.0]])
    assert [part.tolist() for part in answer["values"]] == [[0.0, 0.0], [-1.0, 1.0]]
    assert answer.flags["constant"].tolist() == [0]


def test_opensearch_floor_lifts_what_is_below() -> None:
    assert values([1.0, 0.5, 0.0], floor=0.001) == [1.0, 0.5, 0.001]


def test_r11_opensearch_lifts_an_exact_0_only() -> None:
    opensearch = CATALOGUE.create("min_max", {"preset": "opensearch"})
    assert opensearch.transform([1000.0, 0.5, 0.0]).tolist() == [1.0, 0.0005, 0.001]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"higher_is_better": False},
        {"on_constant": "keep"},
        {"bounds": "fixed", "lower": -5.0, "upper": 20.0, "lower_mode": "extend"},
        {"bounds": "percentile", "quantile_range": [0.0, 100.0]},
    ],
)
def test_inverse_of_own_and_fixed_ends(params: dict[str, object]) -> None:
    method = MinMax(**params)
    answer = method.apply_to(scores=LISTS)
    back = {name: answer[name] for name in method.version_.resolved_method.inverse_takes}
    scores = method.inverse_transform(**back)
    for part, original in zip(scores, LISTS, strict=True):
        assert part == pytest.approx(np.array(original), rel=1e-14)


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_inverse_of_stored_ends(higher_is_better: bool) -> None:
    fitted = MinMax(higher_is_better=higher_is_better).fit([-4.0, 10.0])
    scores = [-4.0, 10.0, 3.0, 0.1]
    assert fitted.inverse_transform(fitted.transform(scores)) == pytest.approx(scores, rel=1e-14)
    constant = MinMax(higher_is_better=higher_is_better, clip=False).fit([3.0])
    assert constant.inverse_transform(constant.transform([3.0, 2.5])).tolist() == [3.0, 2.5]


def test_inverse_flags_values_that_may_have_been_clamped() -> None:
    fitted = MinMax().fit([0.0, 10.0])
    answer = fitted.version_.inverse({"values": [0.0, 0.5, 1.0]})
    assert answer["scores"].tolist() == [0.0, 5.0, 10.0]
    assert answer.flags["clipped"].tolist() == [[0, 0], [0, 2]]
    own = MinMax().version_.inverse({"values": [0.0, 0.5], "loc": [1.0], "scale": [2.0]})
    assert own["scores"].tolist() == [1.0, 2.0]
    assert own.flags == {}


def test_inverse_needs_one_location_a_list() -> None:
    with pytest.raises(errors.InvalidInput, match="'scale' is missing"):
        MinMax().inverse_transform([0.5], loc=[0.0])
    with pytest.raises(errors.ShapeError, match="'values' has 1"):
        MinMax().inverse_transform([0.5], loc=[0.0, 1.0], scale=[1.0, 1.0])


def test_own_ends_have_no_inverse_without_them() -> None:
    method = MinMax(bounds="fixed", lower=0.0, upper_mode="ignore")
    with pytest.raises(errors.UnsupportedOperation):
        method.inverse_transform([0.5])


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"lower": 0.0}, "params.lower"),
        ({"quantile_range": [5.0, 95.0]}, "params.quantile_range"),
        ({"bounds": "fixed"}, "params.lower"),
        ({"bounds": "fixed", "lower": 0.0}, "params.upper"),
        ({"bounds": "fixed", "lower": 2.0, "upper": 1.0}, "params.lower"),
        ({"bounds": "fixed", "lower": 0.0, "upper": 1.0, "scope": "fitted"}, "params.scope"),
        ({"bounds": "percentile", "quantile_range": [95.0, 5.0]}, "params.quantile_range"),
        ({"bounds": "percentile", "quantile_range": [5.0]}, "params.quantile_range"),
        ({"constant_value": 1.0, "on_constant": "keep"}, "params.constant_value"),
        ({"constant_value": NAN}, "params.constant_value"),
    ],
)
def test_parameters_that_do_not_fit_together(params: dict[str, object], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        MinMax(**params).validated()
    assert caught.value.path == path


def test_the_scope_decides_whether_a_fit_is_needed() -> None:
    with pytest.raises(errors.NotFitted):
        MinMax(scope="fitted").transform([1.0])
    with pytest.raises(errors.UnsupportedOperation, match="scope"):
        fitting.fit(MinMax(scope="query"), {"scores": [1.0]})
    assert MinMax(scope="list").transform([1.0, 2.0]).tolist() == [0.0, 1.0]


def test_an_empty_sample_is_refused() -> None:
    with pytest.raises(errors.NotEnoughData):
        MinMax().fit([])


def test_explain_gives_the_ends_by_list() -> None:
    answer = MinMax().apply_to(scores=[[1.0, 3.0], []], explain=True)
    assert answer.explain == [
        {"lower": [1.0, 1.0], "upper": [3.0, 3.0]},
        {"lower": [], "upper": []},
    ]


def test_form_and_dtype_follow_the_request() -> None:
    matrix = np.array([[1.0, 2.0], [4.0, 3.0]], dtype=np.float32)
    answer = MinMax().apply_to(scores=matrix)
    assert answer["values"].dtype == np.float32
    assert answer["values"].tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert answer["loc"].dtype == np.float64
    ragged = MinMax().transform([1.0, 2.0, 5.0], offsets=[0, 2, 3])
    assert ragged.values.tolist() == [0.0, 1.0, 1.0]
    assert matrix.tolist() == [[1.0, 2.0], [4.0, 3.0]]


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_a_list_alone_has_the_bits_that_it_has_beside_others(higher_is_better: bool) -> None:
    rng = np.random.default_rng(5)
    method = MinMax(higher_is_better=higher_is_better)
    for scale in (1e-320, 1.0, 1e307, 1.7e308):
        scores = (rng.uniform(-0.4, 0.4, 50) * scale).tolist()
        alone, beside = method.apply_to(scores), method.apply_to([scores, [1.0]])
        assert alone["values"].tobytes() == beside["values"][0].tobytes()
        assert [alone[name][0] for name in ("loc", "scale")] == [
            beside[name][0] for name in ("loc", "scale")
        ]


@pytest.mark.parametrize("scores", [[], [2.0], [2.0, 2.0], [2.0, None, 1.0], [-1.7e308, 1.0]])
def test_a_list_that_is_a_case_of_its_own_is_answered_as_beside_others(scores: list[float]) -> None:
    method = MinMax(nan_policy="omit")
    alone, beside = method.apply_to(scores), method.apply_to([scores, [1.0]])
    np.testing.assert_array_equal(alone["values"], beside["values"][0])
    assert ("constant" in alone.flags) == (0 in beside.flags["constant"])
