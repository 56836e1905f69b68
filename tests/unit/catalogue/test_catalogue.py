"""Every method by name: spellings, aliases, presets, third parties."""

from __future__ import annotations

import pytest

from normalizers import InvertedSoftmax, MinMax, Whitening
from normalizers.catalogue import catalogue as module
from normalizers.catalogue.catalogue import CATALOGUE, Catalogue, normalized
from normalizers.contract.answer import Answer, Options, answer
from normalizers.contract.fields import Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.contract.parameters import param
from normalizers.data.batch import Batch
from normalizers.errors import InvalidParams, UnknownName
from normalizers.normalizer import Normalizer


class Doubled(Normalizer):
    """Twice the number."""

    name = "doubled"
    family = "samples"
    aliases = {"times-two": {"times": 2.0}}
    presets = {"half": {"times": 0.5}}
    takes = Fields(x=floats("n"))
    gives = Fields(y=floats("n"))

    times: float | None = param(default=None, default_value=2.0, affects="answer", help="factor")

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        return answer(given.array("x") * (self.times or 0.0), "y")


def named(name: str, *aliases: str) -> type[Normalizer]:
    members = {"name": name, "aliases": {alias: {} for alias in aliases}}
    return type("Sample", (Doubled,), members)


# Names


@pytest.mark.parametrize(
    "spelling", ["min_max", "MIN_MAX", "Min-Max", "minmax", "Relative-Score", "MinMax"]
)
def test_spellings_compare_without_case_and_hyphens(spelling: str) -> None:
    assert CATALOGUE.method(spelling) is MinMax


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("min_maxx", "did you mean 'min_max'"),
        ("whitenning", "did you mean 'whitening'"),
        ("qqqqqq", "unknown method 'qqqqqq'$"),
        ("", "unknown method ''"),
    ],
)
def test_an_unknown_method_is_refused_with_the_nearest(name: str, what: str) -> None:
    for attempt in (CATALOGUE.method, CATALOGUE.create):
        with pytest.raises(UnknownName, match=what) as caught:
            attempt(name)
        assert caught.value.path == "method"


def test_a_long_unknown_name_is_shortened() -> None:
    with pytest.raises(UnknownName) as caught:
        CATALOGUE.method("x" * 10_000)
    assert len(str(caught.value)) < 120


def test_a_catalogue_is_a_mapping_of_canonical_names() -> None:
    small = Catalogue([Whitening, MinMax])
    assert list(small) == ["min_max", "whitening"]
    assert small["min_max"] is MinMax
    with pytest.raises(KeyError):
        small["minmax"]
    assert small.spellings["minmax"] == "min_max"
    assert small.spellings["zca"] == "whitening"
    assert normalized("Min-Max") == "min_max"


@pytest.mark.parametrize(
    ("methods", "what"),
    [
        ([named("a"), named("a")], "'a' names two methods"),
        ([named("a", "b"), named("b")], "'b' names both"),
        ([named("a", "c"), named("b", "C")], "'C' names both a and b"),
        ([named("a-b"), named("c", "a_b")], "'a_b' names both"),
        ([named("A"), named("a")], "names both"),
    ],
)
def test_a_name_twice_is_refused(methods: list[type[Normalizer]], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Catalogue(methods)


def test_the_same_class_twice_is_one_method() -> None:
    assert len(Catalogue([MinMax, MinMax])) == 1


def test_no_alias_of_the_library_is_the_name_of_another_method() -> None:
    assert {CATALOGUE.method(name) for name in CATALOGUE} == set(CATALOGUE.values())
    for spelling, name in CATALOGUE.spellings.items():
        assert CATALOGUE.method(spelling).name == name


def test_further_methods_leave_the_catalogue_as_it_was() -> None:
    wider = CATALOGUE.with_methods(Doubled)
    assert "doubled" in wider
    assert "doubled" not in CATALOGUE
    assert wider.create("Times-Two").transform([1.0]).tolist() == [2.0]


# Parameters


def test_an_alias_implies_parameters_and_explicit_ones_win() -> None:
    assert CATALOGUE.create("min_max_inverted").explicit_params == {"higher_is_better": False}
    assert CATALOGUE.create("min_max_inverted", {"higher_is_better": True}).explicit_params == {
        "higher_is_better": True
    }
    soft = CATALOGUE.create("soft_zca", {"variant": "pca"}).explicit_params
    assert soft == {"variant": "pca", "eps_rel": 3.0, "shrinkage": "none"}


def test_an_explicit_parameter_drops_the_implied_rivals() -> None:
    assert CATALOGUE.create("soft_zca", {"eps": 0.1}).explicit_params == {
        "variant": "zca",
        "shrinkage": "none",
        "eps": 0.1,
    }
    preset = CATALOGUE.create("whitening", {"preset": "bert_whitening", "eps_rel": 1.0})
    assert "eps" not in preset.explicit_params
    both = CATALOGUE.create("inverted_softmax", {"beta": 1.0, "temperature": 1.0})
    with pytest.raises(InvalidParams, match="one of beta, temperature"):
        both.validated()


def test_presets_expand_first() -> None:
    wider = CATALOGUE.with_methods(Doubled)
    assert wider.create("doubled", {"preset": "half"}).explicit_params == {"times": 0.5}
    assert wider.create("doubled", {"preset": "half", "times": 3.0}).explicit_params == {
        "times": 3.0
    }
    assert wider.create("times_two", {"preset": "half"}).explicit_params == {"times": 0.5}
    assert wider.create("doubled", {"preset": None}).explicit_params == {}


@pytest.mark.parametrize("preset", ["trl", 3, ["opensearch"], {"a": 1}, True])
def test_an_unknown_preset_is_refused(preset: object) -> None:
    with pytest.raises(InvalidParams, match="no such preset; known: opensearch") as caught:
        CATALOGUE.create("min_max", {"preset": preset})
    assert caught.value.path == "params.preset"
    with pytest.raises(InvalidParams, match="known: none"):
        CATALOGUE.create("link_mean", {"preset": preset})


def test_none_is_not_given() -> None:
    assert CATALOGUE.create(
        "min_max_inverted", {"higher_is_better": None, "clip": None}
    ).explicit_params == {"higher_is_better": False}
    assert CATALOGUE.create("min_max", None).explicit_params == {}


@pytest.mark.parametrize(
    ("name", "what"),
    [("bound", "did you mean 'bounds'"), ("min_value", "did you mean 'lower'"), ("q", "known:")],
)
def test_an_unknown_parameter_is_refused(name: str, what: str) -> None:
    with pytest.raises(InvalidParams, match=what) as caught:
        CATALOGUE.create("min_max", {name: None}, "steps[0].params")
    assert caught.value.path == f"steps[0].params.{name}"


def test_values_are_checked_later() -> None:
    method = CATALOGUE.create("min_max", {"bounds": 3})
    with pytest.raises(InvalidParams, match="'observed', 'percentile' or 'fixed'"):
        method.validated()
    assert type(CATALOGUE.create("is")) is InvertedSoftmax


def test_the_catalogue_is_built_once() -> None:
    assert module.CATALOGUE is CATALOGUE
    with pytest.raises(AttributeError):
        module.no_such_name
