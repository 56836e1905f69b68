"""Whitening: formulas, softening, rank, numbers of the report, and public reports of failures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers.embeddings import Whitening
from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NonFiniteError,
    NotEnoughData,
    RankDeficient,
    ShapeError,
    UnsupportedOperation,
)

FULL = {"eps": 0.0, "shrinkage": "none"}


def rows(n: int = 200, d: int = 5, seed: int = 0, offset: float = 0.0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    mixing = generator.normal(size=(d, d)) + np.eye(d)
    return generator.normal(size=(n, d)) @ mixing + offset


def warning_codes(method: Whitening) -> set[str]:
    return {warning["code"] for warning in method.report_["warnings"]}


def advice_codes(method: Whitening) -> set[str]:
    return {item["code"] for item in method.report_["advice"]}


@pytest.mark.parametrize("variant", ["zca", "pca"])
def test_the_fit_set_gets_unit_covariance_and_zero_mean(variant: str) -> None:
    x = rows(offset=3.0)
    y = Whitening(variant=variant, **FULL).fit(x).transform(x)
    np.testing.assert_allclose(np.cov(y.T, ddof=1), np.eye(5), atol=1e-10)
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=1e-10)


def test_variants_agree_up_to_a_rotation() -> None:
    x = rows()
    zca = Whitening(variant="zca", **FULL).fit(x).transform(x)
    pca = Whitening(variant="pca", **FULL).fit(x).transform(x)
    np.testing.assert_allclose(zca @ zca.T, pca @ pca.T, atol=1e-9)


def test_zca_is_symmetric_and_leaves_white_rows_as_they_are() -> None:
    x = rows()
    white = Whitening(**FULL).fit(x).transform(x)
    again = Whitening(**FULL).fit(white)
    np.testing.assert_allclose(again.fitted_["W"], np.eye(5), atol=1e-9)
    np.testing.assert_array_equal(again.fitted_["W"], again.fitted_["W"].T)


def test_zca_follows_a_rotation_of_the_input() -> None:
    x = rows()
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0]
    turned = Whitening(**FULL).fit(x @ rotation).transform(x @ rotation)
    np.testing.assert_allclose(turned, Whitening(**FULL).fit(x).transform(x) @ rotation, atol=1e-9)


@pytest.mark.parametrize("params", [{}, FULL, {"strength": 0.3}, {"variant": "pca"}])
def test_inverse_round_trip(params: dict[str, object]) -> None:
    x = rows(offset=2.0)
    method = Whitening(**params).fit(x)
    np.testing.assert_allclose(method.inverse_transform(method.transform(x)), x, atol=1e-10)


def test_inverse_below_the_rank_is_the_projection_on_the_kept_directions() -> None:
    x = rows()
    method = Whitening(n_components=2, **FULL).fit(x)
    back = method.inverse_transform(method.transform(x))
    directions = np.linalg.eigh(np.cov(x.T))[1][:, -2:]
    mean = x.mean(axis=0)
    np.testing.assert_allclose(back, mean + (x - mean) @ directions @ directions.T, atol=1e-9)


def test_eps_rel_is_in_units_of_the_mean_variance() -> None:
    x = rows()
    mean_variance = np.trace(np.cov(x.T)) / 5
    relative = Whitening(eps_rel=2.0, shrinkage="none").fit(x)
    absolute = Whitening(eps=2.0 * mean_variance, shrinkage="none").fit(x)
    np.testing.assert_allclose(relative.fitted_["W"], absolute.fitted_["W"], rtol=1e-12)
    assert relative.report_["softening"]["eps"] == pytest.approx(2.0 * mean_variance)


def test_without_a_named_strength_whitening_is_soft_and_the_report_says_so() -> None:
    x = rows()
    default = Whitening().fit(x)
    np.testing.assert_array_equal(default.fitted_["W"], Whitening(eps_rel=3.0).fit(x).fitted_["W"])
    softening = default.report_["softening"]
    assert softening["eps_rel"] == pytest.approx(3.0)
    assert softening["strength"] == 1.0
    assert "eps_rel is 3" in softening["note"]
    assert default.version_.resolved["eps_rel"] == 3.0


@pytest.mark.parametrize("named", [{"strength": 1.0}, {"shrinkage": "none"}, {"eps": 0.0}])
def test_naming_any_strength_switches_the_soft_default_off(named: dict[str, object]) -> None:
    assert Whitening(**named).fit(rows()).report_["softening"]["eps"] == 0.0


def test_strength_zero_only_centres() -> None:
    x = rows(offset=4.0)
    y = Whitening(strength=0.0, shrinkage="none").fit(x).transform(x)
    np.testing.assert_allclose(y, x - x.mean(axis=0), atol=1e-10)


def test_a_number_as_shrinkage_equals_eps_up_to_one_factor() -> None:
    x = rows()
    weight = 0.4
    shrunk = Whitening(shrinkage=weight).fit(x).fitted_["W"]
    soft = Whitening(eps_rel=weight / (1 - weight), shrinkage="none").fit(x).fitted_["W"]
    np.testing.assert_allclose(shrunk, soft / np.sqrt(1 - weight), rtol=1e-10)


@pytest.mark.parametrize("n, estimator", [(49, "oas"), (50, "none")])
def test_auto_shrinks_below_ten_rows_a_dim(n: int, estimator: str) -> None:
    assert Whitening(eps=0.0).fit(rows(n)).report_["softening"]["shrinkage"] == estimator


def test_oas_acts_on_the_biased_covariance_and_is_scaled_back() -> None:
    from sklearn.covariance import oas

    x = rows(20)
    covariance, weight = oas(x)
    method = Whitening(eps=0.0, shrinkage="oas").fit(x)
    assert method.report_["softening"]["shrinkage_weight"] == pytest.approx(weight, rel=1e-12)
    values, vectors = np.linalg.eigh(covariance * 20 / 19)
    np.testing.assert_allclose(method.fitted_["W"], vectors / np.sqrt(values) @ vectors.T, 1e-9)


def test_statistics_without_n_fit_without_shrinkage_and_do_not_merge() -> None:
    x = rows(20)
    posted = {"mean": x.mean(axis=0), "cov": np.cov(x.T), "ddof": 1}
    method = Whitening(eps=0.0).fit_statistics(scatter=posted)
    assert method.report_["softening"]["shrinkage"] == "none"
    assert method.report_["n_over_d"] is None
    np.testing.assert_allclose(method.fitted_["W"], Whitening(**FULL).fit(x).fitted_["W"], 1e-9)
    with pytest.raises(IncompatibleStatistics):
        method.merge(Whitening(eps=0.0).fit(x))
    with pytest.raises(FitError, match="number of rows"):
        Whitening(shrinkage="oas").fit_statistics(scatter=posted)


def test_n_components_as_a_number_or_a_share_of_the_variance() -> None:
    x = rows(500, 3) @ np.diag([10.0, 3.0, 0.1])
    assert Whitening(n_components=2).fit(x).transform(x).shape == (500, 2)
    assert Whitening(n_components=0.9999).fit(x).transform(x).shape[1] == 2
    rank_two = Whitening(n_components=2, variant="zca", **FULL).fit(x)
    assert rank_two.transform(x).shape == (500, 3)
    assert np.linalg.matrix_rank(rank_two.fitted_["W"], tol=1e-6) == 2


@pytest.mark.parametrize(
    "n_components, variant", [(2, "pca"), (5, "zca"), (0.5, "pca"), (None, "zca")]
)
def test_the_variant_follows_from_the_number_of_components(
    n_components: object, variant: str
) -> None:
    method = Whitening(n_components=n_components).fit(rows())
    assert method.version_.resolved["variant"] == variant


@pytest.mark.parametrize("wrong", [0, 1.0, 1.5, -1, True, "2"])
def test_components_that_cannot_be_are_refused(wrong: object) -> None:
    with pytest.raises(InvalidParams) as caught:
        Whitening(n_components=wrong).fit(rows())
    assert caught.value.path == "params.n_components"


def test_more_components_than_the_rank_are_reduced_or_refused() -> None:
    x = rows(4, 6)
    method = Whitening(n_components=5, **FULL).fit(x)
    assert method.transform(x).shape == (4, 3)
    assert {"components_reduced", "null_directions_dropped"} <= warning_codes(method)
    with pytest.raises(RankDeficient) as caught:
        Whitening(n_components=5, rank_policy="error", **FULL).fit(x)
    assert caught.value.rank == 3
    assert "shrinkage" in caught.value.remedy


def test_the_cut_acts_on_the_eigenvalues_that_are_inverted() -> None:
    x = rows(4, 6)
    assert Whitening(eps=0.0, shrinkage="none").fit(x).report_["rank"] == 3
    assert Whitening(eps=0.1, shrinkage="none").fit(x).report_["rank"] == 6
    assert Whitening(eps=0.0, shrinkage=0.1).fit(x).report_["n_dropped"] == 0


def test_scikit_learn_29534_null_directions_are_dropped_not_amplified() -> None:
    pairs = rows(15, 2)
    x = np.hstack([pairs, pairs])
    method = Whitening(**FULL).fit(x)
    y = method.transform([[1.0, 0.0, 1.0, 0.0], [0.5, -1.0, 0.3, 0.2]])
    root = np.linalg.pinv(np.cov(x.T), rcond=1e-6, hermitian=True)
    values, vectors = np.linalg.eigh(root)
    expected = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    centred = np.array([[1.0, 0, 1, 0], [0.5, -1, 0.3, 0.2]]) - x.mean(axis=0)
    np.testing.assert_allclose(y, centred @ expected, atol=1e-6)
    assert (method.report_["rank"], method.report_["n_dropped"]) == (2, 2)


@pytest.mark.parametrize("ddof", [0, 1])
def test_scikit_learn_11001_ddof_is_stored_and_holds(ddof: int) -> None:
    x = rows(5, 2)
    method = Whitening(ddof=ddof, **FULL).fit(x)
    np.testing.assert_allclose(method.transform(x).var(axis=0, ddof=ddof), 1.0)
    assert method.report_["params"]["ddof"] == ddof


def test_bert_whitening_11_rows_given_as_columns_are_warned_about() -> None:
    method = Whitening().fit(rows(50, 5).T)
    assert (method.report_["n"], method.report_["d"]) == (5, 50)
    assert "fewer_rows_than_dims" in warning_codes(method)
    assert "few_rows_per_dim" in warning_codes(Whitening().fit(rows(24, 5)))
    assert not warning_codes(Whitening().fit(rows(25, 5)))


def test_bert_whitening_1_one_new_row_is_the_row_inside_a_batch() -> None:
    x = rows(100, 4)
    method = Whitening().fit(x)
    one = method.transform(x[7])
    assert one.shape == (4,)
    np.testing.assert_allclose(one, method.transform(x)[7], atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 5.0, 300.0])
def test_float32_rows_do_not_depend_on_their_batch(offset: float) -> None:
    x = rows(300, 64, offset=offset).astype(np.float32)
    method = Whitening().fit(x)
    batch = method.transform(x)
    assert batch.dtype == np.float32
    alone = np.stack([method.transform(row) for row in x[:20]])
    scale = np.linalg.norm(batch[:20], axis=1, keepdims=True)
    assert np.max(np.abs(alone - batch[:20]) / scale) < 1e-6 * max(1.0, offset)


def test_float32_with_a_long_mean_stays_close_to_float64() -> None:
    x = (rows(2000, 16) + 1000.0).astype(np.float32)
    method = Whitening(**FULL).fit(x)
    exact = method.transform(x.astype(np.float64))
    served = method.transform(x)
    cosine = np.sum(exact * served, axis=1) / (
        np.linalg.norm(exact, axis=1) * np.linalg.norm(served, axis=1)
    )
    assert np.all(1 - cosine < 1e-5)
    np.testing.assert_allclose(np.cov(exact.T), np.eye(16), atol=1e-6)


def test_float16_is_computed_in_float32() -> None:
    x = rows(100, 8).astype(np.float16)
    method = Whitening().fit(x)
    y = method.transform(x)
    assert y.dtype == np.float16
    np.testing.assert_array_equal(y, method.transform(x.astype(np.float32)).astype(np.float16))


def test_tiny_float32_rows_whose_matrix_would_overflow_float32() -> None:
    x = (rows(50, 3) * 1e-37).astype(np.float32)
    y = Whitening(**FULL).fit(x).transform(x)
    assert np.isfinite(y).all()
    np.testing.assert_allclose(np.cov(y.T), np.eye(3), atol=1e-3)


@pytest.mark.parametrize("size", [1e-139, 1e-30, 1e30, 1e139])
@pytest.mark.parametrize("params", [{}, FULL, {"strength": 0.5}])
def test_the_scale_of_the_rows_does_not_matter(size: float, params: dict[str, object]) -> None:
    x = rows(40, 4)
    x = np.where(np.abs(x) < 0.1, 0.1, x)
    base, scaled = Whitening(**params).fit(x), Whitening(**params).fit(x * size)
    strength = params.get("strength", 1.0)
    np.testing.assert_allclose(
        scaled.transform(x * size), base.transform(x) * size ** (1 - strength), rtol=1e-9
    )
    np.testing.assert_allclose(
        scaled.report_["participation_ratio"], base.report_["participation_ratio"]
    )


def test_rows_beyond_the_range_are_refused_in_a_fit_but_transformed() -> None:
    with pytest.raises(InvalidInput, match="1e140"):
        Whitening().fit(rows() * 1e200)
    y = Whitening().fit(rows()).transform([[1e300, 0, 0, 0, 0]])
    assert np.isfinite(y).all()


def test_order_and_shards_do_not_change_the_fit() -> None:
    x = rows(120, 6, offset=3.0)
    whole = Whitening(**FULL).fit(x).fitted_["W"]
    shuffled = np.random.default_rng(5).permutation(x)
    np.testing.assert_allclose(Whitening(**FULL).fit(shuffled).fitted_["W"], whole, atol=1e-10)
    parts = [Whitening(**FULL).fit(x[a:b]) for a, b in ((0, 5), (5, 60), (60, 120))]
    np.testing.assert_allclose(parts[2].merge(*parts[:2]).fitted_["W"], whole, atol=1e-10)
    stream = Whitening(**FULL)
    for row in x:
        stream.partial_fit(row)
    np.testing.assert_allclose(stream.fitted_["W"], whole, atol=1e-10)


def test_scikit_learn_12234_short_parts_merge() -> None:
    x = rows(12, 4)
    method = Whitening(**FULL).fit(x[:5]).partial_fit(x[5:6]).partial_fit(x[6:]).partial_fit(x[:0])
    np.testing.assert_allclose(
        method.fitted_["W"], Whitening(**FULL).fit(x).fitted_["W"], atol=1e-10
    )


def test_too_few_rows_and_rows_that_do_not_differ() -> None:
    with pytest.raises(NotEnoughData):
        Whitening().fit([1.0, 2.0, 3.0])
    with pytest.raises(NotEnoughData):
        Whitening(ddof=0).fit([[1.0, 2.0, 3.0]])
    with pytest.raises(NotEnoughData):
        Whitening().fit([])
    with pytest.raises(RankDeficient) as caught:
        Whitening(eps=1.0).fit([[0.1, 2.0]] * 7)
    assert caught.value.rank == 0


def test_no_rows_give_no_rows_and_another_width_is_refused() -> None:
    method = Whitening().fit(rows())
    assert method.transform(np.zeros((0, 5))).shape == (0, 5)
    assert method.transform([]).shape == (0,)
    assert method.inverse_transform(np.zeros((0, 5))).shape == (0, 5)
    with pytest.raises(ShapeError):
        method.transform([[1.0, 2.0]])


def test_unit_length_after_whitening_keeps_the_mean_at_zero_and_flags_it() -> None:
    x = rows(offset=1.0)
    method = Whitening(post="l2").fit(x)
    answer = method.apply_to(x=np.vstack([x[:2], x.mean(axis=0)]))
    y = answer.output["y"]
    np.testing.assert_allclose(np.linalg.norm(y[:2], axis=1), 1.0)
    np.testing.assert_array_equal(y[2], 0.0)
    assert answer.flags["zero_norm"].tolist() == [2]
    with pytest.raises(UnsupportedOperation):
        method.inverse_transform(y)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_unit_length_after_whitening_at_any_size(dtype: str, size: float) -> None:
    x = (rows(offset=2.0) * size).astype(dtype)
    method = Whitening(post="l2", strength=0.1).fit(x)
    beside = np.vstack([x, np.mean(x, axis=0, dtype=np.float64).astype(dtype)])
    y = method.transform(beside)
    np.testing.assert_allclose(np.linalg.norm(y[:-1], axis=1), 1.0, rtol=1e-5)
    np.testing.assert_array_equal(y[-1], 0.0)
    np.testing.assert_array_equal(method.transform(beside[-3:])[-1], 0.0)


def test_unit_length_before_whitening() -> None:
    x = rows()
    method = Whitening(pre="l2", **FULL).fit(x)
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_allclose(method.transform(x * 7), method.transform(unit), atol=1e-12)
    np.testing.assert_allclose(method.inverse_transform(method.transform(x)), unit, atol=1e-10)
    answer = method.apply_to(x=[[0.0] * 5, [1.0] * 5])
    assert answer.flags["zero_norm"].tolist() == [0]


def test_missing_values() -> None:
    x = rows()
    x[3, 2] = np.nan
    with pytest.raises(NonFiniteError) as caught:
        Whitening().fit(x)
    assert caught.value.path == "fit.x[3][2]"
    method = Whitening(nan_policy="omit").fit(x)
    np.testing.assert_array_equal(
        method.fitted_["W"], Whitening(nan_policy="omit").fit(np.delete(x, 3, axis=0)).fitted_["W"]
    )
    answer = method.apply_to(x=x[2:5])
    assert answer.flags["missing"].tolist() == [1]
    assert np.isnan(answer.output["y"][1]).all()
    assert np.isfinite(answer.output["y"][[0, 2]]).all()
    with pytest.raises(NonFiniteError, match=r"fit.x\[3\]\[2\]"):
        Whitening(nan_policy="propagate").fit(x)


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


def test_dead_dims_are_listed() -> None:
    x = rows(60, 4)
    x[:, 1] = 14.62
    x[:, 3] *= 1e-9
    assert Whitening().fit(x).report_["dead_dims"] == [1, 3]


def test_advice() -> None:
    generator = np.random.default_rng(2)
    round_space = generator.normal(size=(400, 8))
    assert {"no_change", "stay_soft"} <= advice_codes(Whitening().fit(round_space))
    assert "centre" in advice_codes(Whitening().fit(round_space + 1.0))
    assert "no_change" not in advice_codes(Whitening().fit(round_space + 1.0))
    narrow = generator.normal(size=(400, 20)) * np.array([10.0] + [0.1] * 19)
    assert "whiten" in advice_codes(Whitening().fit(narrow))
    assert "shrink" in advice_codes(Whitening(**FULL).fit(round_space[:20]))
    assert "shrink" not in advice_codes(Whitening().fit(round_space[:20]))


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
    from normalizers.catalogue import Catalogue
    from normalizers.version_file import read

    x = rows(60, 8).astype(np.float32)
    method = Whitening().fit(x)
    path = tmp_path / "whitening.safetensors"
    method.save(path)
    loaded = read(path, Catalogue([Whitening]))
    np.testing.assert_array_equal(loaded.transform({"x": x}).output["y"], method.transform(x))
    assert loaded.report["rank"] == method.report_["rank"]
