"""Kernels that run on any array library, held to the letter of the array API."""

from __future__ import annotations

import array_api_strict as strict
import numpy as np
import pytest

from normalizers.bases.bank_statistics import log_sum_exp_of
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.data.arrays import Array, namespace
from normalizers.kernels.logspace import log_add, log_sum_exp
from normalizers.kernels.row_norms import row_norms, unit_rows

VALUES = np.random.default_rng(3).normal(size=(7, 5)) * np.geomspace(1e-3, 1e3, 7)[:, None]
VALUES[2] = 0
VALUES[4] *= 1e300
SHARE = 1e-14


def agree(found: Array, expected: Array) -> bool:
    assert namespace(found) is strict
    scale = np.max(np.abs(expected), where=np.isfinite(expected), initial=0)
    return np.allclose(np.asarray(found), expected, rtol=SHARE, atol=SHARE * scale)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_and_their_norms(dtype: str) -> None:
    values = (VALUES / (1e300 if dtype == "float32" else 1)).astype(dtype)
    sent = strict.asarray(values)
    assert np.asarray(unit_rows(sent)).tobytes() == unit_rows(values).tobytes()
    assert np.asarray(row_norms(sent)).tobytes() == row_norms(values).tobytes()


def test_powers_of_two_do_not_change_a_direction() -> None:
    exact = unit_rows(VALUES[:2])
    for exponent in (-900, -600, 600, 1010):
        assert np.allclose(unit_rows(np.ldexp(VALUES[:2], exponent)), exact, rtol=1e-15)
    tiny = np.array([[5e-324, 0.0], [0.0, -5e-324]])
    assert unit_rows(tiny).tolist() == [[1.0, 0.0], [0.0, -1.0]]
    assert row_norms(tiny).tolist() == [5e-324, 5e-324]


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_sums_of_exponentials(axis: int) -> None:
    values = np.clip(VALUES, -900, 900)
    values[:, 1], values[1] = -np.inf, -np.inf
    expected = log_sum_exp(values, axis)
    assert agree(log_sum_exp(strict.asarray(values), axis), expected)
    doubled = log_add(strict.asarray(expected), strict.asarray(expected))
    assert agree(doubled, log_add(expected, expected))


@pytest.mark.parametrize("xp", [np, strict])
def test_the_sum_of_nothing_is_no_mass(xp) -> None:  # type: ignore[no-untyped-def]
    assert np.asarray(log_sum_exp(xp.zeros((0, 3)), axis=0)).tolist() == [-np.inf] * 3
    assert np.asarray(log_sum_exp(xp.zeros((2, 0)))).tolist() == [-np.inf] * 2


class StrictDevice:
    """A device whose arrays are strict."""

    tensors = True

    @staticmethod
    def put(array: Array) -> Array:
        return strict.asarray(array)


def test_blocks_of_a_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    queries, items = rng.normal(size=(9, 4)), rng.normal(size=(11, 4)).astype("float32")
    for module in ("embedded_bank", "folds", "row_folds"):
        monkeypatch.setattr(f"normalizers.bases.{module}.to_numpy", np.asarray)
    for similarity in ("cosine", "dot"):
        plain = EmbeddedBank(queries, items, similarity, 4, 5)
        there = EmbeddedBank(queries, items, similarity, 4, 5, StrictDevice())  # type: ignore[arg-type]
        np.testing.assert_allclose(there.row_deviations(), plain.row_deviations(), rtol=1e-12)
        sums = [log_sum_exp_of(bank, 3.0, None).item_lse for bank in (there, plain)]
        np.testing.assert_allclose(*sums, rtol=1e-13)
