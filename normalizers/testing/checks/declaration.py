"""What a class declares of itself holds together."""

from __future__ import annotations

from normalizers.normalizer import Normalizer
from normalizers.testing.cases import Case

FITTED_KINDS = {"fitted", "ordered", "learned", "pipeline"}


def check_names_itself(case: Case) -> None:
    """Name and family are words, and the catalogue finds the class by every spelling."""
    assert case.cls.name.isidentifier()
    assert case.cls.name == case.cls.name.lower()
    assert case.cls.family.isidentifier()
    for spelling in (case.cls.name, *case.cls.aliases):
        assert case.catalogue.method(spelling) is case.cls
        assert case.catalogue.method(spelling.upper().replace("_", "-")) is case.cls


def check_kinds_agree_with_capabilities(case: Case) -> None:
    """What is fitted says so in its kinds, and what is not does not."""
    kinds = set(case.cls.kinds)
    assert kinds
    if case.method.fittable:
        assert kinds & FITTED_KINDS
        assert case.resolved_method.keeps if case.with_fit else True
    if case.method.stateless:
        assert kinds - {"fitted"}


def check_overrides_what_it_claims(case: Case) -> None:
    """`accumulate` and `solve` come together, and `undo` with something that it takes."""
    made = (case.cls(**example.params).validated() for example in case.cls.examples)
    can_fit = case.method.fittable or any(method.fittable for method in made)
    assert _own(case, "accumulate") == _own(case, "solve") == can_fit
    if _own(case, "undo"):
        assert _own(case, "inverse_takes")
    else:
        assert not case.resolved_method.inverse_takes


def check_no_name_clashes(case: Case) -> None:
    """No parameter is called like a function of the contract or an attribute of the base."""
    taken = set(dir(Normalizer)) - {"source"}  # which the contract declares itself
    assert not set(case.cls.parameters) & taken


def check_presets_and_aliases_imply_valid_parameters(case: Case) -> None:
    """Every alias and preset can be created as it is, or with what the method requires."""
    required = case.params if not _valid(case, {}) else {}
    for alias in case.cls.aliases:
        case.catalogue.create(alias, required).validated()
    for preset in case.cls.presets:
        case.catalogue.create(case.cls.name, {**required, "preset": preset}).validated()


def _own(case: Case, name: str) -> bool:
    return getattr(case.cls, name) is not getattr(Normalizer, name)


def _valid(case: Case, params: dict[str, object]) -> bool:
    try:
        case.cls(**params).validated()
    except ValueError:
        return False
    return True
