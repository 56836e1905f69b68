"""Fusions that learn from judgements how good each rank of a run is."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import FitError, InvalidInput, NormalizerError, NotFitted
from normalizers.versions import fitting
from normalizers.versions.file import from_bytes, to_bytes
from tests.unit.scores.fusion.fusing import check_parts, codes, scored
from tests.unit.scores.fusion.trained.training import COUNTING, fitted, made, part, qrels, runs

TAUGHT = [{"name": "words", "ids": [["a", "b", "c"], ["d", "e"]]}]
JUDGED = {"ids": [["a", "c", "x"], ["e"]]}
ASKED = [{"name": "words", "ids": ["p", "q", "r", "s"]}]


def taught(method: str, **params: object) -> dict[str, float]:
    fusion = made(method, **params).fit(TAUGHT, qrels=JUDGED)
    return scored(fusion.apply_to(runs=ASKED))


def test_average_precision_counts_what_was_not_found() -> None:
    mean = ((1 + 2 / 3) / 3 + 1 / 2) / 2
    assert taught("mapfuse") == {
        "p": mean, "q": mean / 2, "r": mean / 3, "s": mean / 4,
    }  # fmt: skip


def test_a_rank_is_judged_by_the_lists_that_reach_it() -> None:
    assert taught("posfuse") == {"r": 1.0, "p": 0.5, "q": 0.5, "s": 0.0}


def test_a_window_is_cut_to_the_list_and_zero_past_the_depth() -> None:
    assert taught("slidefuse", w=1) == {"p": 0.5, "r": 0.5, "s": 0.5, "q": 2 / 3}
    assert taught("slidefuse", w=0) == taught("posfuse")
    assert taught("slidefuse", w=50) == dict.fromkeys("pqrs", 0.5)


def test_segments_are_cut_by_the_length_of_each_list() -> None:
    # Segments of two and one hits in the first list, of one each in the second.
    first, second = (1 / 2 + 0) / 2, (1 + 1) / 2
    assert taught("probfuse", n_segments=2) == {
        "p": first, "q": first, "r": second / 2, "s": second / 2,
    }  # fmt: skip


def test_bands_divide_by_their_size_and_the_queries() -> None:
    scores = taught("bayesfuse")
    share = 3 / (5 * 2)
    assert scores == dict.fromkeys("pqrs", pytest.approx(np.log(share / (1 - share)), rel=1e-15))


def test_what_a_run_lacks_has_the_lowest_log_odds_but_for_an_empty_list() -> None:
    fusion = fitted("bayesfuse")
    lowest = np.log(0.001 / 0.999)
    asked = [{"name": "words", "ids": ["a"]}, {"name": "vectors", "ids": ["b"]}]
    parts = fusion.apply_to(runs=asked, explain=True).explain[0]["parts"]
    assert sorted(part["contribution"] for part in parts)[0] == pytest.approx(lowest)
    alone = fusion.apply_to(runs=[{"name": "words", "ids": ["a"]}, {"name": "vectors", "ids": []}])
    assert lowest not in scored(alone).values()


def test_segments_weigh_the_score_plus_one() -> None:
    fusion = made("segfuse", normalizer="identity").fit(
        [{**TAUGHT[0], "scores": [[3.0, 2.0, 1.0], [2.0, 1.0]]}], qrels=JUDGED
    )
    asked = [{**ASKED[0], "scores": [4.0, 3.0, 2.0, 1.0]}]
    share = 3 / (5 * 2)
    assert scored(fusion.apply_to(runs=asked)) == {
        "p": share * 5, "q": share * 4, "r": share * 3, "s": share * 2,
    }  # fmt: skip


@pytest.mark.parametrize("method", COUNTING)
def test_parts_of_the_queries_merge_to_the_same_bits_in_any_order(method: str) -> None:
    training, whole = runs(), fitted(method).version_
    cuts = [slice(0, 2), slice(2, 7), slice(7, 7), slice(7, 12)]
    statistics = [
        fitting.partial(
            whole.method,
            fitting.read_fit(
                whole.method,
                {"runs": part(training, cut), "qrels": {"ids": qrels()["ids"][cut]}},  # type: ignore[index]
            ),
            {},
        )
        for cut in cuts
    ]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]):
        total = statistics[order[0]]
        for index in order[1:]:
            total = total.merge(statistics[index])
        again = fitting.solve(whole.method, total, {})
        for name, array in whole.fitted.arrays.items():
            assert np.array_equal(array, again.fitted[name]), name


@pytest.mark.parametrize("method", COUNTING)
def test_queries_can_be_taken_out_again(method: str) -> None:
    whole, some = fitted(method).version_, fitted(method, queries=5).version_
    training = part(runs(), slice(5, 12))
    rest = made(method, **COUNTING[method]).fit(training, qrels={"ids": qrels()["ids"][5:]})  # type: ignore[index]
    first = made(method, **COUNTING[method]).fit(
        part(runs(), slice(0, 5)),
        qrels={"ids": qrels()["ids"][:5]},  # type: ignore[index]
    )
    left = whole.statistics.minus(first.statistics_)
    assert left.to_arrays().keys() == rest.statistics_.to_arrays().keys()
    again = fitting.solve(whole.method, left, {})
    for name, array in rest.fitted_.items():
        assert np.array_equal(array, again.fitted[name]), name
    assert some.n < whole.n


@pytest.mark.parametrize("method", COUNTING)
def test_parts_of_an_explanation_add_up(method: str) -> None:
    asked = [{**run, "ids": run["ids"][0], "scores": run["scores"][0]} for run in runs(seed=4)]  # type: ignore[index]
    check_parts(fitted(method).apply_to(runs=asked, explain=True))


@pytest.mark.parametrize("method", COUNTING)
def test_a_file_answers_the_same_bits(method: str) -> None:
    version = fitted(method).version_
    again = from_bytes(to_bytes(version))
    asked = {"runs": part(runs(seed=3), slice(0, 3))}
    before, after = version.transform(asked), again.transform(asked)
    assert [p.tolist() for p in before["scores"]] == [p.tolist() for p in after["scores"]]


@pytest.mark.parametrize("method", ["posfuse", "slidefuse", "segfuse", "bayesfuse"])
def test_lists_longer_than_those_of_the_fit_are_told(method: str) -> None:
    asked = [{**run, "ids": run["ids"][0], "scores": run["scores"][0]} for run in runs(hits=12)]  # type: ignore[index]
    answer = fitted(method).apply_to(runs=asked)
    assert codes(answer)["beyond_trained_depth"] == {"run": "vectors", "count": 1}


@pytest.mark.parametrize("method", COUNTING)
def test_a_run_that_the_fit_did_not_see_is_refused(method: str) -> None:
    with pytest.raises(InvalidInput, match="no run called 'sound'") as caught:
        fitted(method).apply_to(runs=[{"name": "sound", "ids": ["a"], "scores": [1.0]}])
    assert caught.value.path == "input.runs[0].name"


@pytest.mark.parametrize("method", COUNTING)
def test_without_a_fit_nothing_is_fused(method: str) -> None:
    with pytest.raises(NotFitted):
        made(method, **COUNTING[method]).apply_to(runs=ASKED)


@pytest.mark.parametrize("method", COUNTING)
def test_nothing_relevant_teaches_nothing(method: str) -> None:
    with pytest.raises(FitError, match="no run found a relevant document"):
        made(method, **COUNTING[method]).fit(runs(), qrels={"ids": [["nowhere"]] * 12})


def test_runs_without_names_are_known_by_their_places() -> None:
    training = [{name: run[name] for name in ("ids", "scores")} for run in runs()]
    fusion = made("posfuse").fit(training, qrels=qrels())
    assert fusion.fitted_["runs"].tolist() == ["0", "1"]
    assert len(fusion.apply_to(runs=part(training, slice(0, 2)))["ids"]) == 2


def test_judgements_may_name_their_queries() -> None:
    training, names = runs(3), ["one", "two", "three"]
    pairs = [(query, document) for query in names for document in ("d00", "d01")]
    named = {"ids": [d for _, d in pairs], "query_ids": [q for q, _ in pairs]}
    by_name = made("posfuse").fit(training, qrels=named, query_ids=names)
    by_place = made("posfuse").fit(training, qrels={"ids": [["d00", "d01"]] * 3})
    assert np.array_equal(by_name.fitted_["probabilities"], by_place.fitted_["probabilities"])
    assert by_name.report_["queries"] == 3


def test_judgements_of_zero_are_not_relevant() -> None:
    judged = {"ids": [["a", "b"], ["e"]], "judgements": [[1.0, 0.0], [2.0]]}
    fusion = made("posfuse").fit(TAUGHT, qrels=judged)
    assert fusion.fitted_["probabilities"].tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"qrels": {"ids": [["a"]]}}, "fit.qrels.ids"),
        ({"qrels": {"ids": [["a", "a"], []]}}, "fit.qrels.ids"),
        ({"qrels": {"ids": [["a"], []], "judgements": [[None], []]}}, "fit.qrels.judgements[0][0]"),
        ({"qrels": {"ids": ["a"], "query_ids": ["x"]}}, "fit.query_ids"),
        ({"qrels": JUDGED, "query_ids": ["x"]}, "fit.query_ids"),
        ({"qrels": JUDGED, "runs": []}, "fit.runs"),
        ({"qrels": JUDGED, "runs": [TAUGHT[0], {"ids": [["a"]]}]}, "fit.runs[1].ids"),
        ({}, "fit.qrels"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(fields: dict[str, object], place: str) -> None:
    with pytest.raises(NormalizerError) as caught:
        made("posfuse").fit(**{"runs": TAUGHT, **fields})
    assert caught.value.path == place


def test_a_score_that_segfuse_cannot_use_is_named_in_the_fit() -> None:
    training = [{**TAUGHT[0], "scores": [[3.0, None, 1.0], [2.0, 1.0]]}]
    with pytest.raises(NormalizerError) as caught:
        made("segfuse").fit(training, qrels=JUDGED)
    assert caught.value.path == "fit.runs[0].scores[0][1]"


@pytest.mark.parametrize(
    ("bins", "counts"), [([0.5], [1]), ([-1.0], [1]), ([1.0, 2.0], [1, 2]), ([2.0], [1])]
)
def test_posted_counts_that_no_lists_have_are_refused(bins: list[float], counts: list[int]) -> None:
    posted = {"words": {"bins": bins, "counts": counts}}
    with pytest.raises(InvalidInput):
        made("posfuse").fit_statistics(counts=posted)


def test_a_report_tells_of_queries_and_runs() -> None:
    report = fitted("posfuse").report_
    told = ("queries", "queries_without_relevant", "relevant")
    assert [report[name] for name in told] == [12, 0, 60]
    assert [told["run"] for told in report["runs"]] == ["vectors", "words"]  # type: ignore[attr-defined]
    assert report["runs"][0]["depth"] == 9  # type: ignore[index]
