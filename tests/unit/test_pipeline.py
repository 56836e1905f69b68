"""Pipelines: steps in order, references, statistics on the wire, side outputs and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from sklearn.base import clone

from normalizers import Pipeline, fitting
from normalizers.arrays import Array
from normalizers.embeddings import Whitening
from normalizers.errors import (
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NonFiniteError,
    NormalizerError,
    NotEnoughData,
    NotFitted,
    ShapeError,
    UnknownName,
    UnsupportedOperation,
)
from normalizers.hubness import InvertedSoftmax
from normalizers.metrics import GroupZScore
from normalizers.normalizer import Normalizer
from normalizers.scores import MinMax, Percentile
from normalizers.series import WindowZScore
from normalizers.version import Version
from normalizers.version_file import from_bytes, read_manifest, to_bytes

SCORES = [3.0, 1.0, 2.0, 9.0]
QUERY_RANKS = {"method": "percentile", "params": {"scope": "query"}}
QUERY_ENDS = {"method": "min_max", "params": {"scope": "query"}}
ROWS = np.random.default_rng(1).normal(size=(30, 3))
BANK = np.random.default_rng(2).normal(size=(8, 4))


def pipeline(*steps: object) -> Pipeline:
    return Pipeline(steps=list(steps))


def through_a_file(version: Version) -> Version:
    return from_bytes(to_bytes(version))


def array(value: object) -> Array:
    assert isinstance(value, np.ndarray)
    return value


# Steps and their order


def test_stateless_steps_one_after_the_other() -> None:
    chain = pipeline("min_max", QUERY_RANKS)
    expected = Percentile(scope="query").transform(MinMax().transform(SCORES))
    assert chain.transform(SCORES).tolist() == expected.tolist()
    assert chain.version_.transform({"scores": [SCORES, [1.0]]})["values"][1].tolist() == [0.5]  # type: ignore[index]


def test_one_fitted_step_after_a_stateless_one() -> None:
    chain = pipeline(QUERY_ENDS, "percentile").fit([SCORES, [0.0, 10.0]])
    sample = np.concatenate([MinMax().transform(SCORES), [0.0, 1.0]])
    expected = Percentile().fit(sample).transform([0.0, 0.5, 1.0])
    assert chain.transform([0.0, 5.0, 10.0]).tolist() == expected.tolist()


def test_a_fitted_step_before_a_stateless_one() -> None:
    chain = pipeline("min_max", QUERY_RANKS).fit([0.0, 10.0])
    assert (
        chain.version_.worker.as_json(chain.version_.resolved)["steps"][0]["params"][  # type: ignore[index]
            "scope"
        ]
        == "fitted"
    )
    assert chain.transform([20.0, 30.0]).tolist() == [0.5, 0.5]


def test_two_fitted_steps_see_the_data_in_order() -> None:
    chain = pipeline("whitening", {"method": "whitening", "params": {"variant": "pca"}}).fit(ROWS)
    first = Whitening().fit(ROWS)
    second = Whitening(variant="pca").fit(first.transform(ROWS))
    expected = second.transform(first.transform(ROWS[:4]))
    np.testing.assert_allclose(chain.transform(ROWS[:4]), expected, rtol=1e-12)
    np.testing.assert_allclose(
        chain.inverse_transform(chain.transform(ROWS[:4])), ROWS[:4], atol=1e-12
    )


def test_a_pipeline_of_one_step_is_that_step() -> None:
    one = pipeline("whitening").fit(ROWS)
    np.testing.assert_array_equal(one.transform(ROWS), Whitening().fit(ROWS).transform(ROWS))


@pytest.mark.parametrize(
    "step",
    [
        "min_max",
        "MinMax",
        "min-max",
        {"method": "min_max"},
        {"method": "minmax", "params": None},
        {"method": "min_max", "params": {}},
        MinMax(),
    ],
)
def test_a_step_is_written_in_many_ways(step: object) -> None:
    assert pipeline(step).transform(SCORES).tolist() == MinMax().transform(SCORES).tolist()
    assert Pipeline(steps=(step,)).transform(SCORES).tolist() == MinMax().transform(SCORES).tolist()  # type: ignore[arg-type]


def test_aliases_and_presets_of_a_step_are_expanded() -> None:
    alias = pipeline({"method": "min_max_inverted"}).transform(SCORES)
    preset = pipeline({"method": "min_max", "params": {"preset": "opensearch"}}).transform(SCORES)
    assert alias.tolist() == MinMax(higher_is_better=False).transform(SCORES).tolist()
    assert preset.tolist() == MinMax(floor=0.001).transform(SCORES).tolist()


# Misuse


@pytest.mark.parametrize(
    ("steps", "error", "place", "what"),
    [
        (None, InvalidParams, "params.steps", "needs a list of steps"),
        ([], InvalidParams, "params.steps", "needs a list of steps"),
        ("x", InvalidParams, "params.steps", "needs a list of steps"),
        (3, InvalidParams, "params.steps", "needs a list of steps"),
        ({"method": "min_max"}, InvalidParams, "params.steps", "needs a list of steps"),
        ([3], InvalidParams, "params.steps[0]", "a step is a method's name"),
        ([None], InvalidParams, "params.steps[0]", "a step is a method's name"),
        ([{}], InvalidParams, "params.steps[0]", "a step is a method's name"),
        ([MinMax], InvalidParams, "params.steps[0]", "a step is a method's name"),
        (["min_max", ["percentile"]], InvalidParams, "params.steps[1]", "a step is"),
        ([{"method": 3}], InvalidParams, "params.steps[0]", "a step is a method's name"),
        ([{"method": "min_max", "params": 3}], InvalidParams, "params.steps[0]", "a step is"),
        ([{"method": "min_max", "scope": "query"}], InvalidParams, "params.steps[0]", "a step is"),
        ([{"ref": "a@prod"}], InvalidParams, "params.steps[0].ref", "knows no stored names"),
        (["min_max", "min_maks"], UnknownName, "params.steps[1]", "did you mean 'min_max'"),
        ([{"method": "nope"}], UnknownName, "params.steps[0].method", "unknown method"),
        (
            ["min_max", {"method": "min_max", "params": {"bounds": "x"}}],
            InvalidParams,
            "params.steps[1].params.bounds",
            "'observed', 'percentile' or 'fixed'",
        ),
        (
            [{"method": "min_max", "params": {"bound": "x"}}],
            InvalidParams,
            "params.steps[0].params.bound",
            "did you mean 'bounds'",
        ),
        ([MinMax(floor=float("nan"))], InvalidParams, "params.steps[0].floor", "finite"),
        (["pipeline"], InvalidParams, "params.steps[0].steps", "needs a list of steps"),
        ([Pipeline(steps=["min_max"])], InvalidParams, "params.steps[0]", "is no step"),
        (
            [{"method": "pipeline", "params": {"steps": ["min_max"]}}],
            InvalidParams,
            "params.steps[0]",
            "is no step",
        ),
        (["rrf", "min_max"], InvalidParams, "params.steps[1]", "'rrf' gives id_lists"),
        (["min_max", "rrf"], InvalidParams, "params.steps[1]", "'rrf' takes records"),
        (["min_max", "whitening"], InvalidParams, "params.steps[1]", "'whitening' takes floats"),
        (["whitening", "min_max"], InvalidParams, "params.steps[1]", "'min_max' takes lists"),
        (["window_z_score", "whitening"], InvalidParams, "params.steps[1]", "gives series"),
        (
            ["whitening", "inverted_softmax"],
            InvalidParams,
            "params.steps[1]",
            "fitted on another field than it takes",
        ),
        (
            ["inverted_softmax", "whitening"],
            InvalidParams,
            "params.steps[0]",
            "can only be the first step, fitted alone",
        ),
    ],
)
def test_steps_that_are_refused(
    steps: object, error: type[NormalizerError], place: str, what: str
) -> None:
    with pytest.raises(error, match=what) as caught:
        Pipeline(steps=steps).validated()  # type: ignore[arg-type]
    assert caught.value.path == place


def test_misuse_is_found_by_the_estimator_too() -> None:
    for steps in (None, [], "min_max", 3):
        with pytest.raises(InvalidParams, match="needs a list of steps"):
            Pipeline(steps=steps).transform(SCORES)  # type: ignore[arg-type]
        with pytest.raises(InvalidParams, match="needs a list of steps"):
            Pipeline(steps=steps).fit(SCORES)  # type: ignore[arg-type]


def test_a_pipeline_with_a_step_to_fit_is_not_fitted() -> None:
    with pytest.raises(NotFitted):
        pipeline("whitening").transform(ROWS)
    with pytest.raises(NotFitted, match="needs a fit"):
        fitting.stateless(pipeline("whitening"))


# References


def test_a_fitted_normalizer_is_a_reference() -> None:
    ends = MinMax().fit([0.0, 10.0])
    for step in (ends, ends.version_):
        assert pipeline(step).transform([2.0, 20.0]).tolist() == [0.2, 1.0]
        assert pipeline(step, QUERY_RANKS).transform([2.0, 20.0, 30.0]).tolist() == pytest.approx(
            [1 / 6, 2 / 3, 2 / 3]
        )


def test_a_normalizer_that_is_not_fitted_is_no_reference() -> None:
    assert pipeline(MinMax()).transform([2.0, 20.0]).tolist() == [0.0, 1.0]
    with pytest.raises(NotFitted):
        pipeline(Whitening()).transform(ROWS)


def test_a_reference_stays_as_it_was_when_its_normalizer_is_fitted_again() -> None:
    ends = MinMax().fit([0.0, 10.0])
    version = pipeline(ends).version_
    ends.fit([0.0, 1000.0])
    assert array(version.transform({"scores": [5.0]})["values"]).tolist() == [0.5]


def test_a_file_with_references_serves_alone() -> None:
    whitening = Whitening(n_components=2).fit(ROWS)
    chain = pipeline(whitening, {"method": "whitening", "params": {"eps_rel": 1.0}}).fit(ROWS)
    again = through_a_file(chain.version_)
    expected = chain.transform(ROWS[:3])
    np.testing.assert_array_equal(array(again.transform({"x": ROWS[:3]})["y"]), expected)
    step = read_manifest(to_bytes(chain.version_))["resolved"]["steps"][0]  # type: ignore[index]
    assert step["hash"] is not None
    with pytest.raises(ShapeError, match="'x' has 4 for d, but the fit has 3"):
        again.transform({"x": np.ones((2, 4))})


def test_a_file_with_references_merges_alone() -> None:
    reference = Whitening(n_components=2).fit(ROWS)
    chain = pipeline(reference, "whitening")
    one, two = (clone_fitted(chain, part) for part in (ROWS[:15], ROWS[15:]))
    merged = fitting.merge(through_a_file(one).method, [through_a_file(one), through_a_file(two)])
    whole = clone_fitted(chain, ROWS)
    np.testing.assert_allclose(
        array(through_a_file(merged).transform({"x": ROWS})["y"]),
        array(whole.transform({"x": ROWS})["y"]),
        rtol=1e-9,
        atol=1e-12,
    )
    with pytest.raises(ShapeError, match="'x' has 4 for d"):
        merged.transform({"x": np.ones((2, 4))})


def clone_fitted(chain: Pipeline, rows: Array) -> Version:
    return fitting.fit(Pipeline(steps=chain.steps), {"x": rows})


def test_data_of_another_width_than_the_reference_are_refused_in_the_fit() -> None:
    with pytest.raises(ShapeError, match="'x' has 4 for d, but the fit has 3") as caught:
        pipeline(Whitening().fit(ROWS), "whitening").fit(np.ones((5, 4)))
    assert caught.value.path == "fit.x"


def test_a_clone_keeps_versions_as_references() -> None:
    ends = MinMax().fit([0.0, 10.0])
    twin = clone(pipeline(ends.version_, QUERY_ENDS))
    assert twin.transform([2.0, 4.0]).tolist() == [0.0, 1.0]
    assert twin.get_params()["steps"] is not None


# Statistics: streams, merges, the wire


def test_any_split_merges_to_one_fit() -> None:
    chain = pipeline(QUERY_ENDS, "percentile")
    lists = [[1.0, 2.0, 3.0], [4.0, 9.0, 5.0], [7.0], [], [2.0, 2.0, 8.0]]
    whole = fitting.fit(chain, {"scores": lists})
    for cut in range(1, len(lists)):
        parts = [fitting.fit(chain, {"scores": part}) for part in (lists[:cut], lists[cut:])]
        if parts[1].n:
            merged = fitting.merge(chain.validated(), parts[::-1])
            assert to_bytes(merged) == to_bytes(whole)


def test_a_stream_equals_one_fit() -> None:
    chain = pipeline(QUERY_ENDS, "percentile")
    for part in ([1.0, 2.0, 3.0], [4.0, 9.0, 5.0]):
        chain.partial_fit([part])
    whole = pipeline(QUERY_ENDS, "percentile").fit([[1.0, 2.0, 3.0], [4.0, 9.0, 5.0]])
    assert to_bytes(chain.version_) == to_bytes(whole.version_)


def test_removed_rows_leave_the_others() -> None:
    chain = pipeline("whitening")
    one, two = clone_fitted(chain, ROWS[:10]), clone_fitted(chain, ROWS[10:])
    whole = fitting.merge(chain.validated(), [one, two])
    settled = whole.worker.affecting("statistics")
    rest = fitting.minus(chain.validated(), whole.statistics, [one], settled)
    np.testing.assert_allclose(rest.fitted["steps.0.W"], two.fitted["steps.0.W"], atol=1e-12)
    assert rest.n == 20


def test_two_fitted_steps_neither_stream_nor_merge() -> None:
    chain = pipeline("whitening", "whitening").fit(ROWS)
    with pytest.raises(IncompatibleStatistics, match="two fitted steps does not merge"):
        chain.merge(chain)
    with pytest.raises(UnsupportedOperation, match="not fitted from a stream; fit it at once"):
        pipeline("whitening", "whitening").partial_fit(ROWS)
    assert not chain.streams


def test_statistics_on_the_wire_are_a_list() -> None:
    chain = pipeline(QUERY_ENDS, "percentile").fit([SCORES])
    members = chain.statistics_.to_members()
    assert [sorted(part) for part in members["steps"]] == [[], ["quantiles"]]  # type: ignore[union-attr]
    again = pipeline(QUERY_ENDS, "percentile").fit_statistics(**members)
    assert to_bytes(again.version_) == to_bytes(chain.version_)


def test_statistics_of_two_fitted_steps_on_the_wire() -> None:
    chain = pipeline("min_max", "percentile").fit(SCORES)
    again = pipeline("min_max", "percentile").fit_statistics(**chain.statistics_.to_members())
    assert again.transform([2.0, 5.0]).tolist() == chain.transform([2.0, 5.0]).tolist()


@pytest.mark.parametrize(
    ("steps", "error", "place", "what"),
    [
        ([{}], ShapeError, "statistics.steps", "a list of 2 objects"),
        ([{}, {}, {}], ShapeError, "statistics.steps", "a list of 2 objects"),
        ("x", ShapeError, "statistics.steps", "a list of 2 objects"),
        ([{}, 3], InvalidInput, "statistics.steps[1]", "an object by name"),
        ([3, {}], InvalidInput, "statistics.steps[0]", "an object by name"),
        (
            [{"extrema": {}}, {}],
            InvalidInput,
            "statistics.steps[0].extrema",
            "unknown statistic",
        ),
        (
            [{}, {"quantile": {}}],
            InvalidInput,
            "statistics.steps[1].quantile",
            "did you mean 'quantiles'",
        ),
        ([{}, {"quantiles": 3}], InvalidInput, "statistics.steps[1].quantiles", "object"),
        ([{}, {}], NotEnoughData, "", "nothing to fit"),
    ],
)
def test_wrong_statistics_are_refused_with_their_place(
    steps: object, error: type[NormalizerError], place: str, what: str
) -> None:
    with pytest.raises(error, match=what) as caught:
        pipeline(QUERY_ENDS, "percentile").fit_statistics(steps=steps)
    assert caught.value.path == place


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (["whitening"], [{"method": "whitening", "params": {"pre": "l2"}}]),
        (["whitening"], ["whitening", "whitening"]),
        (
            [QUERY_ENDS, "percentile"],
            [{"method": "min_max", "params": {"scope": "query", "floor": 0.5}}, "percentile"],
        ),
        (
            [MinMax().fit([0.0, 1.0]), "percentile"],
            [MinMax().fit([0.0, 2.0]), "percentile"],
        ),
    ],
)
def test_statistics_of_other_steps_do_not_merge(
    mine: Sequence[object], theirs: Sequence[object]
) -> None:
    data = ROWS if mine == ["whitening"] else SCORES
    one, two = (pipeline(*steps).fit(data) for steps in (mine, theirs))
    with pytest.raises(IncompatibleStatistics):
        one.merge(two)


def test_what_follows_the_statistics_may_differ_in_a_merge() -> None:
    plain = pipeline("min_max", QUERY_RANKS)
    floored = pipeline({"method": "min_max", "params": {"floor": 0.5}}, "min_max_inverted")
    versions = [fitting.fit(plain, {"scores": [0.0, 4.0]})]
    with pytest.raises(IncompatibleStatistics):
        fitting.merge(plain.validated(), [*versions, fitting.fit(floored, {"scores": [1.0]})])
    other = pipeline({"method": "min_max", "params": {"floor": 0.5}}, QUERY_RANKS)
    versions.append(fitting.fit(other, {"scores": [1.0, 10.0]}))
    merged = fitting.merge(plain.validated(), versions)
    assert merged.fitted["steps.0.upper"] == 10.0


def test_parameters_of_a_step_affect_what_they_affect_in_their_method() -> None:
    chain = pipeline({"method": "whitening", "params": {"pre": "l2", "eps_rel": 1.0}}).fit(ROWS)
    worker = chain.version_.worker
    assert worker.affecting("statistics") == {"steps": [{"pre": "l2"}]}
    assert worker.affecting("answer")["steps"][0]["post"] == "none"  # type: ignore[index]
    assert worker.affecting("solution")["steps"][0]["eps_rel"] == 1.0  # type: ignore[index]
    given = chain.validated().statistics_given()
    again = pipeline({"method": "whitening", "params": {"pre": "l2", "eps_rel": 2.0}}).validated()
    other = pipeline({"method": "whitening", "params": {"eps_rel": 1.0}}).validated()
    assert again.statistics_given() == given
    assert other.statistics_given() != given


# Parameters that the data decide


def test_a_first_step_settles_its_parameter_from_the_data() -> None:
    chain = pipeline("inverted_softmax").fit(bank_sims=BANK)
    alone = InvertedSoftmax().fit(BANK)
    np.testing.assert_array_equal(chain.transform(BANK), alone.transform(BANK))
    resolved = chain.version_.worker.parts[0].method  # type: ignore[attr-defined]
    assert resolved.beta == alone.version_.worker.beta  # type: ignore[attr-defined]
    again = through_a_file(chain.version_)
    np.testing.assert_array_equal(
        array(again.transform({"sims": BANK})["scores"]), alone.transform(BANK)
    )


def test_a_stream_needs_the_parameter_that_the_data_would_decide() -> None:
    with pytest.raises(InvalidParams, match="fit once with auto, then use this value"):
        pipeline("inverted_softmax").partial_fit(bank_sims=BANK)
    step = {"method": "inverted_softmax", "params": {"beta": 5.0}}
    chain = pipeline(step).partial_fit(bank_sims=BANK[:4]).partial_fit(bank_sims=BANK[4:])
    whole = pipeline(step).fit(bank_sims=BANK)
    np.testing.assert_allclose(chain.transform(BANK), whole.transform(BANK), rtol=1e-12)


# Side fields


def test_groups_are_shared_by_name() -> None:
    chain = pipeline("group_z_score", "group_z_score")
    chain.fit([1.0, 2.0, 3.0, 5.0], groups=list("aabb"))
    first = GroupZScore().fit([1.0, 2.0, 3.0, 5.0], groups=list("aabb"))
    assert chain.transform([1.0, 9.0], groups=["a", "b"]).tolist() == pytest.approx(
        first.transform([1.0, 9.0], groups=["a", "b"]).tolist()
    )
    with pytest.raises(InvalidInput, match="the field 'groups' is missing") as caught:
        chain.transform([1.0, 9.0])
    assert caught.value.path == "input.groups"
    with pytest.raises(ShapeError, match="'groups' has 1 for"):
        chain.transform([1.0, 9.0], groups=["a"])


def test_a_mask_reaches_every_step() -> None:
    x = np.array([1.0, 2.0, 100.0, 4.0])
    mask = [1, 1, 0, 1]
    chain = pipeline("window_z_score", "window_z_score").apply_to(x, mask=mask)
    first = WindowZScore().apply_to(x, mask=mask)
    second = WindowZScore().apply_to(first["y"], mask=mask)
    np.testing.assert_allclose(array(chain["y"]), array(second["y"]))


# Side outputs and the way back


@pytest.mark.parametrize(
    ("layout", "shape"),
    [("NTC", (2, 5, 3)), ("NCT", (2, 3, 5)), ("NT", (2, 5)), ("TC", (5, 3)), ("T", (5,))],
)
def test_side_outputs_stand_under_steps_and_are_taken_back(
    layout: str, shape: tuple[int, ...]
) -> None:
    x = np.random.default_rng(3).normal(size=shape)
    chain = pipeline("window_z_score", "window_z_score")
    answer = chain.apply_to(x, layout=layout)
    sides = answer.output["steps"]
    assert isinstance(sides, Mapping)
    assert {index: set(outputs) for index, outputs in sides.items()} == {
        "0": {"loc", "scale"},
        "1": {"loc", "scale"},
    }
    back = chain.inverse_transform(answer["y"], steps=sides, layout=layout)
    np.testing.assert_allclose(back, x, atol=1e-12)
    time = {"NTC": 1, "NCT": 2, "NT": 1, "TC": 0, "T": 0}[layout]
    forecast = np.take(array(answer["y"]), [0, 1], axis=time)
    shorter = chain.inverse_transform(forecast, steps=sides, layout=layout)
    np.testing.assert_allclose(shorter, np.take(x, [0, 1], axis=time), atol=1e-12)


def test_ragged_series_go_and_come_back() -> None:
    chain = pipeline("window_z_score", "window_z_score")
    answer = chain.apply_to([[1.0, 2.0, 4.0], [5.0, 7.0]], layout="ragged")
    back = chain.inverse_transform(answer["y"], steps=answer.output["steps"], layout="ragged")
    assert [part.tolist() for part in back] == [
        pytest.approx([1.0, 2.0, 4.0]),
        pytest.approx([5.0, 7.0]),
    ]


def test_lists_go_and_come_back() -> None:
    chain = pipeline("min_max", {"method": "min_max", "params": {"higher_is_better": False}})
    answer = chain.apply_to([SCORES, [2.0, 7.0]])
    back = chain.inverse_transform(answer["values"], steps=answer.output["steps"])
    assert [part.tolist() for part in back] == [pytest.approx(SCORES), pytest.approx([2.0, 7.0])]


@pytest.mark.parametrize(
    ("steps", "place", "what"),
    [
        (None, "input.steps", "step 1 is missing"),
        ({"0": {}}, "input.steps", "step 1 is missing"),
        ({"1": 3}, "input.steps", "step 1 is missing"),
        ({"1": {"loc": 0.0}}, "input.steps.1.scale", "'scale' is missing"),
        ({"1": {"loc": 0.0, "scale": 1.0, "x": 1}}, "input.steps.1.x", "unknown field 'x'"),
        ({"1": {"loc": "a", "scale": 1.0}}, "input.steps.1.loc", "not a string"),
        ({"1": {"loc": [[1.0, 2.0]], "scale": 1.0}}, "input.steps.1.scale", "'loc' has 2"),
        ({"7": {}}, "input.steps.7", "no such step; the last one is 1"),
        ([1], "input.steps", "an object is expected"),
    ],
)
def test_side_outputs_that_are_not_those_answered_are_refused(
    steps: object, place: str, what: str
) -> None:
    with pytest.raises(InvalidInput, match=what) as caught:
        pipeline("window_z_score", "window_z_score").inverse_transform([1.0, 2.0], steps=steps)
    assert caught.value.path == place


def test_a_pipeline_is_invertible_when_every_step_is() -> None:
    assert pipeline("min_max", "min_max").invertible
    blunt = pipeline("whitening", {"method": "whitening", "params": {"post": "l2"}}).fit(ROWS)
    assert not blunt.invertible
    with pytest.raises(UnsupportedOperation, match="no inverse"):
        blunt.inverse_transform(ROWS)


# Missing values, flags, reports


def test_missing_values_follow_the_steps() -> None:
    omit = {"nan_policy": "omit"}
    ends = {"method": "min_max", "params": omit}
    ranks = {"method": "percentile", "params": {"scope": "query", **omit}}
    answer = pipeline(ends, ranks).apply_to([1.0, None, 3.0])
    np.testing.assert_array_equal(array(answer["values"]), [0.25, np.nan, 0.75])
    assert answer.flags["missing"].tolist() == [[0, 1]]
    with pytest.raises(NonFiniteError, match="missing or infinite") as caught:
        pipeline("min_max", ranks).transform([1.0, None, 3.0])
    assert caught.value.path == "input.scores[1]"
    with pytest.raises(NonFiniteError) as caught:
        pipeline(ends, QUERY_RANKS).transform([1.0, None, 3.0])
    assert caught.value.path == "steps.1.scores[1]"


def test_missing_rows_follow_the_steps_in_a_fit() -> None:
    rows = np.vstack([ROWS, [[np.nan, 1.0, 2.0]]])
    step = {"method": "whitening", "params": {"nan_policy": "omit"}}
    np.testing.assert_array_equal(
        pipeline(step).fit(rows).transform(ROWS),
        Whitening(nan_policy="omit").fit(rows).transform(ROWS),
    )
    with pytest.raises(NonFiniteError, match=r"fit\.x\[30\]\[0\]"):
        pipeline("whitening").fit(rows)


def test_flags_of_all_steps_are_kept() -> None:
    chain = pipeline(MinMax().fit([0.0, 10.0]), MinMax().fit([0.0, 0.25]))
    answer = chain.apply_to([[5.0], [20.0, 1.0]])
    assert answer.flags["out_of_range"].tolist() == [[0, 0], [1, 0]]
    first_only = pipeline(MinMax().fit([0.0, 10.0]), QUERY_RANKS).apply_to([[5.0], [20.0, 1.0]])
    assert first_only.flags["out_of_range"].tolist() == [[1, 0]]
    assert pipeline("min_max", QUERY_RANKS).apply_to([[1.0, 1.0]]).flags["constant"].tolist() == [0]


def test_flags_of_windows_are_window_and_channel() -> None:
    x = np.ones((2, 4, 3))
    x[0, :, 1] = [1.0, 2.0, 3.0, 4.0]
    answer = pipeline("window_z_score").apply_to(x)
    assert answer.flags["constant"].tolist() == [[0, 0], [0, 2], [1, 0], [1, 1], [1, 2]]


def test_reports_warnings_and_explanations_by_step() -> None:
    chain = pipeline(MinMax().fit([0.0, 10.0]), QUERY_RANKS)
    answer = chain.apply_to([5.0, 20.0], explain=True)
    assert answer.report == {"steps": [{"out_of_range": 0.5}, {}]}
    assert isinstance(answer.explain, dict)
    assert len(answer.explain["steps"]) == 2
    assert chain.apply_to([5.0]).explain is None
    fitted = pipeline("whitening").fit(ROWS[:5])
    assert fitted.report_["n"] == 5
    assert [len(part) for part in fitted.report_["statistics"]["steps"]["steps"]] == [1]  # type: ignore[index]
    assert (
        [noted["code"] for noted in fitted.report_["warnings"]]
        == [  # type: ignore[index,attr-defined]
            noted["code"]
            for noted in Whitening().fit(ROWS[:5]).report_["warnings"]  # type: ignore[index,attr-defined]
        ]
    )


def test_strict_makes_flags_an_error() -> None:
    with pytest.raises(InvalidInput, match="the answer carries constant"):
        pipeline("min_max", QUERY_RANKS).transform([1.0, 1.0], strict=True)


def test_an_option_of_one_step_alone_is_refused() -> None:
    with pytest.raises(InvalidParams, match="no meaning for 'pipeline'") as caught:
        pipeline("min_max").transform(SCORES, top_k=1)
    assert caught.value.path == "options.top_k"


# Forms and dtypes


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_answer_has_the_dtype_and_form_of_the_request(dtype: type) -> None:
    chain = pipeline("min_max", QUERY_RANKS)
    matrix = np.array([SCORES, SCORES], dtype=dtype)
    assert chain.transform(matrix).dtype == dtype
    assert chain.transform(matrix).shape == (2, 4)
    assert chain.transform(matrix[0]).shape == (4,)
    assert array(chain.apply_to(matrix).output["steps"]["0"]["loc"]).dtype == np.float64  # type: ignore[index,call-overload]


def test_columns_are_named_by_the_last_step() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=list("abc"))
    chain = pipeline("whitening", {"method": "whitening", "params": {"n_components": 2}})
    found = chain.set_output(transform="pandas").fit(frame).transform(frame)
    assert list(found.columns) == ["pipeline0", "pipeline1"]  # type: ignore[attr-defined]


def test_the_example_runs() -> None:
    example = Pipeline.example
    method: Normalizer = Pipeline(**example.params)  # type: ignore[arg-type]
    assert fitting.stateless(method).transform(example.given).output["values"] is not None
