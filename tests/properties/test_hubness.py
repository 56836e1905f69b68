"""Laws of the inverted softmax: limits of beta, names of items, what an offset does."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from normalizers import InvertedSoftmax
from tests.properties.samples import EXAMPLES, SEEDS, same_bits

BANK, ITEMS, QUERIES = 12, 5, 4
BETAS = st.sampled_from([0.5, 20.0, 1e4])
SMALL, LARGE = 1e-6, 1e7
BOUND = 1e-12


def sample(seed):
    rng = np.random.default_rng(seed)
    return rng, rng.uniform(-1, 1, (BANK, ITEMS)), rng.uniform(-1, 1, (QUERIES, ITEMS))


@EXAMPLES
@given(seed=SEEDS)
def test_a_small_beta_subtracts_the_mean_and_a_large_one_the_maximum(seed) -> None:
    _, bank, sims = sample(seed)
    small = InvertedSoftmax(beta=SMALL).fit(bank).transform(sims) + np.log(BANK) / SMALL
    large = InvertedSoftmax(beta=LARGE).fit(bank).transform(sims)
    np.testing.assert_allclose(small, sims - bank.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(large, sims - bank.max(axis=0), atol=1e-5)


@EXAMPLES
@given(seed=SEEDS, beta=BETAS, offset=st.floats(-50, 50))
def test_an_offset_of_an_item_moves_its_scores_back(seed, beta, offset) -> None:
    _, bank, sims = sample(seed)
    raised = bank + np.array([offset, 0, 0, 0, 0])
    expected = InvertedSoftmax(beta=beta).fit(bank).transform(sims)
    found = InvertedSoftmax(beta=beta).fit(raised).transform(sims)
    np.testing.assert_allclose(found[:, 0], expected[:, 0] - offset, atol=1e-10)
    assert same_bits(found[:, 1:], expected[:, 1:])


@EXAMPLES
@given(seed=SEEDS, beta=BETAS)
def test_items_may_stand_in_any_order(seed, beta) -> None:
    rng, bank, sims = sample(seed)
    order = rng.permutation(ITEMS)
    expected = InvertedSoftmax(beta=beta).fit(bank).transform(sims)[:, order]
    found = InvertedSoftmax(beta=beta).fit(bank[:, order]).transform(sims[:, order])
    np.testing.assert_allclose(found, expected, atol=BOUND)


@EXAMPLES
@given(seed=SEEDS, beta=BETAS)
def test_parts_with_another_order_of_items_merge_by_name(seed, beta) -> None:
    rng, bank, sims = sample(seed)
    names = np.array([f"item {i}" for i in range(ITEMS)])
    order = rng.permutation(ITEMS)
    method = InvertedSoftmax(beta=beta).fit(bank[:5], gallery_ids=names.tolist())
    method.partial_fit(bank[5:][:, order], gallery_ids=names[order].tolist())
    expected = InvertedSoftmax(beta=beta).fit(bank, gallery_ids=names.tolist())
    np.testing.assert_allclose(method.transform(sims), expected.transform(sims), atol=BOUND)


@EXAMPLES
@given(seed=SEEDS, beta=BETAS)
def test_candidates_get_what_the_whole_row_gives(seed, beta) -> None:
    rng, bank, sims = sample(seed)
    method = InvertedSoftmax(beta=beta).fit(bank)
    whole = method.transform(sims)
    chosen = [rng.permutation(ITEMS)[:3] for _ in range(QUERIES)]
    answer = method.apply_to(
        candidate_ids=[[str(item) for item in items] for items in chosen],
        candidate_scores=[sims[query, items] for query, items in enumerate(chosen)],
    )
    for query, items in enumerate(chosen):
        assert same_bits(answer["scores"][query], whole[query, items])


@EXAMPLES
@given(seed=SEEDS, beta=BETAS, strength=st.sampled_from([0.0, 0.5, 1.0]))
def test_scores_come_back(seed, beta, strength) -> None:
    _, bank, sims = sample(seed)
    method = InvertedSoftmax(beta=beta, strength=strength).fit(bank)
    back = method.inverse_transform(method.transform(sims))
    np.testing.assert_allclose(np.stack(list(back)), sims, atol=1e-10)
