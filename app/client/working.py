"""A method or a stored version at work: one request, or blocks that are joined again."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from app.client.answers import NEEDED, ServedAnswer, read_answer, style_of
from app.client.asking import LARGE_BYTES, asked, exchanged, limits_of
from app.client.calls import Call, Flow
from app.client.cutting import Cut, cut_by_time, cut_by_unit
from app.client.errors import NotAcceptable, Refused, TooLarge, UnsupportedMediaType
from app.client.fields import written
from app.client.forms import FormName
from app.client.joining import Span, joined
from app.client.methods import Description, Method, main_of
from app.client.sessions import Session
from app.client.single import as_npy, read_npy
from normalizers.answer import Options
from normalizers.errors import Fault, InvalidInput, NonFiniteError

TRANSFORM, INVERSE = "transform", "inverse"
STATE = "state"
NPY = "npy"
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class Request:
    """What is asked: the fields of the input, options, and how it is sent.

    Parameters
    ----------
    action : str
        ``transform`` or ``inverse``.
    fields : mapping
        Fields by name.
    options : mapping
        What the answer holds.
    form : str or None
        The form of the body that the user asks for.
    progress : callable or None
        Is told how many of all units are done.
    main_only : bool
        Whether nothing but the main output is wanted.
    """

    action: str
    fields: Mapping[str, object]
    options: Mapping[str, object] = field(default_factory=dict)
    form: FormName | None = None
    progress: Progress | None = None
    main_only: bool = False


@dataclass(frozen=True)
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

    method: Method
    ref: str | None = None
    described: Mapping[str, object] = field(default_factory=dict)

    def takes(self, action: str) -> Mapping[str, Description]:
        """Return the fields that go in."""
        return self.method.takes if action == TRANSFORM else self.method.returns

    def gives(self, action: str) -> Mapping[str, Description]:
        """Return the fields that come out."""
        return self.method.gives if action == TRANSFORM else self.method.takes

    def call(self, action: str) -> Call:
        """Return the call without its body."""
        if self.ref is None:
            return Call("POST", f"/v1/{action}")
        return Call("POST", f"/v1/normalizers/{{ref}}/{action}", {"ref": self.ref})

    def body(self, request: Request) -> dict[str, object]:
        """Return the body."""
        options = {"options": dict(request.options)} if request.options else {}
        return {**self.described, "input": written(request.fields, "input"), **options}

    def answer(
        self,
        session: Session,
        action: str,
        x: object,
        fields: Mapping[str, object],
        options: Mapping[str, object] | None = None,
        form: FormName | None = None,
        progress: Progress | None = None,
        *,
        main_only: bool = False,
    ) -> Flow[ServedAnswer]:
        """Return the answer: `x` is the main field, the rest are fields and options by name."""
        request = self.request(action, x, fields, options, form, progress)
        return (yield from answered(session, self, replace(request, main_only=main_only)))

    def request(
        self,
        action: str,
        x: object,
        fields: Mapping[str, object],
        options: Mapping[str, object] | None,
        form: FormName | None,
        progress: Progress | None,
    ) -> Request:
        """Return what is asked of the fields and options that a user names."""
        takes = self.takes(action)
        values, chosen = Options.split(fields, takes)
        if x is not None:
            main = main_of(takes, self.method.name)
            if main in values:
                raise InvalidInput(f"'{main}' was given twice", path=f"input.{main}")
            values = {main: x, **values}
        return Request(action, values, {**chosen, **(options or {})}, form, progress)


def answered(session: Session, work: Work, request: Request) -> Flow[ServedAnswer]:
    """Return the answer to a request, in blocks where it is above a limit of the service."""
    cut = _cut(work, request)
    units = 1 if cut is None else cut.units
    spans: list[Span] = [(0, units)]
    if cut is not None and cut.bytes > LARGE_BYTES:
        spans = cut.spans((yield from limits_of(session)))
    answer = yield from _in_blocks(session, work, request, cut, spans)
    return answer


def _in_blocks(
    session: Session, work: Work, request: Request, cut: Cut | None, spans: list[Span]
) -> Flow[ServedAnswer]:
    waiting, done, answers = deque(spans), list[Span](), list[ServedAnswer]()
    units = spans[-1][1]
    while waiting:
        start, stop = waiting.popleft()
        part = _block(request, cut, (start, stop), answers)
        try:
            answers.append((yield from _once(session, work, part)))
        except TooLarge:
            if cut is None or stop - start < 2:
                raise
            middle = (start + stop) // 2
            waiting.extendleft([(middle, stop), (start, middle)])
            continue
        except Refused as error:
            _move(error, cut, start)
            raise
        done.append((start, stop))
        if request.progress is not None:
            request.progress(stop, units)
    return joined(answers, done, axis=_axis(cut), shifted=cut is None or not cut.in_order)


def _once(session: Session, work: Work, request: Request) -> Flow[ServedAnswer]:
    try:
        single = yield from _as_one_array(session, work, request)
        if single is not None:
            return single
        call, body = work.call(request.action), work.body(request)
        document = yield from exchanged(session, call, body, request.form, NEEDED)
    except Refused:
        _forget(session, work)
        raise
    return read_answer(document.tree, work.gives(request.action), style_of(request.fields))


def _as_one_array(session: Session, work: Work, request: Request) -> Flow[ServedAnswer | None]:
    """Return the main output alone, sent and answered as npy; None where that cannot be."""
    form = request.form or session.form
    if form not in (None, NPY) or not request.main_only or NPY in session.unread:
        return None
    gives = work.gives(request.action)
    is_one = len(gives) == 1 and not work.method.steps
    call = as_npy(work.call(request.action), work.body(request)) if is_one else None
    if call is None:
        return None
    try:
        reply = yield from asked(session, call)
    except (UnsupportedMediaType, NotAcceptable):
        session.unread.add(NPY)
        return None
    return ServedAnswer({next(iter(gives)): read_npy(reply)}, method=work.method.name)


def _cut(work: Work, request: Request) -> Cut | None:
    """Return how a request is cut; None where a part of it cannot be answered by itself.

    A fit in the request would be repeated with every block, and the parts of `explain` are those
    of the whole.
    """
    if "fit" in work.described or request.options.get("explain"):
        return None
    layout = request.options.get("layout")
    axes = layout if isinstance(layout, str) else None
    takes = work.takes(request.action)
    if "causal" in work.method.kinds and request.action == TRANSFORM and axes != "ragged":
        return cut_by_time(request.fields, takes, axes)
    return cut_by_unit(request.fields, takes, axes) if work.method.row_by_row else None


def _block(request: Request, cut: Cut | None, span: Span, before: list[ServedAnswer]) -> Request:
    if cut is None or span == (0, cut.units):
        return request
    fields, options = cut.block(*span), dict(request.options)
    if before and cut.in_order:
        fields[STATE] = before[-1].output[STATE]
        options.pop("start_step", None)
    return replace(request, fields=fields, options=options)


def _axis(cut: Cut | None) -> int | None:
    return None if cut is None else next(iter(cut.axes.values()))


def _move(error: Refused, cut: Cut | None, start: int) -> None:
    """Name places as they stand in the whole request, where blocks are cut along the first axis."""
    if cut is None or not start:
        return
    if cut.in_order or _axis(cut):
        error.add_note(f"in the block that begins at step {start}")
        return
    names = "|".join(map(re.escape, cut.axes))
    place = re.compile(rf"\b(input\.(?:{names}))\[(\d+)\]")

    def moved(text: str) -> str:
        return place.sub(lambda found: f"{found[1]}[{int(found[2]) + start}]", text)

    if isinstance(error, NonFiniteError):
        error.positions = [(first + start, *rest) for first, *rest in error.positions]
    error.message, error.path = moved(error.message), moved(error.path)
    error.faults = tuple(Fault(moved(one.path), moved(one.message)) for one in error.faults)
    error.args = (error.message,)


def _forget(session: Session, work: Work) -> None:
    """Ask for the method of a name again: it may have been deleted and made anew."""
    if work.ref is not None:
        session.method_of.pop(work.ref.partition("@")[0], None)
