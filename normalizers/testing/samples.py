"""Valid random values for declared fields, and the same values cut into their units.

A unit is what a row is: a vector, a list, a window, a query of several runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from normalizers.contract.fields import RAGGED_KINDS, Field, Fields
from normalizers.data.arrays import Array

# Sizes of the symbols that are not the number of units.
SIZES = {"1": 1, "j": 1, "d": 3, "g": 4, "c": 2, "t": 9}
SIZE = 3
# Lengths of lists, repeated over the units; all fields of one batch have the same.
LENGTHS = (5, 3, 6, 4)
LABELS = ("de", "fr", "it")
RUNS = 3
FEWER = 3
LEAST = 0.125
# One number a list.
OF_LISTS = "q"
POOL = 20
CENTRE = 2.0
# What a required text is: texts name measures.
MEASURE = "ndcg@10"
BY_UNIT = frozenset({"floats", "integers", "series", "mask", "labels", "ids", "texts"})

Values = dict[str, object]


def sample(fields: Fields, units: int, seed: int, sizes: Mapping[str, int] | None = None) -> Values:
    """Return values for the required fields."""
    rng = np.random.default_rng(seed)
    named = wanted(fields)
    known = {**SIZES, **(sizes or {})}
    # Parts of a fit have as many rows as they like.
    known |= {symbol: max(units - FEWER, 1) for symbol in fields.summed}
    if named:
        known[unit_symbol(fields)] = units
        if fields[named[0]].kind in RAGGED_KINDS:
            known[OF_LISTS] = units
    return {name: _value(fields[name], units, known, rng) for name in named}


def narrowed(fields: Fields, alternative: int, also: frozenset[str] = frozenset()) -> Fields:
    """Return the fields with one alternative of several required, and some optional ones too.

    Numbers come first.
    """
    parts = {name: None for names in fields.any_of for name in names}
    alternatives = fields.one_of or ((tuple(parts),) if parts else ())
    rivals = {name for names in alternatives for name in names}
    names = alternatives[alternative % len(alternatives)] if alternatives else ()
    chosen = sorted(names, key=lambda name: not fields[name].numeric)
    others = [name for name in fields if name not in rivals]
    return Fields(
        (),
        (),
        fields.summed,
        **{
            name: replace(fields[name], required=True)
            if name in chosen or name in also
            else fields[name]
            for name in (*chosen, *others)
        },
    )


def wanted(fields: Fields) -> tuple[str, ...]:
    """Return the names of the fields that a plain request sends."""
    return tuple(name for name, field in fields.items() if field.required)


def unit_symbol(fields: Fields) -> str:
    """Return the symbol that counts the units: the first axis of the main field."""
    shape = fields[wanted(fields)[0]].shape
    return shape[0] if shape else ""


def _symbol(fields: Fields, values: Values) -> str:
    """Return the symbol that counts the units of what is there: of one part of a fit, its own."""
    shape = fields[fields.main_of(values)].shape
    return shape[0] if shape else ""


def taken(fields: Fields, values: Values, index: Sequence[int] | Array) -> Values:
    """Return the values of some units, in the order of `index`."""
    chosen = [int(position) for position in index]
    symbol = _symbol(fields, values)
    return {name: _taken(fields[name], value, chosen, symbol) for name, value in values.items()}


def parted(fields: Fields, values: Values) -> list[Values]:
    """Return the values of a fit by the parts of its rows; what is in no part goes with each."""
    parts = fields.parts(values)
    if len(parts) < 2:
        return [values]
    symbols = {name: fields.part_of(name, values) for name in values}
    return [
        {name: value for name, value in values.items() if symbols[name] in (None, part)}
        for part in parts
    ]


def blocks(fields: Fields, values: Values, count_of_blocks: int) -> list[Values]:
    """Return the values of a fit in blocks, of which each part of the rows has as many."""
    found: list[Values] = []
    for part in parted(fields, values):
        units = np.arange(count(fields, part))
        found += [taken(fields, part, index) for index in np.array_split(units, count_of_blocks)]
    return found


def permuted(fields: Fields, values: Values, seed: int) -> Values:
    """Return the values with the units of every part in another order."""
    rng = np.random.default_rng(seed)
    parts = parted(fields, values)
    orders = [rng.permutation(count(fields, part)) for part in parts]
    found: Values = {}
    for part, order in zip(parts, orders, strict=True):
        found |= taken(fields, part, order)
    return found


def count(fields: Fields, values: Values) -> int:
    """Return how many units the values hold."""
    main = fields.main_of(values)
    value, field = values[main], fields[main]
    if field.kind == "records" and field.members is not None:
        return count(field.members, value[0])  # type: ignore[index]
    return len(value)  # type: ignore[arg-type]


def mapped(fields: Fields, values: Values, change) -> Values:  # type: ignore[no-untyped-def]
    """Return the values with `change` applied to every array of numbers, lists and records too."""
    return {name: _mapped(fields[name], value, change) for name, value in values.items()}


def symmetric(matrices: object) -> object:
    """Return matrices that equal their transposes."""
    stacked = np.asarray(matrices)
    return stacked + stacked.swapaxes(-1, -2)


def shares(numbers: object) -> object:
    """Return numbers, or lists of them, on a scale strictly between 0 and 1."""
    if isinstance(numbers, list):
        return [shares(part) for part in numbers]
    return 1 / (1 + np.exp(-numbers))  # type: ignore[operator]


def positive(numbers: object) -> object:
    """Return numbers, or lists of them, above 0."""
    if isinstance(numbers, list):
        return [positive(part) for part in numbers]
    return np.abs(numbers) + LEAST  # type: ignore[operator]


def log_shares(numbers: object) -> object:
    """Return numbers, or lists of them, as logarithms of shares that add up to 1."""
    if isinstance(numbers, list):
        return [log_shares(part) for part in numbers]
    largest = np.max(numbers, initial=-np.inf)  # type: ignore[call-overload]
    return numbers - largest - np.log(np.sum(np.exp(numbers - largest)))  # type: ignore[operator]


def portions(numbers: object) -> object:
    """Return numbers, or lists of them, as shares that add up to 1."""
    if isinstance(numbers, list):
        return [portions(part) for part in numbers]
    return np.exp(log_shares(numbers))  # type: ignore[call-overload]


def _mapped(field: Field, value: object, change):  # type: ignore[no-untyped-def]
    if field.kind == "records":
        return [mapped(field.members, record, change) for record in value]  # type: ignore[arg-type, attr-defined]
    if field.kind == "record":
        return mapped(field.members, value, change)  # type: ignore[arg-type]
    if field.kind == "lists":
        return [change(part) for part in value]  # type: ignore[attr-defined]
    # What a hint sends as it is, a list, stays.
    changes = field.kind in ("floats", "series") and not isinstance(value, list)
    return change(value) if changes else value


def _taken(field: Field, value: object, chosen: list[int], symbol: str) -> object:
    if field.kind == "records" and field.members is not None:
        return [taken(field.members, record, chosen) for record in value]  # type: ignore[attr-defined]
    if field.kind == "record" and field.members is not None:
        return taken(field.members, value, chosen)  # type: ignore[arg-type]
    if field.kind in RAGGED_KINDS:
        return [value[i] for i in chosen]  # type: ignore[index]
    of_units = (symbol, OF_LISTS) if symbol == "N" else (symbol,)
    if field.kind in BY_UNIT and field.shape[:1] and field.shape[0] in of_units:
        return value[chosen]  # type: ignore[index]
    return value


def _value(field: Field, units: int, sizes: Mapping[str, int], rng: Generator) -> object:
    shape = tuple(sizes.get(symbol, SIZE) for symbol in field.shape)
    match field.kind:
        case "floats" | "series":
            return rng.normal(CENTRE, size=shape)
        case "integers":
            return rng.integers(0, len(LABELS), size=shape)
        case "mask":
            return np.ones(shape, dtype=bool)
        case "labels":
            first = np.array([LABELS[i % len(LABELS)] for i in range(shape[0])], dtype=object)
            if len(shape) < 2 or shape[1] < 2:
                return first
            # Of two labels the second goes with several of the first.
            second = np.array([str(i // 2 % 5) for i in range(shape[0])], dtype=object)
            return np.column_stack([first, second])
        case "ids":
            return np.array([str(i) for i in range(shape[0])], dtype=object)
        case "lists":
            return [rng.normal(CENTRE, size=_length(i)) for i in range(units)]
        case "integer_lists":
            # Positions of candidates: a list holds none twice, and some are of no item.
            return [rng.permutation(POOL)[: _length(i)] for i in range(units)]
        case "texts":
            return np.array(["" if i == 1 else f"text {i}" for i in range(shape[0])], dtype=object)
        case "text_lists":
            return [[f"choice {k}" for k in range(_length(i))] for i in range(units)]
        case "id_lists":
            return [_names(_length(i), rng) for i in range(units)]
        case "records":
            members, runs = field.members or Fields(), sizes.get("runs", RUNS)
            return [_record(members, units, sizes, rng) for _ in range(runs)]
        case "record":
            return _record(field.members or Fields(), units, sizes, rng)
        case "text":
            return MEASURE
        case _:
            raise NotImplementedError(f"no sample for a required field of kind {field.kind}")


def _record(members: Fields, units: int, sizes: Mapping[str, int], rng: Generator) -> Values:
    """Return a record with what it needs and every optional member that holds numbers."""
    return {
        name: _value(field, units, sizes, rng)
        for name, field in members.items()
        if field.required or field.numeric
    }


def _length(unit: int) -> int:
    return LENGTHS[unit % len(LENGTHS)]


def _names(length: int, rng: Generator) -> list[str]:
    return [str(i) for i in rng.permutation(POOL)[:length]]
