"""Public reports about normalizers of lists, each as a test of its whole kind."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.errors import InvalidInput, NonFiniteError
from normalizers.normalizer import Normalizer

REQUIRED = {"milvus_map": {"similarity": "dot"}, "tmm": {"theoretical_min": 0.0}}
# Methods that measure a list by itself, and what one hit or equal scores give.
OWN_CONSTANT = {
    "min_max": 1.0,
    "banded_min_max": 1.0,
    "sum": 1.0,
    "dbsf": 0.5,
    "z_sigmoid": 0.5,
    "normal_cdf": 0.5,
    "gamma_cdf": 0.5,
    "z_score": 0.0,
}
OF_SCORES = (
    "min_max", "banded_min_max", "tmm", "max", "sum", "z_score", "l2", "dbsf", "z_sigmoid",
    "normal_cdf", "gamma_cdf", "sigmoid", "identity", "milvus_map", "positive_map", "percentile",
    "boltzmann",
)  # fmt: skip
OF_RANKS = ("rank", "reciprocal_rank")
NAN = float("nan")


def made(name: str, **params: object) -> Normalizer:
    return CATALOGUE.create(name, {**REQUIRED.get(name, {}), **params})


@pytest.mark.parametrize("name", OWN_CONSTANT)
@pytest.mark.parametrize("scores", [[3.2], [0.1, 0.1, 0.1], [1e300, 1e300], [1e-300]])
def test_weaviate_3243_haystack_12507_a_list_without_spread_has_a_stated_value(
    name: str, scores: list[float]
) -> None:
    answer = made(name).apply_to(scores=[scores, [0.9, 0.5]])
    expected = OWN_CONSTANT[name]
    if name == "banded_min_max":
        np.testing.assert_allclose(answer["values"][0], expected)
    else:
        assert answer["values"][0].tolist() == [expected] * len(scores)
    assert answer.flags["constant"].tolist() == [0]


@pytest.mark.parametrize("name", OWN_CONSTANT)
def test_elasticsearch_128689_raw_scores_stay_only_where_that_is_asked(name: str) -> None:
    assert max(made(name).transform([37.5])) <= 1.0
    assert made(name, on_constant="keep").transform([37.5]).tolist() == [37.5]


@pytest.mark.parametrize("name", OWN_CONSTANT)
def test_llama_index_decides_a_constant_list_by_its_sign(name: str) -> None:
    rule = made(name, on_constant="one_if_positive")
    if name != "banded_min_max":
        assert [part.tolist() for part in rule.transform([[2.0, 2.0], [0.0]])] == [
            [1.0, 1.0],
            [0.0],
        ]


@pytest.mark.parametrize("name", OF_SCORES)
@pytest.mark.parametrize("policy", ["omit", "last", "propagate"])
def test_haystack_11491_a_missing_score_is_refused_or_stays_in_its_place(
    name: str, policy: str
) -> None:
    with pytest.raises(NonFiniteError) as caught:
        made(name).transform([[0.4, NAN], [0.1]])
    assert caught.value.path == "input.scores[0][1]"
    answer = made(name, nan_policy=policy).apply_to(scores=[[0.4, NAN, 0.2], [0.1]])
    alone = made(name).transform([0.4, 0.2])
    assert answer["values"][0][[0, 2]].tolist() == alone.tolist()
    assert answer.flags["missing"].tolist() == [[0, 1]]


@pytest.mark.parametrize("name", OF_RANKS)
def test_haystack_11491_ranks_use_the_place_where_a_score_is_missing(name: str) -> None:
    placed = made(name).transform([[0.4, None, 0.9], [0.1, 0.2]])
    assert placed[0].tolist() == made(name).transform([3.0, 2.0, 1.0]).tolist()
    assert placed[1].tolist() == made(name).transform([1.0, 2.0]).tolist()
    left_out = made(name, nan_policy="omit").transform([0.4, NAN, 0.9])
    assert left_out[[0, 2]].tolist() == made(name).transform([0.4, 0.9]).tolist()
    with pytest.raises(NonFiniteError) as caught:
        made(name).transform([0.4, float("inf")])
    assert caught.value.path == "input.scores[1]"


@pytest.mark.parametrize(
    "name", [name for name in (*OF_SCORES, *OF_RANKS) if name not in ("max", "tmm", "milvus_map")]
)
@pytest.mark.parametrize("stated", [{"higher_is_better": False}, {"similarity": "l2"}])
def test_qdrant_10611_distances_are_not_similarities(name: str, stated: dict[str, object]) -> None:
    values = made(name, **stated).transform([0.1, 0.4, 0.9])
    assert values[0] > values[1] > values[2]


def test_qdrant_10611_what_needs_more_than_a_direction_says_so() -> None:
    distances = [0.1, 0.4, 0.9]
    with pytest.raises(InvalidInput, match="higher_is_better"):
        made("max", similarity="l2").transform(distances)
    mapped = made("milvus_map", similarity="l2").transform(distances)
    scaled = made("tmm", theoretical_min=2.0, similarity="cosine_distance").transform(distances)
    assert mapped[0] > mapped[1] > mapped[2]
    assert scaled[0] > scaled[1] > scaled[2]


@pytest.mark.parametrize("name", OF_SCORES)
def test_elasticsearch_120201_negative_scores_keep_their_distances(name: str) -> None:
    if name in ("max", "gamma_cdf"):
        with pytest.raises(InvalidInput, match=r"positive|above 0"):
            made(name).transform([-0.5, -2.0, -7.0])
        return
    values = made(name, **({"theoretical_min": -8.0} if name == "tmm" else {})).transform(
        [-0.5, -2.0, -7.0]
    )
    assert values[0] > values[1] > values[2]


def test_a_largest_score_that_is_not_positive_is_refused_with_a_hint() -> None:
    with pytest.raises(InvalidInput, match="min_max") as caught:
        made("max").transform([[1.0], [-0.5, -2.0, -7.0], [0.0]])
    assert caught.value.path == "input.scores[1]"


def test_opensearch_z_score_a_score_at_the_mean_stays_at_the_mean() -> None:
    z, sigmoid = (made(name).transform([1.0, 2.0, 3.0]) for name in ("z_score", "z_sigmoid"))
    assert z.round(4).tolist() == [-1.2247, 0.0, 1.2247]
    assert sigmoid.round(3).tolist() == [0.227, 0.5, 0.773]
    peer = CATALOGUE.create("z_score", {"preset": "opensearch"}).transform([[1.0, 2.0, 3.0], [4.0]])
    assert [part.tolist() for part in peer] == [[0.001, 3.0, 1.0], [4.0]]


@pytest.mark.parametrize("name", [*OF_SCORES, *OF_RANKS])
def test_empty_lists_and_no_lists_are_ordinary(name: str) -> None:
    answer = made(name).apply_to(scores=[[], [1.0, 2.0], []])
    assert [len(part) for part in answer["values"]] == [0, 2, 0]
    assert "constant" not in answer.flags
    assert made(name).transform([]).tolist() == []


@pytest.mark.parametrize("name", [*OF_SCORES, *OF_RANKS])
def test_inputs_are_never_modified(name: str) -> None:
    sent = np.array([3.0, 1.0, 2.0])
    sent.setflags(write=False)
    made(name).transform(sent)
    assert sent.tolist() == [3.0, 1.0, 2.0]


@pytest.mark.parametrize("name", [*OF_SCORES, *OF_RANKS])
def test_a_floor_lifts_values_and_says_so_on_the_way_back(name: str) -> None:
    method = made(name, floor=0.9)
    answer = method.apply_to(scores=[3.0, 1.0, 2.0])
    plain = made(name).transform([3.0, 1.0, 2.0])
    assert answer["values"].tolist() == np.maximum(plain, 0.9).tolist()
    returns = method.version_.resolved_method.inverse_takes
    if returns and name not in ("reciprocal_rank",):
        back = method.version_.inverse({field: answer[field] for field in returns})
        lifted = np.flatnonzero(plain < 0.9)
        assert set(lifted) <= {int(place[-1]) for place in back.flags.get("clipped", [])}
