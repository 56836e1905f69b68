"""Ids of items stand once in a file, and once in memory."""

from __future__ import annotations

import json

import numpy as np
import pytest
from safetensors.numpy import load

from normalizers import InvertedSoftmax
from normalizers.data.arrays import string_array
from normalizers.errors import CorruptVersion
from normalizers.versions.file import from_bytes, read_manifest, to_bytes
from normalizers.versions.shared_ids import restored, shared_ids

IDS = string_array("abc")


def test_k18_ids_stand_once_in_a_file_and_once_in_memory() -> None:
    hub = InvertedSoftmax(beta=2.0).fit(np.eye(3), gallery_ids=IDS)
    content = to_bytes(hub.version_)
    held = [name for name in load(content) if "item_ids" in name]
    assert len(held) == 2  # bytes of the text, and where each id starts
    assert read_manifest(content)["shared_ids"] == {
        "fitted.item_ids": "statistics.log_sum_exp.item_ids"
    }
    again = from_bytes(content)
    assert again.fitted["item_ids"].tolist() == list("abc")
    kept = again.statistics["log_sum_exp"].item_ids  # type: ignore[attr-defined]
    assert np.shares_memory(again.fitted["item_ids"], kept)
    assert to_bytes(again) == content


def test_k18_a_file_without_ids_says_nothing_of_them() -> None:
    content = to_bytes(InvertedSoftmax(beta=2.0).fit(np.eye(3)).version_)
    assert "shared_ids" not in json.dumps(read_manifest(content))


def test_other_ids_are_not_shared() -> None:
    other = string_array("abd")
    arrays = {"fitted.item_ids": IDS, "statistics.s.item_ids": other, "fitted.keys": IDS}
    assert shared_ids(arrays) == {}


@pytest.mark.parametrize(
    "places",
    [
        {"fitted.item_ids": "statistics.s.keys"},
        {"fitted.keys": "statistics.s.item_ids"},
        {"statistics.s.item_ids": "statistics.s.item_ids"},
        {"fitted.item_ids": "statistics.t.item_ids"},
        {"fitted.item_ids": 3},
        {"fitted.item_ids": ["statistics.s.item_ids"]},
    ],
)
def test_places_that_hold_no_ids_are_refused(places: dict[str, object]) -> None:
    arrays = {"statistics.s.item_ids": IDS, "statistics.s.keys": IDS}
    with pytest.raises(CorruptVersion):
        restored(arrays, places)
