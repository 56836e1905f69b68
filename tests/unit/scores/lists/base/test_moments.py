"""Deviations from a mean: both scopes, the divisor, constants, the range, the way back."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import errors
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.evaluation import drift
from normalizers.versions import fitting

METHODS = ("z_score", "dbsf", "z_sigmoid", "normal_cdf")
SCORES = [12.7, 9.3, 0.4]
BY_METHOD = pytest.mark.parametrize("name", METHODS)


@BY_METHOD
@pytest.mark.parametrize("ddof", [0, 1])
def test_the_divisor_is_that_of_numpy(name: str, ddof: int) -> None:
    method = CATALOGUE.create(name, {"ddof": ddof})
    answer = method.apply_to(scores=SCORES)
    assert answer["loc"].tolist() == pytest.approx([np.mean(SCORES)])
    assert answer["scale"].tolist() == pytest.approx([np.std(SCORES, ddof=ddof)])
    parts = method.apply_to(scores=SCORES, explain=True).explain
    assert parts[0]["n"] == 3
    assert parts[0]["std"] == pytest.approx(np.std(SCORES, ddof=ddof))


@BY_METHOD
@pytest.mark.parametrize("wrong", [-1, 2, 0.5, True])
def test_another_divisor_is_refused(name: str, wrong: object) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        CATALOGUE.create(name, {"ddof": wrong}).validated()
    assert caught.value.path == "params.ddof"


@BY_METHOD
def test_a_sample_and_a_list_of_the_same_scores_agree(name: str) -> None:
    own = CATALOGUE.create(name).transform(SCORES)
    fitted = CATALOGUE.create(name).fit(SCORES).transform(SCORES)
    np.testing.assert_allclose(fitted, own, rtol=1e-14)


@BY_METHOD
def test_scores_beyond_the_sample_are_flagged_and_counted(name: str) -> None:
    answer = CATALOGUE.create(name).fit(SCORES).apply_to(scores=[[5.0, 20.0], [0.0, 1.0]])
    assert answer.flags["out_of_range"].tolist() == [[0, 1], [1, 0]]
    assert answer.report == {"out_of_range": 0.5}


@BY_METHOD
@pytest.mark.parametrize("up", [True, False])
def test_stored_moments_give_scores_back(name: str, up: bool) -> None:
    method = CATALOGUE.create(name, {"higher_is_better": up}).fit(SCORES)
    values = method.transform([11.0, 3.0, -4.0])
    np.testing.assert_allclose(method.inverse_transform(values), [11.0, 3.0, -4.0], rtol=1e-9)


@BY_METHOD
def test_moments_alone_suffice(name: str) -> None:
    moments = {"n": 3, "mean": [np.mean(SCORES)], "std": [np.std(SCORES, ddof=1)], "ddof": 1}
    method = CATALOGUE.create(name)
    version = fitting.from_statistics(method, {"moments": moments})
    answer = version.transform({"scores": SCORES})
    np.testing.assert_allclose(answer["values"], method.transform(SCORES), rtol=1e-12)
    assert "out_of_range" not in (answer.report or {})


@BY_METHOD
@pytest.mark.parametrize(
    ("extrema", "path"),
    [
        ({"n": [4], "min": [0.0], "max": [9.0]}, "extrema.n"),
        ({"n": [3], "min": [6.0], "max": [9.0]}, "moments.mean"),
        ({"n": [3], "min": [4.9], "max": [5.1]}, "moments"),
        ({"n": [3, 3], "min": [0.0, 0.0], "max": [9.0, 9.0]}, "extrema"),
    ],
)
def test_moments_and_a_range_that_contradict_each_other_are_refused(
    name: str, extrema: dict[str, object], path: str
) -> None:
    moments = {"n": [3], "mean": [5.0], "m2": [2.0]}
    with pytest.raises(errors.InvalidInput) as caught:
        fitting.from_statistics(CATALOGUE.create(name), {"moments": moments, "extrema": extrema})
    assert caught.value.path == f"statistics.{path}"


@BY_METHOD
def test_several_columns_are_refused(name: str) -> None:
    moments = {"n": [3, 3], "mean": [5.0, 1.0], "m2": [2.0, 1.0]}
    with pytest.raises(errors.InvalidInput, match="one column"):
        fitting.from_statistics(CATALOGUE.create(name), {"moments": moments})


@BY_METHOD
def test_beside_a_constant_sample_a_new_score_stays_visible(name: str) -> None:
    method = CATALOGUE.create(name).fit([3.0, 3.0, 3.0])
    answer = method.apply_to(scores=[[2.0, 3.0, 4.0]])
    low, middle, high = answer["values"][0]
    assert low < middle < high
    assert answer.flags["constant"].tolist() == [0]
    np.testing.assert_allclose(method.inverse_transform(answer["values"])[0], [2.0, 3.0, 4.0])


@BY_METHOD
def test_rules_for_a_constant_sample(name: str) -> None:
    fitted = [CATALOGUE.create(name, {"on_constant": rule}).fit([3.0]) for rule in ("zero", "keep")]
    assert [method.transform([2.0, 3.0]).tolist() for method in fitted] == [[0.0, 0.0], [2.0, 3.0]]
    assert fitted[0].inverse_transform([0.0]).tolist() == [3.0]
    assert fitted[1].inverse_transform([2.0]).tolist() == [2.0]
    with pytest.raises(errors.InvalidParams, match="on_constant"):
        CATALOGUE.create(name, {"on_constant": "error"}).fit([3.0]).transform([3.0])


@BY_METHOD
def test_a_list_that_was_kept_comes_back(name: str) -> None:
    method = CATALOGUE.create(name, {"on_constant": "keep"})
    answer = method.apply_to(scores=[[37.5, 37.5], [1.0, 2.0]])
    sent = {field: answer[field] for field in ("values", "loc", "scale")}
    back = method.version_.inverse(sent)["scores"]
    np.testing.assert_allclose(np.concatenate(back), [37.5, 37.5, 1.0, 2.0])


@pytest.mark.parametrize("name", [*METHODS, "gamma_cdf"])
@pytest.mark.parametrize("wrong", [1e-150, 1e150])
def test_a_score_that_cannot_be_squared_is_named(name: str, wrong: float) -> None:
    method = CATALOGUE.create(name)
    with pytest.raises(errors.InvalidInput, match="1e-140") as caught:
        method.fit([1.0, wrong, 2.0])
    assert caught.value.path == "fit.scores[1]"
    version = method.fit([1.0, 2.0]).version_
    with pytest.raises(errors.InvalidInput, match="1e-140") as caught:
        drift(version, version.read({"scores": [1.0, 2.0, wrong]}))
    assert caught.value.path == "input.scores[2]"


@pytest.mark.parametrize("name", [*METHODS, "gamma_cdf", "min_max"])
def test_a_fit_without_spread_warns(name: str) -> None:
    method = CATALOGUE.create(name, {"scope": "fitted"})
    for scores in ([3.0], [2.0, 2.0]):
        (warned,) = method.fit(scores).version_.fitted.warnings
        assert warned.code == "constant_scores"
        assert "'scale_one'" in warned.message
    assert not method.fit([1.0, 2.0]).version_.fitted.warnings


OTHERS = ["boltzmann", "max", "percentile", "quantile_transform", "tmm"]


@pytest.mark.parametrize("name", OTHERS)
def test_r34_a_fit_without_spread_warns_whatever_the_method(name: str) -> None:
    params = {"tmm": {"theoretical_min": 0.0}, "quantile_transform": {"n_quantiles": 1}}
    method = CATALOGUE.create(name, params.get(name, {}))
    for scores in ([3.0], [2.0, 2.0]):
        (warned,) = method.fit(scores).version_.fitted.warnings
        assert warned.code == "constant_scores"
        assert warned.message.startswith("the sample has no spread: ")
    assert not method.fit([1.0, 2.0]).version_.fitted.warnings


@BY_METHOD
def test_an_empty_range_beside_posted_moments_is_no_range(name: str) -> None:
    moments = {"n": 3, "mean": 2, "std": 1, "ddof": 0}
    posted = {"moments": moments, "extrema": {}}
    version = fitting.from_statistics(CATALOGUE.create(name, {"scope": "fitted"}), posted)
    assert "lower" not in version.fitted.arrays
    assert list(version.statistics or ()) == ["moments"]


@pytest.mark.parametrize("name", ["z_sigmoid", "normal_cdf"])
def test_the_ends_of_a_share_come_back_as_their_neighbours(name: str) -> None:
    method = CATALOGUE.create(name).fit([-1.0, 1.0])
    answer = method.version_.inverse({"values": [0.0, 0.5, 1.0]})
    assert np.isfinite(answer["scores"]).all()
    assert answer["scores"][1] == 0.0
    assert answer.flags["clipped"].tolist() == [[0, 0], [0, 2]]
    with pytest.raises(errors.InvalidInput, match="0 to 1"):
        method.inverse_transform([1.5])


def test_dbsf_beyond_its_ends_is_clamped_only_when_that_is_asked() -> None:
    scores = [0.0] * 20 + [1.0]
    plain = CATALOGUE.create("dbsf").apply_to(scores=scores)
    clipped = CATALOGUE.create("dbsf", {"clip": True}).apply_to(scores=scores)
    assert plain["values"][-1] > 1.0
    assert clipped["values"][-1] == 1.0
    assert "clipped" not in plain.flags
    assert clipped.flags["clipped"].tolist() == [[0, 20]]


def test_dbsf_by_peers() -> None:
    peers = {name: CATALOGUE.create("dbsf", {"preset": name}) for name in ("qdrant", "haystack")}
    values = {name: method.transform([1.0, 3.0]).tolist() for name, method in peers.items()}
    assert values["haystack"] == pytest.approx([1 / 3, 2 / 3])
    assert values["qdrant"] == pytest.approx([0.5 - 1 / 6 / 2**0.5, 0.5 + 1 / 6 / 2**0.5])
    assert CATALOGUE.create("dbsf", {"preset": "llama_index"}).transform([0.0]).tolist() == [0.0]


def test_z_score_of_opensearch_has_rules_of_its_own() -> None:
    method = CATALOGUE.create("z_score", {"variant": "opensearch"})
    answer = method.apply_to(scores=[[1.0, 2.0, 3.0, 6.0], [5.0], []])
    assert answer["values"][0].round(4).tolist() == [0.001, 0.001, 6.0, 1.3887]
    assert answer["values"][1].tolist() == [5.0]
    assert answer.effective_params["ddof"] == 1
    for wrong in ({"scope": "fitted"}, {"ddof": 0}, {"constant_value": 0.0}):
        with pytest.raises(errors.InvalidParams, match="opensearch"):
            CATALOGUE.create("z_score", {"variant": "opensearch", **wrong}).validated()
    with pytest.raises(errors.UnsupportedOperation):
        method.version_.inverse({"values": [1.0]})
