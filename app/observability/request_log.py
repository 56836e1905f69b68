"""A line of JSON for each request, and one for each change."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path

import orjson

from app.access.scopes import ADMIN, FIT, needed_scope
from app.observability.exchange import Exchange

logger = logging.getLogger("normd.requests")
audit = logging.getLogger("normd.audit")
FAILURE = 400


def log_request(exchange: Exchange) -> None:
    """Write the line of a request, and of a change that it made."""
    if logger.isEnabledFor(logging.INFO):
        _write(logger, _line(_request(exchange)))
    changes = needed_scope(exchange.verb, exchange.route) in {FIT, ADMIN}
    if changes and 0 < exchange.status < FAILURE and audit.isEnabledFor(logging.INFO):
        _write(audit, _line(_change(exchange)))


def keep_audit(file: Path) -> None:
    """Append the line of each change to a file, which others may move away to begin a new one."""
    for handler in [*audit.handlers]:
        if isinstance(handler, AuditFile):
            audit.removeHandler(handler)
            handler.close()
    audit.addHandler(AuditFile(file, delay=True, encoding="utf-8"))
    audit.setLevel(logging.INFO)


class AuditFile(WatchedFileHandler):
    """The file that every change is written to."""


def _write(to: logging.Logger, line: str) -> None:
    """Give a line to the handlers; where in the code that is, which costs a walk, nobody asks."""
    to.handle(logging.LogRecord(to.name, logging.INFO, "", 0, line, None, None))


def _request(exchange: Exchange) -> dict[str, object]:
    known = _known("request", exchange)
    known["ms"] = round(exchange.seconds * 1000, 3)
    known["received"], known["sent"] = exchange.received, exchange.sent
    if exchange.name:
        known["name"], known["version"] = exchange.name, exchange.version
        known["hash"] = exchange.hash
    return known


def _change(exchange: Exchange) -> dict[str, object]:
    """Return who changed what: the path of a request that succeeded names nothing but what is."""
    known = {
        **_known("change", exchange),
        "path": exchange.path,
        "name": exchange.name,
        "version": exchange.version,
        "before": [*exchange.before],
        "after": exchange.after,
    }
    return {name: value for name, value in known.items() if value != ""}


def _known(event: str, exchange: Exchange) -> dict[str, object]:
    known: dict[str, object] = {
        "time": datetime.now(UTC),
        "event": event,
        "request_id": exchange.request_id,
        "verb": exchange.verb,
        "route": exchange.route,
        "status": exchange.status,
    }
    if exchange.key:
        known["key"] = exchange.key
    return known


def _line(known: dict[str, object]) -> str:
    """Return what is known as JSON; what a client named cannot break a line."""
    return orjson.dumps(known).decode()
