"""A layer that was trained elsewhere becomes a version by the command line, by REST, by Python."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from normalizers import Bin
from normalizers.normalizer import load
from normd.client import Client
from tests.cli.conftest import Run
from tests.ops.server import Server

LAYER = {
    "gamma1": np.array([[[1.5], [0.5], [1.0]]], dtype=np.float32),
    "beta1": np.array([[[0.25], [-0.5], [0.0]]], dtype=np.float32),
    "gamma2": np.array([[[1.0, 2.0]]], dtype=np.float32),
    "beta2": np.array([[[0.0, -0.25]]], dtype=np.float32),
    "lambda1": np.array([0.75], dtype=np.float32),
    "lambda2": np.array([0.25], dtype=np.float32),
}
MODEL = {f"model.bin.{name}": array for name, array in LAYER.items()}
MODEL["model.head.weight"] = np.eye(2, dtype=np.float32)
X = [[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]]]
BIN = ("fit", "bin", "--variant", "mlproject")


@pytest.fixture(autouse=True)
def state_dict(folder: Path) -> None:
    save_file(LAYER, "layer.safetensors")
    save_file(MODEL, "model.safetensors")
    Path("layer.json").write_text(json.dumps({n: a.tolist() for n, a in LAYER.items()}))


def test_k12_one_layer_is_one_version_by_command_line_rest_and_python(
    run: Run, server: Server
) -> None:
    python = Bin(variant="mlproject").fit_weights(LAYER)
    hashes = {python.save("python.safetensors")}
    for file, *more in (
        ("layer.safetensors",),
        ("layer.json",),
        ("model.safetensors", "--prefix", "model.bin."),
    ):
        done = run(*BIN, "--weights", file, *more, "-o", "out.safetensors", "--json")
        assert done.code == 0, done.err
        hashes.add(str(done.json["hash"]))
        name = f"layer-{len(more)}-{file[-4:]}"
        stored = run(*BIN, "--weights", file, *more, "--name", name, "--json")
        assert stored.code == 0, stored.err
        hashes.add(str(stored.json["hash"]))
    away = run(*BIN, "--weights", "layer.safetensors", "--name", "b", "--url", server.url, "--json")
    hashes.add(str(away.json["hash"]))
    with Client(server.url) as client:
        made = client.create("rest", "bin", params={"variant": "mlproject"}, weights=LAYER)
        hashes.add(str(made["hash"]))
        served = client.transform("rest", X)
    assert len(hashes) == 1
    assert np.array_equal(served, python.transform(X))
    assert np.array_equal(load("out.safetensors").transform(X), python.transform(X))


def test_k12_new_weights_are_a_new_version(run: Run) -> None:
    run(*BIN, "--weights", "layer.safetensors", "--name", "b")
    done = run(*BIN, "--weights", "layer.safetensors", "--name", "b", "--new-version", "--json")
    assert (done.json["version"], done.json["from"]) == (2, "weights")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--weights", "model.safetensors"), "below 'model.bin.' alone"),
        (("--weights", "model.safetensors", "--prefix", "bin."), "no name begins with 'bin.'"),
        (("--weights", "layer.pt"), "save_file of the safetensors package"),
        (("--weights", "none.safetensors"), "cannot be read"),
        (("--weights", "bad.safetensors"), "no whole safetensors file"),
        (("--weights", "list.json"), "no JSON object"),
        (("--weights", "layer.json", "x.npy"), "leave out the files"),
        (("--prefix", "model."), "name their file"),
        ((), "needs weights"),
    ],
)
def test_k12_other_files_are_refused_with_a_remedy(
    run: Run, words: tuple[str, ...], told: str
) -> None:
    Path("bad.safetensors").write_bytes(b"nothing")
    Path("list.json").write_text("[1, 2]")
    done = run(*BIN, *words, "--name", "b")
    assert done.code != 0
    assert told in done.err


def test_k12_a_version_file_is_no_state_dict(run: Run) -> None:
    run(*BIN, "--weights", "layer.safetensors", "-o", "v.safetensors")
    done = run(*BIN, "--weights", "v.safetensors", "--name", "b")
    assert "normd import" in done.err


def test_k12_a_parameter_called_weights_keeps_its_option(run: Run) -> None:
    told = run("fit", "wsum", "--help").text
    assert "--weights" in told
    assert "state dict" not in told
    assert "state dict" in run("fit", "revin", "--help").text


def test_k12_methods_names_the_weights(run: Run) -> None:
    told = run("methods", "bin").text
    assert "imports weights, with variant: paper" in told
    assert "imports weights, with variant: mlproject" in told
    assert "gamma_feature" in told


def test_the_channels_of_a_layer_have_the_names_of_columns(run: Run, server: Server) -> None:
    named = ("--weights", "layer.safetensors", "--columns", "bid,ask")
    written = run(*BIN, *named, "-o", "named.safetensors")
    assert written.code == 0, written.err
    assert load("named.safetensors").version_.columns == ("bid", "ask")
    away = run(*BIN, *named, "--name", "named", "--url", server.url, "--json")
    assert away.code == 0, away.err
    assert away.json["hash"] == load("named.safetensors").save("again.safetensors")
