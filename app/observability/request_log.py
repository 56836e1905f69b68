"""A line of JSON for each request, and one for each change."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import orjson

from app.access.scopes import ADMIN, FIT, needed_scope
from app.observability.exchange import Exchange

logger = logging.getLogger("normd.requests")
audit = logging.getLogger("normd.audit")
FAILURE = 400


def log_request(exchange: Exchange) -> None:
    """Write the line of a request, and of a change that it made."""
    if logger.isEnabledFor(logging.INFO):
        logger.info("%s", _line("request", exchange))
    changes = needed_scope(exchange.verb, exchange.route) in {FIT, ADMIN}
    if changes and 0 < exchange.status < FAILURE:
        audit.info("%s", _line("change", exchange))


def _line(event: str, exchange: Exchange) -> str:
    """Return what is known as JSON; what a client named cannot break a line."""
    known = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "event": event,
        "request_id": exchange.request_id,
        "key": exchange.key,
        "verb": exchange.verb,
        "route": exchange.route,
        "status": exchange.status,
        "ms": round(exchange.seconds * 1000, 3),
        "received": exchange.received,
        "sent": exchange.sent,
        "name": exchange.name,
        "version": exchange.version,
        "hash": exchange.hash,
    }
    return orjson.dumps({key: value for key, value in known.items() if value != ""}).decode()
