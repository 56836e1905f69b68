"""``normd diff``."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from normalizers.data.arrays import Array
from normalizers.versions.canary import CANARY, IDS, INPUT
from normd.cli.display.console import print_json, print_table, print_text
from normd.cli.display.differences import differences, scalars
from normd.cli.errors import Misuse
from normd.cli.files.source import source
from normd.cli.io.fit_view import Fit, answers_to, both_sides, opened_fit
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target

REF = "NAME, NAME@7, NAME@ALIAS or the path of a version file"


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(diff)


def diff(
    one: Annotated[str, typer.Argument(metavar="REF", help=REF)],
    other: Annotated[str, typer.Argument(metavar="REF", help=REF)],
    input: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="a sample, which both versions answer"),
    ] = None,
    *,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    form: arguments.Form = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    as_json: arguments.Json = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Compare two versions: parameters, what their fits found, and answers on a sample.

    Without a sample it is the rows that a fit was asked to keep (--canary).
    """
    given = source(input, form, header=header, delimiter=delimiter) if input else None
    chosen = arguments.choice(columns, field, lists)
    place = Target(url, data)
    with opened_fit(place, one) as first, opened_fit(place, other) as second:
        answers = None
        if given is not None:
            before, after = (both_sides(fit.backend, given, chosen)[1] for fit in (first, second))
            answers = compared(before, after)
        else:
            answers = of_canary(first, second)
        fits = (first, second)
        methods = [{"method": fit.method} for fit in fits]
        resolved = [dict(_mapping(fit.report.get("params"))) for fit in fits]
        params = [*differences(*methods), *differences(*resolved)]
        report = differences(*(dict(scalars(fit.report)) for fit in fits))
    if as_json:
        print_json(
            {
                "refs": [one, other],
                "params": {name: values for name, *values in params},
                "report": {name: values for name, *values in report},
                "answers": answers,
            }
        )
        return
    for title, rows in (("parameters", params), ("report", report)):
        if rows:
            print_table((title, one, other), rows)
        else:
            print_text(f"{title}: the same")
    if answers is not None:
        print_table(("answers", "value"), [list(item) for item in answers.items()])


def of_canary(first: Fit, second: Fit) -> dict[str, object] | None:
    """Return how far the answers to the rows are apart that a fit keeps, None where none does."""
    canaries = (fit.report.get(CANARY) for fit in (first, second))
    kept = next((one for one in canaries if isinstance(one, dict)), None)
    fields = first.backend.takes.fields
    # Rows are kept of the main field alone: what needs another beside it has no answer to them.
    if kept is None or sum(one.required for one in fields.values()) > 1:
        return None
    rows, n = kept[INPUT], len(kept[IDS])
    before, after = (answers_to(fit.backend, rows, n) for fit in (first, second))
    return {CANARY: n, **compared(before, after)}


def compared(before: Array, after: Array) -> dict[str, object]:
    """Return how far two answers to the same sample are apart.

    Raises
    ------
    Misuse
        They do not hold as many numbers.
    """
    if before.shape != after.shape:
        raise Misuse(
            f"the versions answer {before.size} and {after.size} numbers to this file, which "
            "cannot be compared"
        )
    known = np.isfinite(before) & np.isfinite(after)
    # Halved: the difference of two finite numbers may be none.
    apart = 2 * np.abs(after[known] / 2 - before[known] / 2)
    return {
        "numbers": int(before.size),
        "equal": int((before == after).sum() + (np.isnan(before) & np.isnan(after)).sum()),
        "largest_difference": float(apart.max()) if apart.size else None,
        "mean_difference": float(apart.mean()) if apart.size else None,
    }


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
