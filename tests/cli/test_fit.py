from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers.normalizer import load
from normd.cli.files import npy as reading
from tests.cli.conftest import Run


def test_a_stored_fit_and_a_file_are_the_same_bytes(run: Run) -> None:
    stored = run("fit", "whitening", "x.npy", "--name", "emb", "--eps-rel", "1", "--json")
    written = run("fit", "whitening", "x.npy", "-o", "w.safetensors", "--eps-rel", "1", "--json")
    assert stored.json["hash"] == written.json["hash"]
    run("export", "emb", "-o", "e.safetensors")
    assert Path("e.safetensors").read_bytes() == Path("w.safetensors").read_bytes()


def test_blocks_add_up_and_are_stored_as_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("fit", "whitening", "x.npy", "-o", "whole.safetensors")
    monkeypatch.setattr(reading, "BLOCK_VALUES", 15)
    written = run("fit", "whitening", "x.npy", "-o", "blocks.safetensors", "--json")
    stored = run("fit", "whitening", "x.npy", "--name", "emb", "--json")
    assert stored.json["hash"] == written.json["hash"]
    assert stored.json["n"] == 30
    x = np.load("x.npy")
    whole, blocks = (load(f"{name}.safetensors") for name in ("whole", "blocks"))
    np.testing.assert_allclose(blocks.transform(x), whole.transform(x), rtol=1e-9)


def test_a_method_that_also_works_without_a_fit_is_fitted_in_blocks(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save("lists.npy", np.arange(12.0).reshape(6, 2))
    monkeypatch.setattr(reading, "BLOCK_VALUES", 4)
    done = run("fit", "min_max", "lists.npy", "--name", "ends", "--json")
    assert (done.json["n"], done.json["resolved"]["scope"]) == (12, "fitted")


def test_several_files_are_one_fit(run: Run) -> None:
    x = np.load("x.npy")
    np.save("first.npy", x[:11])
    np.save("second.npy", x[11:])
    done = run("fit", "whitening", "first.npy", "second.npy", "--name", "emb", "--json")
    assert (done.json["n"], done.json["version"]) == (30, 1)


def test_a_taken_name_is_a_conflict_with_a_remedy(run: Run) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")
    done = run("fit", "zca", "x.npy", "--name", "emb")
    assert done.code == 3
    assert "--new-version adds one from these files" in done.err
    assert "POST" not in done.err
    added = run("fit", "whitening", "x.npy", "--name", "emb", "--new-version", "--json")
    assert added.json["version"] == 2


def test_bad_parameters_are_named(run: Run) -> None:
    done = run("fit", "whitening", "x.npy", "--name", "emb", "--eps-rel", "-1")
    assert (done.code, done.err) == (
        2,
        "normd: params.eps_rel: Input should be greater than or equal to 0\n",
    )
    assert run("list", "--json").json["items"] == []


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["whitning", "x.npy", "--name", "a"], "did you mean 'whitening'?"),
        (["whitening", "x.npy"], "say --name NAME to store the fit, or --out FILE"),
        (["whitening", "x.npy", "-o", "w.bin"], "the name of a version file ends in .safetensors"),
        (["whitening", "x.npy", "--name", "a", "--param", "eps"], "write --param NAME=VALUE"),
        (["whitening", "x.npy", "--name", "a", "--param", "epz=1"], "did you mean 'eps'?"),
        (["whitening", "x.npy", "--name", "a", "--eps", "1", "--param", "eps=2"], "given twice"),
        (["whitening", "x.npy", "--name", "a b"], "a name is 1 to 128 of"),
        (["isr", "x.npy", "--name", "a"], "is not fitted: leave out the files"),
        (["whitening", "x.npy", "--name", "a", "--epsrel", "1"], "no such option"),
    ],
)
def test_a_fit_that_cannot_be(run: Run, arguments: list[str], expected: str) -> None:
    done = run("fit", *arguments)
    assert done.code == 2
    assert expected in done.err


def test_parameters_alone_make_a_version(run: Run) -> None:
    done = run("fit", "rrf", "--name", "fusion", "--weights", "a=1,b=0.5", "--json")
    assert done.json["params"] == {"weights": {"a": 1.0, "b": 0.5}}


def test_a_pipeline_is_fitted_on_the_fields_of_its_first_step(run: Run) -> None:
    steps = '["percentile", {"method": "min_max", "params": {"scope": "query"}}]'
    for target in (["--name", "chain"], ["-o", "chain.safetensors"]):
        done = run("fit", "pipeline", "scores.csv", "--columns", "score", "--steps", steps, *target)
        assert done.code == 0, done.err
    stored = run("transform", "chain", "scores.csv", "--columns", "score")
    file = run("transform", "chain.safetensors", "scores.csv", "--columns", "score")
    assert stored.out == file.out
    assert stored.text.splitlines()[0] == "query,doc,score"


def test_fields_come_from_other_files(run: Run) -> None:
    x = np.load("x.npy")
    np.save("bank.npy", x)
    np.save("gallery.npy", x[:3])
    Path("ids.jsonl").write_text('"a"\n"b"\n"c"\n')
    done = run(
        "fit", "inverted_softmax", "--name", "hubs", "--json",
        "--field", "bank_embeddings=@bank.npy", "--field", "gallery_embeddings=@gallery.npy",
        "--field", "gallery_ids=@ids.jsonl",
    )  # fmt: skip
    assert (done.code, done.json["n"]) == (0, 30)
    Path("live.jsonl").write_text('{"candidate_ids":["a","c"],"candidate_scores":[0.5,0.2]}\n')
    answer = run("transform", "hubs", "live.jsonl")
    assert answer.code == 0
    assert answer.text.startswith('{"candidate_ids":["a","c"],"scores":[')


def test_observations_become_a_version(run: Run) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")
    first = run("observe", "emb", "x.npy", "--key", "monday", "--json")
    again = run("observe", "emb", "x.npy", "--key", "monday", "--json")
    assert (first.json["counted"], again.json["counted"]) == (True, False)
    made = run("merge", "emb", "emb@1", "emb@open", "--json")
    assert (made.json["version"], made.json["n"]) == (2, 60)


def test_what_was_counted_before_a_failure_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")
    array = np.load("x.npy")
    array[20, 1] = np.nan
    np.save("broken.npy", array)
    monkeypatch.setattr(reading, "BLOCK_VALUES", 30)
    done = run("observe", "emb", "broken.npy", "--key", "k")
    assert done.code == 2
    assert "20 rows were counted before this failure; --key k with the same files" in done.err


def test_version_files_merge_with_and_without_a_name(run: Run) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")
    run("fit", "whitening", "x.npy", "-o", "w.safetensors")
    written = run("merge", "w.safetensors", "emb@1", "-o", "both.safetensors", "--json")
    stored = run("merge", "emb", "emb@1", "w.safetensors", "--json")
    assert (written.json["n"], stored.json["n"]) == (60, 60)
    assert written.json["hash"] == stored.json["hash"]


def test_files_that_do_not_merge_are_refused(run: Run) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")
    run("fit", "whitening", "x.npy", "-o", "l2.safetensors", "--pre", "l2")
    run("fit", "min_max", "scores.csv", "--columns", "score", "-o", "ends.safetensors")
    other = run("merge", "emb", "emb@1", "l2.safetensors")
    assert (other.code, "'pre' is 'none' here and 'l2' there" in other.err) == (2, True)
    method = run("merge", "emb", "emb@1", "ends.safetensors")
    assert (method.code, "the file is of 'min_max'" in method.err) == (2, True)
    assert run("versions", "emb", "--json").json["items"][-1]["version"] == 1
    nothing = run("merge", "emb")
    assert (nothing.code, "name what the new version of emb adds up" in nothing.err) == (2, True)


def test_k13_a_fit_goes_on_from_a_version(run: Run) -> None:
    x = np.load("x.npy")
    np.save("first.npy", x[:11])
    np.save("second.npy", x[11:])
    moving = ("fit", "running_standardization", "--update", "ema", "--alpha", "0.5")
    run(*moving, "first.npy", "--name", "n")
    stored = run(*moving, "second.npy", "--name", "n", "--after", "n@1", "--json")
    assert (stored.json["version"], stored.json["n"]) == (2, 2)
    run(*moving, "first.npy", "-o", "first.safetensors")
    written = run(
        *moving, "second.npy", "--after", "first.safetensors", "-o", "both.safetensors", "--json"
    )
    assert written.json["hash"] == stored.json["hash"]
    at_once = run(*moving, "first.npy", "second.npy", "-o", "batches.safetensors", "--json")
    assert at_once.json["hash"] == stored.json["hash"]
    missing = run(*moving, "second.npy", "--after", "nothing.safetensors", "-o", "b.safetensors")
    assert missing.code != 0
    assert "nothing.safetensors" in missing.err
