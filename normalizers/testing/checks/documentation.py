"""What pages, OpenAPI and the command line are made from: help, and examples that run."""

from __future__ import annotations

import doctest
import inspect

from normalizers.contract.fields import Fields
from normalizers.testing.cases import Case

# A name that says it all needs no help.
SELF_EXPLAINING = {"mask", "state"}
LONGEST_HELP = 120


def check_parameters_have_help(case: Case) -> None:
    """Each parameter has one line of help, and a value or words for what is not given."""
    for name, declared in case.cls.parameters.items():
        assert declared.help, name
        assert "\n" not in declared.help
        assert len(declared.help) <= LONGEST_HELP, name
        assert not declared.help.endswith("."), name
        assert declared.affects in ("statistics", "solution", "answer")


def check_fields_have_help(case: Case) -> None:
    """Each field in and out says what it is."""
    worker = case.resolved_method
    for fields in (worker.fits, worker.takes, worker.gives, worker.inverse_takes):
        _require_help(fields)


def check_example_is_real(case: Case) -> None:
    """The example of the documentation runs, with its own parameters and fit."""
    example = case.cls.example
    assert example.input
    estimator = case.cls(**example.params)
    if example.fit is not None:
        estimator.fit(**example.fit)
    if example.weights is not None:
        estimator.fit_weights(example.weights)
    answer = estimator.apply_to(**example.input)
    assert estimator.version_.resolved_method.gives.main in answer.output


def check_doctest_runs(case: Case) -> None:
    """The docstring's example gives what it shows."""
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    test = parser.get_doctest(case.cls.__doc__ or "", {}, case.cls.__name__, None, None)
    assert test.examples
    assert runner.run(test).failed == 0


def check_public_functions_are_documented(case: Case) -> None:
    """Every public member that the class defines has a docstring."""
    for name, member in vars(case.cls).items():
        function = member.fget if isinstance(member, property) else member
        if not name.startswith("_") and inspect.isfunction(function):
            assert inspect.getdoc(function), name


def _require_help(fields: Fields) -> None:
    for name, field in fields.items():
        assert field.help or field.kind in SELF_EXPLAINING, name
        if field.members is not None:
            _require_help(field.members)
