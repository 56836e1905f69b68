"""Fused lists as lines of TREC: ``query Q0 document rank score tag`` a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from normd.cli.errors import Misuse
from normd.cli.files.formats import ending_of
from normd.cli.io.run_files import TREC, TREC_ENDINGS
from normd.cli.io.runs import Runs

if TYPE_CHECKING:
    from normd.client.answers import ServedAnswer


def is_trec(form: str | None, *paths: str) -> bool:
    """Return whether files are TREC lines: by the form that is named, or by all their endings."""
    if form is not None:
        return form.lower() == TREC
    endings = {ending_of(path) for path in paths}
    return bool(endings) and endings <= TREC_ENDINGS


def trec_lines(runs: Runs, answer: ServedAnswer) -> bytes:
    """Return fused lists as TREC lines; queries without names are called by their place.

    Raises
    ------
    Misuse
        For names that lines have no room for.
    """
    from normd.wire.codecs import NotAcceptable
    from normd.wire.codecs.trec import encode

    named = {} if runs.queries is None else {"query_ids": list(runs.queries)}
    try:
        return encode({"method": answer.method, "output": {**answer.output, **named}})
    except NotAcceptable as error:
        raise Misuse(f"{error.message.partition(';')[0]}; write another form") from None
