"""Transforms and their way back, in one request or by a stored version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from typing import Concatenate, ParamSpec, TypeVar, cast

from normalizers.catalogue.catalogue import normalized
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.messages import did_you_mean, quoted
from normd.client.answers import ServedAnswer
from normd.client.calls import Flow
from normd.client.errors import NotFound
from normd.client.forms import FormName
from normd.client.methods import (
    Method,
    descriptions,
    find_description,
    method_behind,
    method_of,
)
from normd.client.requests import INVERSE, TRANSFORM, Progress
from normd.client.sessions import Session
from normd.client.sources import Source
from normd.client.transform_call import TransformCall, answer_request

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Arguments:
    """What a transform or its way back is called with."""

    ref_or_method: str
    x: object
    source: Source
    options: Mapping[str, object] | None
    stored: bool | None
    if_match: str | None
    form: FormName | None
    progress: Progress | None
    fields: Mapping[str, object]


def arguments(
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
    if_match: str | None = None,
    form: FormName | None = None,
    progress: Progress | None = None,
    **fields: object,
) -> Arguments:
    """Return what a call of `apply_to`, `transform` or `inverse` gives: their parameters."""
    source = Source(params, fit, statistics, weights)
    return Arguments(ref_or_method, x, source, options, stored, if_match, form, progress, fields)


def _taking(
    read: Callable[P, Arguments],
) -> Callable[
    [Callable[[Session, Arguments], Flow[T]]], Callable[Concatenate[Session, P], Flow[T]]
]:
    """Give a verb the parameters of `read`, for readers and type checkers too.

    A `TypedDict` to unpack could not: fields and options come by any name beside them.
    """

    def decorate(
        flow: Callable[[Session, Arguments], Flow[T]],
    ) -> Callable[Concatenate[Session, P], Flow[T]]:
        @wraps(flow)
        def called(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> Flow[T]:
            return flow(session, read(*args, **kwargs))

        own, taken = signature(flow), list(signature(read).parameters.values())
        session = own.parameters["session"].replace(kind=Parameter.POSITIONAL_ONLY)
        called.__dict__["__signature__"] = own.replace(parameters=[session, *taken])
        return called

    return decorate


@_taking(arguments)
def apply_to(session: Session, given: Arguments) -> Flow[ServedAnswer]:
    """Return the whole answer: every output, flags, warnings, parts.

    Parameters
    ----------
    ref_or_method : str
        A stored name or reference (``bm25@prod``), or a method.
    x : array_like
        The main field.
    params : mapping, optional
        Parameters of a method; with them, or with one of the next three, the word is a method.
    fit : array_like or mapping, optional
        Data to fit on in this request: the main field, or fields by name.
    statistics, weights : mapping, optional
        Statistics or imported arrays to fit on in this request.
    options : mapping, optional
        Options by name, for those that are named like a field.
    stored : bool, optional
        Whether the word is a stored name, where it could be both. By default a word with ``@`` is
        a reference, the name of a method is that method, and any other word is a stored name.
    if_match : str, optional
        The hash of the version that shall work, as an earlier answer told it; another one is
        refused, as where an alias moved since an index was filled.
    form : str, optional
        The form of the bodies: ``npy``, ``safetensors``, ``arrow`` or ``json``; by default npy
        where one array goes in and one comes out, safetensors where there are arrays, else JSON.
    progress : callable, optional
        Is told how many of all units are done, after each block.
    **fields : array_like
        Further fields and options by name.

    Returns
    -------
    ServedAnswer
        The library's answer, with ``name``, ``version`` and ``hash`` of the version that gave it.

    Raises
    ------
    Refused
        What the service refuses, as the library's own class where it has one.
    PreconditionFailed
        When another version than `if_match` names would work.

    Notes
    -----
    A request above a limit of the service goes out in blocks of rows, lists or windows; a causal
    method's blocks follow each other in time and hand on its state. Positions of flags and places
    in errors are those of the whole. A report that differs between blocks is
    ``{"blocks": [...]}``. With `explain` or `fit` nothing is cut.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> answer = client.apply_to("min_max", [[12.0, 7.0, 2.0], [3.0]])
    >>> answer["loc"].tolist(), answer.flags["constant"].tolist()
    ([2.0, 3.0], [1])
    >>> client.close()
    """
    answer = yield from _answer(session, TRANSFORM, given)
    return answer


@_taking(arguments)
def transform(session: Session, given: Arguments) -> Flow[Array]:
    """Return the main output; parameters and blocks are those of `apply_to`.

    Returns
    -------
    array, list of arrays or Ragged
        In the form and dtype of the input, as the library returns it.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> client.transform("min_max", [12.0, 7.0, 2.0]).tolist()
    [1.0, 0.5, 0.0]
    >>> manifest = client.fit("bm25", "percentile", [3.1, 4.7, 5.2, 5.9])
    >>> client.transform("bm25@1", [5.0, 9.0]).tolist()
    [0.5, 1.0]
    >>> client.close()
    """
    answer = yield from _answer(session, TRANSFORM, given, main_only=True)
    return _main(answer)


@_taking(arguments)
def inverse(session: Session, given: Arguments) -> Flow[Array]:
    """Return the input that gives `x`; what else the transform returned goes in by name.

    Parameters and blocks are those of `apply_to`.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> sizes = {"loc": [2.0], "scale": [10.0]}
    >>> client.inverse("min_max", [1.0, 0.5], params={}, **sizes).tolist()
    [12.0, 7.0]
    >>> client.close()
    """
    answer = yield from _answer(session, INVERSE, given, main_only=True)
    return _main(answer)


def _answer(
    session: Session, action: str, given: Arguments, *, main_only: bool = False
) -> Flow[ServedAnswer]:
    work = yield from _work(session, given.ref_or_method, given.source, given.stored)
    if given.if_match is not None:
        work = work.only_by(given.if_match)
    request = work.request(action, given.x, given.fields, given.options, given.form, given.progress)
    return (yield from answer_request(session, work, replace(request, main_only=main_only)))


def _work(session: Session, word: str, source: Source, stored: bool | None) -> Flow[TransformCall]:
    if (yield from _is_stored(session, word, source, stored)):
        if source.is_given:
            raise InvalidInput(
                f"'{word}' is stored: its parameters and its fit are its own; leave out params, "
                "fit, statistics and weights, or add a version",
                path="params",
            )
        return TransformCall((yield from _behind(session, word, stored)), word)
    method = yield from method_of(session, word, source.params or {})
    return TransformCall(method, None, {"method": word, **source.members(method)})


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
    return (yield from find_description(session, word)) is None


def _main(answer: ServedAnswer) -> Array:
    return cast(Array, next(iter(answer.output.values())))
