"""Weights of bank queries: a query of weight 2 is the query twice."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import DynamicInvertedSoftmax, InvertedSoftmax, Nnn, Sinkhorn
from normalizers.errors import InvalidInput

RNG = np.random.default_rng(9)
BANK, GALLERY = RNG.normal(size=(12, 5)), RNG.normal(size=(30, 5))
TIMES = RNG.integers(1, 5, size=12)
SIMS = BANK @ GALLERY.T
METHODS = {
    "inverted_softmax": lambda **params: InvertedSoftmax(beta=7.0, **params),
    "dynamic_inverted_softmax": lambda **params: DynamicInvertedSoftmax(**params),
    "sinkhorn": lambda **params: Sinkhorn(beta=7.0, **params),
    "sinkhorn of many rounds": lambda **params: Sinkhorn(beta=7.0, iterations=4, **params),
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("embedded", [False, True])
def test_a_weight_counts_a_query_as_often(name: str, embedded: bool) -> None:
    def fields(rows: np.ndarray) -> dict[str, np.ndarray]:
        if embedded:
            return {"bank_embeddings": BANK[rows], "gallery_embeddings": GALLERY}
        return {"bank_sims": SIMS[rows]}

    weighted = METHODS[name]().fit(**fields(np.arange(12)), sample_weights=TIMES)
    repeated = METHODS[name]().fit(**fields(np.repeat(np.arange(12), TIMES)))
    found, expected = (fit.fitted_["item_bias"] for fit in (weighted, repeated))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert weighted.report_["bank_weight"] == pytest.approx(TIMES.sum())


@pytest.mark.parametrize("name", ["inverted_softmax", "sinkhorn"])
def test_parts_with_weights_merge_to_one_fit(name: str) -> None:
    weights = RNG.uniform(0.1, 9.0, size=12)
    whole = METHODS[name]().fit(SIMS, sample_weights=weights)
    parts = [
        METHODS[name]().fit(SIMS[rows], sample_weights=weights[rows])
        for rows in (slice(0, 5), slice(5, 6), slice(6, 12))
    ]
    merged = parts[0].merge(*parts[1:]).fitted_["item_bias"]
    np.testing.assert_allclose(merged, whole.fitted_["item_bias"], rtol=1e-12, atol=1e-12)


def test_weights_go_with_the_rows_that_are_left() -> None:
    sims = np.vstack([SIMS, SIMS[[3]], np.where(np.arange(30) == 4, np.nan, SIMS[:1])])
    weights = np.append(TIMES, [50.0, 60.0])
    left = Sinkhorn(beta=7.0, deduplicate=True, nan_policy="omit")
    found = left.fit(sims, sample_weights=weights).fitted_["item_bias"]
    expected = Sinkhorn(beta=7.0).fit(SIMS, sample_weights=TIMES).fitted_["item_bias"]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("wrong", [0.0, -1.0])
def test_a_weight_is_above_nothing(wrong: float) -> None:
    weights = np.where(np.arange(12) == 3, wrong, 1.0)
    with pytest.raises(InvalidInput, match=r"bank row 3 .* above 0"):
        InvertedSoftmax().fit(SIMS, sample_weights=weights)


def test_weights_of_another_length_or_method_are_refused() -> None:
    with pytest.raises(InvalidInput):
        InvertedSoftmax().fit(SIMS, sample_weights=TIMES[:5])
    with pytest.raises(InvalidInput, match="sample_weights"):
        Nnn().fit(SIMS, sample_weights=TIMES)
