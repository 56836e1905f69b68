"""K23: two spellings of one number, words in refusals, spellings of methods, arrays of fits."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Boltzmann, EwmZScore, GroupZScore, InvertedSoftmax, MinMax, UnitNorm
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract import Fitted
from normalizers.contract.parameter_models import accepted_words
from normalizers.errors import InvalidInput, InvalidParams, NonFiniteError

BANK = [[0.9, 0.2], [0.8, 0.4]]


@pytest.mark.parametrize("params", [{"alpha": 0.5}, {"span": 3.0}, {"decay": 0.5}])
def test_k23_a_number_in_another_spelling_is_used_stored_and_echoed_in_its_own(
    params: dict[str, float],
) -> None:
    answer = EwmZScore(**params).apply_to([1.0, 2.0, 4.0])
    used = answer.effective_params
    assert used["alpha"] == 0.5
    assert not {"span", "decay"} & used.keys()
    given = InvertedSoftmax(temperature=0.05).fit(BANK)
    assert given.version_.resolved["beta"] == 20.0
    assert given.version_.explicit_params == {"temperature": 0.05}


def test_k23_fits_in_two_spellings_merge() -> None:
    one, other = InvertedSoftmax(temperature=0.05), InvertedSoftmax(beta=20.0)
    merged = one.fit(BANK).merge(other.fit(BANK))
    assert merged.version_.n == 4
    one.set_params(temperature=None, beta=20.0).partial_fit(BANK)


def test_k23_one_spelling_is_given() -> None:
    for method in (EwmZScore(alpha=0.5, span=3.0), Boltzmann(beta=2.0, temperature=0.5)):
        with pytest.raises(InvalidParams, match="give one of"):
            method.validated()


def test_k23_a_number_that_its_own_spelling_refuses_is_refused_where_it_was_given() -> None:
    with pytest.raises(InvalidParams, match="as 'beta' this would be inf") as caught:
        InvertedSoftmax(temperature=5e-324).validated()
    assert caught.value.path == "params.temperature"


def test_k23_spellings_are_declared_and_exclude_each_other() -> None:
    found = {
        (cls.name, name, declared.spells.of)
        for cls in CATALOGUE.values()
        for name, declared in cls.parameters.items()
        if declared.spells is not None
    }
    assert {("inverted_softmax", "temperature", "beta"), ("ewm_z_score", "span", "alpha")} <= found
    for method, name, of in found:
        assert any({name, of} <= set(group) for group in CATALOGUE[method].exclusive)
        assert CATALOGUE[method].parameters[of].spells is None


def test_k23_refusals_list_the_words_that_this_method_takes() -> None:
    assert accepted_words(GroupZScore, "unknown_group") == ("error", "global", "median", "pass")
    fitted = GroupZScore().fit([1.0, 2.0, 4.0], groups=["a", "a", "a"])
    with pytest.raises(InvalidInput, match="unknown_group 'global', 'median' or 'pass' accepts"):
        fitted.transform([1.0], groups=["b"])
    with pytest.raises(NonFiniteError, match="'omit' leaves it out"):
        UnitNorm().transform([[np.nan, 1.0]])
    for cls in CATALOGUE.values():
        words = accepted_words(cls, "nan_policy")
        assert "nan_policy" not in cls.parameters or "reject" in words or not words, cls.name


def test_k23_aliases_are_not_inherited() -> None:
    class Derived(MinMax):
        name = "derived"

    assert MinMax.aliases
    assert (Derived.aliases, Derived.presets) == ({}, {})


def test_k23_no_parameter_is_called_input() -> None:
    assert [cls.name for cls in CATALOGUE.values() if "input" in cls.parameters] == []


def test_k23_a_fitted_number_of_numpy_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="the fitted 'scale' is a float64, not an array"):
        Fitted({"scale": np.float64(2.0)})  # type: ignore[dict-item]
