"""The table of evidence: every ``EVIDENCE`` of the modules in the room beside this one."""

from __future__ import annotations

import pkgutil
from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module

from normalizers.errors import InvalidInput
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Inspect, Treatment, ignore
from normalizers.measures.bootstrap import Resamples
from normalizers.messages import printable_name, unknown

ROOM = "evidences"
ATTRIBUTE = "EVIDENCE"


@cache
def evidences() -> tuple[Evidence, ...]:
    """Return every kind of evidence, by the names of their modules.

    Examples
    --------
    >>> from normalizers.evaluation.table import evidences
    >>> any(kind.sends == ("runs", "qrels") for kind in evidences())
    True
    """
    room = import_module(f"{__package__}.{ROOM}")
    modules = sorted(module.name for module in pkgutil.iter_modules(room.__path__))
    loaded = (import_module(f"{room.__name__}.{name}") for name in modules)
    return tuple(getattr(module, ATTRIBUTE) for module in loaded if hasattr(module, ATTRIBUTE))


def members() -> tuple[str, ...]:
    """Return the members of every kind of evidence, each once."""
    return tuple(dict.fromkeys(name for kind in evidences() for name in kind.members))


def read_evidence(
    sent: Mapping[str, object], path: str, inspect: Inspect = ignore, needs: Collection[str] = ()
) -> EvaluationInput:
    """Return the evidence that stands at `path`.

    Parameters
    ----------
    sent : mapping
        The members by name.
    path : str
        Where they stand.
    inspect : callable
        Is given every part that was read, and its path, before anything is computed.
    needs : collection of str
        What the measures need, where the members could be of several kinds.

    Raises
    ------
    InvalidInput
        For members that are unknown, missing, or do not belong together.
    """
    given = {name: value for name, value in sent.items() if value is not None}
    known = sorted(members())
    for name in given:
        if name not in known:
            raise InvalidInput(
                unknown("member", name, known),
                path=f"{path}.{printable_name(name)}",
            )
    kind = _meant(given, needs, path)
    foreign = sorted(given.keys() - set(kind.members))
    if foreign:
        other = next(one for one in evidences() if foreign[0] in one.members)
        raise InvalidInput(
            f"send {_told(kind)}, or {_told(other)}, not both", path=f"{path}.{foreign[0]}"
        )
    return kind.read(given, path, inspect)


def kind_of(treatment: Treatment) -> Evidence:
    """Return the kind of evidence that a treatment is of."""
    return next(one for one in evidences() if set(one.offers) == treatment.measurable.keys())


def measurable(treatment: Treatment, needed: str, measure: str) -> Resamples:
    """Return what a measure is a function of.

    Raises
    ------
    InvalidInput
        When the request did not send it.
    """
    found = treatment.measurable.get(needed)
    if isinstance(found, str):
        raise InvalidInput(f"{measure} needs {found}", path=treatment.path)
    if found is None:
        able = [one for one in evidences() if needed in one.offers]
        # The plainest of several: scores with labels rather than runs that can be read as such.
        right, wrong = min(able, key=lambda one: len(one.offers)), kind_of(treatment)
        raise InvalidInput(
            f"{measure} needs {needed}: send {' and '.join(right.sends)}, "
            f"not {' and '.join(wrong.sends)}",
            path=treatment.path,
        )
    return found


def _meant(given: Mapping[str, object], needs: Collection[str], path: str) -> Evidence:
    """Return the kind that members are of: by those it alone has, else by what is asked of it."""
    kinds = evidences()
    wanted = [one for one in kinds if not set(needs).isdisjoint(one.offers)] or list(kinds)
    if not given:
        choices = ", or ".join(map(_told, wanted))
        raise InvalidInput(f"send {choices}", path=f"{path}.{wanted[-1].fields.main}")
    own = {one: len(given.keys() & _alone(one)) for one in kinds}
    if any(own.values()):
        return max(kinds, key=lambda one: (own[one], one in wanted))
    return max(kinds, key=lambda one: (len(given.keys() & set(one.members)), one in wanted))


def _alone(kind: Evidence) -> set[str]:
    """Return the members that no other kind has."""
    others = {name for one in evidences() if one is not kind for name in one.members}
    return set(kind.members) - others


def _told(kind: Evidence) -> str:
    return " with ".join(kind.sends)
