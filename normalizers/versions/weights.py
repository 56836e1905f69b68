"""Weights that were trained elsewhere: a state dict by names, and the version that it makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from normalizers.contract.fields import Field, Fields
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch, Notice, notice
from normalizers.data.devices import to_numpy
from normalizers.data.json_numbers import ParsedNumbers
from normalizers.errors import (
    CorruptVersion,
    InvalidInput,
    NormalizerError,
    ShapeError,
    UnsupportedOperation,
)
from normalizers.messages import did_you_mean, printable_name, quoted
from normalizers.validation import validate
from normalizers.validation.columns import COLUMNS, read_names
from normalizers.validation.limits import Limits
from normalizers.validation.missing import screen
from normalizers.validation.numbers import number_array
from normalizers.versions.version import Version

WEIGHTS = "weights"
UNIT = "1"
# Names that one message lists: a state dict of a whole model has hundreds.
MOST_NAMES = 5


def read_weights(
    method: Method,
    values: Mapping[str, object],
    path: str = WEIGHTS,
    *,
    limits: Limits | None = None,
) -> Batch:
    """Return imported weights after every check.

    Parameters
    ----------
    method : Method
        With its parameters as they were given.
    values : mapping
        Arrays by the names of a state dict, ``{"mean_layer.weight": ..}``, or nested by the
        parts of these names. An array may have further axes of length 1. Beside them may stand
        ``columns``, the names of the channels that the layer was trained on, in their order.
    path : str
        Where they stand in the request.
    limits : Limits, optional
        How much they may hold.

    Raises
    ------
    InvalidInput
        Names that are no weights of the method, missing ones, or numbers that are not finite.
    UnsupportedOperation
        The method imports none with these parameters.
    """
    resolved = method.resolved(UNKNOWN_STATISTICS)
    fields = resolved.weight_fields
    if not fields:
        raise UnsupportedOperation(_imports_none(method), path=path)
    told = values.get(COLUMNS) if COLUMNS not in fields else None
    sent = dict(_leaves(values))
    if COLUMNS not in fields:
        sent.pop(COLUMNS, None)
    left_out = [name for name in sent if name in resolved.ignored_weights and name not in fields]
    named = {name: value for name, value in sent.items() if name not in left_out}
    named = _by_own_names(resolved.weight_spellings, named, path)
    _check_names(method, fields, named, path)
    if limits is not None:
        limits.check_sent(fields, named, path)
    arrays = {name: _shaped(fields[name], named[name], f"{path}.{name}") for name in fields}
    batch = validate(fields, arrays, path=path, limits=limits)
    # A layer with a number that is lost is no layer, whatever the policy for the input is.
    batch = screen(fields, batch, nan_policy="reject", inf_policy="reject", path=path)
    resolved.check_weights(batch, path)
    columns = None if told is None else tuple(read_names(told, f"{path}.{COLUMNS}"))
    return Batch(batch, notices=_notices(left_out), columns=columns)


def from_weights(method: Method, batch: Batch) -> Version:
    """Return the version that imported weights are."""
    resolved = method.resolved(UNKNOWN_STATISTICS)
    arrays = {name: batch.array(name) for name in resolved.weight_fields}
    sizes = {
        symbol: size
        for name, field in resolved.weight_fields.items()
        for symbol, size in zip(field.shape, arrays[name].shape, strict=True)
        if symbol != UNIT
    }
    fitted = Fitted(arrays, sizes, warnings=batch.notices)
    version = Version(method, resolved, fitted, columns=batch.columns)
    if batch.columns is not None and version.width != len(batch.columns):
        raise ShapeError(
            f"{len(batch.columns)} names for the {version.width} channels of the weights",
            path=f"{WEIGHTS}.{COLUMNS}",
        )
    return version


def below(values: Mapping[str, object], prefix: str, path: str = WEIGHTS) -> dict[str, object]:
    """Return what of a state dict has names that begin with `prefix`, without it.

    Raises
    ------
    InvalidInput
        Nothing has.

    Examples
    --------
    >>> from normalizers.versions.weights import below
    >>> below({"bin.beta1": 1.0, "head.bias": 2.0}, "bin.")
    {'beta1': 1.0}
    """
    sent = dict(_leaves(values))
    found = {name.removeprefix(prefix): sent[name] for name in sent if name.startswith(prefix)}
    if not found:
        raise InvalidInput(
            f"no name begins with {quoted(prefix)}; there is {_listed(sent)}", path=path
        )
    return found


def wrong_weight(method: Method, fitted: Fitted) -> str | None:
    """Return the name of an array that no import gives, ``sizes``, or None.

    `fitted` are the arrays of a file: they follow from nothing but must be weights.
    """
    try:
        expected = from_weights(method, read_weights(method, fitted.arrays)).fitted
    except NormalizerError as error:
        raise CorruptVersion(f"the file holds no weights of '{method.name}'") from error
    return method.first_difference(fitted, expected)


def require_mergeable(method: Method) -> None:
    """Refuse to add up what was trained elsewhere."""
    if method.resolved(UNKNOWN_STATISTICS).weight_fields:
        raise UnsupportedOperation(
            f"'{method.name}' is made of weights that were trained elsewhere, not of statistics: "
            "those of two models do not add up to one"
        )


def _leaves(values: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _by_own_names(
    spellings: Mapping[str, str], sent: Mapping[str, object], path: str
) -> dict[str, object]:
    """Return the weights by the names of the method; two spellings of one must agree."""
    found: dict[str, str] = {}
    for name, value in sent.items():
        own = spellings.get(name, name)
        first = found.setdefault(own, name)
        if first != name and not _equal(sent[first], value, path):
            raise InvalidInput(
                f"{quoted(first)} and {quoted(name)} are one weight, and hold other numbers",
                path=f"{path}.{printable_name(name)}",
            )
    return {own: sent[name] for own, name in found.items()}


def _equal(one: object, other: object, path: str) -> bool:
    mine, theirs = (np.ravel(number_array(_plain(value, path), path)) for value in (one, other))
    return np.array_equal(mine, theirs)


def _check_names(method: Method, fields: Fields, sent: Mapping[str, object], path: str) -> None:
    unknown = [name for name in sent if name not in fields]
    missing = [name for name in fields if name not in sent]
    if unknown:
        prefix = next((p for p in _prefixes(unknown) if _all_below(p, fields, sent)), None)
        guess = did_you_mean(unknown[0], missing)
        hint = f"; take those below {quoted(prefix)} alone" if prefix else guess
        raise InvalidInput(
            f"these are no weights of '{method.name}': {_listed(unknown)}{hint}; "
            f"its weights: {', '.join(fields)}",
            path=f"{path}.{printable_name(unknown[0])}",
        )
    if missing:
        raise InvalidInput(
            f"'{method.name}' needs the weights {', '.join(missing)}: {fields[missing[0]].help}",
            path=f"{path}.{missing[0]}",
        )


def _prefixes(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        for place, letter in enumerate(name):
            if letter == ".":
                yield name[: place + 1]


def _all_below(prefix: str, fields: Fields, sent: Mapping[str, object]) -> bool:
    return all(f"{prefix}{name}" in sent for name in fields)


def _shaped(field: Field, value: object, path: str) -> Array:
    """Return an array of the declared axes, without further ones of length 1.

    A layer keeps a scale of one number a step as ``(1, t, 1)``, so that it broadcasts.
    """
    array = number_array(_plain(value, path), path)
    axes = len(field.shape)
    if array.ndim <= axes:
        return array
    shape = list(array.shape)
    while len(shape) > axes and 1 in shape:
        shape.remove(1)
    if len(shape) > axes:
        raise ShapeError(
            f"{array.ndim} axes, but {axes} are expected: {field.shape_text}", path=path
        )
    return array.reshape(shape)


def _plain(value: object, path: str) -> object:
    if isinstance(value, ParsedNumbers):
        return value.array
    return value if isinstance(value, list) else to_numpy(value, path)  # type: ignore[arg-type]


def _notices(left_out: list[str]) -> tuple[Notice, ...]:
    if not left_out:
        return ()
    message = f"buffers that change no answer were left out: {_listed(left_out)}"
    return (notice("ignored_weights", message, count=len(left_out)),)


def _listed(names: Iterable[str]) -> str:
    shown = list(names)
    more = len(shown) - MOST_NAMES
    return ", ".join(map(quoted, shown[:MOST_NAMES])) + (f" and {more} more" if more > 0 else "")


def _imports_none(method: Method) -> str:
    return f"'{method.name}' imports no weights with these parameters"
