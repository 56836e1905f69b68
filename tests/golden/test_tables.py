from __future__ import annotations

import httpx
import numpy as np
import pytest

from tests.golden import unsupported
from tests.golden.answers import Answers, read
from tests.golden.case import AREAS, Case, numeric
from tests.golden.client import Refused, Service, wire
from tests.golden.request import Request, Unsupported
from tests.golden.runner import TABLES, entry_of, missing, placed, run
from tests.golden.sending import Sending
from tests.golden.unsupported import Gap


def case(area: str, method: str, **members: object) -> Case:
    record: dict[str, object] = {
        "params": {},
        "fit": {},
        "input": {},
        "expected": {},
        "compare": "exact",
        **members,
    }
    return Case(area=area, id="made-up", method=method, rtol=1e-9, atol=1e-12, **record)  # type: ignore[arg-type]


def request(made: Case) -> Request:
    return entry_of(made).request(made)


def silent(*arguments: object) -> httpx.Response:
    raise AssertionError("nothing may be sent")


def test_every_area_has_a_table() -> None:
    assert tuple(TABLES) == AREAS


def test_whitening_that_names_no_strength_is_full() -> None:
    made = case(
        "embeddings",
        "whiten",
        params={"variant": "pca", "l2_after": True, "eps": 0.1, "eps_mode": "add_absolute"},
        fit={"X": [[1.0]]},
        input={"X": []},
    )
    assert request(made).params == {
        "variant": "pca",
        "post": "l2",
        "eps": 0.1,
        "strength": 1.0,
        "shrinkage": "none",
    }


def test_a_repeated_row_is_sent_as_rows() -> None:
    made = case(
        "embeddings", "whiten", fit={"X_repeat": {"row": [1.0, 2.0], "n": 2}}, input={"X": []}
    )
    assert request(made).source == {"fit": {"x": [[1.0, 2.0], [1.0, 2.0]]}}


@pytest.mark.parametrize("params", [{"center": False}, {"colour": 1}])
def test_what_has_no_translation_is_unsupported(params: dict[str, object]) -> None:
    made = case("embeddings", "whiten", params=params, fit={"X": [[1.0]]}, input={"X": []})
    with pytest.raises(Unsupported):
        request(made)


def test_an_expectation_that_nothing_reads_is_unsupported() -> None:
    made = case("embeddings", "whiten", input={"X": []}, expected={"colour": 1})
    assert "colour" in missing(made)


def test_opensearch_bounds_become_fixed_bounds() -> None:
    made = case(
        "scores",
        "normalize/min_max_bounds_opensearch",
        params={
            "lower": {"mode": "clip", "min_score": 0.3},
            "upper": {"mode": "ignore", "max_score": 0.7},
            "floor": 0.001,
        },
        input={"values": [0.1]},
    )
    assert request(made).params == {
        "bounds": "fixed",
        "lower_mode": "clip",
        "lower": 0.3,
        "upper_mode": "ignore",
        "upper": 0.7,
        "floor": 0.001,
    }


@pytest.mark.parametrize(
    "value, params",
    [(0.0, {"constant_value": 0.0}), ("keep", {"on_constant": "keep"})],
)
def test_a_constant_value_is_a_number_or_a_policy(value: object, params: dict[str, object]) -> None:
    made = case(
        "scores", "normalize/min_max", params={"constant_value": value}, input={"values": [1.0]}
    )
    assert request(made).params == params


def test_runs_become_one_request_a_query_with_their_directions() -> None:
    made = case(
        "scores",
        "fuse/rrf",
        params={"k": 60, "higher_is_better": [False, True]},
        input={"runs": [{"q": {"a": 0.1}}, {"q": {"a": 2.0}, "p": {"b": 1.0}}]},
    )
    assert request(made).params == {"k": 60}
    assert request(made).given == {
        "q": [
            {"name": "run 0", "ids": ["a"], "scores": [0.1], "higher_is_better": False},
            {"name": "run 1", "ids": ["a"], "scores": [2.0], "higher_is_better": True},
        ],
        "p": [
            {"name": "run 0", "ids": [], "scores": [], "higher_is_better": False},
            {"name": "run 1", "ids": ["b"], "scores": [1.0], "higher_is_better": True},
        ],
    }


def test_a_scale_is_the_unit_output_only_when_it_is_one() -> None:
    params = {"k": 60, "weights": [0.5, 0.5], "scale": 61}
    made = case("scores", "fuse/rrf", params=params, input={"lists": []})
    assert request(made).params["output"] == "unit"
    assert missing(case("scores", "fuse/rrf", params={**params, "scale": 2}, input={"lists": []}))


def test_a_peer_that_counts_from_zero_gets_the_paper_constant() -> None:
    made = case(
        "scores", "fuse/rrf_qdrant_weighted", params={"k": 60, "formula": ".."}, input={"lists": []}
    )
    assert request(made).params == {"weight_mode": "stretch", "k": 59}


def test_removed_rows_are_a_part_of_their_own() -> None:
    made = case(
        "hubness",
        "inverted_softmax_remove",
        params={"beta": 50.0},
        fit={"bank_sims": [[1], [2], [3], [4]], "remove": [1]},
    )
    assert request(made).parts == [
        {"fit": {"bank_sims": [[1]]}},
        {"fit": {"bank_sims": [[3], [4]]}},
    ]
    assert request(made).removed == [{"fit": {"bank_sims": [[2]]}}]


def test_levels_are_the_qualities_of_every_group() -> None:
    made = case(
        "metrics",
        "lgn",
        params={"anchors": "level_means", "levels": [1, 2], "lower_is_better": True},
        fit={"scores": {"a": [0.1, 0.2], "b": [0.3, 0.4]}},
        input={"scores": {"a": [0.1]}},
    )
    assert request(made).source == {
        "fit": {
            "x": [0.1, 0.2, 0.3, 0.4],
            "groups": ["a", "a", "b", "b"],
            "qualities": [1, 2, 1, 2],
        }
    }
    assert request(made).params["higher_is_better"] is False


def test_a_ragged_forecast_is_split_evenly() -> None:
    made = case(
        "series",
        "zscore",
        params={"layout": "ragged", "nan": "ignore"},
        input={"x": [1.0, 2.0, 3.0], "indptr": [0, 1, 3], "forecast": [1.0, 2.0, 3.0, 4.0]},
    )
    assert request(made).params == {"nan_policy": "omit"}
    assert wire(request(made).back) == {"y": [1.0, 2.0, 3.0, 4.0], "offsets": [0, 2, 4]}


def test_quantiles_stand_on_a_last_axis() -> None:
    made = case(
        "series",
        "inverse_locscale",
        input={
            "loc": [1.0],
            "scale": [2.0],
            "point": [[0.0, 1.0]],
            "quantiles": {"0.1": [[1.0, 2.0]], "0.9": [[3.0, 4.0]]},
        },
    )
    sent = wire(request(made).given)
    assert sent == {
        "y": [[[0.0], [1.0]]],
        "loc": [[[1.0]]],
        "scale": [[[2.0]]],
        "levels": [0.1, 0.9],
        "quantiles": [[[[1.0, 3.0]], [[2.0, 4.0]]]],
    }


def test_numbers_become_arrays_and_the_rest_stays() -> None:
    assert np.asarray(numeric([[1, None]])).dtype == np.float64
    assert numeric([["a", 1.0]]) == [["a", 1.0]]
    assert numeric([[1.0], [1.0, 2.0]]) == [[1.0], [1.0, 2.0]]
    assert numeric([True]) == [True]


def test_json_says_null_for_a_missing_value() -> None:
    assert wire({"x": np.array([[np.nan, 1.0]])}) == {"x": [[None, 1.0]]}


def test_answers_are_asked_for_once_and_only_when_needed() -> None:
    calls: list[str] = []

    def answer() -> object:
        calls.append("asked")
        return {"output": {"y": [1.0]}}

    answers = Answers({"answer": answer}).beside(never=lambda: calls.append("never"))
    assert read("output.y").of(answers) == [1.0]
    assert read("output").of(answers) == {"y": [1.0]}
    assert calls == ["asked"]
    with pytest.raises(AssertionError, match=r"no 'output\.z'"):
        answers["output.z"]


def test_a_refusal_carries_the_slug_of_its_type() -> None:
    refusal = Refused(422, {"type": "/problems/shape-error", "detail": "two axes"})
    assert refusal.slug == "shape-error"


GAP = Gap("embeddings", "later", "variant", "best")


def test_an_unlisted_gap_fails_and_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run(case("embeddings", "nobody_knows"), Service(Sending(silent, "json")))
    assert outcome.state == "failed"
    monkeypatch.setattr(unsupported, "UNSUPPORTED", (GAP,))
    made = case("embeddings", "later", params={"variant": "best"})
    assert run(made, Service(Sending(silent, "json"))).state == "unsupported"


def test_a_file_that_names_no_area_is_run_where_its_methods_are() -> None:
    by_scores = case("other", "group_zscore", fit={"scores": {}}, input={"scores": {}})
    by_rows = case(
        "other", "group_zscore", fit={"x": [], "groups": []}, input={"x": [], "groups": []}
    )
    places = [placed(made).area for made in (by_scores, by_rows, case("other", "dis"))]
    assert places == ["metrics", "series", "hubness"]


def test_entries_are_stale_when_no_case_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsupported, "UNSUPPORTED", (GAP, Gap("series", "later")))
    made = case("embeddings", "later", params={"variant": "best"})
    assert unsupported.named(made)
    assert unsupported.stale([made]) == [Gap("series", "later")]
