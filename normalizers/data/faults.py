"""What pydantic refuses, as faults: one a mistake, at its place in what was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import ValidationError

from normalizers.errors import Fault
from normalizers.messages import printable_name

# How pydantic names errors of a value that is of another type altogether.
OTHER_TYPE = "_type"


def faults_of(error: ValidationError, sent: Mapping[str, object], prefix: str = "") -> list[Fault]:
    """Return the faults of what was `sent`; `prefix` is where it stands.

    Where a value may be of several types, each of them refuses it. Those that it is not of say
    nothing once one of them refuses only a part of it.
    """
    items = error.errors(include_url=False, include_input=False, include_context=False)
    found = [(_steps(item["loc"], sent), item) for item in items]
    deepest: dict[object, int] = {}
    for steps, _ in found:
        deepest[steps[:1]] = max(deepest.get(steps[:1], 0), len(steps))
    messages: dict[tuple[int | str, ...], dict[str, None]] = {}
    for steps, item in found:
        if len(steps) == deepest[steps[:1]] or not item["type"].endswith(OTHER_TYPE):
            messages.setdefault(steps, {})[item["msg"]] = None
    return [Fault(_place(steps, prefix), ", or ".join(said)) for steps, said in messages.items()]


def _steps(loc: tuple[int | str, ...], sent: object) -> tuple[int | str, ...]:
    """Return the parts of a place that lead somewhere; names of a union's alternatives do not."""
    steps: list[int | str] = []
    for part in loc:
        leads = _leads(part, sent)
        # The first part is a member, be it one that is missing.
        if leads or not steps:
            steps.append(part)
        sent = sent[part] if leads else sent  # type: ignore[index]
    return tuple(steps)


def _leads(part: int | str, sent: object) -> bool:
    if isinstance(sent, Mapping):
        return part in sent
    return isinstance(part, int) and isinstance(sent, Sequence) and part < len(sent)


def _place(steps: tuple[int | str, ...], prefix: str) -> str:
    parts = (f"[{step}]" if isinstance(step, int) else f".{printable_name(step)}" for step in steps)
    return (prefix + "".join(parts)).removeprefix(".")
