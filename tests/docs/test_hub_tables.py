"""The measured tables against hubs: every row is there, and some are computed again."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from docs.site import HAND_WRITTEN, ROOT
from normalizers import InvertedSoftmax, Nnn, Sinkhorn
from normalizers.evaluation import diagnose
from normalizers.normalizer import Normalizer

DATA = ROOT.parent / "shared" / "data" / "hubness"
LIVE = 200
# One query of 2,000 is 0.05.
ONE_QUERY = 0.05 + 1e-9
ROW = re.compile(r"^\| `(\w+)`(?:, `(\w+)` ([\d.]+))? \| (.*) \|$", re.MULTILINE)
METHODS = {"sinkhorn": Sinkhorn, "inverted_softmax": InvertedSoftmax, "nnn": Nnn}
# By set: the columns of right answers and of the index in the table of right banks.
COLUMNS = {"ui_en_zh_e5": (0, 1), "doc_code_minilm": (2, 3)}


def measured() -> list[str]:
    text = (HAND_WRITTEN / "hubs.md").read_text(encoding="utf-8")
    return text.partition("## Measured")[2].partition("## ")[0].split("\n| method")[1:]


def row(table: str, method: str) -> list[str]:
    (cells,) = [found[4] for found in ROW.finditer(table) if found[1] == method and not found[2]]
    return cells.split(" | ")


def vectors(name: str) -> dict[str, np.ndarray]:
    path: Path = DATA / f"{name}.npz"
    if not path.exists():
        pytest.skip("the reference data are not here")
    with np.load(path) as held:
        codes = {part: held[part].astype(np.float32) for part in held.files}
    return {part: x / np.sqrt((x * x).sum(axis=1, keepdims=True)) for part, x in codes.items()}


def found(
    method: Normalizer, bank: np.ndarray, held: dict[str, np.ndarray]
) -> tuple[float, float, str]:
    queries, gallery = held["query"], held["gallery"]
    hub = method.fit(bank_embeddings=bank, gallery_embeddings=gallery)
    best = np.argmax(hub.transform(queries.astype(float) @ gallery.T.astype(float)), axis=1)
    told = diagnose(hub, query_embeddings=queries[:LIVE], gallery_embeddings=gallery)
    harms = "harms" if told["verdict"]["harms"] else "helps"  # type: ignore[index]
    index = told["measures"]["robin_hood"]["after"]  # type: ignore[index]
    return 100 * float(np.mean(best == np.arange(len(best)))), index, harms


def test_every_table_has_every_method() -> None:
    right, *others = measured()
    assert len(others) == 2
    assert len(ROW.findall(right)) == 7
    assert all(len(ROW.findall(table)) == 5 for table in others)


@pytest.mark.parametrize("name", COLUMNS)
def test_the_rows_of_a_right_bank_come_out(name: str) -> None:
    held, (table, *_) = vectors(name), measured()
    for method in ("sinkhorn", "inverted_softmax"):
        cells = row(table, method)
        recall, index, verdict = found(METHODS[method](), held["bank_query"], held)
        first, second = COLUMNS[name]
        assert recall == pytest.approx(float(cells[first]), abs=ONE_QUERY)
        assert index == pytest.approx(float(cells[second]), abs=1.5e-3)
        if name == "doc_code_minilm":
            assert verdict == cells[-1]


@pytest.mark.parametrize(("name", "table"), [("ui_en_zh_e5", 1), ("doc_code_minilm", 2)])
def test_the_rows_of_other_banks_come_out(name: str, table: int) -> None:
    held, shown = vectors(name), measured()[table]
    half = np.concatenate([held["bank_query"][:700], held["bank_gallery"][:700]])
    banks = (held["bank_query"][:50], half, held["bank_gallery"])
    for cell, bank in zip(row(shown, "nnn"), banks, strict=False):
        recall, _, verdict = found(Nnn(), bank, held)
        told, said = cell.split(", ")
        assert recall == pytest.approx(float(told), abs=ONE_QUERY)
        assert verdict == said
