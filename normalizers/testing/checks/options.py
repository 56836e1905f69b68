"""What a request may ask for: the parts behind each number, no flags, nothing else."""

from __future__ import annotations

import json

import numpy as np

from normalizers.contract.answer import Options
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.runtime.apply import COMMON_OPTIONS, options_of
from normalizers.testing import samples
from normalizers.testing.capabilities import choices, numeric, of
from normalizers.testing.cases import Case
from normalizers.testing.compare import assert_identical
from normalizers.testing.refusals import raises
from normalizers.versions.manifest import params_json

VALUES = {
    "layout": "NTC",
    "start_step": 0,
    "depth": 3,
    "top_k": 2,
    "offset": 1,
    "min_score": 0.0,
    "source": "a-model",
}
CONSTANT = 2.5


def check_explain_tells_the_parts(case: Case) -> None:
    """The parts are there when asked for, plain, and change no number."""
    plain, explained = case.answer(), case.answer(explain=True)
    assert plain.explain is None
    assert explained.explain is not None
    assert json.loads(json.dumps(explained.explain, allow_nan=False))
    assert_identical(explained.output, plain.output)
    assert_identical(dict(explained.flags), dict(plain.flags))


def check_reports_are_plain(case: Case) -> None:
    """Reports, warnings and parameters can be written as JSON."""
    answer = case.answer()
    told = [answer.report, [noted.as_dict() for noted in answer.warnings], case.version.report]
    json.dumps([*told, params_json(case.method, answer.effective_params)], allow_nan=False)


@of(numeric)
def check_strict_refuses_flags(case: Case) -> None:
    """What would carry a flag is an error; a clean answer is the same."""
    clean = case.answer()
    if not clean.flags:
        assert_identical(case.answer(strict=True).output, clean.output)
    for values, version in _flagged(case):
        if case.answer(values, version).flags:
            with raises(InvalidInput, match="strict"):
                case.answer(values, version, strict=True)


def check_refuses_options_without_meaning(case: Case) -> None:
    """An option that the method does not honour is refused by name, never ignored."""
    assert VALUES.keys() == Options.model_fields.keys() - COMMON_OPTIONS
    for name, value in VALUES.items():
        if name not in options_of(case.resolved_method):
            with raises(InvalidParams, match=name):
                case.answer(**{name: value})


def _flagged(case: Case):  # type: ignore[no-untyped-def]
    constant = samples.mapped(
        case.takes, case.given(), lambda x: case.usable(np.full_like(x, CONSTANT))
    )
    yield constant, case.version
    if "omit" in choices(case, "nan_policy"):
        lost = case.given()
        lost[case.main][0].flat[0] = np.nan  # type: ignore[index]
        yield lost, case.fitted_on(params={**case.params, "nan_policy": "omit"})
