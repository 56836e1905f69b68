"""``normd join``: new items enter, from files mapped into memory."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from normalizers import load
from normd.cli.files import npy
from tests.cli.conftest import Run


@pytest.fixture
def fits(folder: Path) -> dict[str, list[str]]:
    rng = np.random.default_rng(1)
    np.save("bank.npy", rng.normal(size=(5, 3)).astype(np.float32))
    found = {}
    for name, ids in (("old", "abc"), ("new", "de")):
        np.save(f"{name}.npy", rng.normal(size=(len(ids), 3)).astype(np.float32))
        Path(f"{name}.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in ids))
        found[name] = [
            "fit", "nnn", "--k", "2", "--field", "bank_embeddings=@bank.npy",
            "--field", f"gallery_embeddings=@{name}.npy", "--field", f"gallery_ids=@{name}.jsonl",
        ]  # fmt: skip
    return found


def test_k18_stored_versions_of_other_items_are_joined(
    run: Run, fits: dict[str, list[str]]
) -> None:
    for name, fit in fits.items():
        assert run(*fit, "--name", name).code == 0
    made = run("join", "old", "old@1", "new@1", "--json")
    assert made.code == 0, made.err
    assert (made.json["version"], made.json["from"]) == (2, "join")
    again = run("join", "old", "old@2", "new@1")
    assert again.code != 0
    assert "in both parts" in again.err


def test_k18_version_files_of_other_items_are_joined(run: Run, fits: dict[str, list[str]]) -> None:
    for name, fit in fits.items():
        assert run(*fit, "-o", f"{name}.safetensors").code == 0
    made = run("join", "old.safetensors", "new.safetensors", "-o", "all.safetensors")
    assert made.code == 0, made.err
    assert load("all.safetensors").fitted_["item_ids"].tolist() == list("abcde")
    assert run("join", "old", "new.safetensors").code != 0


def test_k18_fields_of_files_are_mapped_into_memory(
    run: Run, fits: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npy, "_tables", None)  # nothing is read in blocks that are joined again
    assert run(*fits["old"], "--name", "old").code == 0


def test_new_items_that_are_hubs_stand_out_and_are_refused_if_asked(
    run: Run, fits: dict[str, list[str]]
) -> None:
    bank = np.load("bank.npy")
    np.save("old.npy", np.random.default_rng(2).normal(size=(3, 3)).astype(np.float32))
    np.save("new.npy", np.stack([50 * bank.mean(axis=0), bank[0]]).astype(np.float32))
    for name, fit in fits.items():
        assert run(*fit, "--similarity", "dot", "--name", name).code == 0
    refused = run("join", "old", "old@1", "new@1", "--strict")
    assert (refused.code, "'d' first" in refused.err) == (2, True)
    made = run("join", "old", "old@1", "new@1")
    assert (made.code, "suspect_items" in made.err) == (0, True)
    assert "limit" in run("report", "old@2").text
