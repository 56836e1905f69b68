"""Laws of rank fusion: pages, duplicates, weights, ties."""

from __future__ import annotations

import itertools
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from normalizers import ReciprocalRankFusion
from tests.properties.samples import EXAMPLES, same_bits

IDS = "abcdefgh"
RUN = st.permutations(IDS).flatmap(
    lambda ids: st.integers(0, len(IDS)).map(lambda length: list(ids[:length]))
)
RUNS = st.lists(RUN, min_size=1, max_size=4)
REPEATING = st.lists(st.sampled_from(IDS), min_size=1, max_size=12)
WEIGHT = st.integers(1, 7).map(float)


def written(runs):
    return [{"name": f"run {index}", "ids": ids} for index, ids in enumerate(runs)]


def fused(runs, **asked):
    params = {name: asked.pop(name) for name in ("weights", "k") if name in asked}
    return ReciprocalRankFusion(**params).apply_to(runs=written(runs), **asked)


@EXAMPLES
@given(runs=RUNS, size=st.integers(1, 5))
def test_pages_are_slices_of_the_whole(runs, size) -> None:
    whole = fused(runs)
    pages = [fused(runs, top_k=size, offset=start) for start in range(0, len(IDS) + size, size)]
    assert list(itertools.chain(*(page["ids"] for page in pages))) == whole["ids"].tolist()
    assert same_bits(np.concatenate([page["scores"] for page in pages]), whole["scores"])
    assert {page.extra["total"] for page in pages} == {whole.extra["total"]}


@EXAMPLES
@given(run=REPEATING, other=RUN)
def test_an_id_sent_twice_counts_at_its_best_place(run, other) -> None:
    once = list(dict.fromkeys(run))
    repeated, single = fused([run, other]), fused([once, other])
    assert set(repeated["ids"]) == set(single["ids"])
    if run == once:
        assert same_bits(repeated["scores"], single["scores"])
    else:
        assert "duplicate_ids" in {noted.code for noted in repeated.warnings}


@EXAMPLES
@given(runs=RUNS, data=st.data())
def test_runs_may_come_in_any_order_with_their_weights(runs, data) -> None:
    weights = {f"run {i}": data.draw(WEIGHT) for i in range(len(runs))}
    order = data.draw(st.permutations(range(len(runs))))
    method = ReciprocalRankFusion(weights=weights)
    named = written(runs)
    first = method.apply_to(runs=named)
    again = method.apply_to(runs=[named[index] for index in order])
    assert first["ids"].tolist() == again["ids"].tolist()
    assert same_bits(first["scores"], again["scores"])


@EXAMPLES
@given(runs=RUNS, data=st.data())
def test_doubled_weights_double_the_scores(runs, data) -> None:
    weights = [data.draw(WEIGHT) for _ in runs]
    once, twice = fused(runs, weights=weights), fused(runs, weights=[2 * w for w in weights])
    assert once["ids"].tolist() == twice["ids"].tolist()
    assert same_bits(2 * once["scores"], twice["scores"])


@EXAMPLES
@given(runs=RUNS)
def test_the_score_is_the_sum_over_the_runs(runs) -> None:
    answer = fused(runs)
    expected = {
        name: math.fsum(1 / (60 + run.index(name) + 1) for run in runs if name in run)
        for name in set(itertools.chain(*runs))
    }
    assert dict(zip(answer["ids"], answer["scores"], strict=True)) == expected
    assert answer["ids"].tolist() == sorted(expected, key=lambda name: (-expected[name], name))


@EXAMPLES
@given(order=st.permutations(IDS), turns=st.integers(1, 7))
def test_equal_ranks_in_another_order_of_runs_tie_exactly(order, turns) -> None:
    rotated = [*order[turns:], *order[:turns]]
    answer = fused([order, rotated, rotated[::-1], order[::-1]])
    by_id = dict(zip(answer["ids"], answer["scores"], strict=True))
    for name in IDS:
        ranks = sorted(run.index(name) for run in (list(order), rotated))
        for other in IDS:
            theirs = sorted(run.index(other) for run in (list(order), rotated))
            if ranks == theirs:
                assert by_id[name] == by_id[other]


@EXAMPLES
@given(runs=RUNS, missing=st.integers(0, 3))
def test_an_empty_run_changes_nothing(runs, missing) -> None:
    extended = [*runs[:missing], [], *runs[missing:]]
    assert fused(extended)["ids"].tolist() == fused(runs)["ids"].tolist()
    assert same_bits(fused(extended)["scores"], fused(runs)["scores"])
