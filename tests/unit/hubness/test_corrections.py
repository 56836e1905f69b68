"""What the corrections promise beside their golden cases."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import (
    DualBankSinkhorn,
    DualDynamicInvertedSoftmax,
    DualInvertedSoftmax,
    DualSoftmax,
    DynamicInvertedSoftmax,
    GlobalCorrection,
    InvertedSoftmax,
    LocalScaling,
    Margin,
    MutualProximity,
    Nicdm,
    Sinkhorn,
    SinkhornAssignment,
)
from normalizers.errors import IncompatibleStatistics, InvalidInput, InvalidParams

RNG = np.random.default_rng(12)
BANK, LIVE = RNG.uniform(size=(20, 8)), RNG.uniform(size=(5, 8))
IDS = list("abcdefgh")


def test_one_round_of_sinkhorn_is_inverted_softmax_on_normalized_rows() -> None:
    beta = 15.0
    rows = BANK - np.log(np.exp(beta * BANK).sum(axis=1, keepdims=True)) / beta
    expected = InvertedSoftmax(beta=beta).fit(rows).transform(LIVE)
    found = Sinkhorn(beta=beta, prior=0.0).fit(BANK).transform(LIVE)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("params", [{}, {"iterations": 10}])
def test_pot_54_a_temperature_near_nothing_gives_finite_potentials(params) -> None:  # type: ignore[no-untyped-def]
    sims = RNG.uniform(-1, 1, size=(30, 12))
    fitted = Sinkhorn(temperature=0.001, **params).fit(sims)
    assert np.isfinite(fitted.fitted_["item_bias"]).all()


def test_repeated_bank_queries_move_no_ranking_of_one_round() -> None:
    plain = Sinkhorn(beta=20.0, prior=0.0).fit(BANK).transform(LIVE)
    twice = Sinkhorn(beta=20.0, prior=0.0).fit(np.repeat(BANK, 3, axis=0)).transform(LIVE)
    np.testing.assert_array_equal(np.argsort(-plain, axis=1), np.argsort(-twice, axis=1))


def test_the_prior_lifts_the_bias_of_items_without_votes() -> None:
    sims = np.array([[0.9, 0.1, 0.0], [0.8, 0.2, 0.0]])
    low, high = (Sinkhorn(beta=30.0, prior=c).fit(sims).fitted_["item_bias"] for c in (0.0, 1.0))
    assert low[2] < high[2] < high[0]
    with pytest.raises(InvalidParams, match="prior"):
        Sinkhorn(iterations=2, prior=0.1).fit(sims)


def test_k15_sums_of_another_method_are_refused_by_sinkhorn() -> None:
    sums = InvertedSoftmax(beta=20.0).fit(BANK).statistics_.to_arrays()
    with pytest.raises(IncompatibleStatistics, match="row_normalization"):
        Sinkhorn(beta=20.0).fit_statistics(**sums)  # type: ignore[arg-type]


def test_k18_one_round_merges_and_many_rounds_do_not() -> None:
    whole = Sinkhorn(beta=20.0).fit(BANK, gallery_ids=IDS)
    parts = [Sinkhorn(beta=20.0).fit(part, gallery_ids=IDS) for part in (BANK[:7], BANK[7:])]
    merged = parts[0].merge(parts[1])
    np.testing.assert_allclose(merged.fitted_["item_bias"], whole.fitted_["item_bias"], rtol=1e-12)
    many = [Sinkhorn(beta=20.0, iterations=3).fit(part) for part in (BANK[:7], BANK[7:])]
    with pytest.raises(IncompatibleStatistics, match="whole bank"):
        many[0].merge(many[1])


def test_embeddings_and_similarities_of_two_banks_agree() -> None:
    queries, items, beside = (RNG.normal(size=(n, 4)) for n in (9, 6, 5))
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (queries, items, beside)]
    sent = {"bank_sims": unit[0] @ unit[1].T}
    vectors = {"bank_embeddings": queries, "gallery_embeddings": items}
    dual = DualInvertedSoftmax().fit(**sent, gallery_bank_sims=unit[2] @ unit[1].T)
    other = DualInvertedSoftmax().fit(**vectors, gallery_bank_embeddings=beside)
    np.testing.assert_allclose(other.fitted_["item_bias"], dual.fitted_["item_bias"], rtol=1e-12)
    rounds = DualBankSinkhorn(beta=9.0).fit(**sent, bank_gallery_bank_sims=unit[0] @ unit[2].T)
    same = DualBankSinkhorn(beta=9.0).fit(**vectors, gallery_bank_embeddings=beside)
    np.testing.assert_allclose(same.fitted_["item_bias"], rounds.fitted_["item_bias"], rtol=1e-12)


def test_untouched_queries_stay_as_they_are_and_come_back() -> None:
    bank = np.array([[0.9, 0.1, 0.0], [0.8, 0.2, 0.1]])
    live = np.array([[0.7, 0.6, 0.1], [0.1, 0.6, 0.5], [0.5, 0.5, 0.1]])
    hub = DynamicInvertedSoftmax().fit(bank)
    answer = hub.apply_to(live)
    assert answer.output["activated"].tolist() == [1, 0, 1]  # ties go to the lowest item
    assert answer.flags["activated"].tolist() == [0, 2]
    np.testing.assert_array_equal(answer.output["scores"][1], live[1])
    back = hub.inverse_to(answer.output["scores"], activated=answer.output["activated"])
    np.testing.assert_allclose(back.output["sims"], live, rtol=1e-12)


def test_every_item_active_is_inverted_softmax() -> None:
    plain = InvertedSoftmax(beta=20.0).fit(BANK).transform(LIVE)
    np.testing.assert_allclose(DynamicInvertedSoftmax(k=8).fit(BANK).transform(LIVE), plain)
    two = DualDynamicInvertedSoftmax(k=8).fit(bank_sims=BANK, gallery_bank_sims=BANK[:3])
    dual = DualInvertedSoftmax().fit(bank_sims=BANK, gallery_bank_sims=BANK[:3])
    np.testing.assert_allclose(two.transform(LIVE), dual.transform(LIVE), rtol=1e-12)


def test_camoe_6_one_query_of_a_dual_softmax_is_refused() -> None:
    with pytest.raises(InvalidInput, match="one query"):
        DualSoftmax().transform([[0.1, 0.2]])


def test_a_margin_has_a_bias_form_only_where_it_is_a_difference() -> None:
    bias = Margin(output="bias").fit(BANK)
    assert bias.version_.resolved["variant"] == "distance"
    np.testing.assert_allclose(bias.inverse_transform(bias.transform(LIVE)), LIVE)
    with pytest.raises(InvalidParams, match="bias form"):
        Margin(output="bias", variant="ratio").fit(BANK)


def test_ranks_of_items_are_exact_and_items_join_and_align() -> None:
    hub = GlobalCorrection().fit(BANK)
    ranks = 1 + (BANK[None] > LIVE[:, None]).sum(axis=1)
    np.testing.assert_allclose(hub.transform(LIVE), LIVE - ranks)
    turned = RNG.permutation(8)
    one = GlobalCorrection().fit(BANK[:9], gallery_ids=IDS)
    two = GlobalCorrection().fit(BANK[9:, turned], gallery_ids=[IDS[i] for i in turned])
    np.testing.assert_allclose(one.merge(two).transform(LIVE), hub.transform(LIVE))


@pytest.mark.parametrize("method", [LocalScaling, Nicdm, MutualProximity])
def test_a_square_matrix_keeps_its_diagonal_and_symmetry(method) -> None:  # type: ignore[no-untyped-def]
    points = RNG.normal(size=(9, 3))
    far = np.linalg.norm(points[:, None] - points[None], axis=2)
    found = method(symmetric=True).transform(far)
    assert (np.diag(found) == 0).all()
    np.testing.assert_allclose(found, found.T, rtol=1e-12)
    with pytest.raises(InvalidInput):
        method(symmetric=True).transform(far[:3])
    with pytest.raises(InvalidInput, match="negative"):
        method(symmetric=True).transform(-far)


def test_no_item_takes_all_queries() -> None:
    far = np.tile([0.0, 1.0, 1.1], (6, 1)) + RNG.uniform(0, 0.2, size=(6, 3))
    answer = SinkhornAssignment(iterations=50).apply_to(far)
    np.testing.assert_allclose(answer.output["scores"].sum(axis=1), 1.0)
    assert answer.report["item_mass_max"] < 0.5
    np.testing.assert_allclose(
        SinkhornAssignment(iterations=50).transform(100 * far + 7), answer.output["scores"]
    )


def test_an_empirical_proximity_of_a_fit_takes_both_ends_as_independent() -> None:
    bank, live = RNG.uniform(size=(30, 8)), RNG.uniform(size=(5, 8))
    found = MutualProximity(variant="empirical").fit(bank).transform(live)
    of_query = (live[:, None, :] > live[:, :, None]).mean(axis=2)
    of_item = (bank[None] > live[:, None]).mean(axis=1)
    np.testing.assert_allclose(found, 1 - of_query * of_item, rtol=1e-14)


def test_an_empirical_proximity_merges_joins_and_knows_its_error() -> None:
    bank, live = RNG.uniform(size=(700, 8)), RNG.uniform(size=(5, 8))
    small = MutualProximity(variant="empirical").fit(bank[:200], gallery_ids=IDS)
    parts = [
        MutualProximity(variant="empirical").fit(part, gallery_ids=IDS)
        for part in (bank[:60], bank[60:200])
    ]
    merged = parts[0].merge(parts[1])
    np.testing.assert_allclose(merged.transform(live), small.transform(live), rtol=1e-12)
    assert small.report_["rank_error"] == 0
    large = MutualProximity(variant="empirical").fit(bank)
    exact = 1 - (live[:, None, :] > live[:, :, None]).mean(axis=2) * (
        bank[None] > live[:, None]
    ).mean(axis=1)
    bound = float(large.report_["rank_error"]) / 700  # type: ignore[arg-type]
    assert 0 < bound <= 1 / 64
    assert np.abs(large.transform(live) - exact).max() <= bound + 1e-12


def test_an_empirical_proximity_of_unknown_items_is_that_of_all_or_missing() -> None:
    bank = RNG.uniform(size=(400, 8))
    sent = {"candidate_ids": [["new", "a", "b"]], "candidate_scores": [[0.3, 0.2, 0.9]]}
    hub = MutualProximity(variant="empirical").fit(bank, gallery_ids=IDS)
    answer = hub.apply_to(**sent)
    assert answer.flags["unknown_item"].tolist() == [[0, 0]]
    (found,) = list(answer.output["scores"])
    assert found[0] == pytest.approx(1 - (1 / 3) * (bank > 0.3).mean(), abs=0.01)
    raw = MutualProximity(variant="empirical", unknown_item="raw").fit(bank, gallery_ids=IDS)
    (missing,) = list(raw.transform(**sent))
    assert np.isnan(missing).tolist() == [True, False, False]
