"""Cases in the catalogue's own words, which need no translation.

A file ``tests/golden/cases/<method>.json`` has the form of the other golden files, but `method`
and `params` are the catalogue's, `fit` and `input` hold fields of the method (and ``options``),
and `expected` names outputs (``y``) or paths into the answer: ``flags.constant``,
``inverse.x``, ``fitted.mean``, ``statistics.moments.n``. ``flags`` are all flags at once: ``{}``
where there is none. A refusal is expected with ``"compare": "error"`` and
``{"error": "<slug of the problem type>"}``.
"""

from __future__ import annotations

from pathlib import Path

from tests.golden import plays
from tests.golden.answers import Reading, read
from tests.golden.case import OWN_FOLDER, Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry, Rule

OPTIONS = "options"
FLAGS = "flags"


def entry(case: Case) -> Entry:
    """Return the table's line that a case of this form is for itself."""
    return Entry(
        method=case.method,
        play=plays.stored,
        readings={name: [_reading(name)] for name in case.expected},
        params={name: _as_named(name) for name in case.params},
        off={},
        source=_source,
        given=_given,
        options=_options,
    )


def path_of(method: str) -> Path:
    """Return where the cases of a method stand."""
    return OWN_FOLDER / f"{method}.json"


def _reading(name: str) -> Reading:
    if name == "error":
        return read("answer")
    return read(name if "." in name or name == FLAGS else f"output.{name}")


def _as_named(name: str) -> Rule:
    return lambda value, _: {name: value}


def _source(case: Case) -> Members:
    return {"fit": case.fit} if case.fit else {}


def _given(case: Case) -> Members:
    return {name: value for name, value in case.input.items() if name != OPTIONS}


def _options(case: Case) -> Members:
    options = case.input.get(OPTIONS)
    return options if isinstance(options, dict) else {}
