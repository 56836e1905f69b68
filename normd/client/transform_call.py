"""A method or a stored version at work: one request, or blocks that are joined again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

from normalizers.contract.answer import Options
from normalizers.errors import InvalidInput
from normd.client.answers import NEEDED, ServedAnswer, read_answer, style_of
from normd.client.blocks import in_blocks
from normd.client.calls import Call, Flow
from normd.client.errors import NotAcceptable, Refused, UnsupportedMediaType
from normd.client.exchange import exchange, send, unread
from normd.client.fields import names_of, written
from normd.client.forms import FormName
from normd.client.methods import CAUSAL, Method, main_of
from normd.client.requests import TRANSFORM, Progress, Request
from normd.client.sessions import Session, require_known
from normd.client.single import as_npy, read_npy, version_of
from normd.client.split import Cut, cut_by_time, cut_by_unit
from normd.wire.field_specs import FieldSpecs

NPY = "npy"


@dataclass(frozen=True)
class TransformCall:
    """A method or a stored version that is asked to work.

    Parameters
    ----------
    method : Method
        The method.
    ref : str or None
        The stored version, None for work in one request.
    described : mapping
        Members of the body that say what to work by.
    headers : mapping
        What the service shall check before.
    """

    method: Method
    ref: str | None = None
    described: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def takes(self, action: str) -> FieldSpecs:
        """Return the fields that go in."""
        return self.method.takes if action == TRANSFORM else self.method.inverse_takes

    def gives(self, action: str) -> FieldSpecs:
        """Return the fields that come out."""
        return self.method.gives if action == TRANSFORM else self.method.takes

    def call(self, action: str) -> Call:
        """Return the call without its body."""
        if self.ref is None:
            return Call("POST", f"/v1/{action}")
        return Call(
            "POST", f"/v1/normalizers/{{ref}}/{action}", {"ref": self.ref}, headers=self.headers
        )

    def only_by(self, hash: str) -> TransformCall:
        """Return the call that is refused where another version would work."""
        if self.ref is None:
            raise InvalidInput("only stored versions have a hash", path="if_match")
        return replace(self, headers={"if-match": f'"{hash}"'})

    def by_version_of(self, answer: ServedAnswer) -> TransformCall:
        """Return the call of the version that answered, where an alias may move meanwhile."""
        if self.ref is None or answer.reference is None:
            return self
        return replace(self, ref=answer.reference)

    def body(self, request: Request) -> dict[str, object]:
        """Return the body."""
        options = {"options": dict(request.options)} if request.options else {}
        return {**self.described, "input": written(request.fields, "input"), **options}

    def request(
        self,
        action: str,
        x: object,
        fields: Mapping[str, object],
        options: Mapping[str, object] | None = None,
        form: FormName | None = None,
        progress: Progress | None = None,
    ) -> Request:
        """Return what is asked: `x` is the main field, the rest are fields and options by name."""
        takes = self.takes(action)
        values, chosen = Options.split(fields, takes)
        if x is not None:
            main = main_of(takes, self.method.name)
            if main in values:
                raise InvalidInput(f"'{main}' was given twice", path=f"input.{main}")
            values = {main: x, **names_of(x, takes), **values}
        require_known("form", form, get_args(FormName))
        return Request(action, values, {**chosen, **(options or {})}, form, progress)


def answer_request(session: Session, work: TransformCall, request: Request) -> Flow[ServedAnswer]:
    """Return the answer to a request, in blocks where it is above a limit of the service."""
    cut = _cut(work, request)
    if cut is None:
        answer = yield from _once(session, work, request)
        if request.progress is not None:
            request.progress(1, 1)
        return answer
    # Blocks are parts of one answer: all are answered by the version that answers the first.
    asked = work

    def ask(request: Request) -> Flow[ServedAnswer]:
        nonlocal asked
        answer = yield from _once(session, asked, request)
        asked = asked.by_version_of(answer)
        return answer

    return (yield from in_blocks(session, request, cut, ask, work.method.column_flags))


def _once(session: Session, work: TransformCall, request: Request) -> Flow[ServedAnswer]:
    try:
        call, body = work.call(request.action), work.body(request)
        single = yield from _as_one_array(session, work, request, body)
        if single is not None:
            return single
        document = yield from exchange(session, call, body, request.form, NEEDED)
    except Refused:
        _forget(session, work)
        raise
    return read_answer(document.tree, work.gives(request.action), style_of(request.fields))


def _as_one_array(
    session: Session, work: TransformCall, request: Request, body: Mapping[str, object]
) -> Flow[ServedAnswer | None]:
    """Return the main output alone, sent and answered as npy; None where that cannot be."""
    form = request.form or session.form
    if form not in (None, NPY) or not request.main_only or NPY in session.unread:
        return None
    gives = work.gives(request.action)
    is_one = len(gives) == 1 and not work.method.steps
    call = as_npy(work.call(request.action), body) if is_one else None
    if call is None:
        return None
    try:
        reply = yield from send(session, call)
    except (UnsupportedMediaType, NotAcceptable) as error:
        if form == NPY:
            raise unread(NPY, error) from error
        session.unread.add(NPY)
        return None
    return ServedAnswer(
        {next(iter(gives)): read_npy(reply)}, method=work.method.name, **version_of(reply)
    )


def _cut(work: TransformCall, request: Request) -> Cut | None:
    """Return how a request is cut; None where a part of it cannot be answered by itself.

    A fit in the request would be repeated with every block, and the parts of `explain` are those
    of the whole.
    """
    if "fit" in work.described or request.options.get("explain"):
        return None
    layout = request.options.get("layout")
    axes = layout if isinstance(layout, str) else None
    takes = work.takes(request.action)
    if CAUSAL in work.method.kinds and request.action == TRANSFORM and axes != "ragged":
        return cut_by_time(request.fields, takes, axes)
    return cut_by_unit(request.fields, takes, axes) if work.method.unit_by_unit else None


def _forget(session: Session, work: TransformCall) -> None:
    """Ask for the method of a name again: it may have been deleted and made anew."""
    if work.ref is not None:
        session.forget(work.ref)
