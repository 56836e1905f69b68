"""One golden case as the files hold it, its numbers read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from normalizers.arrays import Array

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path("..", "shared")
FOLDER = ROOT / SHARED / "golden"
AREAS = ("embeddings", "scores", "hubness", "metrics", "series")
# Cases in the catalogue's own words, a file a method.
NATIVE = "native"
OWN_FOLDER = Path(__file__).parent / "cases"
NUMBERS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


@dataclass(frozen=True)
class Case:
    """One case: what is fitted, what is sent, what must come out."""

    area: str
    id: str
    method: str
    params: Mapping[str, object]
    fit: Mapping[str, object]
    input: Mapping[str, object]
    expected: Mapping[str, object]
    rtol: float
    atol: float
    compare: str = "exact"


def load(path: Path) -> list[Case]:
    """Return the cases of one golden file."""
    records = json.loads(path.read_text(encoding="utf-8"))
    own = path.resolve().parent == OWN_FOLDER
    area = NATIVE if own else next((name for name in AREAS if name in path.stem), path.stem)
    return [_case(area, record, path.resolve().parent) for record in records]


def column(data: str, name: str, rows: Sequence[int]) -> list[float]:
    """Return rows ``[start, stop)`` of one column of a table; an empty cell is missing.

    Parameters
    ----------
    data : str
        The table's path.
    name : str
        The column's name in the first line.
    rows : pair of int
        A half-open range.
    """
    path = Path(data)
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    head, *lines = text.splitlines()
    index = head.split(",").index(name)
    cells = [line.split(",")[index] for line in lines[rows[0] : rows[1]]]
    return [float(cell) if cell else np.nan for cell in cells]


def located(data: str, folder: Path) -> Path:
    """Return the table that a golden file in `folder` names as the project's root sees it.

    It is looked for there, and else beside `folder`, whose parent is then the shared folder.
    """
    known = ROOT / data
    beside = folder.parent / Path(data).relative_to(SHARED)
    return (beside if beside.exists() and not known.exists() else known).resolve()


def numeric(value: object) -> object:
    """Return nested lists of numbers as an array (null is NaN); anything else as it is."""
    if isinstance(value, list) and value:
        array = _array(value)
        return value if array is None else array
    return np.zeros(0) if isinstance(value, list) else value


def _array(value: list[object]) -> Array | None:
    leaves = np.asarray(value, dtype=object)
    if leaves.dtype != object or any(not _is_number(leaf) for leaf in leaves.ravel()):
        return None
    return leaves.astype(np.float64)


def _is_number(leaf: object) -> bool:
    return leaf is None or (isinstance(leaf, int | float) and not isinstance(leaf, bool))


def _case(area: str, record: Mapping[str, object], folder: Path) -> Case:
    mode = str(record.get("compare") or "exact")
    refused = mode == "error"
    return Case(
        area=area,
        id=str(record["id"]),
        method=str(record["method"]),
        params=_object(record["params"]),
        fit=_with_table(_object(_read(record["fit"], refused) or {}), folder),
        input=_with_table(_object(_read(record["input"], refused) or {}), folder),
        expected=_object(_read(record["expected"], False)),
        rtol=float(str(record["rtol"])),
        atol=float(str(record["atol"])),
        compare=mode,
    )


def _with_table(sent: Mapping[str, object], folder: Path) -> Mapping[str, object]:
    """Return what is sent with the path of its table, where it names one."""
    named = sent.get("data")
    return {**sent, "data": str(located(named, folder))} if isinstance(named, str) else sent


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError("a golden case holds objects here")
    return value


def _read(value: object, finite: bool) -> object:
    """Replace the strings that stand for floats; JSON has no infinity, so errors send NaN."""
    if isinstance(value, Mapping):
        return {key: _read(child, finite) for key, child in value.items()}
    if isinstance(value, list):
        return [_read(child, finite) for child in value]
    if isinstance(value, str) and value in NUMBERS:
        return np.nan if finite else NUMBERS[value]
    return value
