"""Query strings: a route's own parameters, and the members of a body that has no room for them.

One rule for bodies that are arrays: a name is a path into the JSON body the request would have
had, ``params.eps_rel=3``. A name that is no member of that body is a parameter of the method, or
an option when the method has no such parameter: ``eps_rel=3``, ``explain=true``. Values are JSON;
text that is none is a string.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi.routing import APIRoute
from starlette.requests import Request

from app.service.requests.bodies import Body
from normalizers.catalogue.catalogue import Catalogue
from normalizers.errors import InvalidInput, UnknownName
from normalizers.messages import printable_name, suggestion, unknown
from normd.wire.codecs import CODECS, RANKED, DecodeLimits, Unparseable, json
from normd.wire.codecs.path_insertion import TreeInserter
from normd.wire.codecs.paths import named_place, tensor_keys

METHOD, PARAMS, OPTIONS = "method", "params", "options"
HAVE_BODIES = frozenset({"POST", "PUT"})


@dataclass(frozen=True)
class Reads:
    """What a route reads.

    Parameters
    ----------
    body : type of Body or None
        The members of its body; None when parameters and options stand flat beside the data.
    array : str
        The member that a single array, or a column without a path, belongs to; none by default.
    answers_arrays : bool
        Whether the answer may be one array.
    ranked : bool
        Whether ranked lists may be sent and answered as text.
    """

    body: type[Body] | None = None
    array: str = ""
    answers_arrays: bool = False
    ranked: bool = False

    @property
    def members(self) -> list[str]:
        """Names of the members of the body; none when any may stand there."""
        fields = self.body.model_fields if self.body is not None else {}
        return [field.alias or name for name, field in fields.items()]

    @property
    def texts(self) -> set[str]:
        """Names of the members that are text."""
        fields = self.body.model_fields if self.body is not None else {}
        return {field.alias or name for name, field in fields.items() if field.annotation is str}


async def require_known_query(request: Request) -> None:
    """Refuse a query parameter that the route does not have, or that stands there twice."""
    if not request.scope["query_string"]:
        return
    known = _own(request)
    open_to_members = _has_members(request)
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        path = f"query.{printable_name(name)}"
        if name not in known and not open_to_members:
            raise InvalidInput(
                unknown("query parameter", name, known) + _beside_json(request),
                path=path,
            )
        if times > 1:
            raise InvalidInput("send it once", path=path)


def add_members(
    tree: dict[str, object],
    request: Request,
    reads: Reads,
    catalogue: Catalogue,
    bounds: DecodeLimits,
) -> None:
    """Put the members that stand in a request's query string into the tree of its body."""
    if not request.scope["query_string"]:
        return
    own = _own(request)
    sent = {name: text for name, text in request.query_params.items() if name not in own}
    method = _value(sent[METHOD], METHOD, reads, bounds) if METHOD in sent else tree.get(METHOD)
    parameters = _parameters(method, catalogue)
    paths = {name: _path(name, reads, parameters) for name in sent}
    values = {name: _value(text, paths[name], reads, bounds) for name, text in sent.items()}
    graft = TreeInserter(tree, bounds.depth, noun="query parameter")
    for name in sorted(values, key=lambda name: len(tensor_keys(paths[name]))):
        graft.add(paths[name], values[name])
    graft.finish()


def _own(request: Request) -> list[str]:
    route = request.scope.get("route")
    fields = route.dependant.query_params if isinstance(route, APIRoute) else []
    return [field.alias for field in fields]


def _has_members(request: Request) -> bool:
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    codec = {**CODECS, **RANKED}.get(media_type)
    return request.method in HAVE_BODIES and codec is not None and codec.query


def _beside_json(request: Request) -> str:
    """Return why members do not stand in the query of a request whose body has room for them."""
    if request.method not in HAVE_BODIES:
        return ""
    forms = " and ".join(name for name, codec in CODECS.items() if codec.query)
    return f"; members of the body stand in the query only beside {forms}"


def _value(text: str, path: str, reads: Reads, bounds: DecodeLimits) -> object:
    """Return the value of a JSON text, or the text when it is none, or belongs where text does."""
    value = _parsed(text, path, bounds)
    return text if path in reads.texts and not isinstance(value, str) else value


def _parsed(text: str, path: str, bounds: DecodeLimits) -> object:
    try:
        tree = json.decode(f'{{"value":{text}}}'.encode(), bounds).tree
    except (Unparseable, UnicodeEncodeError):
        return text
    except InvalidInput as error:
        place = named_place(path) + error.path.removeprefix("value")
        raise InvalidInput(error.message, path=place) from None
    return tree["value"] if tree.keys() == {"value"} else text


def _parameters(method: object, catalogue: Catalogue) -> Mapping[str, object]:
    try:
        return catalogue.method(method).parameters if isinstance(method, str) else {}
    except UnknownName:
        return {}


def _path(name: str, reads: Reads, parameters: Mapping[str, object]) -> str:
    """Return the path of what a query parameter says."""
    members = reads.members
    if reads.body is None or tensor_keys(name)[0] in members:
        return name
    asked = reads.body.asks.model_fields
    options = OPTIONS in members and name in asked and name not in parameters
    if options:
        return f"{OPTIONS}.{name}"
    known = [*members, *(asked if OPTIONS in members else ())]
    meant = suggestion(name, (*parameters, *known)) if parameters else None
    if PARAMS in members and "." not in name and (name in parameters or meant not in known):
        return f"{PARAMS}.{name}"
    raise InvalidInput(
        unknown("query parameter", name, known),
        path=f"query.{printable_name(name)}",
    )
