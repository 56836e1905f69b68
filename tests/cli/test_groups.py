"""Scores of groups in files: aligned, averaged, and tables whose columns have names."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.cli.conftest import Run

ANCHORS = "lp,score\na,1\na,2\na,3\nb,50\nb,60\nb,70\n"
SCORES = "system,lp,score\ns,a,1\nt,a,2\ns,b,60\nt,b,80\n"


def test_k5_a_file_of_scores_is_aligned_and_averaged(run: Run) -> None:
    Path("anchors.csv").write_text(ANCHORS)
    Path("scores.csv").write_text(SCORES)
    fields = ["--field", "x=score", "--field", "groups=lp"]
    fitted = run("fit", "group_z_score", "anchors.csv", *fields, "-o", "z.safetensors")
    assert fitted.code == 0, fitted.err
    done = run("transform", "z.safetensors", "scores.csv", *fields, "-o", "aligned.csv")
    assert done.code == 0, done.err
    also = [*fields, "--field", "systems=system"]
    done = run("transform", "group_average", "aligned.csv", *also, "-o", "averages.npz")
    assert done.code == 0, done.err
    assert np.load("averages.npz")["mean"].ravel().tolist() == [-0.5, 1.0]
    done = run("transform", "group_average", "aligned.csv", *also, "-o", "averages.csv")
    assert done.code == 0, done.err
    assert Path("averages.csv").read_text() == (
        "mean,systems,coverage,covered_0,covered_1\n-0.5,s,2,1,1\n1.0,t,2,1,1\n"
    )


def test_k7_columns_of_a_file_are_those_of_the_fit(run: Run) -> None:
    Path("fit.csv").write_text("comet,chrf\n1,2\n2,9\n3,5\n5,1\n")
    Path("same.csv").write_text("comet,chrf\n1,2\n")
    Path("turned.csv").write_text("chrf,comet\n2,1\n")
    fitted = run("fit", "whitening", "fit.csv", "--eps-rel", "1", "-o", "w.safetensors")
    assert fitted.code == 0, fitted.err
    assert run("transform", "w.safetensors", "same.csv", "-o", "y.csv").code == 0
    done = run("transform", "w.safetensors", "turned.csv", "-o", "y.csv")
    assert done.code != 0
    assert "the columns are not those of the fit" in done.err


def test_k17_a_preset_may_be_a_fit_that_comes_with_the_package(run: Run) -> None:
    Path("scores.csv").write_text("lp,x\nen-fr,80.36\nen-si,89.30\n")
    named = ["--preset", "xqmeval-v1", "--metric", "wmt22-comet-da"]
    fields = ["--field", "groups=lp", "-o", "y.csv"]
    for words in (
        ["fit", "group_z_score", *named, "-o", "z.safetensors"],
        ["transform", "z.safetensors", "scores.csv", *fields],
        ["transform", "group_z_score", "scores.csv", *named, *fields],
        ["fit", "group_z_score", *named, "--name", "comet"],
    ):
        done = run(*words)
        assert done.code == 0, done.err
    rows = Path("y.csv").read_text().splitlines()[1:]
    assert [round(float(row.split(",")[1]), 2) for row in rows] == [0.61, 0.64]
    done = run("fit", "group_z_score", "scores.csv", *named, "-o", "z.safetensors")
    assert done.code == 2
    assert "leave out the files" in done.err
