"""What stands in hand-written pages where they name it: tables made from the code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping

from app.problems import CATALOGUE as PROBLEMS
from app.settings import Settings, variable
from benchmarks.figures import GROUPS
from docs.markdown import code, joined, prose, table
from normalizers.measures.table import measures as known_measures
from normd.wire.problem_types import ProblemType

MARKER = re.compile(r"^<!-- ([a-z-]+) -->$", re.MULTILINE)


def settings() -> str:
    """Return a row for each setting."""
    fields = Settings.model_fields.items()
    return table(
        ("variable", "default", "meaning"),
        (
            (code(variable(name)), code(str(field.default) or "none"), field.description or "")
            for name, field in fields
        ),
    )


def limits() -> str:
    """Return a row for each limit that a client can meet."""
    return table(
        ("limit", "variable"),
        ((code(name), code(variable(name))) for name in Settings.SHOWN),
    )


def figures() -> str:
    """Return a row for each figure of speed and memory."""
    known = (figure for group in GROUPS.values() for figure in group)
    return table(
        ("figure", "goal", "what is measured"),
        (
            (code(figure.name), str(figure.goal), prose(inspect.getdoc(figure.measure) or ""))
            for figure in known
        ),
    )


def measures() -> str:
    """Return a row for each measure."""
    return table(
        ("measure", "of", "parameters", "what it is", "better"),
        (
            (
                code(one.name),
                one.needs,
                ", ".join(map(code, one.parameters.model_fields)),
                one.help,
                "higher" if one.higher_is_better else "lower",
            )
            for one in known_measures().values()
        ),
    )


def problems() -> str:
    """Return a section for each problem type, by status."""
    kinds = sorted(PROBLEMS.values(), key=lambda kind: (kind.status, kind.slug))
    return joined(*map(_problem, kinds))


def filled(page: str, contents: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with what its markers name in their places.

    Raises
    ------
    KeyError
        For a marker that names nothing.
    """
    return MARKER.sub(lambda found: contents[found[1]](), page)


def _problem(kind: ProblemType) -> str:
    return joined(
        f"### {kind.slug} {{#{kind.slug}}}",
        f"{kind.status}: {kind.title}.",
        f"**Cause.** {kind.cause}",
        f"**Remedy.** {kind.remedy}",
    )
