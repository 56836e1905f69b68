"""What users of other hubness libraries reported: R1 to R11 of the specification.

R1 (a wrong bank) stands in tests/unit/evaluation/test_diagnosis.py, R5 (measures and their ranges)
and R6 (missing neighbours) in tests/unit/measures, R8 (a bias in an index) in test_export.py.
"""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import normalizers
from normalizers import (
    Csls,
    DualSoftmax,
    DynamicInvertedSoftmax,
    GlobalCorrection,
    Hnn,
    InvertedSoftmax,
    LocalScaling,
    Margin,
    MutualProximity,
    Nicdm,
    Nnn,
    Sinkhorn,
    SinkhornAssignment,
)
from normalizers.errors import InvalidInput
from normalizers.normalizer import Normalizer

RNG = np.random.default_rng(21)
BANK, LIVE = RNG.uniform(size=(30, 9)), RNG.uniform(size=(6, 9))
IDS = [f"i{place}" for place in range(9)]
BY_BANK: dict[str, Normalizer] = {
    "inverted_softmax": InvertedSoftmax(beta=9.0),
    "dynamic_inverted_softmax": DynamicInvertedSoftmax(),
    "sinkhorn": Sinkhorn(beta=9.0),
    "sinkhorn of 5 rounds": Sinkhorn(beta=9.0, iterations=5),
    "hnn": Hnn(beta=9.0, score_type="similarity"),
    "csls": Csls(),
    "nnn": Nnn(),
    "margin": Margin(),
    "global_correction": GlobalCorrection(),
    "local_scaling": LocalScaling(),
    "nicdm": Nicdm(),
    "mutual_proximity": MutualProximity(),
    "empirical mutual_proximity": MutualProximity(variant="empirical"),
}
WITH_BETA = [name for name in BY_BANK if hasattr(BY_BANK[name], "beta")]
WITH_K = ["csls", "nnn", "margin", "local_scaling", "nicdm"]
bank_methods = pytest.mark.parametrize("name", BY_BANK)


def fresh(name: str, **params: object) -> Normalizer:
    method = BY_BANK[name]
    return type(method)(**{**method.explicit_params, **params})


@pytest.mark.parametrize("name", WITH_BETA)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_r2_logit_scales_give_numbers(name: str, dtype: type) -> None:
    bank = np.array([[30, 20], [25, 28], [10, 40]], dtype=dtype)
    hub = fresh(name, beta=20.0).fit(bank)
    assert np.isfinite(hub.transform(np.array([[30, 20]], dtype=dtype))).all()
    cosines = fresh(name, beta=2000.0).fit((BANK - 0.5).astype(dtype) ** 2)
    assert np.isfinite(cosines.transform(LIVE.astype(dtype))).all()


@bank_methods
def test_r3_inputs_stay_as_they_are_and_integers_are_promoted(name: str) -> None:
    bank, live = np.array([[5, 1], [1, 4], [3, 2]]), np.array([[4, 2], [1, 3]])
    kept = bank.copy(), live.copy()
    hub = fresh(name).fit(bank)
    first, second = hub.transform(live), hub.transform(live)
    np.testing.assert_array_equal(first, second)
    expected = fresh(name).fit(bank.astype(float)).transform(live.astype(float))
    np.testing.assert_array_equal(first, expected)
    for mine, before in zip((bank, live), kept, strict=True):
        np.testing.assert_array_equal(mine, before)


@bank_methods
def test_r4_repeating_a_query_changes_no_other_answer(name: str) -> None:
    hub = fresh(name).fit(BANK)
    alone = hub.transform(LIVE)
    among = hub.transform(np.vstack([np.repeat(LIVE[:1], 100, axis=0), LIVE]))
    np.testing.assert_array_equal(among[100:], alone)
    np.testing.assert_array_equal(hub.transform(LIVE[2:3]), alone[2:3])


def test_r4_camoe_7_transductive_methods_refuse_one_query() -> None:
    for method in (DualSoftmax(), SinkhornAssignment()):
        with pytest.raises(InvalidInput, match="one query"):
            method.transform([[0.1, 0.2]])
    assert SinkhornAssignment().transform([[0.4]]).tolist() == [[1.0]]
    answer = DualSoftmax(on_few="identity").apply_to([[0.1, 0.2]])
    assert answer.output["scores"].tolist() == [[0.1, 0.2]]
    assert [noted.code for noted in answer.warnings] == ["single_query"]
    batch = [[0.1, 0.2], [0.3, 0.1]]
    asked = DualSoftmax(on_few="identity").transform(batch)
    np.testing.assert_array_equal(asked, DualSoftmax().transform(batch))


@bank_methods
def test_r6_scikit_hubness_72_lists_may_be_ragged_and_items_unknown(name: str) -> None:
    hub = fresh(name).fit(BANK, gallery_ids=IDS)
    answer = hub.apply_to(
        candidate_ids=[["i3", "new", "i1"], [], ["i0"]],
        candidate_scores=[[0.9, 0.8, 0.7], [], [0.6]],
    )
    assert [len(part) for part in answer.output["scores"]] == [3, 0, 1]
    assert answer.flags["unknown_item"].tolist() == [[0, 1]]
    refused = fresh(name, unknown_item="error").fit(BANK, gallery_ids=IDS)
    with pytest.raises(InvalidInput, match=r"'new'.*\[0\]\[1\]|'new'"):
        refused.transform(candidate_ids=[["i3", "new"]], candidate_scores=[[0.9, 0.8]])
    with pytest.raises(InvalidInput, match="at least 0"):
        hub.transform(candidate_positions=[[1, -1]], candidate_scores=[[0.9, 0.8]])


@pytest.mark.parametrize("name", WITH_K)
def test_r7_nnn_a_bank_smaller_than_k_counts_whole_and_strict_refuses(name: str) -> None:
    hub = fresh(name, k=128).fit(BANK[:5])
    assert hub.report_["k_effective"] == 5
    assert "k_clamped" in {noted["code"] for noted in hub.report_["warnings"]}  # type: ignore[union-attr, index]
    expected = fresh(name, k=5).fit(BANK[:5]).fitted_["item_bias"]
    np.testing.assert_array_equal(hub.fitted_["item_bias"], expected)
    with pytest.raises(InvalidInput, match="k_clamped"):
        fresh(name, k=128).fit(BANK[:5], strict=True)


@pytest.mark.parametrize("name", ["sinkhorn", "sinkhorn of 5 rounds", "hnn"])
def test_r9_pot_264_small_temperatures_do_not_vanish(name: str) -> None:
    sims = RNG.uniform(-1, 1, size=(20, 8))
    params = {"beta": None, "temperature": 0.001}
    hub = fresh(name, **params).fit(sims)
    assert np.isfinite(hub.fitted_["item_bias"]).all()


@bank_methods
def test_r10_hnswlib_147_negative_distances_are_no_distances(name: str) -> None:
    with pytest.raises(InvalidInput, match="are these similarities"):
        fresh(name, score_type="distance").fit(BANK - 2)
    hub = fresh(name, score_type="distance").fit(BANK)
    with pytest.raises(InvalidInput, match="are these similarities"):
        hub.transform(LIVE - 2)


def test_r10_a_distance_is_stored_with_the_version() -> None:
    hub = Csls(score_type="distance").fit(BANK)
    assert hub.version_.resolved["score_type"] == "distance"
    similarities = Csls().fit(-BANK)
    np.testing.assert_allclose(hub.transform(LIVE), similarities.transform(-LIVE))


def test_r11_no_hubness_package_is_needed() -> None:
    peers = {"kiez", "skhubness", "hub_toolbox", "nnn", "ot", "torch", "sklearn"}
    folder = Path(normalizers.__file__).parent / "hubness"
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            module = node.module if isinstance(node, ast.ImportFrom) else None
            tops = {name.partition(".")[0] for name in (*names, module or "")}
            assert not tops & peers, path
