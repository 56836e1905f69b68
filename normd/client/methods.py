"""What the service says of its methods: their main fields and what may be cut into blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from normalizers.catalogue.catalogue import normalized
from normalizers.errors import InvalidInput, NormalizerError, UnknownName
from normalizers.messages import did_you_mean, quoted
from normalizers.normalizer import Normalizer
from normd.client.calls import Call, Flow
from normd.client.errors import Refused
from normd.client.exchange import find, get
from normd.client.fields import written
from normd.client.forms import encode
from normd.client.sessions import Session
from normd.wire.field_specs import FieldSpecs

Description = Mapping[str, object]
STEPS, CAUSAL = "steps", "causal"


@dataclass(frozen=True)
class Method:
    """A method with its parameters, as a client knows it."""

    name: str
    description: Description
    params: Mapping[str, object]
    steps: Sequence[Method] = ()

    @cached_property
    def takes(self) -> FieldSpecs:
        """Fields of a transform."""
        return self.steps[0].takes if self.steps else self._fields("takes")

    @cached_property
    def fits(self) -> FieldSpecs:
        """Fields of a fit; a first step that needs none passes them on."""
        if self.steps:
            return self.steps[0].fits or self.steps[0].takes
        return self._fields("fits")

    @cached_property
    def gives(self) -> FieldSpecs:
        """Fields of an answer."""
        return self.steps[-1].gives if self.steps else self._fields("gives")

    @cached_property
    def inverse_takes(self) -> FieldSpecs:
        """Fields of the way back."""
        return self.steps[-1].inverse_takes if self.steps else self._fields("returns")

    @cached_property
    def diagnoses(self) -> FieldSpecs:
        """Fields of a diagnosis."""
        return self._fields("diagnoses")

    @property
    def unit_by_unit(self) -> bool:
        """Whether the answer for a row, a list or a whole series depends on no other one."""
        if self.steps:
            return self.row_by_row
        return bool(self.capabilities.get("batch_invariant")) and STEPS not in self.affects

    @property
    def row_by_row(self) -> bool:
        """Whether it is so for the times of a series too; as the library's methods say it."""
        if self.steps:
            return all(step.row_by_row for step in self.steps)
        return self.unit_by_unit and CAUSAL not in self.kinds

    @property
    def kinds(self) -> Sequence[str]:
        """What it is: ``stateless``, ``fitted``, ``causal`` ..."""
        return cast("Sequence[str]", self.description.get("kinds", ()))

    @property
    def capabilities(self) -> Mapping[str, object]:
        """What it can do."""
        return cast("Mapping[str, object]", self.description.get("capabilities", {}))

    @property
    def column_flags(self) -> frozenset[str]:
        """Flags that name columns rather than rows."""
        named = cast("Sequence[str]", self.capabilities.get("column_flags", ()))
        return frozenset(named).union(*(step.column_flags for step in self.steps))

    @property
    def affects(self) -> Mapping[str, object]:
        """What each parameter affects."""
        return _affects(self.description)

    def _fields(self, stage: str) -> FieldSpecs:
        return FieldSpecs.from_json(self.description, stage)


def descriptions(session: Session) -> Flow[Mapping[str, Description]]:
    """Return every method by name and by alias; the service is asked once."""
    if session.methods is None:
        tree = yield from get(session, Call("GET", "/v1/methods"), "items")
        named: dict[str, Description] = {}
        for item in cast("Sequence[Description]", tree["items"]):
            for spelling in (str(item["name"]), *cast("Mapping[str, object]", item["aliases"])):
                named[normalized(spelling)] = item
        session.methods = named
    return session.methods


def find_description(session: Session, name: str) -> Flow[Description | None]:
    """Return a method by name or alias, or None; the service is asked once a name."""
    spelling = normalized(name)
    if session.methods is not None:
        return session.methods.get(spelling)
    if spelling not in session.described:
        call = Call("GET", "/v1/methods/{method}", {"method": spelling})
        session.described[spelling] = yield from find(session, call, "name")
    return session.described[spelling]


def method_of(session: Session, name: str, params: Mapping[str, object]) -> Flow[Method]:
    """Return a method by name or alias, as it works with these parameters.

    Raises
    ------
    UnknownName
        With the nearest name.
    InvalidInput
        What stands in place of the name is no text.
    """
    if not isinstance(name, str):
        raise InvalidInput(
            f"the method is a name, such as 'rrf'; got {type(name).__name__}: "
            "data come first where a verb takes both",
            path="method",
        )
    described = yield from find_description(session, name)
    if described is None:
        known = yield from descriptions(session)
        raise UnknownName(
            f"unknown method {quoted(name)}{did_you_mean(normalized(name), known)}", path="method"
        )
    steps = yield from _steps(session, params.get(STEPS) if STEPS in _affects(described) else None)
    if params and not steps and described.get("varies"):
        described = (yield from _described_with(session, name, params)) or described
    return Method(str(described["name"]), described, params, steps)


def _described_with(
    session: Session, name: str, params: Mapping[str, object]
) -> Flow[Description | None]:
    """Return what holds with parameters, asked for once; None where the service refuses them.

    What is wrong with them is told by the call that they are meant for.
    """
    try:
        text = encode(written(params, "params"), "json").decode()
        key = f"{normalized(name)}?{text}"
        if key not in session.described:
            call = Call("GET", "/v1/methods/{method}", {"method": name}, {"params": text})
            session.described[key] = yield from find(session, call, "name")
        return session.described[key]
    except (Refused, NormalizerError):
        return None


def method_behind(session: Session, reference: str) -> Flow[Method]:
    """Return the method of a stored version as it works there; asked once a reference."""
    if reference not in session.method_of:
        call = Call("GET", "/v1/normalizers/{ref}/method", {"ref": reference})
        tree = yield from find(session, call, "method")
        if tree is None:
            return (yield from _method_named_by(session, reference))
        session.method_of[reference] = cast(Description, tree["method"])
    described = session.method_of[reference]
    params = cast("Mapping[str, object]", described.get("params", {}))
    steps = yield from _steps(session, params.get(STEPS) if STEPS in _affects(described) else None)
    return Method(str(described["name"]), described, params, steps)


def _method_named_by(session: Session, reference: str) -> Flow[Method]:
    """Return the method that a manifest names: of a release that does not tell how it works."""
    tree = yield from get(
        session, Call("GET", "/v1/normalizers/{ref}", {"ref": reference}), "method"
    )
    params = cast("Mapping[str, object]", tree.get("resolved") or tree.get("params") or {})
    return (yield from method_of(session, str(tree["method"]), params))


def main_of(fields: FieldSpecs, method: str) -> str:
    """Return the name of the main field.

    Raises
    ------
    InvalidInput
        When the description does not tell it, as of a pipeline of stored versions.
    """
    if not fields:
        raise InvalidInput(
            f"the main field of this '{method}' is not known here; send every field by its name"
        )
    return fields.main.name


def _steps(session: Session, steps: object) -> Flow[Sequence[Method]]:
    found: list[Method] = []
    for step in steps if isinstance(steps, list | tuple) else ():
        if isinstance(step, Mapping) and "columns" in step:
            return ()  # side by side: what one takes is not what all take
        method = yield from _step(session, step)
        if method is None:
            return ()
        found.append(method)
    return found


def _step(session: Session, step: object) -> Flow[Method | None]:
    if isinstance(step, str):
        return (yield from method_of(session, step, {}))
    if isinstance(step, Normalizer):
        return (yield from method_of(session, step.name, step.explicit_params))
    if not isinstance(step, Mapping):
        return None
    if "ref" in step:
        return (yield from method_behind(session, str(step["ref"])))
    if "method" in step:
        params = cast("Mapping[str, object]", step.get("params") or {})
        return (yield from method_of(session, str(step["method"]), params))
    return None


def _affects(description: Description) -> Mapping[str, object]:
    return cast("Mapping[str, object]", description.get("affects", {}))
