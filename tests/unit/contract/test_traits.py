"""Traits: what a method is like, declared once and read on the method with its parameters."""

from __future__ import annotations

from normalizers import Logistic, Pipeline, RollingZScore, Whitening, WindowZScore
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.traits import Traits
from normalizers.series.base.series_normalizer import SeriesNormalizer


def test_every_method_says_its_traits_without_parameters() -> None:
    assert all(isinstance(cls().traits, Traits) for cls in CATALOGUE.values())


def test_a_subclass_changes_one_trait_and_keeps_the_others() -> None:
    assert WindowZScore().traits.monotone
    assert WindowZScore().traits.flag_axes == SeriesNormalizer.traits.flag_axes
    assert RollingZScore().traits.options == {"layout", "start_step"}


def test_traits_follow_from_parameters() -> None:
    assert Whitening(variant="zca").traits.preserves_columns
    assert not Whitening(variant="pca").traits.preserves_columns
    assert Logistic().traits.options == frozenset()
    assert "top_k" in Logistic(features="score_presence").traits.options


def test_a_pipeline_has_the_traits_of_its_steps() -> None:
    rotated = Pipeline(steps=[{"method": "whitening", "params": {"variant": "pca"}}])
    assert not rotated.validated().traits.preserves_columns
    assert rotated.validated().traits.devices == ("cpu", "cuda")
