"""Every value of every parameter, and every kind of extreme data: an answer or a refusal.

An ordinary run goes by pairs: every value on ordinary data or on one of the extreme ones, which
the names choose in rotation, and all data with the parameters of the case. A deep run tries the
whole product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from normalizers.contract.parameter_models import parameter_model
from normalizers.contract.resolution import is_invertible
from normalizers.errors import NormalizerError
from normalizers.testing import samples
from normalizers.testing.capabilities import choices
from normalizers.testing.cases import Case, numbers_of
from normalizers.testing.compare import assert_identical
from normalizers.testing.samples import Values
from normalizers.versions.file import from_bytes, to_bytes
from tests.effort import is_deep, turn

BY_TYPE: dict[str, tuple[object, ...]] = {
    "boolean": (True, False),
    "integer": (0, 1, 2, 1000),
    "number": (0.0, 0.5, 1.0, -1.0, 1e300, 1e-300),
    "array": ([25.0, 75.0], [1.0, 1.0, 1.0]),
}
EXTREMES = (0.0, 1e299, 1e-299)
LOST = 1

Data = tuple[Values | None, Values]


def check_every_parameter_value_answers_or_refuses(case: Case) -> None:
    """No other exception, no warning of NumPy, no infinity; what answers can be stored."""
    ordinary, *extremes = _data(case)
    own, *others = _params(case)
    _try(case, own, ordinary, stored=True)
    for data in extremes:
        _try(case, own, data, stored=True)
    once = case.is_variant or case.alternative > 0
    for params in [] if once and not is_deep() else others:
        # An ordinary run tries each value on one of all data, a deep one on every one.
        if is_deep():
            for data in (ordinary, *extremes):
                _try(case, params, data, stored=True)
        else:
            _try(case, params, _in_rotation(case, params, [ordinary, *extremes]), stored=True)


def _in_rotation(case: Case, params: dict[str, object], extremes: Sequence[Data]) -> Data:
    return extremes[turn(case.name, sorted(params.items(), key=str)) % len(extremes)]


def _try(case: Case, params: dict[str, object], data: Data, *, stored: bool) -> None:
    fit, given = data
    try:
        version = case.fitted_on(fit, params)
        answer = case.answer(given, version, explain=True)
        back = case.returned(answer, given, version)
        undone = version.inverse(back).output if is_invertible(version.resolved_method) else {}
    except NormalizerError:
        return
    numbers = numbers_of(answer.output[version.resolved_method.gives.main_of(answer.output)])
    assert numbers.dtype.kind != "f" or not np.isinf(numbers).any()
    assert not undone or not np.isinf(numbers_of(undone[case.main])).any()
    for name, array in version.fitted.arrays.items():
        assert array.dtype.kind != "f" or np.isfinite(array).all(), name
    if stored:
        read = from_bytes(to_bytes(version), case.catalogue)
        assert_identical(case.answer(given, read).output, answer.output)


def _params(case: Case) -> Iterator[dict[str, object]]:
    yield case.params
    for name in case.cls.parameters:
        for value in _values(case, name):
            rivals = {rival for group in case.cls.exclusive if name in group for rival in group}
            kept = {key: given for key, given in case.params.items() if key not in rivals}
            yield {**kept, name: value}


def _values(case: Case, name: str) -> list[object]:
    schema = parameter_model(case.cls).model_json_schema()["properties"][name]
    types = {choice.get("type", "") for choice in schema.get("anyOf", [schema])}
    numbers = [value for kind, values in BY_TYPE.items() if kind in types for value in values]
    return [*choices(case, name), *numbers]


def _data(case: Case) -> Iterator[Data]:
    fit = case.fit_values() if case.with_fit else None
    given = case.given()
    yield fit, given
    for factor in EXTREMES:
        yield fit, _scaled(case.takes, given, factor)
        if fit is not None:
            yield _scaled(case.fits, fit, factor), given
            yield _scaled(case.fits, fit, factor), _scaled(case.takes, given, factor)
    if case.takes[case.main].numeric:
        lost = case.given()
        lost[case.main][LOST].flat[0] = np.nan  # type: ignore[index]
        yield fit, lost
        yield fit, _scaled(case.takes, given, np.nan)


def _scaled(fields, values: Values, factor: float) -> Values:  # type: ignore[no-untyped-def]
    return samples.mapped(fields, values, lambda x: x * factor)
