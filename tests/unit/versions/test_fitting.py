"""Every way to a version: data, statistics, a stream, a merge, and rows taken away."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from normalizers import InverseSquareRank, InvertedSoftmax, MinMax, Percentile, Whitening
from normalizers.contract.resolution import params_affecting
from normalizers.errors import (
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NotEnoughData,
    NotFitted,
    UnsupportedOperation,
)
from normalizers.versions import fitting
from normalizers.versions.file import to_bytes

ROWS = np.random.default_rng(0).normal(size=(20, 3))
BANK = np.abs(ROWS)


def test_data_statistics_and_a_stream_lead_to_one_version() -> None:
    method = MinMax().validated()
    version = fitting.fit(method, {"scores": [1.0, 5.0, 9.0]})
    posted = fitting.from_statistics(method, {"extrema": {"n": 3, "min": 1.0, "max": 9.0}})
    settings = fitting.stream_settings(method)
    parts = [
        fitting.partial(method, fitting.read_fit(method, {"scores": part}), settings)
        for part in ([9.0], [5.0, 1.0])
    ]
    streamed = fitting.merge(method, [], parts, settings)
    assert to_bytes(version) == to_bytes(posted) == to_bytes(streamed)


def test_versions_and_further_statistics_merge() -> None:
    method = Whitening().validated()
    version = fitting.fit(method, {"x": ROWS[:10]})
    settings = params_affecting(version.resolved_method, "statistics")
    more = fitting.partial(method, fitting.read_fit(method, {"x": ROWS[10:]}), settings)
    assert fitting.merge(method, [version], [more]).n == 20
    with pytest.raises(InvalidInput, match="nothing to merge") as caught:
        fitting.merge(method, [])
    assert caught.value.path == "refs"


def test_rows_are_taken_away_again() -> None:
    method = Whitening().validated()
    one, two = (fitting.fit(method, {"x": rows}) for rows in (ROWS[:5], ROWS[5:]))
    whole = fitting.merge(method, [one, two])
    settings = params_affecting(whole.resolved_method, "statistics")
    rest = fitting.minus(method, whole.statistics, [one], settings)
    np.testing.assert_allclose(rest.fitted["mean"], two.fitted["mean"], atol=1e-12)
    with pytest.raises(NotEnoughData, match="nothing to fit"):
        fitting.minus(method, whole.statistics, [one, two], settings)


def test_parameters_of_the_merged_version_are_those_asked_for() -> None:
    version = fitting.fit(Whitening(), {"x": ROWS})
    other = fitting.merge(Whitening(n_components=1).validated(), [version])
    assert other.fitted["W"].shape == (3, 1)
    assert version.fitted["W"].shape == (3, 3)


def test_what_the_data_decided_holds_for_the_merge() -> None:
    version = fitting.fit(InvertedSoftmax(), {"bank_sims": BANK})
    merged = fitting.merge(version.method, [version, version])
    assert merged.resolved["beta"] == version.resolved["beta"]
    assert merged.explicit_params == {}
    temperature = fitting.fit(InvertedSoftmax(temperature=0.5), {"bank_sims": BANK})
    again = fitting.merge(temperature.method, [temperature, temperature])
    assert (again.resolved["beta"], again.resolved.get("temperature")) == (2.0, None)
    assert again.explicit_params == {"temperature": 0.5}
    with pytest.raises(IncompatibleStatistics, match="'beta'"):
        fitting.merge(version.method, [version, temperature])


@pytest.mark.parametrize("values", [{"x": []}, {"x": np.zeros((0, 3))}])
def test_no_rows_are_no_fit(values: dict[str, object]) -> None:
    with pytest.raises(NotEnoughData, match="nothing to fit: no rows"):
        fitting.fit(Whitening(), values)


def test_a_fitted_method_is_not_stateless() -> None:
    with pytest.raises(NotFitted, match="send one of fit"):
        fitting.stateless(Whitening())
    with pytest.raises(UnsupportedOperation, match="'isr' is not fitted") as caught:
        fitting.fit(InverseSquareRank(), {})
    assert caught.value.path == "fit"
    with pytest.raises(UnsupportedOperation, match="scope: 'fitted'"):
        fitting.from_statistics(MinMax(scope="query"), {})


def test_parameters_are_checked_before_the_data() -> None:
    with pytest.raises(InvalidParams):
        fitting.fit(Whitening(eps=-1.0), {"x": "nonsense"})


def test_a_place_in_the_request_is_told() -> None:
    with pytest.raises(InvalidInput) as caught:
        fitting.fit(Whitening(), {"x": [[1.0, "a"]]}, path="body.fit")
    assert caught.value.path == "body.fit.x[0][1]"
    with pytest.raises(InvalidInput) as caught:
        fitting.from_statistics(Whitening(), {"scatters": {}}, path="body.statistics")
    assert caught.value.path == "body.statistics.scatters"


@pytest.mark.parametrize(
    ("mine", "theirs"), [({"pre": "l2"}, {}), ({"pre": "l2"}, {"pre": "none"}), ({}, {"k": 1})]
)
def test_other_settings_are_refused_by_name(
    mine: dict[str, object], theirs: dict[str, object]
) -> None:
    fitting.require_same_settings(mine, mine)
    with pytest.raises(IncompatibleStatistics, match="do not merge") as caught:
        fitting.require_same_settings(mine, theirs)
    assert caught.value.path == f"params.{next(iter({**mine, **theirs}))}"


def test_two_methods_do_not_merge_and_both_are_named() -> None:
    versions = [
        fitting.fit(MinMax(), {"scores": [1.0, 2.0]}),
        fitting.fit(Percentile(), {"scores": [1.0, 2.0]}),
        fitting.fit(Whitening(), {"x": ROWS}),
    ]
    for one, other in permutations(versions, 2):
        told = f"'{one.method.name}' and '{other.method.name}' are two methods"
        with pytest.raises(IncompatibleStatistics, match=told):
            fitting.merge(one.method, [one, other])
        with pytest.raises(IncompatibleStatistics, match=told):
            fitting.merge(one.method, [other])
