"""The sum of many parts: its cost, its bounds, and that it is the sum."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Percentile
from normalizers.statistics import Knots, Moments, Quantiles, Sample, Statistic, quantiles
from normalizers.statistics.total import total

PARTS, LIMIT = 1_000, 1_000
SCORES = np.random.default_rng(17).normal(size=PARTS * 200)


@pytest.mark.parametrize("scores", [SCORES, np.sort(SCORES)], ids=["mixed", "sorted"])
def test_r17_a_sketch_of_many_parts_proves_a_small_bound_that_holds(scores: np.ndarray) -> None:
    parts = [Quantiles(LIMIT).update(part[:, None]) for part in np.split(scores, PARTS)]
    sketch = total(parts)
    ordered = np.sort(scores)
    bound = sketch.rank_error[0]
    assert sketch.n == len(scores)
    assert len(sketch.values) <= LIMIT
    assert 0 < bound <= 0.02 * len(scores)
    for kind, side in (("strict", "left"), ("weak", "right")):
        told = sketch.share_below(ordered, kind) * len(scores)
        assert np.abs(told - np.searchsorted(ordered, ordered, side=side)).max() <= bound


def test_r17_every_row_of_many_parts_is_counted_a_few_times_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved = 0
    tallied = quantiles.tallied

    def counted(values: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nonlocal moved
        moved += len(values)
        return tallied(values, counts)

    parts = [Percentile(scope="fitted").fit(part) for part in np.split(SCORES, PARTS)]
    monkeypatch.setattr(quantiles, "tallied", counted)
    merged = parts[0].merge(*parts[1:])
    assert moved <= 3 * len(SCORES)
    whole = Percentile(scope="fitted").fit(SCORES)
    assert np.array_equal(merged.transform(SCORES[:50]), whole.transform(SCORES[:50]))


@pytest.mark.parametrize("sizes", [[3] * 50, [40, 1, 1, 30, 0, 1, 200, 5] * 5, [0, 0, 2], [0]])
def test_r17_exact_parts_of_any_size_add_up_to_the_bits_of_the_whole(sizes: list[int]) -> None:
    rows = np.random.default_rng(1).integers(0, 90, size=(sum(sizes), 2)).astype(float)
    splits = np.split(rows, np.cumsum(sizes)[:-1])
    empties: list[tuple[Statistic, list[np.ndarray]]] = [
        (Quantiles(), splits),
        (Sample(["scores"]), [part[:, 0] for part in splits]),
    ]
    for empty, parts in empties:
        _require_equal(total([empty.update(part) for part in parts]), empty.update(_all(parts)))
    pairs = total([Knots().update(part[:, 0], part[:, 1]) for part in splits])
    assert pairs.n == len(rows)
    moments = total([Moments().update(part) for part in splits])
    np.testing.assert_allclose(moments.mean, rows.mean(axis=0) if len(rows) else [0, 0], rtol=1e-13)


def test_r17_one_part_is_itself_and_none_is_refused() -> None:
    part = Moments().update(np.array([[1.0]]))
    assert total([part]) is part
    with pytest.raises(ValueError, match="nothing to add up"):
        total([])


def _all(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts)


def _require_equal(found: Statistic, expected: Statistic) -> None:
    mine, theirs = found.to_arrays(), expected.to_arrays()
    assert mine.keys() == theirs.keys()
    for name in mine:
        assert np.array_equal(mine[name], theirs[name])
