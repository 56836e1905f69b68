"""Stateless methods as plain functions."""

from __future__ import annotations

import pytest

from normalizers import MinMax, ReciprocalRankFusion
from normalizers.catalogue.functions import answering, function_of
from normalizers.errors import InvalidParams


def test_a_function_gives_the_main_output() -> None:
    min_max = function_of(MinMax)
    assert min_max([3.0, 1.0, 2.0]).tolist() == [1.0, 0.0, 0.5]
    assert min_max([3.0, 1.0], higher_is_better=False).tolist() == [0.0, 1.0]
    assert (min_max.__name__, min_max.__doc__) == ("min_max", MinMax.__doc__)


def test_a_function_refuses_as_its_method_does() -> None:
    with pytest.raises(InvalidParams, match="did you mean 'bounds'"):
        function_of(MinMax)([1.0], bound="fixed")  # type: ignore[call-arg]


def test_a_fusion_gives_the_whole_answer() -> None:
    fused = answering(ReciprocalRankFusion)([{"ids": ["a", "b"]}, {"ids": ["b"]}])
    assert fused["ids"].tolist() == ["b", "a"]  # type: ignore[union-attr]
    assert len(fused["scores"]) == 2  # type: ignore[arg-type]
