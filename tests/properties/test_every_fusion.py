"""Laws of every fusion: order of runs, ties, pages, parts, directions, duplicates."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples, shift
from tests.properties.samples import same_bits
from tests.unit.scores.fusion.fusing import (
    ALL,
    SCORE,
    WEIGHTED,
    check_parts,
    fused,
    scored,
)

# Two dozen methods have these laws each; an ordinary run tries each law on a third of them.
FEW_EXAMPLES = settings(max_examples=examples(8), deadline=None, derandomize=True)
IDS = "abcdefg"
LAWS = ("order", "parts", "pages", "itself", "twice", "queries")
SCORE_VALUES = st.sampled_from([-2.5, -1.0, 0.0, 0.1, 0.25, 0.3, 1.0, 7.0, 1e3])
LISTS = st.dictionaries(st.sampled_from(IDS), SCORE_VALUES, max_size=len(IDS))
WEIGHT = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.0, 3.0])
NORMALIZERS = st.sampled_from(["min_max", "z_score", "identity", "rank", "dbsf"])
# A raw fusion of these may find no positive score: nothing is left to tell documents apart.
MEANS = ("geometric_mean", "harmonic_mean")


def written(lists):
    return [
        {"name": f"run {index}", "ids": list(hits), "scores": list(hits.values())}
        for index, hits in enumerate(lists)
    ]


@st.composite
def requests(draw, method):
    """Draw runs and parameters; `convex` takes two runs."""
    few, many = (2, 2) if method == "convex" else (1, 4)
    runs = written(draw(st.lists(LISTS, min_size=few, max_size=many)))
    asked = {"normalizer": draw(NORMALIZERS)} if method in SCORE else {}
    if method == "convex":
        asked["alpha_run"] = "run 1"
    if method in WEIGHTED:
        asked["weights"] = {run["name"]: draw(WEIGHT) for run in runs}
    return runs, asked


@pytest.mark.parametrize("method", shift("order", ALL))
@FEW_EXAMPLES
@given(data=st.data())
def test_the_order_of_the_runs_changes_no_bit(method, data) -> None:
    runs, asked = data.draw(requests(method))
    shuffled = data.draw(st.permutations(runs))
    first, again = fused(method, *runs, **asked), fused(method, *shuffled, **asked)
    assert first["ids"].tolist() == again["ids"].tolist()
    assert same_bits(first["scores"], again["scores"])


@pytest.mark.parametrize("method", shift("parts", ALL))
@FEW_EXAMPLES
@given(data=st.data())
def test_parts_add_up_and_ties_are_by_id(method, data) -> None:
    runs, asked = data.draw(requests(method))
    answer = fused(method, *runs, explain=True, **asked)
    check_parts(answer)
    pairs = list(scored(answer).items())
    assert pairs == sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
    assert {name for name, _ in pairs} == {name for run in runs for name in run["ids"]}
    for hit in answer.explain:
        assert [part["run"] for part in hit["parts"]] == [run["name"] for run in runs]


@pytest.mark.parametrize("method", shift("pages", ALL))
@FEW_EXAMPLES
@given(data=st.data(), size=st.integers(1, 4))
def test_pages_are_slices_of_the_whole(method, data, size) -> None:
    runs, asked = data.draw(requests(method))
    whole = list(scored(fused(method, *runs, **asked)).items())
    pages = [
        list(scored(fused(method, *runs, top_k=size, offset=start, **asked)).items())
        for start in range(0, len(IDS) + size, size)
    ]
    assert [pair for page in pages for pair in page] == whole


@pytest.mark.parametrize("method", shift("itself", ALL))
@FEW_EXAMPLES
@given(hits=LISTS, better=st.booleans())
def test_a_ranking_fused_with_itself_keeps_its_order(method, hits, better) -> None:
    runs = [{**run, "higher_is_better": better} for run in written([hits, hits])]
    sign = -1 if better else 1
    order = sorted(hits, key=lambda name: (sign * hits[name], name))
    answer = scored(fused(method, *runs))
    assert all(answer[a] >= answer[b] for a, b in itertools.pairwise(order))
    if method not in MEANS:
        assert list(answer) == order or len(set(answer.values())) < len(answer)


@pytest.mark.parametrize("method", shift("twice", ALL))
@FEW_EXAMPLES
@given(data=st.data())
def test_an_id_twice_counts_as_its_best_occurrence(method, data) -> None:
    runs, asked = data.draw(requests(method))
    worse = data.draw(st.lists(st.sampled_from([0.0, 0.5, 9.0]), max_size=3))
    twice = [
        {
            **run,
            "ids": run["ids"] + run["ids"][: len(worse)],
            "scores": run["scores"]
            + [score - less for score, less in zip(run["scores"], worse, strict=False)],
        }
        for run in runs
    ]
    first, again = fused(method, *runs, **asked), fused(method, *twice, **asked)
    assert first["ids"].tolist() == again["ids"].tolist()
    assert same_bits(first["scores"], again["scores"])


@pytest.mark.parametrize("method", shift("queries", ALL))
@FEW_EXAMPLES
@given(data=st.data())
def test_queries_do_not_know_of_each_other(method, data) -> None:
    count = 2 if method == "convex" else 3
    queries = data.draw(
        st.lists(st.lists(LISTS, min_size=count, max_size=count), min_size=1, max_size=4)
    )
    together = [
        {
            "name": f"run {index}",
            "ids": [list(query[index]) for query in queries],
            "scores": [list(query[index].values()) for query in queries],
        }
        for index in range(count)
    ]
    answer = fused(method, *together)
    for place, query in enumerate(queries):
        alone = fused(method, *written(query))
        assert answer["ids"][place].tolist() == alone["ids"].tolist()
        assert same_bits(np.asarray(answer["scores"][place]), alone["scores"])


def test_every_fusion_has_its_turn_with_a_law() -> None:
    assert {name for law in LAWS for name in shift(law, ALL)} == set(ALL)
