"""Z-scores by patches, cut at their ends and within."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import CausalPatchZScore, ExpandingZScore
from tests.unit.series.causal.samples import STREAM, in_chunks


def test_chunks_that_end_with_patches_give_the_same_bits() -> None:
    method = CausalPatchZScore(patch=3)
    whole = method.apply_to(x=STREAM)
    for cuts in ([3, 6, 12], [9], [3, 3, 6]):
        parts = in_chunks(method, STREAM, cuts)
        for name in ("y", "loc", "scale"):
            assert np.concatenate([part[name] for part in parts]).tobytes() == whole[name].tobytes()


def test_a_cut_patch_is_answered_with_what_there_is() -> None:
    y = CausalPatchZScore(patch=4).apply_to(x=[1.0, 3.0])
    assert y["loc"].tolist() == [2.0, 2.0]
    rest = CausalPatchZScore(patch=4).apply_to(x=[5.0, 7.0, 0.0], state=y["state"])
    assert rest["loc"].tolist() == [4.0, 4.0, 3.2]


def test_a_patch_of_one_step_is_an_expanding_z_score() -> None:
    expected = ExpandingZScore().transform(STREAM)
    assert CausalPatchZScore(patch=1).transform(STREAM).tobytes() == expected.tobytes()


@pytest.mark.parametrize("length", [3, 6, 12])
def test_no_step_sees_beyond_the_end_of_its_patch(length: int) -> None:
    method = CausalPatchZScore(patch=3)
    whole = method.transform(STREAM)
    assert method.transform(STREAM[:length]).tobytes() == whole[:length].tobytes()
