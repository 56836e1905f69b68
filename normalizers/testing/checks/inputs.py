"""Inputs: never modified, of any memory layout and type, each unit on its own."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from normalizers.contract.fields import RAGGED_KINDS
from normalizers.contract.resolution import is_invertible
from normalizers.data.ragged import Ragged
from normalizers.testing import samples
from normalizers.testing.capabilities import (
    any_size,
    batch_invariant,
    numeric,
    numeric_input,
    of,
    takes_windows_of_rows,
)
from normalizers.testing.cases import Case, numbers_of
from normalizers.testing.compare import assert_close, assert_identical
from normalizers.testing.samples import Values

# Of methods that say so: last bits of matrix products depend on the size of the batch.
NATIVE_BOUND = 1e-12
THREADS = 8
CALLS = 32
WINDOWS = (2, 3)
PRECISIONS = ("float16", "float32", "float64")


def check_does_not_modify_input(case: Case) -> None:
    """Read-only arrays are passed in, and hold the same afterwards."""
    fit = _frozen(case.fit_values()) if case.with_fit else None
    version = case.fitted_on(fit)
    given = _frozen(case.given())
    answer = case.answer(given, version)
    if is_invertible(version.resolved_method):
        back = _frozen(case.returned(answer, given))
        kept = copy.deepcopy(back)
        version.inverse(back)
        assert_identical(back, kept)
    assert_identical(given, case.given())
    if fit is not None:
        assert_identical(fit, case.fit_values())


def check_output_does_not_alias_the_input(case: Case) -> None:
    """Writing into the answer changes neither the input nor the fit."""
    given = case.given()
    before = copy.deepcopy(case.answer().output)
    for value in case.answer(given).output.values():
        for array in _parts(value):
            if array.dtype.kind == "f" and array.flags.writeable:
                array[...] = 0
    assert_identical(given, case.given())
    assert_identical(case.answer().output, before)


@of(numeric_input)
def check_accepts_noncontiguous_and_big_endian(case: Case) -> None:
    """Strides and byte order are no part of the data."""
    expected = case.answer().output
    for arranged in (_strided, _reversed, _column_major, _big_endian):
        given = samples.mapped(case.takes, case.given(), arranged)
        fit = samples.mapped(case.fits, case.fit_values(), arranged) if case.with_fit else None
        output = case.answer(given, case.fitted_on(fit)).output
        _assert_same(case, output, expected)


@of(numeric)
def check_dtype_in_equals_dtype_out(case: Case) -> None:
    """The main output has the input's dtype; side outputs are float64."""
    for dtype in PRECISIONS:
        given = _flat(case, dtype)
        for name, value in case.answer(given).output.items():
            expected = dtype if name == case.output else "float64"
            for array in _parts(value):
                if array.dtype.kind == "f":
                    assert array.dtype == expected, (name, dtype)


@of(numeric, any_size)
def check_integer_input_promoted(case: Case) -> None:
    """Integers and lists of numbers are float64, with the same answer."""
    floats = {name: _rounded(value) for name, value in _flat(case, "float64").items()}
    integers = {name: _integers(value) for name, value in floats.items()}
    nested = {name: _listed(value) for name, value in floats.items()}
    expected = case.answer(floats).output
    for given in (integers, nested):
        output = case.answer(given).output
        assert all(array.dtype != np.float32 for array in _parts(output[case.output]))
        np.testing.assert_array_equal(
            numbers_of(output[case.output]), numbers_of(expected[case.output])
        )


@of(batch_invariant)
def check_batch_invariance(case: Case) -> None:
    """One row, list, window or query alone gets what it gets among others."""
    given = case.given()
    units = samples.count(case.takes, given)
    whole = case.answer(given).output
    for unit in range(units):
        alone = case.answer(samples.taken(case.takes, given, [unit])).output
        for name in _by_unit(case, whole, units):
            _assert_same(case, {name: _cut(alone[name], [0])}, {name: _cut(whole[name], [unit])})


@of(takes_windows_of_rows)
def check_rows_with_axes_of_their_own(case: Case) -> None:
    """What is declared so takes ``(2, 3, d)`` for six rows, and answers in the same axes."""
    given = samples.taken(case.takes, case.given(), range(6))
    plain = case.answer(given)
    found = case.answer({name: _in_windows(value) for name, value in given.items()})
    gives = case.resolved_method.gives
    for name, value in plain.output.items():
        expected = _in_windows(value) if gives[name].leading else value
        assert_identical(found.output[name], expected, name)
    of_columns = case.resolved_method.traits.column_flags
    for name, places in plain.flags.items():
        if name in of_columns:
            assert_identical(found.flags[name], places, name)
        else:
            rows = places if np.ndim(places) == 1 else places[:, 0]
            sent = np.stack(np.unravel_index(rows, WINDOWS), axis=1)
            assert_identical(found.flags[name][:, :2], sent, name)


def check_row_permutation_invariance(case: Case) -> None:
    """Permuted units get permuted answers."""
    given = case.given()
    units = samples.count(case.takes, given)
    order = np.random.default_rng(3).permutation(units)
    whole = case.answer(given).output
    permuted = case.answer(samples.taken(case.takes, given, order)).output
    for name in _by_unit(case, whole, units):
        _assert_same(case, {name: permuted[name]}, {name: _cut(whole[name], order)})
    # Numbers of the whole request are sums in an order of their own: no bit depends on the rows'.
    for name in whole:
        if not case.is_by_unit(name) and case.resolved_method.gives[name].kind == "floats":
            _assert_same(case, {name: permuted[name]}, {name: whole[name]})


def check_the_same_input_gives_the_same_answer(case: Case) -> None:
    """Answers have no memory: the same input twice, with another in between."""
    first = case.answer()
    case.answer(case.given(seed=99))
    again = case.answer()
    assert_identical(again.output, first.output)
    assert_identical(dict(again.flags), dict(first.flags))


def check_thread_safe_transform(case: Case) -> None:
    """8 threads on one fresh version, different inputs, the answers of one thread."""
    version = case.fitted_on()
    given = [case.given(seed=seed) for seed in range(CALLS)]
    expected = [case.answer(values).output for values in given]
    with ThreadPoolExecutor(THREADS) as pool:
        outputs = list(pool.map(lambda values: case.answer(values, version).output, given))
    for output, wanted in zip(outputs, expected, strict=True):
        assert_identical(output, wanted)


def _assert_same(case: Case, one: object, other: object) -> None:
    if not case.same_bits:
        assert_close(one, other, NATIVE_BOUND)
    else:
        assert_identical(one, other)


def _by_unit(case: Case, output: dict[str, object], units: int) -> list[str]:
    return [
        name
        for name, value in output.items()
        if case.is_by_unit(name)
        and isinstance(value, list | np.ndarray)
        and np.ndim(value if isinstance(value, np.ndarray) else [0])
        and len(value) == units
    ]


def _cut(value: object, index: object) -> object:
    if isinstance(value, list):
        return [value[int(position)] for position in index]  # type: ignore[attr-defined]
    return value[np.asarray(index)]  # type: ignore[index]


def _parts(value: object) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, Ragged):
        return [value.values]
    return (
        [part for part in value if isinstance(part, np.ndarray)] if isinstance(value, list) else []
    )


def _frozen(tree: Values) -> Values:
    def freeze(node: object) -> object:
        if isinstance(node, np.ndarray):
            node = node.copy()
            node.flags.writeable = False
        elif isinstance(node, dict):
            node = {key: freeze(child) for key, child in node.items()}
        elif isinstance(node, list):
            node = [freeze(child) for child in node]
        return node

    return {name: freeze(value) for name, value in tree.items()}


def _flat(case: Case, dtype: str) -> Values:
    """Return an input whose numbers stand in one array of a dtype: one list, or all rows."""
    given = case.given()
    if case.kind == "lists":
        given = samples.taken(case.takes, given, [0])
    return {
        name: np.asarray(alone).astype(dtype) if case.takes[name].numeric else alone
        for name, value in given.items()
        for alone in [value[0] if case.takes[name].kind in RAGGED_KINDS else value]  # type: ignore[index]
    }


def _rounded(value: object) -> object:
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.round(value * 10)
    return value


def _integers(value: object) -> object:
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value.astype(np.int64)
    return value


def _listed(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _strided(array: np.ndarray) -> np.ndarray:
    return np.repeat(array, 2, axis=0)[::2]


def _reversed(array: np.ndarray) -> np.ndarray:
    return array[::-1].copy()[::-1]


def _column_major(array: np.ndarray) -> np.ndarray:
    return np.asfortranarray(array)


def _big_endian(array: np.ndarray) -> np.ndarray:
    return array.astype(array.dtype.newbyteorder(">"))


def _in_windows(rows: object) -> np.ndarray:
    return np.reshape(rows, (*WINDOWS, *np.shape(rows)[1:]))  # type: ignore[arg-type]
