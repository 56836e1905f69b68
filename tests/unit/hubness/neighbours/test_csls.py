"""CSLS and NNN: half the mean of the nearest bank queries, or a share of it."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Csls, Nnn
from normalizers.errors import IncompatibleStatistics, InvalidInput

RNG = np.random.default_rng(9)
BANK, GALLERY, LIVE = (RNG.uniform(size=(n, 6)) for n in (20, 15, 4))
SIMS, LIVE_SIMS = RNG.uniform(size=(20, 8)), RNG.uniform(size=(4, 8))


def test_the_published_form_is_of_both_sides() -> None:
    fitted = Csls(k=3, output="score").fit(SIMS)
    of_items = np.sort(SIMS, axis=0)[-3:].mean(axis=0)
    of_queries = np.sort(LIVE_SIMS, axis=1)[:, -3:].mean(axis=1)
    expected = 2 * LIVE_SIMS - of_items - of_queries[:, None]
    np.testing.assert_allclose(fitted.transform(LIVE_SIMS), expected, rtol=1e-12)
    bias = Csls(k=3).fit(SIMS)
    np.testing.assert_allclose(bias.transform(LIVE_SIMS), LIVE_SIMS - of_items / 2, rtol=1e-12)
    np.testing.assert_allclose(bias.inverse_transform(bias.transform(LIVE_SIMS)), LIVE_SIMS)


def test_a_query_has_the_mean_of_the_scores_it_sent() -> None:
    fitted = Csls(k=3, output="score").fit(SIMS)
    lists = {"candidate_ids": [["1", "4"], ["2"], []], "candidate_scores": [[0.5, 0.7], [0.1], []]}
    answer = fitted.apply_to(**lists, explain=True)
    means = answer.explain["query_means"]
    assert means == [pytest.approx(0.6), pytest.approx(0.1), None]
    bias = fitted.fitted_["item_bias"]
    expected = [1.0 - 2 * bias[1] - 0.6, 1.4 - 2 * bias[4] - 0.6, 0.2 - 2 * bias[2] - 0.1]
    np.testing.assert_allclose(np.concatenate(answer.output["scores"]), expected, rtol=1e-12)


def test_nnn_readme_k_of_more_than_the_bank_is_clamped_and_told() -> None:
    fitted = Nnn(k=128).fit(SIMS[:5])
    assert fitted.report_["k_effective"] == 5
    assert [warning["code"] for warning in fitted.report_["warnings"]] == ["k_clamped"]
    np.testing.assert_allclose(fitted.fitted_["item_bias"], SIMS[:5].mean(axis=0), rtol=1e-14)


def test_one_and_all_neighbours_are_the_limits_of_inverted_softmax() -> None:
    largest = Nnn(k=1, strength=1.0).fit(SIMS).transform(LIVE_SIMS)
    np.testing.assert_allclose(largest, LIVE_SIMS - SIMS.max(axis=0), rtol=1e-13)
    mean = Nnn(k=20, strength=1.0).fit(SIMS).transform(LIVE_SIMS)
    np.testing.assert_allclose(mean, LIVE_SIMS - SIMS.mean(axis=0), atol=1e-14)


@pytest.mark.parametrize("method", [Csls, Nnn])
def test_k18_shards_of_a_bank_merge_and_new_items_join(method) -> None:  # type: ignore[no-untyped-def]
    ids = list("abcdefghijklmno")

    def fit(rows: slice, items: slice):  # type: ignore[no-untyped-def]
        return method(k=4).fit(
            bank_embeddings=BANK[rows], gallery_embeddings=GALLERY[items], gallery_ids=ids[items]
        )

    whole = fit(slice(None), slice(None))
    merged = fit(slice(0, 6), slice(None)).merge(fit(slice(6, 20), slice(None)))
    joined = fit(slice(None), slice(0, 9)).join(fit(slice(None), slice(9, 15)))
    for other in (merged, joined):
        assert other.fitted_["item_ids"].tolist() == ids
        np.testing.assert_allclose(
            other.fitted_["item_bias"], whole.fitted_["item_bias"], rtol=1e-12
        )
    with pytest.raises(IncompatibleStatistics, match="in both parts"):
        joined.join(fit(slice(None), slice(0, 1)))


def test_k21_distances_of_embeddings_are_those_that_are_sent() -> None:
    far = np.linalg.norm(BANK[:, None] - GALLERY[None], axis=2)
    sent = Csls(k=3, score_type="distance").fit(far)
    computed = Csls(k=3, score_type="distance").fit(
        bank_embeddings=BANK, gallery_embeddings=GALLERY
    )
    assert computed.version_.resolved["similarity"] == "euclidean"
    np.testing.assert_allclose(computed.fitted_["item_bias"], sent.fitted_["item_bias"], rtol=1e-12)
    live = np.linalg.norm(LIVE[:, None] - GALLERY[None], axis=2)
    nearest = np.sort(far, axis=0)[:3].mean(axis=0)
    np.testing.assert_allclose(computed.transform(live), -(live - nearest / 2), rtol=1e-12)
    np.testing.assert_allclose(computed.inverse_transform(computed.transform(live)), live)
    with pytest.raises(InvalidInput, match="negative"):
        computed.transform(-live)


def test_k21_similarities_and_distances_do_not_merge() -> None:
    near = Csls(k=3).fit(SIMS)
    far = Csls(k=3, score_type="distance").fit(SIMS)
    with pytest.raises(IncompatibleStatistics, match="score_type"):
        near.merge(far)
