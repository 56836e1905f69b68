"""Banks in parts: any split is the whole."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import DualDynamicInvertedSoftmax, DualInvertedSoftmax, SNorm
from normalizers.catalogue.catalogue import CATALOGUE
from tests.unit.hubness.test_public_reports import BY_BANK

RNG = np.random.default_rng(31)
BANK, IDS = RNG.uniform(size=(30, 9)), [f"i{place}" for place in range(9)]
# Whose sums are those of any split: more rounds see the whole bank at once.
EXACT = {
    **{name: method for name, method in BY_BANK.items() if method.streams},
    "s_norm": SNorm(),
    "s_norm of the best": SNorm(k=5),
}
DUAL = (DualInvertedSoftmax(), DualDynamicInvertedSoftmax())
SPLITS = ([15], [1], [29], [3, 4, 20], list(range(1, 30)))


def copy_of(method):  # type: ignore[no-untyped-def]
    return type(method)(**method.explicit_params)


def assert_same(found, expected, bound: float = 1e-12) -> None:  # type: ignore[no-untyped-def]
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(found[name], array, rtol=bound, atol=bound, err_msg=name)
        else:
            assert found[name].tolist() == array.tolist(), name


def test_every_method_whose_fits_merge_is_looked_at() -> None:
    merging = {
        name
        for name, cls in CATALOGUE.items()
        if cls.family == "hubness" and {"bank_sims"} <= cls().fits.keys() and cls().streams
    }
    assert merging == {method.name for method in (*EXACT.values(), *DUAL)}


@pytest.mark.parametrize("name", EXACT)
def test_any_split_of_a_bank_is_one_fit(name: str) -> None:
    whole = copy_of(EXACT[name]).fit(BANK, gallery_ids=IDS).fitted_
    for places in SPLITS:
        order = RNG.permutation(9)
        parts = [
            copy_of(EXACT[name]).fit(part[:, order], gallery_ids=[IDS[i] for i in order])
            if at % 2
            else copy_of(EXACT[name]).fit(part, gallery_ids=IDS)
            for at, part in enumerate(np.split(BANK, places))
        ]
        assert_same(parts[0].merge(*parts[1:]).fitted_, whole)


@pytest.mark.parametrize("method", DUAL, ids=lambda method: method.name)
def test_any_split_of_two_banks_is_one_fit(method) -> None:  # type: ignore[no-untyped-def]
    banks = {"bank_sims": BANK, "gallery_bank_sims": BANK[::-1][:11] / 2}
    whole = copy_of(method).fit(**banks, gallery_ids=IDS).fitted_
    parts = [
        copy_of(method).partial_fit(**{name: part}, gallery_ids=IDS)
        for name, bank in banks.items()
        for part in np.split(bank, [4, 9])
    ]
    one = parts[0]
    for part in np.split(BANK, [4, 9])[1:]:
        one.partial_fit(bank_sims=part, gallery_ids=IDS)
    for part in np.split(banks["gallery_bank_sims"], [4, 9]):
        one.partial_fit(gallery_bank_sims=part, gallery_ids=IDS)
    assert_same(one.fitted_, whole)
