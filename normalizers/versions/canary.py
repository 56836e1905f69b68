"""A few named rows that a fit keeps: the same rows later tell a changed model from new traffic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, ShapeError
from normalizers.messages import quoted, unknown
from normalizers.validation.labels import first_repeated, text_list

if TYPE_CHECKING:
    from normalizers.versions.version import Version

CANARY, IDS, INPUT = "canary", "ids", "input"
MEMBERS = (IDS, INPUT)
MOST_ROWS = 1000
# A model that is run again on other hardware differs by rounding; a hundredth of the spread of the
# rows is beyond any rounding, and too little to matter.
NOTED = 0.01
LARGEST = float(np.finfo(np.float64).max)
SHOWN = 5


def kept_canary(version: Version, written: object, path: str) -> dict[str, object]:
    """Return what the report of a fit keeps of its canary: ``ids`` and the rows as they came.

    Parameters
    ----------
    version : Version
        The fit.
    written : mapping
        ``ids``, one a row, and ``input``: the fields of a transform.
    path : str
        Where it stands in the request.
    """
    ids, rows = _read(version, written, path)
    return {IDS: list(ids), INPUT: rows.tolist()}


def compared_canary(
    version: Version, kept: Mapping[str, object] | None, written: object, path: str
) -> dict[str, object]:
    """Return how the rows of a canary differ from those that the fit kept under their ids.

    Returns
    -------
    dict
        ``n`` rows compared, how many ``changed`` by more than a hundredth of the spread of the
        kept rows in some column, ``largest`` change in such spreads and the ``id`` it was found
        at, ``missing`` ids that were not sent again, and ``model_changed``.

    Raises
    ------
    InvalidInput
        The fit kept no canary, or none of these ids.
    """
    if not isinstance(kept, Mapping):
        raise InvalidInput(
            "the fit kept no canary; fit with options.canary, ids and input, to compare with later",
            path=path,
        )
    ids, rows = _read(version, written, path)
    before = dict(zip(cast("list[str]", kept[IDS]), cast("list[object]", kept[INPUT]), strict=True))
    shared = [place for place, name in enumerate(ids) if name in before]
    if not shared:
        raise InvalidInput("the fit kept none of these ids", path=f"{path}.{IDS}")
    held = np.array([before[ids[place]] for place in shared], dtype=np.float64)
    if held.shape[1:] != rows.shape[1:]:
        raise ShapeError(
            f"the fit kept rows of {_width(held)}, and these have {_width(rows)}: another model",
            path=f"{path}.{INPUT}",
        )
    change, sent = _change(held, rows[shared]), set(ids)
    worst = int(np.argmax(change))
    changed = int(np.count_nonzero(change > NOTED))
    return {
        "n": len(shared),
        "changed": changed,
        "largest": float(change[worst]),
        "id": ids[shared[worst]],
        "missing": [name for name in before if name not in sent][:SHOWN],
        "model_changed": changed > 0,
    }


def _change(before: Array, now: Array) -> Array:
    """Return the largest change of each row, in spreads of the rows before; shape (n,)."""
    held, found = before.reshape(len(before), -1), now.reshape(len(before), -1)
    gone, came = np.isnan(held), np.isnan(found)
    known = np.where(gone, 0.0, held)
    # Column by column, for one of small numbers may stand beside one of large ones. Where all rows
    # agree, their size is the measure.
    spread, size = known.std(axis=0), np.abs(known).max(axis=0, initial=0.0)
    scale = np.where(spread > 0, spread, np.where(size > 0, size, 1.0))
    with np.errstate(over="ignore"):
        change = np.abs(np.where(came, 0.0, found) - known) / scale
    # A value that came or went is a change beyond any size.
    whole = np.where(gone & came, 0.0, np.where(gone | came, LARGEST, np.minimum(change, LARGEST)))
    return np.asarray(whole.max(axis=1, initial=0.0))


def _read(version: Version, written: object, path: str) -> tuple[Sequence[str], Array]:
    if not isinstance(written, Mapping) or not written.keys() >= set(MEMBERS):
        raise InvalidInput("a canary is an object of 'ids' and 'input'", path=path)
    for name in written:
        if name not in MEMBERS:
            raise InvalidInput(unknown("member", name, MEMBERS), path=path)
    ids = _ids(written[IDS], f"{path}.{IDS}")
    given = written[INPUT]
    takes = version.takes
    values = given if isinstance(given, Mapping) else {takes.main: given}
    batch = version.read(cast("Mapping[str, object]", values), path=f"{path}.{INPUT}")
    rows = _rows(batch, takes.main, f"{path}.{INPUT}")
    if len(rows) != len(ids):
        raise ShapeError(f"there are {len(ids)} ids and {len(rows)} rows", path=f"{path}.{IDS}")
    return ids, rows


def _ids(written: object, path: str) -> list[str]:
    ids: list[str] = text_list(written, path).tolist()
    if not ids or "" in ids:
        raise InvalidInput("a list of texts is expected, one a row", path=path)
    if len(ids) > MOST_ROWS:
        raise InvalidInput(f"a canary is of at most {MOST_ROWS} rows", path=path)
    repeated = first_repeated(ids)
    if repeated is not None:
        raise InvalidInput(f"{quoted(ids[repeated])} stands here twice", path=f"{path}[{repeated}]")
    return ids


def _rows(batch: Batch, main: str, path: str) -> Array:
    value = batch[main]
    rows = value.values if isinstance(value, Ragged) else value
    if not isinstance(rows, np.ndarray) or rows.dtype.kind not in "fiu" or not rows.ndim:
        raise InvalidInput("a canary is of numbers: scores, rows or series", path=path)
    return rows.astype(np.float64)


def _width(rows: Array) -> str:
    return " x ".join(map(str, rows.shape[1:])) or "one number"
