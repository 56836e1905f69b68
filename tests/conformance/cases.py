"""The cases of methods of this project, with what their classes cannot say."""

from __future__ import annotations

from functools import partial

from normalizers.testing import cases
from normalizers.testing.cases import Case
from tests.conformance.hints import HINTS

__all__ = ["Case", "cases_of"]

cases_of = partial(cases.cases_of, hints=HINTS)
