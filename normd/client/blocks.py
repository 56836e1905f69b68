"""Ask block by block, and answer as one request would."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

from normalizers.errors import NonFiniteError, relocate
from normd.client.answers import ServedAnswer
from normd.client.calls import Flow
from normd.client.combine import Span, combine
from normd.client.errors import Refused, TooLarge
from normd.client.exchange import LARGE_BYTES, limits_of
from normd.client.requests import Request
from normd.client.sessions import Session
from normd.client.split import Cut

STATE = "state"
Ask: TypeAlias = Callable[[Request], Flow[ServedAnswer]]


def in_blocks(
    session: Session, request: Request, cut: Cut, ask: Ask, of_columns: Collection[str] = ()
) -> Flow[ServedAnswer]:
    """Return the answer to a request, cut where it is above a limit of the service.

    What the service finds too large for all that is cut in half. `of_columns` are the flags that
    name columns.
    """
    spans = yield from _spans(session, cut)

    def answer(span: Span, before: list[ServedAnswer]) -> Flow[ServedAnswer]:
        start, stop = span
        try:
            found = yield from ask(_block(request, cut, span, before))
        except TooLarge:
            raise
        except Refused as error:
            _move(error, cut, start)
            raise
        if request.progress is not None:
            request.progress(stop, cut.units)
        return found

    answers, done = yield from in_halves(spans, answer)
    return combine(answers, done, axis=_axis(cut), shifted=not cut.in_order, of_columns=of_columns)


def in_halves(
    spans: Sequence[Span], answer: Callable[[Span, list[ServedAnswer]], Flow[ServedAnswer]]
) -> Flow[tuple[list[ServedAnswer], list[Span]]]:
    """Return the answers for spans in order, and the spans that were answered in the end.

    What the service finds too large is cut in half. `answer` is told the answers before.
    """
    waiting, done, answers = deque(spans), list[Span](), list[ServedAnswer]()
    while waiting:
        start, stop = waiting.popleft()
        try:
            answers.append((yield from answer((start, stop), answers)))
        except TooLarge:
            if stop - start < 2:
                raise
            middle = (start + stop) // 2
            waiting.extendleft([(middle, stop), (start, middle)])
        else:
            done.append((start, stop))
    return answers, done


def _spans(session: Session, cut: Cut) -> Flow[list[Span]]:
    """Return the blocks to begin with: one, unless the request is large."""
    if cut.bytes <= LARGE_BYTES:
        return [(0, cut.units)]
    return cut.spans((yield from limits_of(session)))


def _block(request: Request, cut: Cut, span: Span, before: list[ServedAnswer]) -> Request:
    if span == (0, cut.units):
        return request
    fields, options = cut.block(*span), dict(request.options)
    if before and cut.in_order:
        fields[STATE] = before[-1].output[STATE]
        options.pop("start_step", None)
    return replace(request, fields=fields, options=options)


def _axis(cut: Cut) -> int | None:
    return next(iter(cut.axes.values()))


def _move(error: Refused, cut: Cut, start: int) -> None:
    """Name places as they stand in the whole request, where blocks are cut along the first axis."""
    if not start:
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
    relocate(error, moved, in_message=True)
