"""Transforms, their way back and fusions, in one request or by a stored version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from app.client.answers import NEEDED, ServedAnswer, read_answer, style_of
from app.client.asking import exchanged
from app.client.calls import Call, Flow
from app.client.errors import NotFound
from app.client.fields import written
from app.client.forms import FormName
from app.client.methods import Method, descriptions, method_behind, method_of
from app.client.sessions import Session
from app.client.sources import Source
from app.client.working import INVERSE, TRANSFORM, Progress
from app.client.working import Work as Work
from normalizers.arrays import Array
from normalizers.catalogue import normalized
from normalizers.errors import InvalidInput
from normalizers.spelling import did_you_mean, quoted


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
    progress: Progress | None = None,
    **fields: object,
) -> Flow[ServedAnswer]:
    """Return the whole answer: every output, flags, warnings, parts."""
    source = Source(params, fit, statistics, weights)
    work = yield from _work(session, ref_or_method, source, stored)
    answer = yield from work.answer(session, TRANSFORM, x, fields, options, form, progress)
    return answer


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
    progress: Progress | None = None,
    **fields: object,
) -> Flow[Array]:
    """Return the main output."""
    source = Source(params, fit, statistics, weights)
    work = yield from _work(session, ref_or_method, source, stored)
    answer = yield from work.answer(
        session, TRANSFORM, x, fields, options, form, progress, main_only=True
    )
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
    progress: Progress | None = None,
    **fields: object,
) -> Flow[Array]:
    """Return the input that gives `y`; what the transform returned goes in by name."""
    source = Source(params, fit, statistics, weights)
    work = yield from _work(session, ref_or_method, source, stored)
    answer = yield from work.answer(
        session, INVERSE, y, fields, options, form, progress, main_only=True
    )
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
    document = yield from exchanged(session, Call("POST", "/v1/fuse"), sent, form, NEEDED)
    return read_answer(document.tree, known.gives, style_of(runs))


def _work(session: Session, word: str, source: Source, stored: bool | None) -> Flow[Work]:
    if (yield from _is_stored(session, word, source, stored)):
        if source.is_given:
            raise InvalidInput(
                f"'{word}' is stored: its parameters and its fit are its own; leave out params, "
                "fit, statistics and weights, or add a version",
                path="params",
            )
        return Work((yield from _behind(session, word, stored)), word)
    method = yield from method_of(session, word, source.params or {})
    return Work(method, None, {"method": word, **source.members(method)})


def _behind(session: Session, word: str, stored: bool | None) -> Flow[Method]:
    """Return the method of a stored name; what is none may be a method misspelled."""
    try:
        return (yield from method_behind(session, word))
    except NotFound as error:
        if stored is None and "@" not in word:
            known = yield from descriptions(session)
            error.add_note(
                f"{quoted(word)} is no method either{did_you_mean(normalized(word), known)}"
            )
        raise


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
