"""Whether a correction of hubs helps live queries, told without labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import (
    Csls,
    DualInvertedSoftmax,
    InvertedSoftmax,
    LocalScaling,
    MinMax,
    MutualProximity,
    Sinkhorn,
    SNorm,
)
from normalizers.errors import InvalidInput, InvalidParams, UnsupportedOperation
from normalizers.evaluation import diagnose
from normalizers.evaluation.hub_verdict import hub_verdict

DATA = Path(__file__).parents[4] / "shared" / "data" / "hubness"
RNG = np.random.default_rng(5)
LEANING = RNG.normal(size=60)
BANK = RNG.normal(size=(200, 60)) + LEANING
LIVE = RNG.normal(size=(120, 60)) + LEANING
OTHER = RNG.normal(size=(200, 60)) - LEANING


@pytest.fixture(scope="module")
def real() -> dict[str, np.ndarray]:
    path = DATA / "ui_en_zh_e5.npz"
    if not path.exists():
        pytest.skip("the reference data are not here")
    with np.load(path) as held:
        codes = {name: held[name].astype(np.float32) for name in held.files}
    return {name: x / np.sqrt((x * x).sum(axis=1, keepdims=True)) for name, x in codes.items()}


def test_r1_qb_norm_4_a_wrong_bank_is_told_without_labels(real: dict[str, np.ndarray]) -> None:
    live = {"query_embeddings": real["query"][:200], "gallery_embeddings": real["gallery"]}
    found = {
        name: diagnose(
            InvertedSoftmax(beta=100.0).fit(
                bank_embeddings=real[name], gallery_embeddings=real["gallery"]
            ),
            **live,
        )
        for name in ("bank_query", "bank_gallery")
    }
    right, wrong = (found[name]["measures"]["robin_hood"] for name in found)  # type: ignore[index]
    assert right["before"] == pytest.approx(0.548, abs=5e-4)
    assert right["after"] == pytest.approx(0.415, abs=5e-4)
    assert wrong["after"] == pytest.approx(0.643, abs=5e-4)
    verdicts = [found[name]["verdict"] for name in found]
    assert [told["harms"] for told in verdicts] == [False, True]  # type: ignore[index]
    assert [told["bank"] for told in verdicts] == ["agrees", "differs"]  # type: ignore[index]


def test_the_same_is_said_of_scores_and_of_embeddings(real: dict[str, np.ndarray]) -> None:
    queries, gallery = real["query"][:150], real["gallery"][:400]
    hub = Sinkhorn().fit(bank_embeddings=real["bank_query"][:300], gallery_embeddings=gallery)
    by_vectors = diagnose(hub, query_embeddings=queries, gallery_embeddings=gallery)
    by_scores = diagnose(hub, queries.astype(np.float64) @ gallery.T.astype(np.float64))
    assert by_vectors["measures"] == by_scores["measures"]
    assert by_vectors["agreement"] == pytest.approx(by_scores["agreement"], abs=1e-4)


@pytest.mark.parametrize("method", [Sinkhorn, InvertedSoftmax, Csls])
def test_the_right_bank_helps_and_an_opposite_one_harms(method) -> None:  # type: ignore[no-untyped-def]
    helped, harmed = (diagnose(method().fit(bank), LIVE)["verdict"] for bank in (BANK, OTHER))
    assert (helped["helps"], helped["bank"]) == (True, "agrees")  # type: ignore[index]
    assert (harmed["harms"], harmed["bank"]) == (True, "differs")  # type: ignore[index]
    assert "fit on real queries" in harmed["text"]  # type: ignore[index]


def test_distances_are_diagnosed_by_the_nearest() -> None:
    low = 9.0 - BANK, 9.0 - LIVE
    for method in (LocalScaling(), MutualProximity()):
        found = diagnose(method.fit(low[0]), low[1])
        assert found["verdict"]["helps"], found  # type: ignore[index]
    expected = diagnose(Csls().fit(BANK - 9.0), LIVE - 9.0)
    found = diagnose(Csls(score_type="distance").fit(low[0]), low[1])
    assert found["measures"] == expected["measures"]


def test_candidates_say_the_same_of_lists_that_hold_everything_but_nothing_of_the_bank() -> None:
    hub = Sinkhorn().fit(BANK)
    whole = diagnose(hub, LIVE, k=5)
    positions = np.tile(np.arange(60), (len(LIVE), 1))
    found = diagnose(hub, candidate_positions=positions, candidate_scores=LIVE, k=5)
    assert found["measures"] == whole["measures"]
    assert (found["agreement"], found["verdict"]["bank"]) == (None, "unknown")  # type: ignore[index]
    assert "candidates" in found["reasons"]["agreement"]  # type: ignore[index]
    assert diagnose(DualInvertedSoftmax().fit(bank_sims=BANK, gallery_bank_sims=BANK), LIVE)[
        "agreement"
    ] is None  # fmt: skip


def test_lists_that_no_correction_could_change_are_refused() -> None:
    hub = Sinkhorn().fit(BANK)
    with pytest.raises(InvalidInput, match="longer lists"):
        diagnose(hub, candidate_positions=[[0, 1, 2]], candidate_scores=[[3.0, 2.0, 1.0]], k=3)


def test_an_item_that_the_fit_does_not_know_is_near_for_nobody() -> None:
    hub = Sinkhorn().fit(BANK, gallery_ids=[f"i{j}" for j in range(60)])
    found = diagnose(
        hub, candidate_ids=[["new", "i0", "i1"]] * 2, candidate_scores=[[0.9, 0.5, 0.1]] * 2, k=1
    )
    assert found["measures"]["max_hub_share"]["before"] == 0.0  # type: ignore[index]


def test_live_queries_of_which_halves_disagree_tell_nothing_of_a_bank() -> None:
    noise = RNG.normal(size=(40, 60))
    found = diagnose(InvertedSoftmax(beta=3.0).fit(RNG.normal(size=(40, 60))), noise)
    assert found["verdict"]["bank"] == "unknown"  # type: ignore[index]
    assert not found["verdict"]["hubs"]  # type: ignore[index]


def test_what_cannot_be_diagnosed_is_refused() -> None:
    with pytest.raises(UnsupportedOperation, match="no ranking of items"):
        diagnose(MinMax(scope="fitted").fit([0.0, 1.0]), [0.5])
    with pytest.raises(UnsupportedOperation, match="s_norm"):
        diagnose(SNorm().fit(BANK), LIVE)
    hub = Sinkhorn().fit(BANK)
    with pytest.raises(InvalidParams, match="at least 1"):
        diagnose(hub, LIVE, k=0)
    with pytest.raises(InvalidInput, match="no live query"):
        diagnose(hub, np.zeros((0, 60)))
    with pytest.raises(InvalidInput, match=r"sims\[1\]\[2\]|sims\[1,2\]"):
        diagnose(hub, np.where(np.arange(120 * 60).reshape(120, 60) == 62, np.nan, LIVE))


def test_another_gallery_than_that_of_the_fit_is_refused() -> None:
    vectors, queries = RNG.normal(size=(30, 4)), RNG.normal(size=(20, 4))
    hub = Sinkhorn().fit(bank_embeddings=queries, gallery_embeddings=vectors)
    with pytest.raises(InvalidInput, match="not the vectors of the gallery"):
        diagnose(hub, query_embeddings=queries, gallery_embeddings=vectors[::-1])
    with pytest.raises(InvalidInput):
        diagnose(hub, query_embeddings=queries, gallery_embeddings=vectors[:-1])
    with pytest.raises(InvalidInput):
        diagnose(hub, query_embeddings=queries[:, :3], gallery_embeddings=vectors)


def test_ties_and_small_samples_are_told() -> None:
    found = diagnose(Sinkhorn().fit(BANK), np.zeros((3, 60)), k=40)
    assert found["tie_share"] == 1.0
    codes = {noted["code"] for noted in found["warnings"]}  # type: ignore[union-attr, index]
    assert codes == {"large_k", "few_queries"}


@pytest.mark.parametrize(
    ("numbers", "agreement", "words"),
    [
        ((0.55, 0.42, 0.37), (0.9, 0.9), "it helps: "),
        ((0.55, 0.45, 0.37), (0.4, 0.9), "less than it could"),
        ((0.55, 0.55, 0.37), (0.9, 0.9), "lower 'strength'"),
        ((0.40, 0.43, 0.37), (0.2, 0.2), "serve the scores as they are"),
        ((0.40, 0.39, 0.37), (None, None), "may not be needed"),
    ],
)
def test_a_verdict_says_what_to_do(numbers, agreement, words) -> None:  # type: ignore[no-untyped-def]
    index = dict(zip(("before", "after", "random"), numbers, strict=True))
    assert words in str(hub_verdict(index, *agreement)["text"])
