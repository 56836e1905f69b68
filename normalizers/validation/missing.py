"""Missing values and infinities: what a method's policies do before its arithmetic starts."""

from __future__ import annotations

import numpy as np

from normalizers.contract.fields import NUMERIC_KINDS, Field, Fields
from normalizers.data.arrays import Array, all_finite
from normalizers.data.batch import Batch, InputForm, Value
from normalizers.data.ragged import Ragged
from normalizers.errors import NonFiniteError, position_text

MAX_POSITIONS = 20


def is_complete(fields: Fields, batch: Batch) -> bool:
    """Return whether no number that the policies are for is missing or infinite."""
    for name, field in fields.items():
        values = _numbers(field, batch.get(name))
        if values is not None and not all_finite(values):
            return False
    return True


def screen(
    fields: Fields, batch: Batch, *, nan_policy: str, inf_policy: str, path: str, hint: str = ""
) -> Batch:
    """Return the batch with infinities as NaN where that is asked, or refuse it.

    `nan_policy` ``reject`` refuses a missing value with its position, the others leave it as NaN;
    `inf_policy` ``as_nan`` makes an infinity a missing value, which then follows `nan_policy`.

    Raises
    ------
    NonFiniteError
        Naming the first position and carrying the first twenty.
    """
    changed: dict[str, Value] = {}
    for name, field in fields.items():
        values = _numbers(field, batch.get(name))
        if values is None or all_finite(values):
            continue
        infinite = np.isinf(values)
        place, form = f"{path}.{name}", batch.form(name)
        if infinite.any():
            if inf_policy == "reject":
                raise _refusal("an infinity", infinite, batch[name], place, "", form)
            if nan_policy != "reject":
                changed[name] = _replaced(batch[name], np.where(infinite, np.nan, values))
        lost = ~np.isfinite(values)
        if nan_policy == "reject" and lost.any():
            raise _refusal("a missing or infinite value", lost, batch[name], place, hint, form)
    return batch.replace(**changed) if changed else batch


def _numbers(field: Field, value: Value | None) -> Array | None:
    """Return the numbers of a field that the policies are for."""
    if value is None or not field.screened or field.kind not in NUMERIC_KINDS:
        return None
    if isinstance(value, Ragged):
        return value.values
    return value if isinstance(value, np.ndarray) else None


def _replaced(value: Value, numbers: Array) -> Value:
    return value.with_values(numbers) if isinstance(value, Ragged) else numbers


def _refusal(
    what: str, where: Array, value: Value, path: str, hint: str, form: InputForm
) -> NonFiniteError:
    if isinstance(value, Ragged):
        positions = value.positions(np.flatnonzero(where))[:MAX_POSITIONS]
    else:
        positions = np.argwhere(where)[:MAX_POSITIONS]
    if form.leading:
        positions = form.places_as_written(positions)
        shown = positions[0].tolist()
    else:
        shown = form.as_written(positions[0].tolist())
    count = int(where.sum())
    more = f" ({count} of them)" if count > 1 else ""
    place = path + position_text(shown)
    return NonFiniteError(
        f"{what} at {place}{more}{hint}", path=place, positions=positions.tolist()
    )
