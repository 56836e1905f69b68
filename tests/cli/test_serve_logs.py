"""``normd serve --log json``."""

from __future__ import annotations

import json
import logging.config

import pytest

from normd.cli.commands.serve import json_logs


def test_every_line_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    config = json_logs("info")
    logging.config.dictConfig(config)
    try:
        logging.getLogger("normd").warning("two\nlines")
        logging.getLogger("normd.requests").info("%s", '{"event":"request"}')
        logging.getLogger("uvicorn.access").info("not this")
        try:
            raise ValueError("inside")
        except ValueError:
            logging.getLogger("uvicorn.error").exception("failed")
    finally:
        for name in config["loggers"]:
            logger = logging.getLogger(name)
            logger.handlers.clear()
            logger.propagate, logger.level = True, logging.NOTSET
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == ["log", "request", "log"]
    assert lines[0]["message"] == "two\nlines"
    assert "ValueError: inside" in lines[2]["traceback"]
