"""Weights and parameters that a fit finds by trying a grid of values."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NormalizerError,
    NotFitted,
    UnsupportedOperation,
)
from normalizers.normalizer import Normalizer
from normalizers.versions import fitting
from normalizers.versions.file import from_bytes, to_bytes
from tests.unit.scores.fusion.trained.training import (
    SEARCHED,
    fitted,
    made,
    part,
    qrels,
    runs,
    six_problems,
)

NDCG = {"measure": "ndcg@10"}
SOLVED = {"ids": [["b"]] * 6}


def picked(run: dict[str, object], queries: list[int]) -> dict[str, object]:
    lists = {name: [run[name][query] for query in queries] for name in ("ids", "scores")}  # type: ignore[index]
    return {**run, **lists}


def search(fusion: Normalizer) -> dict[str, object]:
    told: dict[str, object] = fusion.report_["search"]  # type: ignore[assignment]
    return told


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_ranx_skipped_weights_of_the_one_that_solves_all(order: tuple[int, ...]) -> None:
    training = [six_problems()[index] for index in order]
    fusion = made("wsum", normalizer="identity").fit(
        training, qrels=SOLVED, measure="precision@1", grid=0.1
    )
    assert fusion.version_.resolved["weights"] == {"r1": 0.2, "r2": 0.7, "r3": 0.1}
    assert len(search(fusion)["trials"]) == 66  # type: ignore[arg-type]
    solved = [one for one in search(fusion)["trials"] if one["value"] == 1.0]  # type: ignore[attr-defined]
    assert solved == [search(fusion)["best"]]
    four = [*training, {**training[0], "name": "r4"}]
    more = made("wsum", normalizer="identity").fit(four, qrels=SOLVED, measure="precision@1")
    assert len(search(more)["trials"]) == 286  # type: ignore[arg-type]


def test_every_weight_is_the_nearest_float_of_its_share() -> None:
    tried = [one["weights"] for one in search(fitted("wsum", **NDCG))["trials"]]  # type: ignore[attr-defined]
    assert tried == [{"words": i / 10, "vectors": (10 - i) / 10} for i in range(11)]


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("rrf", [10.0 * i for i in range(1, 11)]),
        ("gmnz", [i / 100 for i in range(101)]),
        ("logn_isr", [i / 100 for i in range(101)]),
        ("rbc", [i / 100 for i in range(1, 100)]),
        ("convex", [i / 20 for i in range(21)]),
        ("slidefuse", list(range(1, 101))),
        ("probfuse", list(range(1, 101))),
    ],
)
def test_standard_grids(method: str, values: list[float]) -> None:
    fusion = made(method).fit(runs(), qrels=qrels(), **NDCG)
    told = search(fusion)
    name = next(iter(told["best"]))  # type: ignore[call-overload]
    assert [one[name] for one in told["trials"]] == values  # type: ignore[attr-defined]
    assert fusion.version_.resolved[name] == told["best"][name]  # type: ignore[index]


@pytest.mark.parametrize("method", SEARCHED)
def test_the_first_of_the_best_is_taken(method: str) -> None:
    alike = [{**run, "name": name} for run, name in zip(runs()[:1] * 2, "ab", strict=True)]
    fusion = made(method).fit(alike, qrels=qrels(), **NDCG)
    told = search(fusion)
    values = [one["value"] for one in told["trials"]]  # type: ignore[attr-defined]
    assert told["best"] == told["trials"][int(np.argmax(values))]  # type: ignore[index]


@pytest.mark.parametrize("method", SEARCHED)
def test_a_trial_is_what_the_fusion_with_that_value_reaches(method: str) -> None:
    from normalizers.evaluation import evaluate

    told = search(fitted(method, **NDCG))
    for trial in (told["trials"][0], told["best"]):  # type: ignore[index]
        params = {name: value for name, value in trial.items() if name != "value"}
        answer = made(method, **params).apply_to(runs=runs())
        lists = [{"ids": [ids.tolist() for ids in answer["ids"]]}]
        reached = evaluate(["ndcg@10"], runs=lists, qrels=qrels())["ndcg@10"]
        assert trial["value"] == pytest.approx(reached, rel=1e-14)


@pytest.mark.parametrize("method", SEARCHED)
def test_parts_of_the_queries_merge_to_the_same_bits(method: str) -> None:
    training, judged = runs(), qrels()["ids"]
    whole = fitted(method, **NDCG).version_
    parts = [
        made(method).fit(part(training, cut), qrels={"ids": judged[cut]}, **NDCG).version_  # type: ignore[index]
        for cut in (slice(0, 1), slice(1, 8), slice(8, 12))
    ]
    for order in ([0, 1, 2], [2, 0, 1]):
        merged = fitting.merge(whole.method, [parts[index] for index in order])
        assert merged.resolved == whole.resolved
        trials = merged.statistics["trials"]
        assert np.array_equal(trials.means, whole.statistics["trials"].means)  # type: ignore[attr-defined]


@pytest.mark.parametrize("method", SEARCHED)
def test_a_file_answers_the_same(method: str) -> None:
    version = fitted(method, **NDCG).version_
    again = from_bytes(to_bytes(version))
    asked = {"runs": part(runs(seed=3), slice(0, 2))}
    assert again.resolved == version.resolved
    assert again.report["search"] == version.report["search"]
    assert again.resolved_method.streams
    before, after = version.transform(asked), again.transform(asked)
    assert [p.tolist() for p in before["scores"]] == [p.tolist() for p in after["scores"]]


def test_trials_with_other_parameters_do_not_merge_nor_solve() -> None:
    zero, lowest = (fitted("wsum", missing=rule, **NDCG).version_ for rule in ("zero", "run_min"))
    with pytest.raises(IncompatibleStatistics, match="settings"):
        zero.statistics.merge(lowest.statistics)
    with pytest.raises(FitError, match="other parameters"):
        fitting.solve(made("wsum", missing="skip"), zero.statistics, {})


def test_other_measures_and_grids_do_not_merge() -> None:
    first = fitted("rrf", **NDCG).statistics_
    for fields in ({"measure": "map"}, {**NDCG, "grid": [10.0, 60.0]}):
        with pytest.raises(IncompatibleStatistics):
            first.merge(fitted("rrf", **fields).statistics_)


@pytest.mark.parametrize(
    ("method", "grid", "values"),
    [
        ("rrf", 30, [30.0, 60.0, 90.0]),
        ("rrf", [60.0, 1.0, 10.0, 1.0], [1.0, 10.0, 60.0]),
        ("rbc", 0.25, [0.25, 0.5, 0.75]),
        ("gmnz", 0.5, [0.0, 0.5, 1.0]),
    ],
)
def test_grids_that_are_asked_for(method: str, grid: object, values: list[float]) -> None:
    told = search(fitted(method, grid=grid, **NDCG))
    assert [next(iter(one.values())) for one in told["trials"]] == values  # type: ignore[attr-defined]


def test_r9_a_grid_of_one_value_warns() -> None:
    for method in ("rrf", "convex", "wsum"):
        many = fitted(method, grid=0.5 if method != "rrf" else 30, **NDCG)
        assert "one_trial" not in [one.code for one in many.version_.fitted.warnings]
    for method, grid in (("convex", [0.01]), ("rrf", [10.0]), ("rrf", 70)):
        (warned,) = fitted(method, grid=grid, **NDCG).version_.fitted.warnings
        assert warned.code == "one_trial"
        assert "one value was tried" in warned.message


@pytest.mark.parametrize(
    ("method", "grid", "error"),
    [
        ("wsum", 0.3, InvalidInput), ("wsum", 0, InvalidInput), ("wsum", -0.1, InvalidInput),
        ("wsum", [0.5], InvalidInput), ("wsum", [[0.0, 0.0]], InvalidParams),
        ("wsum", [[-1.0, 2.0]], InvalidParams), ("wsum", 1e-5, InvalidInput),
        ("rrf", 0.3, InvalidInput), ("rrf", 1000, InvalidInput), ("rrf", 1e-9, InvalidInput),
        ("rrf", [-2.0], InvalidParams), ("rrf", [], NormalizerError), ("rbc", [1.0], InvalidParams),
        ("rrf", [None], InvalidInput), ("slidefuse", 0.5, InvalidInput),
        ("slidefuse", [1.5], InvalidParams), ("convex", [[0.1, 0.2]], InvalidInput),
    ],
)  # fmt: skip
def test_grids_that_are_none(method: str, grid: object, error: type[NormalizerError]) -> None:
    with pytest.raises(error) as caught:
        made(method).fit(runs(), qrels=qrels(), grid=grid, **NDCG)
    assert caught.value.path.startswith("fit.grid")


@pytest.mark.parametrize("measure", ["f1_threshold", "brier", "nothing", "ndcg@0", ""])
def test_what_measures_no_lists_is_refused(measure: str) -> None:
    with pytest.raises(NormalizerError) as caught:
        fitted("rrf", measure=measure)
    assert caught.value.path.startswith("fit.measure")


def test_a_measure_is_required_where_it_is_used() -> None:
    with pytest.raises(InvalidInput) as caught:
        fitted("rrf")
    assert caught.value.path == "fit.measure"


@pytest.mark.parametrize(("method", "given"), [("rrf", {"k": 60}), ("wsum", {"weights": [1, 2]}),
                                               ("convex", {"alpha": 0.5})])  # fmt: skip
def test_what_is_given_is_not_searched_for(method: str, given: dict[str, object]) -> None:
    sent = {"runs": runs(), "qrels": qrels(), **NDCG}
    with pytest.raises(UnsupportedOperation):
        fitting.fit(made(method, **given), sent)
    with pytest.raises(InvalidInput, match="nothing to search for"):
        fitted("slidefuse", w=2, **NDCG)


@pytest.mark.parametrize(("method", "name"), [("convex", "alpha"), ("rbc", "phi")])
def test_what_has_no_standard_value_is_given_or_found(method: str, name: str) -> None:
    with pytest.raises(NotFitted, match=name):
        made(method).apply_to(runs=part(runs(), slice(0, 1)))
    assert made(method, **{name: 0.5}).apply_to(runs=part(runs(), slice(0, 1)))


def test_a_trained_fusion_needs_its_parameter_or_a_measure() -> None:
    with pytest.raises(FitError, match="'w' is not known"):
        made("slidefuse").fit(runs(), qrels=qrels())
    with pytest.raises(InvalidInput, match="'grid' needs a measure"):
        made("slidefuse").fit(runs(), qrels=qrels(), grid=[1.0])


def test_alpha_is_of_the_run_that_is_named() -> None:
    first = search(fitted("convex", alpha_run="words", **NDCG))["trials"]
    second = search(fitted("convex", alpha_run="vectors", **NDCG))["trials"]
    values = [[one["value"] for one in told] for told in (first, second)]  # type: ignore[attr-defined]
    assert values[0] == values[1][::-1]


def test_three_runs_are_no_convex_combination() -> None:
    with pytest.raises(InvalidInput) as caught:
        made("convex").fit([*runs(), {**runs()[0], "name": "third"}], qrels=qrels(), **NDCG)
    assert caught.value.path == "fit.runs"


def test_queries_without_relevant_documents_do_not_count() -> None:
    judged = {"ids": [*qrels()["ids"], []]}  # type: ignore[misc]
    fusion = made("rrf").fit(runs(13), qrels=judged, **NDCG)
    assert search(fusion)["queries"] == 12
    assert fusion.report_["queries_without_relevant"] == 1


def test_cross_validation_chooses_without_the_queries_it_measures_on() -> None:
    fusion = made("convex").fit(runs(), qrels=qrels(), folds=3, **NDCG)
    told = fusion.report_["cross_validation"]
    training, judged, found = runs(), qrels()["ids"], []
    for fold in range(3):
        rest = [i for i in range(12) if i % 3 != fold]
        others = [picked(run, rest) for run in training]
        best = made("convex").fit(others, qrels={"ids": [judged[i] for i in rest]}, **NDCG)  # type: ignore[index]
        found.append(best.version_.resolved["alpha"])
    assert told["chosen"] == found  # type: ignore[index]
    assert told["value"] <= search(fusion)["best"]["value"]  # type: ignore[index]


@pytest.mark.parametrize("folds", [1, 13])
def test_folds_that_are_none(folds: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        made("convex").fit(runs(), qrels=qrels(), folds=folds, **NDCG)
    assert caught.value.path == "fit.folds"


def test_an_interval_of_the_choice_is_seeded() -> None:
    asked = {"samples": 200, "seed": 3, "confidence": 0.9}
    first, again, other = (
        made("convex").fit(runs(), qrels=qrels(), bootstrap=drawn, **NDCG).report_["bootstrap"]
        for drawn in (asked, asked, {**asked, "seed": 4})
    )
    assert first == again
    assert first != other
    low, high = first["chosen"]["alpha"]  # type: ignore[index]
    assert 0 <= low <= high <= 1
    bottom, top = first["value"]  # type: ignore[index]
    assert bottom < search(fitted("convex", **NDCG))["best"]["value"] < top  # type: ignore[index]


def test_the_choice_is_measured_on_other_queries() -> None:
    other = {"runs": runs(9, seed=8), "qrels": qrels(9)}
    told = made("convex").fit(runs(), qrels=qrels(), validation=other, **NDCG).report_
    alpha = told["search"]["best"]["alpha"]  # type: ignore[index]
    alone = made("convex").fit(**other, grid=[alpha], **NDCG)
    assert told["validation"] == {"queries": 9, "value": search(alone)["best"]["value"]}  # type: ignore[index]
    trained = made("slidefuse").fit(runs(), qrels=qrels(), validation=other, **NDCG).report_
    assert trained["validation"]["queries"] == 9  # type: ignore[index]


def test_what_is_wrong_with_other_queries_is_named_there() -> None:
    other = {"runs": runs(9), "qrels": qrels(8)}
    with pytest.raises(NormalizerError) as caught:
        made("convex").fit(runs(), qrels=qrels(), validation=other, **NDCG)
    assert caught.value.path == "fit.validation.qrels.ids"


def test_a_stored_normalizer_is_part_of_what_was_tried() -> None:
    from normalizers import Percentile

    stored = Percentile().fit([1.0, 4.0, 5.0, 6.0, 9.0]).version_
    fusion = made("wsum", normalizer=stored).fit(runs(), qrels=qrels(), **NDCG)
    again = from_bytes(to_bytes(fusion.version_))
    assert again.resolved["weights"] == fusion.version_.resolved["weights"]


@pytest.mark.parametrize("method", SEARCHED)
def test_judgements_of_other_documents_teach_nothing(method: str) -> None:
    unknown = {"ids": [["nowhere"]] * 12}
    with pytest.raises(FitError, match="nothing to learn from"):
        made(method).fit(runs(), qrels=unknown, **NDCG)


def test_validation_with_judgements_of_other_documents_is_refused() -> None:
    other = {"runs": runs(seed=2), "qrels": {"ids": [["nowhere"]] * 12}}
    with pytest.raises(InvalidInput, match="no run here found a relevant") as caught:
        made("wsum").fit(runs(), qrels=qrels(), validation=other, **NDCG)
    assert caught.value.path == "fit.validation"
