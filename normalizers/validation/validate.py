"""One door: declared fields and untrusted values in, a validated batch out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, cast

import numpy as np

from normalizers.contract.fields import Field, Fields
from normalizers.data.arrays import Array
from normalizers.data.batch import PLAIN, Batch, InputForm, MethodReference, Notice, Value, notice
from normalizers.data.devices import device_of, to_numpy
from normalizers.data.ragged import Ragged
from normalizers.errors import DtypeError, InvalidInput, ShapeError
from normalizers.messages import printable_name, unknown
from normalizers.validation.columns import COLUMNS, has_columns, read_columns
from normalizers.validation.dense import dense, meaning
from normalizers.validation.json_values import RAGGED_KEYS, unwrap_parsed
from normalizers.validation.labels import (
    first_repeated,
    is_unicode,
    label_codes,
    label_list,
    text_list,
)
from normalizers.validation.limits import Limits
from normalizers.validation.lists import (
    id_lists,
    integer_lists,
    number_lists,
    read_lengths,
    read_offsets,
    text_lists,
)
from normalizers.validation.sizes import NO_ROWS, check_sizes
from normalizers.validation.windows import DENSE_ONLY, check_layout, mask_windows, observed, windows

Validated: TypeAlias = tuple[Value, InputForm, tuple[Notice, ...]]


def validate(
    fields: Fields,
    values: Mapping[str, object],
    *,
    path: str,
    sizes: Mapping[str, int] | None = None,
    layout: str | None = None,
    limits: Limits | None = None,
) -> Batch:
    """Validate `values` against the declared `fields`.

    Parameters
    ----------
    fields : Fields
        What may be sent.
    values : mapping
        Nested lists, arrays, `Ragged` or records by field name; ``offsets`` or ``lengths`` may
        stand beside ragged fields, ``columns`` (names) beside a main field that has columns.
    path : str
        Where the values stand in the request: ``fit`` or ``input``.
    sizes : mapping, optional
        Sizes that symbols already have from the fit.
    layout : str, optional
        Order of axes of series.
    limits : Limits, optional
        How much it may hold: counted before a field is read, and once it is.

    Returns
    -------
    Batch
        The validated arrays, the form of each, and notices.

    Raises
    ------
    InvalidInput
        An unknown or missing field, or a value of the wrong kind.
    ShapeError
        Sizes that disagree with each other or with the fit.
    TooMany
        More than a limit allows.
    """
    if limits is not None:
        limits.check_sent(fields, values, path)
    _check_names(fields, values, path)
    if layout is not None:
        check_layout(layout)
    values = unwrap_parsed(fields, values, layout)
    beside = "series" in fields.kinds or not values.keys().isdisjoint(RAGGED_KEYS)
    offsets = _offsets(fields, values, path) if beside else None
    admitted: dict[str, Value] = {}
    forms: dict[str, InputForm] = {}
    notices: list[Notice] = []
    for name, field in fields.items():
        if values.get(name) is not None:
            place = f"{path}.{name}"
            sent = values[name]
            # Most of what is sent is a list: nothing of it can be anywhere but here.
            device = None if isinstance(sent, list) else device_of(sent)
            if device is not None:
                sent = to_numpy(cast(Array, sent), place)
            if field.flat == "either":
                field = replace(field, flat=meaning(field, sizes or {}))
            value, form, noted = _admit_one(field, sent, offsets, layout, place, limits)
            if limits is not None:
                limits.check_value(value, place, field.shape)
            admitted[name] = value
            forms[name] = form if device is None else replace(form, device=device)
            notices.extend(noted)
    known = dict(sizes or {})
    check_sizes(fields, admitted, known, path)
    _widen_no_rows(fields, admitted, known)
    if limits is not None and sizes:
        limits.check_answer(admitted, sizes, path)
    named = read_columns(fields, values, admitted, path) if COLUMNS in values else None
    return Batch(admitted, forms, tuple(notices), columns=named)


def _check_names(fields: Fields, values: Mapping[str, object], path: str) -> None:
    for name in values:
        if name in RAGGED_KEYS and name not in _beside(fields) and "series" in fields.kinds:
            raise ShapeError(DENSE_ONLY, path=f"{path}.{name}")
        if name not in fields and name not in _beside(fields):
            known = [*fields, *(each for each in _beside(fields) if each != COLUMNS)]
            raise InvalidInput(
                unknown("field", name, known),
                path=f"{path}.{printable_name(name)}",
            )
    for name, field in fields.items():
        if field.required and values.get(name) is None:
            hint = f": {field.help}" if field.help else ""
            raise InvalidInput(f"the field '{name}' is missing{hint}", path=f"{path}.{name}")
    if fields.any_of:
        _check_any_of(fields, values, path)
    elif fields.one_of:
        _check_one_of(fields.one_of, values, path)


def _check_any_of(fields: Fields, values: Mapping[str, object], path: str) -> None:
    """Refuse a fit without a part, with half of one, or with parts that exclude each other."""
    sent = {name for names in fields.any_of for name in names if values.get(name) is not None}
    whole = {name for names in fields.any_of if sent >= set(names) for name in names}
    if not whole or whole != sent:
        choices = " | ".join(" + ".join(names) for names in fields.any_of)
        raise InvalidInput(f"at least one of these must be sent, each whole: {choices}", path=path)
    if fields.one_of and not any(sent <= set(names) for names in fields.one_of):
        choices = " | ".join(", ".join(names) for names in fields.one_of)
        raise InvalidInput(f"fields of only one of these may be sent: {choices}", path=path)


def _beside(fields: Fields) -> tuple[str, ...]:
    """Return the names of what may stand beside the fields."""
    return (*(RAGGED_KEYS if fields.ragged else ()), *((COLUMNS,) if has_columns(fields) else ()))


def _check_one_of(
    alternatives: tuple[tuple[str, ...], ...], values: Mapping[str, object], path: str
) -> None:
    sent = [names for names in alternatives if all(values.get(name) is not None for name in names)]
    named = {name for names in alternatives for name in names if values.get(name) is not None}
    if len(sent) == 1 and named == set(sent[0]):
        return
    choices = " | ".join(" + ".join(names) for names in alternatives)
    raise InvalidInput(f"exactly one of these must be sent: {choices}", path=path)


def _offsets(fields: Fields, values: Mapping[str, object], path: str) -> Array | None:
    """Return the offsets that were sent, or those of a ragged series: its mask has the same."""
    if values.get("offsets") is not None and values.get("lengths") is not None:
        raise InvalidInput("send offsets or lengths, not both", path=f"{path}.lengths")
    if values.get("lengths") is not None:
        return read_lengths(values["lengths"], f"{path}.lengths")
    if values.get("offsets") is not None:
        return read_offsets(values["offsets"], f"{path}.offsets")
    for name, field in fields.items():
        if field.kind == "series":
            value = values.get(name)
            if isinstance(value, Ragged):
                return value.offsets
    return None


def _widen_no_rows(fields: Fields, read: dict[str, Value], sizes: Mapping[str, int]) -> None:
    """Give an empty list of rows the width that the rows of others have, or those of the fit."""
    for name, value in read.items():
        width = sizes.get(fields[name].shape[-1]) if fields[name].flat == "row" else None
        if width and isinstance(value, np.ndarray) and value.shape == NO_ROWS:
            read[name] = np.zeros((0, width), dtype=value.dtype)


def _admit_one(
    field: Field,
    value: object,
    offsets: Array | None,
    layout: str | None,
    path: str,
    limits: Limits | None,
) -> Validated:
    match field.kind:
        case "floats" | "integers":
            return *dense(field, value, path), ()
        case "lists":
            return *number_lists(value, offsets, path), ()
        case "series":
            return *windows(field, value, offsets, layout, path), ()
        case "mask" if field.flat is not None:
            return dense(field, observed(value, path), path)[0].astype(bool), PLAIN, ()
        case "mask":
            return mask_windows(value, offsets, layout, field, path), PLAIN, ()
        case "labels":
            return label_codes(value, path), PLAIN, ()
        case "ids":
            return _ids(value, path)
        case "id_lists":
            return _id_lists(value, offsets, path)
        case "integer_lists":
            return *integer_lists(value, offsets, path), ()
        case "text_lists":
            return *text_lists(value, offsets, path), ()
        case "texts":
            return text_list(value, path), PLAIN, ()
        case "records":
            return _records(field, value, path, limits)
        case "record":
            return _one_record(field, value, path, limits)
        case "state":
            return _object(value, path), PLAIN, ()
        case "text":
            return _text(value, path), PLAIN, ()
        case "boolean":
            return _boolean(value, path), PLAIN, ()
        case "method":
            return MethodReference(value), PLAIN, ()


def _ids(value: object, path: str) -> Validated:
    found, kinds = label_list(value, path, allow_empty=False)
    repeated = first_repeated(found.tolist())
    if repeated is not None:
        raise InvalidInput("this id stands in the list twice", path=f"{path}[{repeated}]")
    return found, PLAIN, _mixed(len(kinds) > 1, path)


def _id_lists(value: object, offsets: Array | None, path: str) -> Validated:
    found, form = id_lists(value, offsets, path)
    return found, form, _mixed(True, path) if len(form.ids) > 1 else ()


def _mixed(mixed: bool, path: str) -> tuple[Notice, ...]:
    if not mixed:
        return ()
    message = "integers and strings are mixed as ids; integers count as their decimal text"
    return (notice("mixed_id_types", message, path=path),)


def _records(field: Field, value: object, path: str, limits: Limits | None) -> Validated:
    if not isinstance(value, (list, tuple)):
        raise DtypeError("a list of objects is expected here", path=path)
    members = field.members or Fields()
    batches: list[Batch] = []
    for index, item in enumerate(value):
        place = f"{path}[{index}]"
        record = item if isinstance(item, Mapping) else _record(item, members, place)
        if "hits" in record:
            record = _with_hits(record, members, place)
        batches.append(validate(members, record, path=place, limits=limits))
    main = next(iter(members), "")
    forms = [batch.forms.get(main, PLAIN) for batch in batches]
    notices = [noted for batch in batches for noted in batch.notices]
    return tuple(batches), _common_form(forms), tuple(notices)


def _one_record(field: Field, value: object, path: str, limits: Limits | None) -> Validated:
    members = field.members or Fields()
    batch = validate(members, _record(value, members, path), path=path, limits=limits)
    return batch, batch.form(members.main), batch.notices


def _record(value: object, members: Fields, path: str) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    needed = " and ".join(name for name, member in members.items() if member.required)
    others = ", ".join(name for name, member in members.items() if not member.required)
    if not needed:
        raise DtypeError(
            f"an object is expected here, with any of {others}; {{}} is enough", path=path
        )
    raise DtypeError(f"an object is expected here, with {needed} (and {others})", path=path)


def _common_form(forms: Sequence[InputForm]) -> InputForm:
    """Return the form of the records; a flat one may be an empty list among nested ones."""
    several = [form for form in forms if form.style != "flat"]
    return next(iter((*several, *forms)), InputForm("flat"))


def _with_hits(record: Mapping[str, object], members: Fields, path: str) -> Mapping[str, object]:
    """Small requests may write ``hits: [{"id", "score"}]`` for ``ids`` and ``scores``."""
    if not {"ids", "scores"} <= members.keys():
        return record
    rest = {name: item for name, item in record.items() if name != "hits"}
    if record["hits"] is None:
        return rest
    if rest.get("ids") is not None or rest.get("scores") is not None:
        raise InvalidInput("send hits, or ids and scores, not both", path=f"{path}.hits")
    hits = _hits(record["hits"], f"{path}.hits")
    ids = [hit["id"] for hit in hits]
    if all("score" not in hit for hit in hits):
        return {**rest, "ids": ids}
    return {**rest, "ids": ids, "scores": [hit.get("score") for hit in hits]}


def _hits(value: object, path: str) -> Sequence[Mapping[str, object]]:
    if not isinstance(value, (list, tuple)):
        raise DtypeError("hits are a list of objects with id and score", path=path)
    for index, hit in enumerate(value):
        if not isinstance(hit, Mapping):
            raise DtypeError("a hit is an object with id and score", path=f"{path}[{index}]")
        if set(hit) - {"id", "score"} or "id" not in hit:
            raise InvalidInput("a hit has an id and a score", path=f"{path}[{index}]")
    return value


def _object(value: object, path: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise DtypeError("an object is expected here", path=path)
    return value


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise DtypeError("a string is expected here", path=path)
    if not is_unicode(value):
        raise InvalidInput("the text here is not valid Unicode (a lone surrogate)", path=path)
    return value


def _boolean(value: object, path: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise DtypeError("true or false is expected here", path=path)
    return bool(value)
