"""What the report of a whitening says, and stored versions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.errors import FitError, InvalidParams
from tests.unit.embeddings.covariance.whitening.samples import (
    FULL,
    advice_codes,
    rows,
    warning_codes,
)

DATA = Path(__file__).parents[6] / "shared" / "data" / "embeddings"


def test_the_report_gives_the_numbers_of_the_spectrum() -> None:
    x = rows(300, 4, offset=1.0)
    report = Whitening().fit(x).report_
    values = np.linalg.eigvalsh(np.cov(x.T))[::-1]
    share = values / values.sum()
    ratio = values.sum() ** 2 / np.sum(values**2)
    assert report["participation_ratio"] == pytest.approx(ratio)
    assert report["isoscore"] == pytest.approx((ratio - 1) / 3)
    assert report["entropy_effective_rank"] == pytest.approx(np.exp(-share @ np.log(share)))
    assert report["condition_number"] == pytest.approx(values[0] / values[-1])
    energy = np.sum(x.mean(axis=0) ** 2) / np.mean(np.sum(x**2, axis=1))
    assert report["mean_energy_fraction"] == pytest.approx(energy)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    cosines = unit @ unit.T
    assert report["average_cosine"] == pytest.approx((cosines.sum() - 300) / (300 * 299))
    np.testing.assert_allclose(report["spectrum"], values)
    reached = np.cumsum(share)
    assert report["dims_for_variance"] == {
        name: int(np.argmax(reached >= float(name) / 100)) + 1 for name in ("90", "95", "99")
    }
    assert report["n_over_d"] == 75


def test_dead_dims_are_listed_and_those_of_them_that_are_constant() -> None:
    x = rows(60, 4)
    x[:, 1] = 14.62
    x[:, 3] *= 1e-9
    report = Whitening().fit(x).report_
    assert (report["dead_dims"], report["constant_dims"]) == ([1, 3], [1])


@pytest.mark.skipif(not DATA.exists(), reason="the shared data are not here")
def test_the_signs_of_e5_hold_a_third_of_their_bits() -> None:
    with np.load(DATA / "e5_parallel.npz") as found:
        x = found["en"].astype(np.float64)
    share = np.mean(x > 0, axis=0)
    seen = np.array([share, 1 - share])
    bits = -np.sum(seen * np.log2(np.where(seen > 0, seen, 1.0)))
    assert Whitening().fit(x).report_["sign_entropy"] == pytest.approx(bits, abs=1.0)
    assert bits == pytest.approx(139, abs=2)
    assert Whitening().fit([[5.0, 1.0], [5.0, -1.0]]).report_["sign_entropy"] == pytest.approx(1.0)


def test_advice() -> None:
    generator = np.random.default_rng(2)
    round_space = generator.normal(size=(400, 8))
    assert advice_codes(Whitening().fit(round_space)) == {"no_change"}
    assert advice_codes(Whitening(**FULL).fit(round_space)) == {"stay_soft"}
    assert "centre" in advice_codes(Whitening().fit(round_space + 1.0))
    assert "no_change" not in advice_codes(Whitening().fit(round_space + 1.0))
    narrow = generator.normal(size=(400, 20)) * np.array([10.0] + [0.1] * 19)
    assert "whiten" in advice_codes(Whitening().fit(narrow))
    assert "shrink" in advice_codes(Whitening(**FULL).fit(round_space[:20]))
    assert "shrink" not in advice_codes(Whitening().fit(round_space[:20]))


STRENGTH_ADVICE = {"no_change", "stay_soft", "whiten", "try"}


@pytest.mark.parametrize("d", [2, 3, 8, 48])
@pytest.mark.parametrize(
    ("isoscore", "codes"),
    [
        (0.05, {"whiten"}),
        (0.087, {"whiten"}),
        (0.110, {"whiten"}),
        (0.14, {"try"}),
        (0.165, {"no_change", "stay_soft"}),
        (0.202, {"no_change", "stay_soft"}),
        (0.288, {"no_change", "stay_soft"}),
        (0.9, {"no_change", "stay_soft"}),
    ],
)
def test_advice_on_strength_is_one_and_follows_the_isoscore_in_any_number_of_dims(
    d: int, isoscore: float, codes: set[str]
) -> None:
    ratio = 1 + isoscore * (d - 1)
    # One large eigenvalue beside d - 1 equal ones has this participation ratio.
    spread = np.sqrt((d - 1) * (d / ratio - 1))
    values = np.array([1 + spread, *[1 - spread / (d - 1)] * (d - 1)])
    for params in ({}, FULL):
        for offset in (0.0, 9.0):
            posted = {"n": 10_000 * d, "mean": [offset] * d, "cov": np.diag(values), "ddof": 1}
            method = Whitening(**params).fit_statistics(scatter=posted)
            assert method.report_["isoscore"] == pytest.approx(isoscore)
            found = advice_codes(method) & STRENGTH_ADVICE
            assert len(found) == 1
            # A long mean hides what the directions tell.
            assert found <= ({"try"} if offset and codes == {"whiten"} else codes)
            assert ("no_change" in found) <= (not params and offset == 0)


def test_one_dim_has_no_advice_on_strength() -> None:
    assert not advice_codes(Whitening().fit(rows(50, 1))) & STRENGTH_ADVICE


def test_equal_eigenvalues_are_named_where_coordinates_depend_on_them() -> None:
    x = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    assert "equal_eigenvalues" in warning_codes(Whitening(variant="pca").fit(x))
    assert "equal_eigenvalues" not in warning_codes(Whitening(variant="zca").fit(x))


def test_a_floor_below_the_rounding_of_the_input_is_refused_by_the_self_check() -> None:
    pairs = rows(40, 2)
    noise = np.random.default_rng(3).normal(size=(40, 2)) * 1e-8
    with pytest.raises(FitError, match="rel_floor"):
        Whitening(rel_floor=1e-300, **FULL).fit(np.hstack([pairs, pairs + noise]))


def test_faiss_pr_2085_negative_rounding_among_the_eigenvalues() -> None:
    x = np.diag([4.0, 1.0, 0.0]) - 1e-12
    method = Whitening(**FULL).fit_statistics(
        scatter={"n": 50, "mean": [0.0] * 3, "cov": (x + x.T) / 2, "ddof": 1}
    )
    assert method.report_["rank"] == 2
    assert np.isfinite(method.transform([[1.0, 1.0, 1.0]])).all()


def test_exclusive_and_unknown_parameters() -> None:
    with pytest.raises(InvalidParams, match="eps_rel"):
        Whitening(eps=1.0, eps_rel=1.0).fit(rows())
    with pytest.raises(InvalidParams, match="did you mean"):
        Whitening(epsilon=1.0)


def test_inputs_stay_as_they_are_and_explain_gives_the_statistics() -> None:
    x = rows()
    x.flags.writeable = False
    method = Whitening(post="l2", pre="l2").fit(x)
    parts = method.apply_to(x=x, explain=True).explain
    np.testing.assert_array_equal(parts["mean"], method.fitted_["mean"])


def test_a_stored_version_serves_the_same_bits(tmp_path: Path) -> None:
    from normalizers.catalogue.catalogue import Catalogue
    from normalizers.versions.file import read

    x = rows(60, 8).astype(np.float32)
    method = Whitening().fit(x)
    path = tmp_path / "whitening.safetensors"
    method.save(path)
    loaded = read(path, Catalogue([Whitening]))
    np.testing.assert_array_equal(loaded.transform({"x": x}).output["y"], method.transform(x))
    assert loaded.report["rank"] == method.report_["rank"]
