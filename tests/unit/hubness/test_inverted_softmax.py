"""Inverted softmax: formulas, temperature, direction, candidates, public reports of failures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.special import logsumexp

from normalizers.catalogue import Catalogue
from normalizers.errors import (
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NonFiniteError,
    NotEnoughData,
    ShapeError,
    UnsupportedOperation,
)
from normalizers.hubness import InvertedSoftmax
from normalizers.hubness.bank import EmbeddedBank
from normalizers.ragged import Ragged
from normalizers.version_file import read


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture
def bank(generator: np.random.Generator) -> np.ndarray:
    return generator.uniform(-0.2, 0.9, size=(12, 6))


@pytest.fixture
def sims(generator: np.random.Generator) -> np.ndarray:
    return generator.uniform(-0.2, 0.9, size=(4, 6))


def warning_codes(method: InvertedSoftmax) -> set[str]:
    return {warning["code"] for warning in method.report_["warnings"]}


def test_bias_log_and_ratio(bank: np.ndarray, sims: np.ndarray) -> None:
    lse = logsumexp(20.0 * bank, axis=0)
    method = InvertedSoftmax(beta=20.0).fit(bank)
    np.testing.assert_allclose(method.fitted_["item_lse"], lse, rtol=1e-13)
    np.testing.assert_allclose(method.fitted_["item_bias"], lse / 20, rtol=1e-13)
    np.testing.assert_allclose(method.transform(sims), sims - lse / 20, atol=1e-13)
    log = InvertedSoftmax(beta=20.0, output="log").fit(bank).transform(sims)
    np.testing.assert_allclose(log, 20 * sims - lse, atol=1e-12)
    ratio = InvertedSoftmax(beta=20.0, output="ratio").fit(bank).transform(sims)
    np.testing.assert_allclose(ratio, np.exp(20 * sims) / np.exp(20 * bank).sum(axis=0), rtol=1e-11)


def test_limits_of_beta(bank: np.ndarray, sims: np.ndarray) -> None:
    cold = InvertedSoftmax(beta=1e6).fit(bank).transform(sims)
    np.testing.assert_allclose(cold, sims - bank.max(axis=0), atol=1e-5)
    warm = InvertedSoftmax(beta=1e-6, center_bias=True).fit(bank).transform(sims)
    means = bank.mean(axis=0)
    np.testing.assert_allclose(warm, sims - (means - means.mean()), atol=1e-5)


def test_strength_and_centring_act_before_the_form(bank: np.ndarray, sims: np.ndarray) -> None:
    h = logsumexp(5.0 * bank, axis=0) / 5
    half = InvertedSoftmax(beta=5.0, strength=0.5, center_bias=True).fit(bank)
    np.testing.assert_allclose(half.transform(sims), sims - 0.5 * (h - h.mean()), atol=1e-13)
    log = half.set_params(output="log").fit(bank).transform(sims)
    np.testing.assert_allclose(log, 5 * (sims - 0.5 * (h - h.mean())), atol=1e-12)


def test_auto_is_two_and_a_half_over_the_mean_row_deviation(bank: np.ndarray) -> None:
    method = InvertedSoftmax().fit(bank)
    deviation = bank.std(axis=1).mean()
    assert method.report_["beta"] == pytest.approx(2.5 / deviation, rel=1e-13)
    assert method.report_["mean_row_std"] == pytest.approx(deviation, rel=1e-13)
    assert method.version_.resolved["beta"] == method.report_["beta"]
    assert InvertedSoftmax(beta="auto").fit(bank).report_["beta"] == method.report_["beta"]


def test_a_temperature_is_one_over_beta(bank: np.ndarray, sims: np.ndarray) -> None:
    by_temperature = InvertedSoftmax(temperature=0.05).fit(bank)
    by_beta = InvertedSoftmax(beta=1 / 0.05).fit(bank)
    np.testing.assert_array_equal(by_temperature.transform(sims), by_beta.transform(sims))
    assert by_temperature.version_.resolved["beta"] == 20.0
    assert by_temperature.merge(by_beta).report_["n"] == 24
    stream = InvertedSoftmax(temperature=0.05).partial_fit(bank)
    assert by_beta.merge(stream).report_["n"] == 24
    with pytest.raises(InvalidParams, match="one of beta, temperature"):
        InvertedSoftmax(beta=1.0, temperature=1.0).fit(bank)


@pytest.mark.parametrize("wrong", [0.0, -1.0, True, "automatic", float("inf")])
def test_a_beta_that_cannot_be(bank: np.ndarray, wrong: object) -> None:
    with pytest.raises(InvalidParams) as caught:
        InvertedSoftmax(beta=wrong).fit(bank)
    assert caught.value.path == "params.beta"


def test_a_bank_without_deviation_gives_beta_one_and_changes_no_ranking() -> None:
    method = InvertedSoftmax().fit([[0.3, 0.3, 0.3], [0.1, 0.1, 0.1]])
    assert method.report_["beta"] == 1.0
    assert "constant_bank" in warning_codes(method)
    assert np.argsort(method.transform([[0.2, 0.9, 0.5]])[0]).tolist() == [0, 2, 1]


def test_a_gallery_of_one_vector_has_no_deviation_beyond_rounding(
    generator: np.random.Generator,
) -> None:
    gallery = np.tile(generator.normal(size=20), (5, 1))
    method = InvertedSoftmax().fit(
        bank_embeddings=generator.normal(size=(9, 20)), gallery_embeddings=gallery
    )
    assert method.report_["beta"] == 1.0
    assert "constant_bank" in warning_codes(method)


def test_streams_need_a_number(bank: np.ndarray, sims: np.ndarray) -> None:
    with pytest.raises(InvalidParams, match="fit once with auto, then use this value"):
        InvertedSoftmax().partial_fit(bank)
    stream = InvertedSoftmax(beta=9.0)
    for row in bank:
        stream.partial_fit(row)
    whole = InvertedSoftmax(beta=9.0).fit(bank)
    np.testing.assert_allclose(stream.transform(sims), whole.transform(sims), atol=1e-12)
    settled = InvertedSoftmax().fit(bank[:6])
    going_on = InvertedSoftmax(beta=settled.report_["beta"]).fit(bank)
    np.testing.assert_allclose(
        settled.partial_fit(bank[6:]).transform(sims), going_on.transform(sims), atol=1e-12
    )


def test_shards_merge_and_another_beta_is_refused(bank: np.ndarray) -> None:
    parts = [InvertedSoftmax(beta=20.0).fit(bank[a : a + 4]) for a in (8, 0, 4)]
    merged = parts[0].merge(*parts[1:])
    np.testing.assert_allclose(merged.fitted_["item_lse"], logsumexp(20 * bank, axis=0), rtol=1e-13)
    with pytest.raises(IncompatibleStatistics, match="beta"):
        parts[0].merge(InvertedSoftmax(beta=21.0).fit(bank))


def test_posted_statistics_carry_their_beta(bank: np.ndarray, sims: np.ndarray) -> None:
    source = InvertedSoftmax().fit(bank, gallery_ids=list("abcdef"))
    members = source.statistics_.to_members()
    copy = InvertedSoftmax().fit_statistics(**members)
    np.testing.assert_array_equal(copy.transform(sims), source.transform(sims))
    assert copy.version_.resolved["beta"] == source.report_["beta"]
    with pytest.raises(IncompatibleStatistics, match="beta"):
        InvertedSoftmax(beta=3.0).fit_statistics(**members)


def test_a_posted_bias_fits_but_does_not_merge(sims: np.ndarray) -> None:
    method = InvertedSoftmax().fit_statistics(
        log_sum_exp={"beta": 2.0, "item_bias": [0.1, 0.2, 0.3, 0.0, 0.0, 0.0]}
    )
    np.testing.assert_allclose(method.transform(sims), sims - [0.1, 0.2, 0.3, 0, 0, 0])
    with pytest.raises(IncompatibleStatistics):
        method.merge(method)


def test_removal_is_no_subtraction(bank: np.ndarray) -> None:
    assert not InvertedSoftmax(beta=1.0).fit(bank).statistics_.removable


def test_duplicated_bank_rows_shift_every_bias_alike(bank: np.ndarray) -> None:
    once = InvertedSoftmax(beta=20.0).fit(bank).fitted_["item_bias"]
    thrice = InvertedSoftmax(beta=20.0).fit(np.repeat(bank, 3, axis=0)).fitted_["item_bias"]
    np.testing.assert_allclose(thrice - once, np.log(3) / 20, atol=1e-14)


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
        other.log_sum_exp(150.0, None).item_lse, usual.log_sum_exp(150.0, None).item_lse, 1e-13
    )
    np.testing.assert_allclose(other.row_deviations(), usual.row_deviations(), rtol=1e-12)


def test_zero_vectors_have_cosine_zero(generator: np.random.Generator) -> None:
    queries = np.vstack([np.zeros(4), generator.normal(size=(2, 4))])
    items = np.vstack([np.zeros(4), np.eye(4)])
    method = InvertedSoftmax(beta=3.0).fit(bank_embeddings=queries, gallery_embeddings=items)
    assert method.fitted_["item_lse"][0] == pytest.approx(np.log(3))
    assert method.report_["zero_vectors"] == {"bank": 1, "gallery": 1}


def test_embeddings_merge_only_by_item_ids(generator: np.random.Generator) -> None:
    items = generator.normal(size=(4, 3))
    first, second = generator.normal(size=(5, 3)), generator.normal(size=(2, 3))
    params = {"beta": 10.0}
    nameless = [
        InvertedSoftmax(**params).fit(bank_embeddings=part, gallery_embeddings=items)
        for part in (first, second)
    ]
    with pytest.raises(IncompatibleStatistics, match="item ids"):
        nameless[0].merge(nameless[1])
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
    with pytest.raises(InvalidParams, match="bank_sims"):
        InvertedSoftmax(score_type="distance").fit(
            bank_embeddings=np.eye(3), gallery_embeddings=np.eye(3)
        )


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


def test_qb_norm_logit_scales_stay_finite() -> None:
    bank = np.array([[30.0, 20.0], [25.0, 28.0]], dtype=np.float32)
    y = InvertedSoftmax(beta=20.0, output="log").fit(bank).transform(bank[:1])
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, 20 * bank[:1] - logsumexp(20.0 * bank, axis=0), rtol=1e-6)
    hot = InvertedSoftmax(beta=2000.0).fit(np.array([[0.9, 0.1]], dtype=np.float32))
    assert np.isfinite(hot.transform([[0.5, 0.4]])).all()
    assert np.isfinite(InvertedSoftmax(beta=20.0).fit([[100.0, -100.0]]).fitted_["item_bias"]).all()


def test_an_overflowing_ratio_is_refused_with_the_hint_log() -> None:
    method = InvertedSoftmax(beta=1000.0, output="ratio").fit([[0.0, 0.0]])
    with pytest.raises(InvalidInput, match="'log'"):
        method.transform([[0.9, 0.1]])


def test_qb_norm_inputs_stay_as_they_are_and_integers_are_promoted() -> None:
    bank = np.array([[5, 1], [1, 4]])
    bank.flags.writeable = False
    method = InvertedSoftmax(beta=1.0).fit(bank)
    first, second = method.transform(bank), method.transform(bank)
    assert first.dtype == np.float64
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(first, bank - logsumexp(bank, axis=0), atol=1e-14)


def test_a_score_depends_on_its_own_query_alone(bank: np.ndarray, sims: np.ndarray) -> None:
    method = InvertedSoftmax().fit(bank)
    np.testing.assert_array_equal(
        method.transform(np.vstack([sims[2:3]] * 100))[50], method.transform(sims)[2]
    )
    assert method.transform(sims[2]).shape == (6,)


def test_empty_banks_galleries_and_lists(bank: np.ndarray) -> None:
    for params in ({}, {"beta": 2.0}):
        with pytest.raises(NotEnoughData):
            InvertedSoftmax(**params).fit(np.zeros((0, 4)))
        with pytest.raises(NotEnoughData):
            InvertedSoftmax(**params).fit([])
        with pytest.raises(NotEnoughData):
            InvertedSoftmax(**params).fit(bank_embeddings=[], gallery_embeddings=[[1.0]])
    nothing = InvertedSoftmax().fit(np.zeros((3, 0)))
    assert nothing.transform(np.zeros((2, 0))).shape == (2, 0)
    assert nothing.report_["bias_min"] is None
    answer = (
        InvertedSoftmax(beta=2.0)
        .fit(bank)
        .apply_to(candidate_ids=[[], ["1"]], candidate_scores=[[], [0.5]])
    )
    assert [len(part) for part in answer.output["scores"]] == [0, 1]
    assert answer.report["min_margin"][0] is None
    assert answer.report["certified"][0] is False
    assert InvertedSoftmax(beta=2.0).fit(bank).transform([]).shape == (0,)


def test_missing_values() -> None:
    bank = np.array([[0.1, 0.2], [np.nan, 0.3], [0.4, 0.0]])
    with pytest.raises(NonFiniteError) as caught:
        InvertedSoftmax().fit(bank)
    assert caught.value.path == "fit.bank_sims[1][0]"
    method = InvertedSoftmax(nan_policy="omit").fit(bank)
    kept = InvertedSoftmax().fit(bank[[0, 2]])
    np.testing.assert_array_equal(method.fitted_["item_bias"], kept.fitted_["item_bias"])
    assert method.report_["bank_rows"] == 2
    answer = method.apply_to(sims=[[0.1, None], [0.5, 0.5]])
    assert np.isnan(answer.output["scores"][0, 1])
    assert answer.flags["missing"].tolist() == [0]
    with pytest.raises(NonFiniteError, match="gallery vector"):
        InvertedSoftmax(nan_policy="omit").fit(
            bank_embeddings=np.eye(2), gallery_embeddings=[[1.0, np.nan]]
        )
    embedded = InvertedSoftmax(nan_policy="omit").fit(
        bank_embeddings=[[1.0, np.inf], [1.0, 0.0]], gallery_embeddings=np.eye(2)
    )
    assert embedded.report_["bank_rows"] == 1


def test_candidates_are_the_restriction_of_the_whole_result(
    bank: np.ndarray, sims: np.ndarray
) -> None:
    method = InvertedSoftmax().fit(bank)
    whole = method.transform(sims)
    chosen = [[5, 1, 0], [2], [], [3, 4]]
    answer = method.apply_to(
        candidate_ids=chosen,
        candidate_scores=[sims[row, places].tolist() for row, places in enumerate(chosen)],
    )
    for row, part in enumerate(answer.output["scores"]):
        np.testing.assert_array_equal(part, whole[row, chosen[row]])


def test_candidates_by_name_with_offsets_answer_in_their_form(bank: np.ndarray) -> None:
    method = InvertedSoftmax(beta=4.0).fit(bank, gallery_ids=list("abcdef"))
    answer = method.apply_to(
        candidate_ids=["f", "a", "c"],
        candidate_scores=np.array([0.5, 0.5, 0.5], dtype=np.float32),
        offsets=[0, 2, 3],
    )
    scores = answer.output["scores"]
    assert isinstance(scores, Ragged)
    assert scores.values.dtype == np.float32
    assert scores.offsets.tolist() == [0, 2, 3]
    h = logsumexp(4.0 * bank, axis=0) / 4
    np.testing.assert_allclose(scores.values, 0.5 - h[[5, 0, 2]], rtol=1e-6)


@pytest.mark.parametrize(
    "params, subtracted",
    [
        ({}, "mean"),
        ({"unknown_item": "raw"}, "nothing"),
        ({"center_bias": True}, "nothing"),
        ({"strength": 0.5}, "half of the mean"),
    ],
)
def test_scikit_hubness_59_an_item_the_fit_does_not_know(
    bank: np.ndarray, params: dict[str, object], subtracted: str
) -> None:
    method = InvertedSoftmax(beta=20.0, **params).fit(bank)
    answer = method.apply_to(
        candidate_ids=[[1, 2], [-1, 99]], candidate_scores=[[0.5, 0.5], [0.5, 0.6]]
    )
    mean = float(np.mean(logsumexp(20 * bank, axis=0) / 20))
    expected = {"mean": mean, "nothing": 0.0, "half of the mean": mean / 2}[subtracted]
    np.testing.assert_allclose(answer.output["scores"][1], np.array([0.5, 0.6]) - expected)
    assert answer.flags["unknown_item"].tolist() == [[1, 0], [1, 1]]


def test_an_unknown_item_can_be_refused(bank: np.ndarray) -> None:
    method = InvertedSoftmax(beta=20.0, unknown_item="error").fit(bank)
    with pytest.raises(InvalidInput) as caught:
        method.apply_to(candidate_ids=[[1], [0, 6]], candidate_scores=[[0.5], [0.5, 0.5]])
    assert caught.value.path == "input.candidate_ids[1][1]"
    with pytest.raises(InvalidParams):
        InvertedSoftmax(unknown_item="unknown").fit(bank)


def test_a_candidate_stands_once_in_a_list(bank: np.ndarray) -> None:
    method = InvertedSoftmax(beta=20.0).fit(bank)
    with pytest.raises(InvalidInput) as caught:
        method.apply_to(candidate_ids=[[1], [0, 3, 0]], candidate_scores=[[0.5], [0.5, 0.4, 0.5]])
    assert caught.value.path == "input.candidate_ids[1][2]"


def test_a_list_is_certified_when_nothing_outside_could_be_better() -> None:
    method = InvertedSoftmax().fit_statistics(
        log_sum_exp={"beta": 1.0, "item_bias": [0.0, 0.5, 0.1, 0.3]}
    )
    ids, scores = [[1, 2, 3], [2, 0]], [[0.9, 0.8, 0.2], [0.3, 0.29]]
    answer = method.apply_to(candidate_ids=ids, candidate_scores=scores)
    # First list: the best is 0.8 - 0.1, an outsider reaches 0.2 - 0.0.
    np.testing.assert_allclose(answer.report["min_margin"], [0.5, 0.0], atol=1e-15)
    assert answer.report["certified"] == [True, False]
    assert [noted.code for noted in answer.warnings] == ["not_certified"]
    two = method.apply_to(candidate_ids=ids, candidate_scores=scores, top_k=2)
    np.testing.assert_allclose(two.report["min_margin"], [0.2, -0.09], atol=1e-15)
    three = method.apply_to(candidate_ids=ids, candidate_scores=scores, top_k=3)
    assert three.report["min_margin"][1] is None
    assert three.report["certified"][1] is False
    everything = method.apply_to(
        candidate_ids=[[0, 1, 2, 3]], candidate_scores=[[0.0, 0.0, 0.0, 0.0]], top_k=4
    )
    assert everything.report == {"top_k": 4, "min_margin": [None], "certified": [True]}


def test_certified_lists_never_miss_a_better_item(generator: np.random.Generator) -> None:
    bank, live = generator.uniform(size=(40, 30)), generator.uniform(size=(60, 30))
    method = InvertedSoftmax().fit(bank)
    whole = method.transform(live)
    order = np.argsort(-live, axis=1)[:, :4]
    answer = method.apply_to(
        candidate_ids=order.tolist(), candidate_scores=np.take_along_axis(live, order, 1).tolist()
    )
    certified = np.array(answer.report["certified"])
    assert 0 < certified.sum() < 60
    best = [ids[np.argmax(part)] for ids, part in zip(order, answer.output["scores"], strict=True)]
    np.testing.assert_array_equal(np.array(best)[certified], whole.argmax(axis=1)[certified])


def test_kiez_one_candidate_is_enough(bank: np.ndarray) -> None:
    answer = InvertedSoftmax().fit(bank).apply_to(candidate_ids=[["3"]], candidate_scores=[[0.4]])
    assert np.isfinite(answer.output["scores"][0]).all()


def test_top_k_has_no_meaning_for_the_whole_gallery(bank: np.ndarray, sims: np.ndarray) -> None:
    with pytest.raises(InvalidParams):
        InvertedSoftmax().fit(bank).apply_to(sims=sims, top_k=2)


def test_inverse_adds_the_bias_back(bank: np.ndarray, sims: np.ndarray) -> None:
    method = InvertedSoftmax(strength=0.7, center_bias=True).fit(bank)
    np.testing.assert_allclose(method.inverse_transform(method.transform(sims)), sims, atol=1e-14)
    candidates = [["0", "5"], ["x"]]
    corrected = method.apply_to(candidate_ids=candidates, candidate_scores=[[0.1, 0.2], [0.3]])
    back = method.version_.inverse(
        {"scores": corrected.output["scores"], "candidate_ids": candidates}
    )
    np.testing.assert_allclose(np.concatenate(back.output["candidate_scores"]), [0.1, 0.2, 0.3])
    assert back.flags["unknown_item"].tolist() == [[1, 0]]
    with pytest.raises(ShapeError):
        method.inverse_transform([[0.1, 0.2]])
    with pytest.raises(UnsupportedOperation):
        InvertedSoftmax(output="log").fit(bank).inverse_transform(sims)


def test_folded_into_an_index_the_inner_product_is_the_served_score(
    generator: np.random.Generator,
) -> None:
    items, queries = generator.normal(size=(9, 5)), generator.normal(size=(3, 5))
    method = InvertedSoftmax(strength=0.5, similarity="dot").fit(
        bank_embeddings=generator.normal(size=(20, 5)), gallery_embeddings=items
    )
    index = np.hstack([items, method.fitted_["item_bias"][:, None]])
    asked = np.hstack([queries, np.full((3, 1), -0.5)])
    np.testing.assert_allclose(asked @ index.T, method.transform(queries @ items.T), atol=1e-12)


def test_explain_gives_what_was_subtracted(bank: np.ndarray, sims: np.ndarray) -> None:
    method = InvertedSoftmax(strength=0.5).fit(bank)
    parts = method.apply_to(sims=sims, explain=True).explain
    np.testing.assert_allclose(sims - parts["item_bias"], method.transform(sims), atol=1e-15)
    listed = method.apply_to(
        candidate_ids=[["2"], []], candidate_scores=[[0.3], []], explain=True
    ).explain
    assert listed["item_bias"] == [[parts["item_bias"][2]], []]


def test_a_stored_version_serves_the_same_numbers(tmp_path: Path) -> None:
    method = InvertedSoftmax().fit(
        bank_embeddings=np.eye(3), gallery_embeddings=np.eye(3)[:2], gallery_ids=["a", "b"]
    )
    path = tmp_path / "hub.safetensors"
    method.save(path)
    loaded = read(path, Catalogue([InvertedSoftmax]))
    given = {"candidate_ids": [["b", "c"]], "candidate_scores": [[0.5, 0.4]]}
    np.testing.assert_array_equal(
        loaded.transform(given).output["scores"][0], method.apply_to(**given).output["scores"][0]
    )
    assert loaded.report["beta"] == method.report_["beta"]
