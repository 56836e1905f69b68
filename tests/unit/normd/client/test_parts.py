"""A fit of two parts above a limit: each is observed in blocks of its own, every row once."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import MomentMatching
from normalizers.testing.compare import assert_close
from normd.client.errors import TooLarge
from normd.client.split import cuts_of_fit
from normd.wire.descriptions import field_specs
from tests.unit.normd.client.conftest import Limited
from tests.unit.versions.test_fit_options import ChannelMeans

RANDOM = np.random.default_rng(7)
X = RANDOM.normal(2.0, 3.0, size=(270, 3))
REFERENCE = RANDOM.normal(-1.0, 2.73, size=(5, 3))
BOUND = 1e-12


def test_k1_nine_blocks_sent_by_the_client_give_the_statistics_of_the_whole(
    limited: Limited,
) -> None:
    client = limited(max_rows=30)
    progress: list[tuple[int, int]] = []
    made = client.fit(
        "a", "moment_matching", X, reference=REFERENCE,
        progress=lambda done, units: progress.append((done, units)),
    )  # fmt: skip
    assert made["version"] == 1
    assert len(progress) == 10
    assert progress[-1] == (275, 275)
    whole = MomentMatching().fit(X, reference=REFERENCE).statistics_
    assert_close(client.statistics("a"), whole.to_arrays(), BOUND)


def test_k1_observations_of_one_part_each_give_the_statistics_of_the_whole(
    limited: Limited,
) -> None:
    client = limited()
    client.create("a", "moment_matching")
    for block in np.array_split(X, 9):
        client.observe("a", block)
    client.observe("a", reference=REFERENCE)
    client.add_version("a", "observations")
    whole = MomentMatching().fit(X, reference=REFERENCE).statistics_
    assert_close(client.statistics("a"), whole.to_arrays(), BOUND)


def test_k3_a_fit_in_another_layout_is_cut_along_its_windows() -> None:
    fits = field_specs(ChannelMeans.fits)
    (cut,) = cuts_of_fit({"x": np.zeros((40, 7, 3))}, fits, "NCT")
    assert cut.units == 40
    # Time first: the windows are the last axis of another layout, or there are none.
    assert cuts_of_fit({"x": np.zeros((40, 7))}, fits, "TC") == []


def test_k2_rows_of_one_content_are_cut_and_those_of_the_other_are_not(limited: Limited) -> None:
    client = limited(max_rows=30)
    client.fit("frozen", "moment_matching", X[:30], reference=REFERENCE)
    client.fit("own", "moment_matching", REFERENCE, params={"content": "request"})
    asked: list[int] = []
    expected = MomentMatching().fit(X[:30], reference=REFERENCE).transform(X)
    found = client.transform("frozen", X, progress=lambda done, _: asked.append(done))
    assert_close(found, expected, BOUND)
    assert len(asked) > 1
    # Statistics of the rows sent: a cut would answer each block by its own.
    with pytest.raises(TooLarge, match="NORMD_MAX_ROWS"):
        client.transform("own", X)


def test_k2_facts_are_told_by_version_and_by_parameters(limited: Limited) -> None:
    client = limited()
    client.fit("a", "moment_matching", REFERENCE, params={"content": "request"})
    own = client.version_method("a@1")
    assert own["capabilities"]["batch_invariant"] is False
    assert list(own["fits"]) == ["reference"]
    assert list(own["returns"]) == ["y", "loc", "scale"]
    assert own["params"]["content"] == "request"
    shown = client.method("moment_matching")
    assert shown["varies"] is True
    assert shown["capabilities"]["batch_invariant"] is True
    asked = client.method("moment_matching", {"content": "request"})
    assert asked["capabilities"] == own["capabilities"]
    client.create("open", "moment_matching")
    assert client.version_method("open")["capabilities"]["batch_invariant"] is True


def test_k1_a_large_reference_is_cut_too_and_what_is_no_row_goes_along() -> None:
    fits = field_specs(MomentMatching().fits)
    cuts = cuts_of_fit({"x": X, "reference": X[:100]}, fits)
    assert [(cut.units, list(cut.fields)) for cut in cuts] == [(270, ["x"]), (100, ["reference"])]
    assert cuts_of_fit({"x": X[:1], "reference": X[:1]}, fits) == []
