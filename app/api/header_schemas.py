"""Headers of requests, as the OpenAPI document describes them."""

from __future__ import annotations

from app.api.schema import Schema
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
ONLY_CREATE = _header("If-None-Match", r"^\*$", "'*': only create, else 412")
