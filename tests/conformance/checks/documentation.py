"""Documentation as this project writes it, and numbers of independent implementations."""

from __future__ import annotations

import inspect

from numpydoc.docscrape import NumpyDocString

from normd.wire.descriptions import docstring_sections
from tests.conformance.cases import Case
from tests.golden.runner import TABLES
from tests.golden.tables.native import path_of

SECTIONS = ("Notes", "References", "Examples")


def check_docstring_complete(case: Case) -> None:
    """One summary line, a description, notes (also those of its bases), references, an example."""
    text = inspect.cleandoc(case.cls.__doc__ or "")
    summary, _, rest = text.partition("\n")
    assert summary.endswith(".")
    assert rest.startswith("\n"), "the summary is one line"
    read = NumpyDocString(text)
    assert read["Extended Summary"] or read["Summary"]
    for section in SECTIONS:
        assert docstring_sections(case.cls)[section].strip(), section


def check_notes_tell_the_edges(case: Case) -> None:
    """The notes say what missing values do and what it costs."""
    notes = docstring_sections(case.cls).get("Notes", "")
    assert "issing" in notes
    assert "O(" in notes or "Cost" in notes


def check_golden_cases_exist(case: Case) -> None:
    """Independent implementations check the method: it has golden cases, there or here."""
    translated = {entry.method for table in TABLES.values() for entry in table.values()}
    own = path_of(case.cls.name)
    assert case.cls.name in translated or own.exists(), f"its golden cases are missing: {own}"
