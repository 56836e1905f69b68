"""Steps one after the other: in order, written in many ways, refused."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import MinMax, Percentile, Pipeline, Whitening
from normalizers.errors import InvalidParams, NormalizerError, NotFitted, UnknownName
from normalizers.versions import fitting
from normalizers.versions.manifest import params_json
from tests.unit.pipeline.samples import QUERY_ENDS, QUERY_RANKS, ROWS, SCORES, pipeline


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
        params_json(chain.version_.resolved_method, chain.version_.resolved)["steps"][0]["params"][  # type: ignore[index]
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
        fitting.stateless(pipeline("whitening").validated())


def test_a_pipeline_answers_row_by_row_if_every_step_does() -> None:
    assert pipeline("whitening", "whitening").row_by_row
    assert not pipeline(
        "min_max", {"method": "rolling_z_score", "params": {"window": 3}}
    ).row_by_row
