"""K20: whose numbers a fit is of."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import InvertedSoftmax, MinMax, Pipeline, Whitening, WindowZScore, ZScore, load
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.method import FITTED_KINDS, SOURCED_FAMILIES
from normalizers.errors import IncompatibleStatistics, InvalidInput, InvalidParams

X = np.random.default_rng(0).normal(size=(20, 3))


def test_k20_every_fitted_method_of_these_families_can_be_told_its_source() -> None:
    for cls in CATALOGUE.values():
        fitted = not FITTED_KINDS.isdisjoint(cls.kinds)
        expected = cls.family in SOURCED_FAMILIES and fitted
        assert ("source" in cls.parameters) == expected, cls.name
        assert cls().knows_source == expected
        if expected:
            assert cls.parameters["source"].affects == "statistics"


def test_k20_the_source_is_stored_and_echoed(tmp_path) -> None:  # type: ignore[no-untyped-def]
    Whitening(source="e5-small").fit(X).save(tmp_path / "w.safetensors")
    again = load(tmp_path / "w.safetensors")
    assert again.report_["params"]["source"] == "e5-small"
    assert again.apply_to(X).effective_params["source"] == "e5-small"


@pytest.mark.parametrize("other", ["minilm", None])
def test_k20_fits_of_two_models_do_not_merge(other: str | None) -> None:
    mine, theirs = Whitening(source="e5-small").fit(X), Whitening(source=other).fit(X)
    with pytest.raises(IncompatibleStatistics, match="'source' is 'e5-small' here"):
        mine.merge(theirs)


def test_k20_a_request_of_another_model_is_refused() -> None:
    method = Whitening(source="e5-small").fit(X)
    method.transform(X, source="e5-small")
    with pytest.raises(InvalidInput, match="of 'e5-small', and the request of 'minilm'") as caught:
        method.transform(X, source="minilm")
    assert caught.value.path == "options.source"
    with pytest.raises(InvalidInput):
        method.inverse_transform(X, source="minilm")


def test_k20_what_was_not_told_is_warned_about() -> None:
    answer = ZScore(scope="fitted").fit([1.0, 2.0]).apply_to([3.0], source="minilm")
    assert [noted.code for noted in answer.warnings] == ["source_unknown"]


def test_k20_a_pipeline_knows_the_sources_of_its_steps() -> None:
    steps = [{"method": "whitening", "params": {"source": "e5-small"}}, "unit_norm"]
    method = Pipeline(steps=steps).fit(X)
    method.transform(X, source="e5-small")
    with pytest.raises(InvalidInput, match="e5-small"):
        method.transform(X, source="minilm")


def test_k20_methods_without_such_a_fit_take_no_source() -> None:
    with pytest.raises(InvalidParams, match="source"):
        WindowZScore().transform([1.0, 2.0], source="minilm")
    assert MinMax.parameters["source"].help == InvertedSoftmax.parameters["source"].help
