"""What columns of a table measure: by the command line as by the library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from normalizers.evaluation import evaluate
from normalizers.evaluation.table import evidences
from normd.cli.io.evidence_tables import columns_of, measures_of
from tests.cli.conftest import Run

LABELLED = {"scores": [0.9, 0.4, 0.8, 0.1, 0.35], "labels": [1, 0, 1, 0, 1]}
RATED = {
    "comet": [0.9, 0.1, -0.8, 1.1, 0.2, -1.0],
    "bleu": [0.86, 0.8, 0.7, 0.93, 0.89, 0.81],
    "human": [95.0, 80.0, 60.0, 97.0, 82.0, 55.0],
    "language": ["de", "de", "de", "ja", "ja", "ja"],
}
CHOICE = ("--field", "scores=comet", "--field", "qualities=human", "--field", "groups=language")


def written(columns: Mapping[str, list[object]], form: str) -> str:
    path = Path(f"table.{form}")
    rows = list(zip(*columns.values(), strict=True))
    if form == "jsonl":
        lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
        path.write_text("\n".join(lines) + "\n")
    elif form == "parquet":
        pq.write_table(pa.table(dict(columns)), path)
    else:
        separator = "\t" if form == "tsv" else ","
        lines = [separator.join(map(str, row)) for row in [tuple(columns), *rows]]
        path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_scores_with_labels_of_a_table_are_measured_as_the_library_does(
    run: Run, form: str
) -> None:
    asked = ["auc", "average_precision"]
    found = run("evaluate", written(LABELLED, form), "-m", asked[0], "-m", asked[1], "--json")
    assert found.code == 0, found.err
    expected = evaluate(asked, **LABELLED).as_dict()
    assert found.json["results"] == expected["results"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_scores_with_qualities_of_a_table_are_measured_beside_another_column(
    run: Run, form: str
) -> None:
    file = written(RATED, form)
    done = run(
        "evaluate", file, *CHOICE, "-m", "kendall", "--baseline", "bleu", "--seed", "3", "--json"
    )
    assert done.code == 0, done.err
    expected = evaluate(
        ["kendall"],
        scores=RATED["comet"],
        qualities=RATED["human"],
        groups=RATED["language"],
        baseline={"scores": RATED["bleu"]},
        bootstrap={"seed": 3},
    ).as_dict()
    (one,), (other,) = done.json["results"], expected["results"]
    assert one["baseline"] == other["baseline"]
    assert one["value"] == other["value"]


def test_the_one_other_column_is_what_is_measured(run: Run) -> None:
    file = written({"bm25": LABELLED["scores"], "relevant": LABELLED["labels"]}, "csv")
    done = run("evaluate", file, "--field", "labels=relevant", "-m", "auc", "--json")
    assert done.json["results"][0]["value"] == evaluate(["auc"], **LABELLED)["auc"]


def test_lists_are_told_by_a_column_and_a_direction_by_a_parameter(run: Run) -> None:
    columns = {"query": ["a", "a", "b", "b", "b"], **LABELLED}
    call = ("evaluate", written(columns, "csv"), "-m", "f1_threshold(threshold=0.5)")
    found = run(*call, "--list", "query", "--param", "higher_is_better=false", "--json").json
    lists = {name: [values[:2], values[2:]] for name, values in LABELLED.items()}
    expected = evaluate(["f1_threshold(threshold=0.5)"], higher_is_better=False, **lists).as_dict()
    assert found["results"] == expected["results"]
    assert found["counts"] == expected["counts"]


def test_a_threshold_is_chosen_on_a_training_table(run: Run) -> None:
    other = {"scores": [8.0, 0.3, 0.2], "labels": [1, 1, 0]}
    Path("other.csv").write_text("scores,labels\n8,1\n0.3,1\n0.2,0\n")
    file = written(LABELLED, "csv")
    found = run("evaluate", file, "-m", "f1_threshold", "--training", "other.csv", "--json").json
    expected = evaluate(["f1_threshold"], training=other, **LABELLED).as_dict()
    assert found["results"] == expected["results"]


def test_the_table_of_a_table_names_no_run(run: Run) -> None:
    done = run("evaluate", written(LABELLED, "csv"), "-m", "auc")
    assert done.code == 0
    assert "auc" in done.text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "say --measure NAME; of scores with labels there are auc, average_precision"),
        (("-m", "kendall"), "kendall needs qualities"),
        (("-m", "aucc"), "did you mean 'auc'"),
        (("-m", "auc", "--baseline", "other"), "there is no column 'other'"),
        (("-m", "auc", "--field", "labels=relevant"), "there is no column 'relevant'"),
        (("table.csv", "-m", "auc"), "one table is measured at a time"),
    ],
)
def test_what_a_table_cannot_tell_is_said(run: Run, arguments: tuple[str, ...], told: str) -> None:
    done = run("evaluate", written(LABELLED, "csv"), *arguments)
    assert done.code == 2
    assert told in done.err


def test_a_table_of_nothing_known_tells_what_tables_hold(run: Run) -> None:
    Path("other.csv").write_text("a,b\n1,2\n")
    done = run("evaluate", "other.csv")
    assert done.code == 2
    assert "scores with labels, or scores with qualities" in done.err


@pytest.mark.parametrize("kind", evidences(), ids=lambda kind: "-".join(kind.sends))
def test_every_declared_evidence_is_runs_or_a_table_that_can_be_measured(kind: object) -> None:
    assert measures_of(kind)  # type: ignore[arg-type]
    held = columns_of(kind)  # type: ignore[arg-type]
    assert "runs" in kind.fields or kind.fields.main in held  # type: ignore[attr-defined]


def test_numbers_of_a_table_are_not_rounded_on_the_way(run: Run) -> None:
    scores = (np.random.default_rng(2).normal(size=200) * 1e-9).tolist()
    labels = [place % 2 for place in range(200)]
    file = written({"scores": scores, "labels": labels}, "csv")
    found = run("evaluate", file, "-m", "auc", "--json").json
    assert found["results"][0]["value"] == evaluate(["auc"], scores=scores, labels=labels)["auc"]


def test_one_command_tells_whether_a_version_helps_vectors_with_pairs_or_classes(
    run: Run,
) -> None:
    x = np.random.default_rng(0).normal(size=(40, 4)) * [9.0, 1.0, 1.0, 1.0] + 5
    np.save("v.npy", x)
    for name, values in (("first", range(20)), ("second", range(20, 40))):
        np.save(f"{name}.npy", np.array(values))
    np.save("known.npy", np.linspace(0, 5, 20))
    np.save("classes.npy", np.arange(40) % 4)
    run("fit", "whitening", "v.npy", "-o", "w.safetensors")
    run("fit", "whitening", "v.npy", "--name", "w")
    pairs = ("pair_first=first.npy", "pair_second=second.npy", "pair_similarities=known.npy")
    fields = [part for field in pairs for part in ("--field", field)]
    for ref in ("w.safetensors", "w"):
        done = run("evaluate", "v.npy", "--with", ref, *fields, "--samples", "20", "--json")
        (one,) = done.json["results"]
        assert (one["measure"], "difference" in str(one)) == ("cosine_spearman", True), done.err
    done = run("evaluate", "v.npy", "--with", "w", "--field", "classes=classes.npy", "--json")
    assert [one["measure"] for one in done.json["results"]] == [
        "class_precision", "neighbour_recall@10",
    ]  # fmt: skip
