"""Banks of embeddings, similarities and distances."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import InvertedSoftmax
from normalizers.bases.bank_statistics import log_sum_exp_of
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.errors import IncompatibleStatistics, InvalidInput, InvalidParams


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
def test_embeddings_give_what_their_similarities_give(
    generator: np.random.Generator, similarity: str
) -> None:
    queries, items = generator.normal(size=(30, 8)), generator.normal(size=(17, 8))
    method = InvertedSoftmax(similarity=similarity).fit(
        bank_embeddings=queries, gallery_embeddings=items
    )
    if similarity == "cosine":
        queries = queries / np.linalg.norm(queries, axis=1, keepdims=True)
        items = items / np.linalg.norm(items, axis=1, keepdims=True)
    expected = InvertedSoftmax().fit(queries @ items.T)
    np.testing.assert_allclose(
        method.fitted_["item_bias"], expected.fitted_["item_bias"], atol=1e-12
    )
    assert method.report_["beta"] == pytest.approx(expected.report_["beta"], rel=1e-12)


def test_cosine_is_the_similarity_of_embeddings_unless_named(
    generator: np.random.Generator, bank: np.ndarray
) -> None:
    method = InvertedSoftmax().fit(
        bank_embeddings=generator.normal(size=(3, 4)),
        gallery_embeddings=generator.normal(size=(5, 4)),
    )
    assert method.version_.resolved["similarity"] == "cosine"
    assert "similarity" not in InvertedSoftmax().fit(bank).version_.resolved


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_results_do_not_depend_on_the_block_size(generator: np.random.Generator, size: int) -> None:
    queries, items = generator.normal(size=(20, 8)), generator.normal(size=(13, 8))
    usual = EmbeddedBank(queries, items)
    other = EmbeddedBank(queries, items, block_rows=size, block_items=size + 1)
    np.testing.assert_allclose(
        log_sum_exp_of(other, 150.0, None).item_lse,
        log_sum_exp_of(usual, 150.0, None).item_lse,
        1e-13,
    )
    np.testing.assert_allclose(other.row_deviations(), usual.row_deviations(), rtol=1e-12)


def test_zero_vectors_have_cosine_zero(generator: np.random.Generator) -> None:
    queries = np.vstack([np.zeros(4), generator.normal(size=(2, 4))])
    items = np.vstack([np.zeros(4), np.eye(4)])
    method = InvertedSoftmax(beta=3.0).fit(bank_embeddings=queries, gallery_embeddings=items)
    assert method.fitted_["item_lse"][0] == pytest.approx(np.log(3))
    assert method.report_["zero_vectors"] == {"bank": 1, "gallery": 1}


def test_embeddings_merge_by_item_ids_or_of_the_same_gallery(
    generator: np.random.Generator,
) -> None:
    items = generator.normal(size=(4, 3))
    first, second = generator.normal(size=(5, 3)), generator.normal(size=(2, 3))
    params = {"beta": 10.0}
    nameless, alike, turned = (
        InvertedSoftmax(**params).fit(bank_embeddings=part, gallery_embeddings=gallery)
        for part, gallery in ((first, items), (second, items), (second, items[::-1]))
    )
    with pytest.raises(IncompatibleStatistics, match="item ids"):
        nameless.merge(turned)
    assert nameless.merge(alike).version_.n == 7
    named = InvertedSoftmax(**params).fit(
        bank_embeddings=first, gallery_embeddings=items, gallery_ids=list("abcd")
    )
    turned = InvertedSoftmax(**params).fit(
        bank_embeddings=second, gallery_embeddings=items[::-1], gallery_ids=list("dcba")
    )
    whole = InvertedSoftmax(**params).fit(
        bank_embeddings=np.vstack([first, second]), gallery_embeddings=items
    )
    np.testing.assert_allclose(
        named.merge(turned).fitted_["item_lse"], whole.fitted_["item_lse"], rtol=1e-13
    )


def test_distances_are_negated_and_negative_ones_refused(generator: np.random.Generator) -> None:
    distances, live = generator.uniform(size=(6, 4)), generator.uniform(size=(2, 4))
    method = InvertedSoftmax(score_type="distance").fit(distances)
    expected = InvertedSoftmax().fit(-distances)
    np.testing.assert_allclose(method.transform(live), expected.transform(-live), atol=1e-14)
    np.testing.assert_allclose(method.inverse_transform(method.transform(live)), live, atol=1e-14)
    with pytest.raises(InvalidInput) as caught:
        InvertedSoftmax(score_type="distance").fit(-distances)
    assert caught.value.path == "fit.bank_sims[0][0]"
    with pytest.raises(InvalidInput) as caught:
        method.apply_to(candidate_ids=[["0"], ["1", "2"]], candidate_scores=[[0.1], [0.2, -0.3]])
    assert caught.value.path == "input.candidate_scores[1][1]"
    for params, path in (
        ({"score_type": "distance", "similarity": "cosine"}, "params.similarity"),
        ({"similarity": "euclidean"}, "params.score_type"),
    ):
        with pytest.raises(InvalidParams, match="score_type") as caught:
            InvertedSoftmax(**params).fit(bank_embeddings=np.eye(3), gallery_embeddings=np.eye(3))
        assert caught.value.path == path


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"bank_embeddings": [[1.0]]},
        {"bank_sims": [[1.0]], "gallery_embeddings": [[1.0]]},
        {"bank_sims": [[1.0]], "bank_embeddings": [[1.0]], "gallery_embeddings": [[1.0]]},
    ],
)
def test_a_fit_takes_similarities_or_both_embeddings(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match="exactly one of"):
        InvertedSoftmax(beta=1.0).fit(**fields)
