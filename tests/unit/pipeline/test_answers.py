"""Answers of pipelines: missing values, flags, reports, forms."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import MinMax, Pipeline, Whitening
from normalizers.errors import InvalidInput, InvalidParams, NonFiniteError
from normalizers.normalizer import Normalizer
from normalizers.versions import fitting
from tests.unit.pipeline.samples import QUERY_RANKS, ROWS, SCORES, array, pipeline


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
    assert (
        fitting.stateless(method.validated()).transform(example.input).output["values"] is not None
    )
