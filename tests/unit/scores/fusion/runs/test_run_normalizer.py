"""Normalizers of runs: by name, by version, through a pipeline, in the direction of the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from normalizers import CombSum, MinMax, Percentile, Pipeline, errors, load
from tests.unit.scores.fusion.fusing import codes, fused, run, scored

DISTANCES = run("x", "a 0.1, b 0.4, c 0.9", higher_is_better=False)
STEPS = {"method": "pipeline", "params": {"steps": ["min_max", "sigmoid"]}}


@pytest.mark.parametrize("normalizer", ["min_max", STEPS, Pipeline(steps=["min_max", "sigmoid"])])
def test_the_direction_is_that_of_the_run(normalizer: object) -> None:
    answer = fused("combsum", DISTANCES, normalizer=normalizer)
    assert answer["ids"].tolist() == ["a", "b", "c"]


def test_a_run_may_have_a_normalizer_of_its_own() -> None:
    own = {**run("x", "a 3, b 1"), "normalizer": "identity"}
    assert scored(fused("combsum", own, run("y", "b 5, a 4"))) == {"a": 3.0, "b": 2.0}


def test_the_normalizer_s_direction_holds_for_runs_that_do_not_say_theirs() -> None:
    answer = fused("combsum", run("x", "a 1, b 2"), normalizer="min_max_inverted")
    assert scored(answer) == {"a": 1.0, "b": 0.0}
    up = run("x", "a 1, b 2", higher_is_better=True)
    with pytest.raises(errors.InvalidInput):
        fused("combsum", up, normalizer="min_max_inverted")


def test_a_similarity_of_the_run_reaches_the_normalizer() -> None:
    answer = fused("combsum", run("x", "a 0.5", similarity="cosine"), normalizer="milvus_map")
    assert scored(answer) == {"a": 0.75}


def test_fitted_normalizers_are_kept_with_the_fusion(tmp_path: Path) -> None:
    fitted = Percentile().fit([1.0, 2.0, 3.0, 4.0])
    fusion = CombSum(normalizer=fitted)
    runs = [run("x", "a 2.5, b 9")]
    before = scored(fusion.apply_to(runs=runs))
    fusion.save(tmp_path / "fusion.safetensors")
    assert scored(load(tmp_path / "fusion.safetensors").apply_to(runs=runs)) == before
    assert before == {"b": 1.0, "a": 0.5}


def test_missing_rules() -> None:
    runs = run("x", "a 3, b 2, c 1"), run("y", "d 8, a 4")
    by_rule = {
        rule: scored(fused("wsum", *runs, missing=rule, normalizer="identity", weights=[1.0, 2.0]))
        for rule in ("auto", "zero", "run_min", "skip", 0.5)
    }
    assert by_rule["zero"] == {"d": 16.0, "a": 11.0, "b": 2.0, "c": 1.0}
    assert by_rule["run_min"] == {"d": 17.0, "a": 11.0, "b": 10.0, "c": 9.0}
    assert by_rule["auto"] == by_rule["run_min"]
    assert by_rule["skip"] == {"d": 24.0, "a": 11.0, "b": 6.0, "c": 3.0}
    assert by_rule[0.5] == {"d": 16.5, "a": 11.0, "b": 3.0, "c": 2.0}
    bounded = fused("wsum", *runs)
    assert scored(bounded) == scored(fused("wsum", *runs, missing="zero"))


def test_constant_lists_are_counted_by_run() -> None:
    x = {"name": "x", "ids": [["a", "b"], ["a"], ["a", "b"]], "scores": [[1, 1], [2], [1, 2]]}
    answer = CombSum().apply_to(runs=[x])
    assert codes(answer)["constant_list"] == {"run": "x", "count": 2}


def test_inputs_stay_as_they_are() -> None:
    fitted = MinMax().fit([0.0, 4.0])
    given = {**run("x", "a 3, b 1"), "normalizer": fitted}
    before = {**given, "ids": [*given["ids"]], "scores": [*given["scores"]]}  # type: ignore[misc]
    fused("combsum", given)
    assert given == before
