"""Laws of list normalizers, rank fusion and z-scores of series, over random inputs."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from normalizers import MinMax, Percentile, ReciprocalRankFusion, RollingZScore, WindowZScore
from tests.effort import examples

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda number: round(number, 3))
SCORES = st.lists(NUMBERS, min_size=1, max_size=12)
GAPPY = st.lists(st.one_of(NUMBERS, st.just(math.nan)), min_size=1, max_size=30)
RUN = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3)),
    min_size=0,
    max_size=8,
    unique_by=lambda hit: hit[0],
)
EXAMPLES = settings(max_examples=examples(60), deadline=None, derandomize=True)


@EXAMPLES
@given(SCORES, st.booleans())
def test_list_normalizers_are_monotone_and_bounded(
    scores: list[float], higher_is_better: bool
) -> None:
    order = np.argsort(scores, kind="stable")
    for method in (MinMax, Percentile):
        values = method(higher_is_better=higher_is_better).transform(scores)
        steps = np.diff(values[order])
        assert (steps >= 0).all() if higher_is_better else (steps <= 0).all()
        assert ((values >= 0) & (values <= 1)).all()


@EXAMPLES
@given(SCORES)
def test_min_max_comes_back(scores: list[float]) -> None:
    answer = MinMax().apply_to(scores=scores)
    back = MinMax().inverse_transform(**{name: answer[name] for name in answer.output})
    assert np.allclose(back, scores, rtol=1e-12, atol=1e-9)


@EXAMPLES
@given(st.lists(RUN, min_size=1, max_size=4))
def test_fusion_does_not_depend_on_the_order_of_runs_or_hits(
    runs: list[list[tuple[str, int]]],
) -> None:
    written = [
        {"ids": [name for name, _ in run], "scores": [float(score) for _, score in run]}
        for run in runs
    ]
    first = ReciprocalRankFusion().apply_to(runs=written, explain=True)
    again = ReciprocalRankFusion().apply_to(
        runs=[{name: part[::-1] for name, part in run.items()} for run in written[::-1]]
    )
    assert first["ids"].tolist() == again["ids"].tolist()
    assert first["scores"].tobytes() == again["scores"].tobytes()
    for hit in first.explain:
        assert math.fsum(part["contribution"] for part in hit["parts"]) == hit["score"]


@EXAMPLES
@given(RUN, st.booleans())
def test_a_ranking_fused_with_itself_keeps_its_order(
    hits: list[tuple[str, int]], higher_is_better: bool
) -> None:
    run = {
        "ids": [name for name, _ in hits],
        "scores": [float(score) for _, score in hits],
        "higher_is_better": higher_is_better,
    }
    once = ReciprocalRankFusion().apply_to(runs=[run])["ids"].tolist()
    assert ReciprocalRankFusion().apply_to(runs=[run, run])["ids"].tolist() == once


@EXAMPLES
@given(GAPPY, st.integers(1, 9), st.booleans(), st.integers(0, 30))
def test_rolling_gives_the_same_bits_in_two_chunks(
    x: list[float], window: int, include_current: bool, cut: int
) -> None:
    method = RollingZScore(window=window, min_periods=1, include_current=include_current)
    whole = method.transform(x)
    first = method.apply_to(x=x[:cut])
    second = method.apply_to(x=x[cut:], state=first["state"])
    assert np.concatenate([first["y"], second["y"]]).tobytes() == whole.tobytes()


@EXAMPLES
@given(GAPPY, st.sampled_from([1e-200, 1.0, 1e200]))
def test_windows_come_back_at_any_magnitude(x: list[float], factor: float) -> None:
    method, scaled = WindowZScore(), np.array(x) * factor
    answer = method.apply_to(x=scaled)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    largest = np.nanmax(np.abs(scaled), initial=0.0)
    assert np.allclose(back, scaled, rtol=1e-12, atol=1e-15 * largest, equal_nan=True)
