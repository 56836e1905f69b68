"""A log of one JSON object a line."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import orjson


class JsonLines(logging.Formatter):
    """Write each record as an object; a message that is one already stays as it is."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record; line breaks in it are escaped.

        Examples
        --------
        >>> import logging
        >>> from app.observability.json_lines import JsonLines
        >>> record = logging.LogRecord("normd", logging.INFO, "", 0, '{"event": "x"}', (), None)
        >>> JsonLines().format(record)
        '{"event": "x"}'
        """
        message = record.getMessage()
        if record.name in {"normd.requests", "normd.audit"} or message.startswith('{"event"'):
            return message
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "event": "log",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message,
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(told).decode()
