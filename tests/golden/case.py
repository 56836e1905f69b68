"""One golden case as the files hold it, its numbers read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from normalizers.data.arrays import Array

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path("..", "shared")
FOLDER = ROOT / SHARED / "golden"
AREAS = ("embeddings", "scores", "hubness", "metrics", "series")
# Cases in the catalogue's own words, a file a method.
NATIVE = "native"
OWN_FOLDER = Path(__file__).parent / "cases"
REQUIRED = ("id", "method", "params", "fit", "input", "expected", "rtol", "atol")
SOURCE = "source"
OPTIONAL = ("compare",)
NUMBERS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


class MalformedCase(ValueError):
    """A golden file is not what it should be: which one, which case, and what is wrong."""


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

    @property
    def label(self) -> str:
        """What the tests call it: its area, in the catalogue's own words its method, and its id."""
        area = f"{NATIVE}:{self.method}" if self.area == NATIVE else self.area
        return f"{area}:{self.id}"


def load(path: Path, *, native: bool = False) -> list[Case]:
    """Return the cases of one golden file.

    Parameters
    ----------
    path : Path
        The file.
    native : bool
        Whether it is in the catalogue's own words; those of `OWN_FOLDER` always are. Such cases
        name their source and have no key without a meaning.

    Raises
    ------
    MalformedCase
        Naming the file and the case.
    """
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as fault:
        raise MalformedCase(f"{path}: {fault}") from None
    if not isinstance(records, list):
        raise MalformedCase(f"{path}: a golden file holds a list of cases")
    folder = path.resolve().parent
    native = native or folder == OWN_FOLDER
    area = NATIVE if native else next((name for name in AREAS if name in path.stem), path.stem)
    return [_named(path, area, index, record) for index, record in enumerate(records)]


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


def _named(path: Path, area: str, index: int, record: object) -> Case:
    """Return a case; what is wrong with it is told with its file and its name."""
    try:
        fields = _object(record)
        _check_keys(fields, strict=area == NATIVE)
        return _case(area, fields, path.resolve().parent)
    except (TypeError, ValueError) as fault:
        name = record.get("id", index) if isinstance(record, Mapping) else index
        raise MalformedCase(f"{path}: case {name!r}: {fault}") from None


def _check_keys(record: Mapping[str, object], *, strict: bool) -> None:
    required = (*REQUIRED, SOURCE) if strict else REQUIRED
    missing = [key for key in required if key not in record]
    unknown = sorted(record.keys() - {*REQUIRED, SOURCE, *OPTIONAL}) if strict else []
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    if unknown:
        known = ", ".join((*REQUIRED, SOURCE, *OPTIONAL))
        raise ValueError(f"it has {', '.join(unknown)}, but a case is made of {known}")


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
