"""Headers and members in the query string, as the OpenAPI document describes them."""

from __future__ import annotations

from app.api.openapi.schema import NUMBER, REFERENCE, Schema
from app.registry.idempotency import KEY

# Entity tags (RFC 9110, section 8.8.3) between commas.
_TAG = r'(W/)?"[!#-~]*"'
TAGS = rf"^(\*|{_TAG}([ \t]*,[ \t]*{_TAG})*)$"


def _header(name: str, pattern: str, about: str) -> Schema:
    schema = {"type": "string", "pattern": pattern}
    return {"name": name, "in": "header", "required": False, "schema": schema, "description": about}


IDEMPOTENCY_KEY = _header(
    "Idempotency-Key",
    f"^{KEY.pattern}$",
    "any key of your own; a retry with the same key and body counts once",
)
IF_MATCH = _header("If-Match", TAGS, "tags of the forms that are asked for; else 412")
IF_NONE_MATCH = _header("If-None-Match", TAGS, "tags of the forms that are at hand: 304 for these")
IF_POINTS_THERE = _header(
    "If-Match", TAGS, "the hash the alias points to now, as any ETag of that version says; else 412"
)
IF_WORKS_BY = _header(
    "If-Match", TAGS, "the versions that may answer, as any ETag of them says; else 412"
)
ONLY_CREATE = _header("If-None-Match", r"^\*$", "'*': only create, else 412")


def _beside(name: str, schema: Schema, about: str) -> Schema:
    described = f"beside ranked lists as text: {about}"
    return {
        "name": name,
        "in": "query",
        "required": False,
        "schema": schema,
        "description": described,
    }


# A text has no room for them; other members stand in the query string as these do.
METHOD_BESIDE = _beside("method", {"type": "string"}, "the fusion")
REF_BESIDE = _beside("ref", REFERENCE, "a stored fusion, in place of method")
TOP_K_BESIDE = _beside("top_k", NUMBER, "hits that return")
