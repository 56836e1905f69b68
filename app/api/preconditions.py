"""Conditional requests (RFC 9110, section 13): tags of forms, and how they are compared."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from app.registry.errors import PreconditionFailed
from app.registry.records import VersionRecord
from normd.wire.codecs import ARROW, NPY, SAFETENSORS, TREC, Codec

ANY, ETAG = "*", "ETag"
WEAK = "W/"
TAG = re.compile(r'(?:W/)?"[!#-~\x80-\xff]*"')
# A hash without the quotes of a tag is understood too.
HASH = re.compile(r"[0-9a-f]{64}")
# What the tag of a form adds to the hash; JSON adds nothing.
SUFFIXES: Mapping[str, str] = {
    SAFETENSORS.media_type: "safetensors",
    ARROW.media_type: "arrow",
    NPY.media_type: "npy",
    TREC.media_type: "trec",
}


def tag_of(tag: str, codec: Codec) -> str:
    """Return the tag that one form of an answer has, which no other form has.

    Examples
    --------
    >>> from app.api.preconditions import tag_of
    >>> from normd.wire.codecs import JSON, NPY
    >>> tag_of('"5f2e"', JSON), tag_of('"5f2e"', NPY)
    ('"5f2e"', '"5f2e-npy"')
    """
    suffix = SUFFIXES.get(codec.media_type)
    return form_tag(tag, suffix) if suffix else tag


def form_tag(tag: str, form: str) -> str:
    """Return the tag of one form of what a tag names."""
    return f'{tag[:-1]}-{form}"'


def unmodified(request: Request, headers: Mapping[str, str]) -> Response | None:
    """Return 304 for what the client has already, None where it is to be sent.

    Parameters
    ----------
    request : Request
        A GET.
    headers : mapping
        Headers of the answer, its ETag among them.

    Raises
    ------
    PreconditionFailed
        When If-Match names another form or version.
    """
    tag = headers.get(ETAG)
    if tag is None:
        return None
    if_match = sent(request, "if-match")
    if if_match is not None and not _names(if_match, tag, weakly=False):
        raise PreconditionFailed(
            "this is another version or form than If-Match names",
            expected=if_match,
            actual=tag.strip('"'),
        )
    if_none_match = sent(request, "if-none-match")
    if if_none_match is not None and _names(if_none_match, tag, weakly=True):
        # The answer in full would be compressed, or not, as the client asks.
        varies = ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))
        return Response(status_code=304, headers={**headers, "Vary": varies})
    return None


def require_version(request: Request, record: VersionRecord) -> None:
    """Refuse to work by another version than the client has vectors or scores of.

    The tag of any form of a version will do: what comes back is no form of it.

    Raises
    ------
    PreconditionFailed
        When If-Match names other versions.
    """
    if_match = sent(request, "if-match")
    if if_match is None or not hashes_of(if_match).isdisjoint((record.hash, ANY)):
        return
    raise PreconditionFailed(
        f"this is version {record.number}, and not one that If-Match names: what the one gives "
        "does not go with what the other gave",
        expected=if_match,
        actual=record.hash,
    )


def sent(request: Request, header: str) -> str | None:
    """Return a header that holds a list; it may be sent in several lines."""
    lines = request.headers.getlist(header)
    return ", ".join(lines) if lines else None


def hashes_of(header: str) -> frozenset[str]:
    """Return the hashes that the strong tags of a list name, in any form; ``*`` as it is.

    Examples
    --------
    >>> from app.api.preconditions import hashes_of
    >>> sorted(hashes_of('"5f2e", "77aa-npy", W/"1b1b"'))
    ['5f2e', '77aa']
    """
    written = header.strip()
    if written == ANY or HASH.fullmatch(written):
        return frozenset([written])
    strong = (tag for tag in TAG.findall(header) if not tag.startswith(WEAK))
    return frozenset(tag.strip('"').partition("-")[0] for tag in strong) - {ANY}


def _names(header: str, tag: str, *, weakly: bool) -> bool:
    """Return whether a list of tags names this one; weak tags count only where it is asked for."""
    if header.strip() == ANY:
        return True
    found = TAG.findall(header)
    return tag in (map(_opaque, found) if weakly else found)


def _opaque(tag: str) -> str:
    return tag.removeprefix(WEAK)
