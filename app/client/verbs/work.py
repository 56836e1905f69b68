"""Transforms, their way back and fusions, in one request or by a stored version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from app.client.answers import ServedAnswer, read_answer
from app.client.asking import exchanged
from app.client.calls import Call, Flow
from app.client.errors import Refused
from app.client.fields import OFFSETS, written
from app.client.forms import FormName
from app.client.methods import Description, Method, descriptions, main_of, method_behind, method_of
from app.client.sessions import Session
from app.client.sources import Source
from normalizers.answer import Options
from normalizers.arrays import Array
from normalizers.catalogue import normalized
from normalizers.errors import InvalidInput
from normalizers.ragged import Ragged


def apply_to(
    session: Session,
    ref_or_method: str,
    x: object = None,
    /,
    *,
    params: Mapping[str, object] | None = None,
    fit: object = None,
    statistics: Mapping[str, object] | None = None,
    weights: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    stored: bool | None = None,
    form: FormName | None = None,
    **fields: object,
) -> Flow[ServedAnswer]:
    """Return the whole answer: every output, flags, warnings, parts."""
    source = Source(params, fit, statistics, weights)
    work = yield from _work(session, ref_or_method, source, stored)
    return (yield from work.answer(session, "transform", x, fields, options, form))


def transform(
    session: Session,
    ref_or_method: str,
    x: object = None,
    /,
    *,
    params: Mapping[str, object] | None = None,
    fit: object = None,
    statistics: Mapping[str, object] | None = None,
    weights: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    stored: bool | None = None,
    form: FormName | None = None,
    **fields: object,
) -> Flow[Array]:
    """Return the main output."""
    source = Source(params, fit, statistics, weights)
    work = yield from _work(session, ref_or_method, source, stored)
    answer = yield from work.answer(session, "transform", x, fields, options, form)
    return _main(answer)


def inverse(
    session: Session,
    ref_or_method: str,
    y: object = None,
    /,
    *,
    params: Mapping[str, object] | None = None,
    fit: object = None,
    statistics: Mapping[str, object] | None = None,
    weights: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    stored: bool | None = None,
    form: FormName | None = None,
    **fields: object,
) -> Flow[Array]:
    """Return the input that gives `y`; what the transform returned goes in by name."""
    source = Source(params, fit, statistics, weights)
    work = yield from _work(session, ref_or_method, source, stored)
    answer = yield from work.answer(session, "inverse", y, fields, options, form)
    return _main(answer)


def fuse(
    session: Session,
    runs: Sequence[Mapping[str, object]],
    /,
    method: str = "rrf",
    *,
    options: Mapping[str, object] | None = None,
    form: FormName | None = None,
    **params: object,
) -> Flow[ServedAnswer]:
    """Return one ranked list of several."""
    known = yield from method_of(session, method, params)
    sent = written({"method": method, **params, **(options or {}), "runs": list(runs)}, "fuse")
    document = yield from exchanged(session, Call("POST", "/v1/fuse"), sent, form)
    return read_answer(document.tree, known.gives, joined=_is_joined(runs))


class Work:
    """A method or a stored version that is asked to work.

    Parameters
    ----------
    method : Method
        The method.
    ref : str or None
        The stored version, None for work in one request.
    described : mapping
        Members of the body that say what to work by.
    """

    def __init__(self, method: Method, ref: str | None, described: Mapping[str, object]) -> None:
        self.method = method
        self.ref = ref
        self.described = described

    def answer(
        self,
        session: Session,
        action: str,
        x: object,
        fields: Mapping[str, object],
        options: Mapping[str, object] | None,
        form: FormName | None,
    ) -> Flow[ServedAnswer]:
        """Return the answer for fields and options by name."""
        forward = action == "transform"
        takes = self.method.takes if forward else self.method.returns
        values, chosen = Options.split(fields, takes)
        named = self._named(takes, x, values)
        body = {
            **self.described,
            "input": written(named, "input"),
            "options": {**chosen, **(options or {})},
        }
        try:
            document = yield from exchanged(session, self._call(action), body, form)
        except Refused:
            self._forget(session)
            raise
        gives = self.method.gives if forward else self.method.takes
        return read_answer(document.tree, gives, joined=_is_joined(named))

    def _named(
        self, takes: Mapping[str, Description], x: object, fields: Mapping[str, object]
    ) -> dict[str, object]:
        if x is None:
            return dict(fields)
        main = main_of(takes, self.method.name)
        if main in fields:
            raise InvalidInput(f"'{main}' was given twice", path=f"input.{main}")
        return {main: x, **fields}

    def _call(self, action: str) -> Call:
        if self.ref is None:
            return Call("POST", f"/v1/{action}")
        return Call("POST", f"/v1/normalizers/{{ref}}/{action}", {"ref": self.ref})

    def _forget(self, session: Session) -> None:
        """The name may have been deleted and made anew, of another method."""
        if self.ref is not None:
            session.method_of.pop(self.ref.partition("@")[0], None)


def _work(session: Session, word: str, source: Source, stored: bool | None) -> Flow[Work]:
    if (yield from _is_stored(session, word, source, stored)):
        if source.is_given:
            raise InvalidInput(
                f"'{word}' is stored: its parameters and its fit are its own; leave out params, "
                "fit, statistics and weights, or add a version",
                path="params",
            )
        return Work((yield from method_behind(session, word)), word, {})
    method = yield from method_of(session, word, source.params or {})
    return Work(method, None, {"method": word, **source.members(method)})


def _is_stored(session: Session, word: str, source: Source, stored: bool | None) -> Flow[bool]:
    if stored is not None:
        return stored
    if "@" in word:
        return True
    if source.is_given:
        return False
    known = yield from descriptions(session)
    return normalized(word) not in known


def _main(answer: ServedAnswer) -> Array:
    return cast(Array, next(iter(answer.output.values())))


def _is_joined(node: object) -> bool:
    """Return whether lists were written with ``offsets``, here or in a record."""
    if isinstance(node, Mapping):
        return OFFSETS in node or any(_is_joined(value) for value in node.values())
    if isinstance(node, list | tuple):
        return any(_is_joined(value) for value in node if isinstance(value, Mapping))
    return isinstance(node, Ragged)
