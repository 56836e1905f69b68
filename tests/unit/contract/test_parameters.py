"""Parameters: strict types, bounds, exclusive groups, and scikit-learn's protocol."""

from __future__ import annotations

import copy
import inspect
import pickle
from types import MappingProxyType
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from annotated_types import Gt
from sklearn.base import clone

from normalizers import WeightedSum
from normalizers.contract.parameter_models import parameter_model, plain_value, validate
from normalizers.contract.parameters import Parameterized, merge_params, param, unwrap
from normalizers.errors import InvalidParams

NAN, INFINITY = float("nan"), float("inf")


class Method(Parameterized):
    k: int | None = param(default=None, ge=1, affects="solution", help="how many")
    eps: float | None = param(default=None, ge=0, affects="solution", help="added")
    eps_rel: float | None = param(default=None, ge=0, affects="solution", help="added, relative")
    clip: bool | None = param(default=None, affects="answer", help="clamp")
    variant: Literal["soft", "hard"] | None = param(default=None, affects="answer", help="which")
    ends: list[float] | None = param(default=None, min_length=1, affects="answer", help="two")
    beta: Annotated[float, Gt(0)] | Literal["auto"] | None = param(
        default=None, affects="statistics", help="inverse temperature"
    )
    share: Annotated[int, Gt(0)] | Annotated[float, Gt(0)] | None = param(
        default=None, affects="statistics", help="a number or a share"
    )
    exclusive = (("eps", "eps_rel"),)


class Wider(Method):
    extra: int | None = param(default=None, affects="answer", help="more")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("k", 3, 3),
        ("k", np.int64(3), 3),
        ("k", np.uint8(3), 3),
        ("k", np.array(3), 3),
        ("eps", 1, 1.0),
        ("eps", np.float32(0.5), 0.5),
        ("eps", np.longdouble(0.5), 0.5),
        ("eps", -0.0, 0.0),
        ("eps", 10**30, 1e30),
        ("clip", False, False),
        ("clip", np.True_, True),
        ("variant", np.str_("hard"), "hard"),
        ("ends", (1, 2), [1.0, 2.0]),
        ("ends", np.array([1, 2]), [1.0, 2.0]),
        ("ends", [np.int8(1)], [1.0]),
        ("beta", "auto", "auto"),
        ("beta", 2, 2.0),
        ("share", 2, 2),
        ("share", 0.5, 0.5),
    ],
)
def test_values_that_pass_become_plain(name: str, value: object, expected: object) -> None:
    found = Method(**{name: value}).validated().explicit_params
    assert found == {name: expected}
    assert type(found[name]) is type(expected)


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("k", True, "valid integer"),
        ("k", np.True_, "valid integer"),
        ("k", "1", "valid integer"),
        ("k", 1.0, "valid integer"),
        ("k", np.float64(1), "valid integer"),
        ("k", 0, "greater than or equal to 1"),
        ("k", 2**53 + 1, r"up to 2\*\*53"),
        ("k", 10**30, r"up to 2\*\*53"),
        ("eps", "1", "valid number"),
        ("eps", b"1", "valid number"),
        ("eps", True, "valid number"),
        ("eps", 1j, "valid number"),
        ("eps", 10**400, "valid number"),
        ("eps", NAN, "finite number"),
        ("eps", INFINITY, "finite number"),
        ("eps", np.float32(NAN), "finite number"),
        ("eps", -1e-9, "greater than or equal to 0"),
        ("clip", 1, "valid boolean"),
        ("clip", "true", "valid boolean"),
        ("variant", "SOFT", "'soft' or 'hard'"),
        ("variant", 1, "'soft' or 'hard'"),
        ("ends", [], "at least 1 item"),
        ("ends", 3, "valid list"),
        ("ends", "12", "valid list"),
        ("ends", {"a": 1}, "valid list"),
        ("beta", 0, "greater than 0, or .*'auto'"),
        ("beta", NAN, "finite number, or .*'auto'"),
        ("beta", "cold", "valid number, or .*'auto'"),
        ("share", True, "valid integer, or .*valid number"),
        ("share", "1", "valid integer, or .*valid number"),
    ],
)
def test_values_that_are_refused_say_what_would_be_right(
    name: str, value: object, what: str
) -> None:
    with pytest.raises(InvalidParams, match=what) as caught:
        Method(**{name: value}).validated()
    assert caught.value.path == f"params.{name}"


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([1, True], "params.ends[1]"),
        ([1, NAN], "params.ends[1]"),
        (["1"], "params.ends[0]"),
        ([1, 2, [3]], "params.ends[2]"),
        ([1, None], "params.ends[1]"),
    ],
)
def test_a_wrong_entry_of_a_list_is_named(value: object, place: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        Method(ends=value).validated()  # type: ignore[arg-type]
    assert caught.value.path == place


def test_every_wrong_parameter_is_named_but_no_more_than_twenty() -> None:
    with pytest.raises(InvalidParams) as caught:
        Method(k="1", eps="x", clip=3).validated("spec")  # type: ignore[arg-type]
    assert [fault.path for fault in caught.value.faults] == ["spec.k", "spec.eps", "spec.clip"]
    with pytest.raises(InvalidParams) as caught:
        Method(ends=["x"] * 1000).validated()  # type: ignore[list-item]
    assert len(caught.value.faults) == 20
    assert len(str(caught.value)) < 100


def test_one_of_an_exclusive_group() -> None:
    with pytest.raises(InvalidParams, match="one of eps, eps_rel, not eps and eps_rel") as caught:
        Method(eps=1.0, eps_rel=1.0).validated()
    assert caught.value.path == "params.eps_rel"
    assert Method(eps=1.0, eps_rel=None).validated().explicit_params == {"eps": 1.0}


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("epss", "did you mean 'eps'"),
        ("epsilon", "did you mean 'eps'"),
        ("mode", "did you mean 'variant'"),
        ("zzz", "known: beta, clip, ends, eps, eps_rel, k, share, variant"),
    ],
)
def test_an_unknown_parameter_is_refused_with_a_suggestion(name: str, what: str) -> None:
    for attempt in (
        lambda: Method(**{name: 1}),
        lambda: Method().set_params(**{name: 1}),
        lambda: validate(Method, {name: 1}, "params"),
        lambda: validate(Method, {name: None}, "params"),
    ):
        with pytest.raises(InvalidParams, match=what) as caught:
            attempt()
        assert caught.value.path == f"params.{name}"


def test_a_long_unknown_name_is_shortened() -> None:
    with pytest.raises(InvalidParams) as caught:
        Method(**{"z" * 5000: 1})
    assert len(str(caught.value)) < 200


def test_parameters_are_keywords_alone() -> None:
    with pytest.raises(TypeError):
        Method(3)  # type: ignore[misc]
    signature = inspect.signature(Method)
    assert list(signature.parameters) == list(Method.parameters)
    assert {p.kind for p in signature.parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}


def test_none_is_not_given() -> None:
    method = Method(k=3, eps=None)
    assert method.explicit_params == {"k": 3}
    assert method.set_params(k=None) is method
    assert method.explicit_params == {}
    assert repr(Method(k=3)) == "Method(k=3)"


def test_the_constructor_stores_what_it_is_given() -> None:
    ends = np.array([1, 2])
    method = Method(ends=ends, k="1")  # type: ignore[arg-type]
    assert method.ends is ends
    assert method.get_params() == {
        **dict.fromkeys(Method.parameters),
        "ends": ends,
        "k": "1",
    }
    checked = Method(ends=ends).validated()  # type: ignore[arg-type]
    assert checked.ends == [1.0, 2.0]
    assert ends.tolist() == [1, 2]


def test_scikit_learn_clones_without_being_inherited() -> None:
    method = Method(k=np.int64(3), ends=[1.0], beta="auto")  # type: ignore[arg-type]
    twin = clone(method)
    assert type(twin) is Method
    assert twin is not method
    assert twin.get_params() == method.get_params()


def test_copies_and_pickles_have_the_same_parameters() -> None:
    method = Method(k=3, ends=[1.0])
    for twin in (copy.deepcopy(method), pickle.loads(pickle.dumps(method))):
        assert twin.get_params() == method.get_params()
    twin = method.with_values({"k": 4})
    assert (method.k, twin.k, twin.ends) == (3, 4, [1.0])


def test_a_subclass_adds_parameters_and_leaves_its_base_alone() -> None:
    assert list(Wider.parameters) == [*Method.parameters, "extra"]
    assert "extra" not in Method.parameters
    assert Wider(k=1, extra=2).validated().explicit_params == {"k": 1, "extra": 2}


class Narrower(Method):
    clip = None


class Harder(Method):
    variant: Literal["hard"] | None = param(default=None, affects="answer", help="only this")


class Joined(Narrower, Harder):
    pass


class Regained(Joined):
    clip: bool | None = param(default=None, affects="solution", help="clamp after all")


def test_a_subclass_drops_a_parameter() -> None:
    kept = [name for name in Method.parameters if name != "clip"]
    assert list(Narrower.parameters) == list(parameter_model(Narrower).model_fields) == kept
    assert list(inspect.signature(Narrower).parameters) == kept
    assert Narrower().clip is None
    assert "clip" in Method.parameters
    for refused in (lambda: Narrower(clip=True), lambda: Narrower().set_params(clip=True)):
        with pytest.raises(InvalidParams, match="unknown parameter 'clip'"):
            refused()


def test_the_nearest_declaration_counts_as_for_any_attribute() -> None:
    assert "clip" not in Joined.parameters
    assert Joined.parameters["variant"].help == "only this"
    with pytest.raises(InvalidParams, match="hard"):
        Joined(variant="soft").validated()
    assert Regained(clip=True).validated().clip is True
    assert Regained.parameters["clip"].affects == "solution"


def test_the_schema_has_types_bounds_and_help() -> None:
    schema = parameter_model(Method).model_json_schema()["properties"]
    assert schema["k"]["description"] == "how many"
    assert {"minimum": 1, "type": "integer"} in schema["k"]["anyOf"]
    assert {"const": "auto", "type": "string"} in schema["beta"]["anyOf"]
    assert parameter_model(Method) is parameter_model(Method)


def test_a_later_layer_drops_the_rivals_of_what_it_names() -> None:
    assert merge_params(Method, {"eps": 0.0, "k": 1}, {"eps_rel": 3.0}) == {"k": 1, "eps_rel": 3.0}
    assert merge_params(Method, {"eps": 0.0}, {"eps_rel": 3.0}, {"eps": 1.0}) == {"eps": 1.0}
    both = {"eps": 1.0, "eps_rel": 2.0}
    assert merge_params(Method, {"k": 1}, both) == {"k": 1, **both}
    assert merge_params(Method) == {}


def test_plain_values() -> None:
    given = {"a": np.array([[1, 2]]), "b": (np.int8(1), [np.float64(2)]), "c": None}
    assert plain_value(given) == {"a": [[1, 2]], "b": [1, [2.0]], "c": None}
    assert plain_value("text") == "text"


def test_a_parameter_that_was_never_resolved_is_no_value() -> None:
    assert unwrap(0) == 0
    with pytest.raises(InvalidParams, match="before it was resolved"):
        unwrap(None)


def test_a_mapping_that_is_no_dict_is_a_value_as_a_dict_is() -> None:
    weights = MappingProxyType({"a": 1.0})
    assert WeightedSum(weights=weights).validated().weights == {"a": 1.0}


class Paired(Method):
    def check(self, path: str) -> None:
        if self.clip and self.variant == "soft":
            raise InvalidParams("soft is never clipped", path=f"{path}.clip")


class Counted(Method):
    def check(self, path: str) -> None:
        if self.clip and self.k:
            raise InvalidParams("clip needs no k", path=f"{path}.k")


class Both(Counted, Paired):
    spelled: Literal["one", "two"] | None = param(
        default=None,
        read=lambda method, value, path: {"1": "one"}.get(value, value),
        affects="answer",
        help="read before it is validated",
    )

    def check(self, path: str) -> None:
        if self.clip is False:
            raise InvalidParams("clip cannot be off", path=f"{path}.clip")


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"clip": True, "variant": "soft"}, "p.clip"),
        ({"clip": True, "k": 1}, "p.k"),
        ({"clip": False}, "p.clip"),
    ],
)
def test_the_checks_of_all_bases_are_called(params: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        Both(**params).validated("p")
    assert caught.value.path == path
    assert Both(clip=True).validated("p").clip


def test_a_value_is_read_before_the_model_sees_it() -> None:
    assert Both(spelled="1").validated().spelled == "one"  # type: ignore[arg-type]
    assert Both(spelled="two").validated().spelled == "two"
    with pytest.raises(InvalidParams, match="spelled"):
        Both(spelled="3").validated()  # type: ignore[arg-type]
