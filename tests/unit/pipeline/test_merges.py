"""Statistics of pipelines: merged, streamed, on the wire."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from normalizers import MinMax
from normalizers.contract.resolution import params_affecting
from normalizers.errors import (
    IncompatibleStatistics,
    InvalidInput,
    NormalizerError,
    NotEnoughData,
    ShapeError,
    UnsupportedOperation,
)
from normalizers.versions import fitting
from normalizers.versions.file import to_bytes
from tests.unit.pipeline.samples import (
    QUERY_ENDS,
    QUERY_RANKS,
    ROWS,
    SCORES,
    clone_fitted,
    pipeline,
)


def test_any_split_merges_to_one_fit() -> None:
    chain = pipeline(QUERY_ENDS, "percentile")
    lists = [[1.0, 2.0, 3.0], [4.0, 9.0, 5.0], [7.0], [], [2.0, 2.0, 8.0]]
    whole = fitting.fit(chain, {"scores": lists})
    for cut in range(1, len(lists)):
        parts = [fitting.fit(chain, {"scores": part}) for part in (lists[:cut], lists[cut:])]
        if parts[1].n:
            merged = fitting.merge(chain.validated(), parts[::-1])
            assert to_bytes(merged) == to_bytes(whole)


def test_a_stream_equals_one_fit() -> None:
    chain = pipeline(QUERY_ENDS, "percentile")
    for part in ([1.0, 2.0, 3.0], [4.0, 9.0, 5.0]):
        chain.partial_fit([part])
    whole = pipeline(QUERY_ENDS, "percentile").fit([[1.0, 2.0, 3.0], [4.0, 9.0, 5.0]])
    assert to_bytes(chain.version_) == to_bytes(whole.version_)


def test_removed_rows_leave_the_others() -> None:
    chain = pipeline("whitening")
    one, two = clone_fitted(chain, ROWS[:10]), clone_fitted(chain, ROWS[10:])
    whole = fitting.merge(chain.validated(), [one, two])
    settled = params_affecting(whole.resolved_method, "statistics")
    rest = fitting.minus(chain.validated(), whole.statistics, [one], settled)
    np.testing.assert_allclose(rest.fitted["steps.0.W"], two.fitted["steps.0.W"], atol=1e-12)
    assert rest.n == 20


def test_two_fitted_steps_neither_stream_nor_merge() -> None:
    chain = pipeline("whitening", "whitening").fit(ROWS)
    with pytest.raises(IncompatibleStatistics, match="two fitted steps does not merge"):
        chain.merge(chain)
    with pytest.raises(UnsupportedOperation, match="not fitted from a stream; fit it at once"):
        pipeline("whitening", "whitening").partial_fit(ROWS)
    assert not chain.streams


def test_statistics_on_the_wire_are_a_list() -> None:
    chain = pipeline(QUERY_ENDS, "percentile").fit([SCORES])
    members = chain.statistics_.to_arrays()
    assert [sorted(part) for part in members["steps"]] == [[], ["quantiles"]]  # type: ignore[union-attr]
    again = pipeline(QUERY_ENDS, "percentile").fit_statistics(**members)
    assert to_bytes(again.version_) == to_bytes(chain.version_)


def test_statistics_of_two_fitted_steps_on_the_wire() -> None:
    chain = pipeline("min_max", "percentile").fit(SCORES)
    again = pipeline("min_max", "percentile").fit_statistics(**chain.statistics_.to_arrays())
    assert again.transform([2.0, 5.0]).tolist() == chain.transform([2.0, 5.0]).tolist()


@pytest.mark.parametrize(
    ("steps", "error", "place", "what"),
    [
        ([{}], ShapeError, "statistics.steps", "a list of 2 objects"),
        ([{}, {}, {}], ShapeError, "statistics.steps", "a list of 2 objects"),
        ("x", ShapeError, "statistics.steps", "a list of 2 objects"),
        ([{}, 3], InvalidInput, "statistics.steps[1]", "an object by name"),
        ([3, {}], InvalidInput, "statistics.steps[0]", "an object by name"),
        (
            [{"extrema": {}}, {}],
            InvalidInput,
            "statistics.steps[0].extrema",
            "unknown statistic",
        ),
        (
            [{}, {"quantile": {}}],
            InvalidInput,
            "statistics.steps[1].quantile",
            "did you mean 'quantiles'",
        ),
        ([{}, {"quantiles": 3}], InvalidInput, "statistics.steps[1].quantiles", "object"),
        ([{}, {}], NotEnoughData, "", "nothing to fit"),
    ],
)
def test_wrong_statistics_are_refused_with_their_place(
    steps: object, error: type[NormalizerError], place: str, what: str
) -> None:
    with pytest.raises(error, match=what) as caught:
        pipeline(QUERY_ENDS, "percentile").fit_statistics(steps=steps)
    assert caught.value.path == place


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (["whitening"], [{"method": "whitening", "params": {"pre": "l2"}}]),
        (["whitening"], ["whitening", "whitening"]),
        (
            [QUERY_ENDS, "percentile"],
            [{"method": "min_max", "params": {"scope": "query", "floor": 0.5}}, "percentile"],
        ),
        (
            [MinMax().fit([0.0, 1.0]), "percentile"],
            [MinMax().fit([0.0, 2.0]), "percentile"],
        ),
    ],
)
def test_statistics_of_other_steps_do_not_merge(
    mine: Sequence[object], theirs: Sequence[object]
) -> None:
    data = ROWS if mine == ["whitening"] else SCORES
    one, two = (pipeline(*steps).fit(data) for steps in (mine, theirs))
    with pytest.raises(IncompatibleStatistics):
        one.merge(two)


def test_what_follows_the_statistics_may_differ_in_a_merge() -> None:
    plain = pipeline("min_max", QUERY_RANKS)
    floored = pipeline({"method": "min_max", "params": {"floor": 0.5}}, "min_max_inverted")
    versions = [fitting.fit(plain, {"scores": [0.0, 4.0]})]
    with pytest.raises(IncompatibleStatistics):
        fitting.merge(plain.validated(), [*versions, fitting.fit(floored, {"scores": [1.0]})])
    other = pipeline({"method": "min_max", "params": {"floor": 0.5}}, QUERY_RANKS)
    versions.append(fitting.fit(other, {"scores": [1.0, 10.0]}))
    merged = fitting.merge(plain.validated(), versions)
    assert merged.fitted["steps.0.upper"] == 10.0
