"""A small grid on rows held out, or on pairs of known similarity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.measures.vectors import Pairs, cosine_spearman, pair_cosines
from tests.unit.embeddings.covariance.whitening.samples import rows

FOLDER = Path(__file__).parents[6] / "shared" / "data" / "embeddings"
X = rows(400, 6, seed=3)
PAIRS = {
    "pair_first": np.arange(50),
    "pair_second": np.arange(50, 100),
    "pair_similarities": np.linspace(0.0, 5.0, 50),
}


def recommended(**fields: object) -> dict[str, object]:
    found = Whitening().fit(X, recommend=True, **fields).report_["recommended"]
    assert isinstance(found, dict)
    return found


def test_the_curve_holds_what_a_fit_with_each_point_gives() -> None:
    found = recommended(validation=X[:100], **PAIRS)
    curve = found["curve"]
    assert isinstance(curve, list)
    assert [one["says"] for one in curve] == [
        "as they are", "centred", "eps_rel 10", "eps_rel 3", "eps_rel 1", "eps_rel 0.1", "full",
    ]  # fmt: skip
    for one in curve:
        y = (
            X[:100]
            if one["params"] is None
            else Whitening(**one["params"]).fit(X).transform(X[:100])
        )
        cosines = pair_cosines(y, PAIRS["pair_first"], PAIRS["pair_second"])
        pairs = Pairs(cosines, PAIRS["pair_similarities"], np.ones(50))
        assert one["spearman"] == pytest.approx(cosine_spearman(pairs), abs=1e-9)
    best = max(curve, key=lambda one: float(one["spearman"]))
    assert (found["says"], found["params"]) == (best["says"], best["params"])
    assert found["in_sample"] is False
    assert recommended(**PAIRS)["in_sample"] is True


def test_without_labels_every_fifth_row_is_held_out_and_the_verdict_followed() -> None:
    found = recommended()
    assert (found["n_fitted"], found["n_measured"]) == (320, 80)
    narrow = np.random.default_rng(3).normal(size=(900, 20)) * [30.0, *[1.0] * 19]
    told = Whitening().fit(narrow, recommend=True).report_
    assert (told["verdict"]["code"], told["recommended"]["says"]) == ("full", "full")
    assert told["recommended"]["curve"][-1]["largest_variance"] == pytest.approx(1.5, abs=0.5)


def test_the_grid_is_tried_only_when_asked_for_and_not_by_group() -> None:
    assert "recommended" not in Whitening().fit(X).report_
    with pytest.raises(InvalidParams, match="'recommend' has no meaning"):
        Whitening(scope="group").fit(X, groups=["a", "b"] * 200, recommend=True)


def test_incomplete_pairs_places_beyond_the_rows_and_too_few_rows_are_refused() -> None:
    with pytest.raises(InvalidInput, match="pairs need 'pair_second' too"):
        recommended(pair_first=[0])
    with pytest.raises(InvalidInput, match="by position, 0 to 399") as refused:
        recommended(**{**PAIRS, "pair_second": np.arange(380, 430)})
    assert refused.value.path == "fit.pair_second[20]"
    with pytest.raises(InvalidInput, match="too few rows to hold some out"):
        Whitening().fit(X[:3], recommend=True)


@pytest.mark.skipif(not FOLDER.exists(), reason="the embeddings are not here")
@pytest.mark.parametrize(
    ("space", "says", "spearman"),
    [("minilm", "eps_rel 10", 82.62), ("wordavg", "eps_rel 1", 67.66)],
)
def test_labelled_pairs_find_the_published_best_strength(
    space: str, says: str, spearman: float
) -> None:
    with np.load(FOLDER / f"{space}_stsb_fit.npz") as found:
        fit = found["emb"].astype(np.float64)
    with np.load(FOLDER / f"{space}_stsb_test.npz") as found:
        test = {name: np.asarray(found[name], dtype=np.float64) for name in found.files}
    told = (
        Whitening()
        .fit(
            fit,
            recommend=True,
            validation=test["emb"],
            pair_first=test["ia"].astype(np.int64),
            pair_second=test["ib"].astype(np.int64),
            pair_similarities=test["score"],
        )
        .report_["recommended"]
    )
    assert told["says"] == says
    best = max(100 * one["spearman"] for one in told["curve"])
    assert best == pytest.approx(spearman, abs=0.02)
