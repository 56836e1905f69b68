"""Parameters: they survive JSON, refuse what they are not, and are echoed as used."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from normalizers.errors import InvalidParams, NormalizerError
from normalizers.testing.capabilities import choices
from normalizers.testing.cases import Case
from normalizers.testing.compare import assert_identical
from normalizers.testing.refusals import raises
from normalizers.versions import fitting
from normalizers.versions.manifest import method_from_manifest, params_json

NO_PARAMETER = "no_such_parameter"
NOT_NUMBERS = (float("nan"), float("inf"), -float("inf"))


def check_params_round_trip_json(case: Case) -> None:
    """Parameters, given and resolved, come back from JSON as they were."""
    for values in (case.version.explicit_params, case.version.resolved):
        written = json.loads(json.dumps(params_json(case.method, values), allow_nan=False))
        read = method_from_manifest(
            case.cls, written, case.version.fitted, case.catalogue
        ).validated()
        assert params_json(read, read.explicit_params) == params_json(case.method, values)


def check_params_reject_unknown_and_nonfinite(case: Case) -> None:
    """An unknown name, NaN, infinities and other types are refused with the parameter's name."""
    with raises(InvalidParams, match=NO_PARAMETER):
        case.catalogue.create(case.cls.name, {NO_PARAMETER: 1})
    with raises(InvalidParams, match=NO_PARAMETER):
        case.cls(**{NO_PARAMETER: 1})
    for name in case.cls.parameters:
        for wrong in (*NOT_NUMBERS, object(), [float("nan")], {"a": float("inf")}):
            with raises(InvalidParams) as caught:
                case.cls(**{**_without_rivals(case, name), name: wrong}).validated()
            assert caught.value.path.startswith(f"params.{name}")


def check_params_are_strict_about_types(case: Case) -> None:
    """A number is no string of digits, and a boolean is no number."""
    for name in case.cls.parameters:
        types = set(_json_types(case, name))
        if "string" not in types:
            _refuses(case, name, "1")
        if "boolean" not in types:
            _refuses(case, name, True)
        if types <= {"boolean", "null"}:
            _refuses(case, name, 1)


def check_every_word_is_accepted(case: Case) -> None:
    """Each declared word is valid, by a canonical one, or refused by name beside the others."""
    for name in case.cls.parameters:
        for word in choices(case, name):
            try:
                made = case.cls(**{**_without_rivals(case, name), name: word}).validated()
            except InvalidParams as refused:
                assert refused.path.startswith("params.")  # noqa: PT017
            else:
                assert getattr(made, name) in choices(case, name)


def check_effective_params_echo_every_parameter(case: Case) -> None:
    """The answer names each parameter with the value it was used with; given ones stay."""
    effective = case.answer().effective_params
    assert effective.keys() <= case.cls.parameters.keys()
    for name, value in case.version.explicit_params.items():
        if isinstance(value, str | float | int) and value != "auto":
            assert name in effective or _in_exclusive_group(case, name)
    for name, declared in case.cls.parameters.items():
        if declared.standard is not None and not _in_exclusive_group(case, name):
            assert name in effective, name


def check_resolving_twice_is_stable(case: Case) -> None:
    """The echoed parameters, given as they are, resolve to themselves and answer the same."""
    effective = dict(case.version.resolved)
    again = case.version.method.with_values(effective).validated()
    statistics = case.version.statistics if case.with_fit else None
    resolved = again.resolved(statistics)
    assert params_json(resolved, resolved.explicit_params) == params_json(again, effective)
    if case.with_fit:
        repeated = fitting.solve(again, case.version.statistics, {})
        assert_identical(dict(repeated.fitted.arrays), dict(case.version.fitted.arrays))
        assert_identical(case.answer(version=repeated).output, case.answer().output)


def check_one_of_an_exclusive_group_is_enough(case: Case) -> None:
    """Two parameters of an exclusive group are refused together."""
    for group in case.cls.exclusive:
        both = dict.fromkeys(group[:2], 1.0)
        with raises(InvalidParams, match=group[0]):
            case.cls(**both).validated()


def _refuses(case: Case, name: str, value: object) -> None:
    with raises(NormalizerError):
        case.cls(**{**_without_rivals(case, name), name: value}).validated()


def _without_rivals(case: Case, name: str) -> dict[str, object]:
    rivals = {rival for group in case.cls.exclusive if name in group for rival in group}
    return {key: value for key, value in case.params.items() if key not in rivals}


def _in_exclusive_group(case: Case, name: str) -> bool:
    return any(name in group for group in case.cls.exclusive)


def _json_types(case: Case, name: str) -> Iterator[str]:
    from normalizers.contract.parameter_models import parameter_model

    schema = parameter_model(case.cls).model_json_schema()["properties"][name]
    for choice in schema.get("anyOf", [schema]):
        kind = choice.get("type", "string" if {"enum", "const"} & choice.keys() else "")
        if kind:
            yield str(kind)


def check_scalars_of_numpy_are_plain_numbers(case: Case) -> None:
    """NumPy's own scalars are accepted where Python's are."""
    numbers = {
        name: np.float64(value) for name, value in case.params.items() if isinstance(value, float)
    }
    made = case.cls(**{**case.params, **numbers}).validated()
    for name in numbers:
        assert type(getattr(made, name)) is float
