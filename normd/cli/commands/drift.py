"""``normd drift``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, cast

import numpy as np
import typer

from normalizers.data.arrays import Array
from normalizers.evaluation.verdict import QUANTILES, WEIGHED
from normalizers.messages import did_you_mean, quoted
from normalizers.pictures.contents import two_distributions
from normalizers.pictures.picture import check_picture, draw, form_of_picture
from normalizers.pictures.plots import Plot
from normd.cli.display.console import print_json, print_table, print_text, say
from normd.cli.errors import Misuse
from normd.cli.exits import DRIFTED
from normd.cli.files.sink import check_output, write_whole
from normd.cli.io.backend import stored_backend
from normd.cli.io.canary import read_canary
from normd.cli.io.reading import Reader
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target

PARTS = ("distribution", "range", "moments")
FEW = 8  # numbers that a table shows of a part


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(drift)


def drift(
    ref: arguments.Ref,
    input: arguments.Input = None,
    *,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    form: arguments.Form = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    fail_above: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-above",
            metavar="NAME=LIMIT",
            help=f"exit with {DRIFTED} where ks, shift or out_of_range is larger: ks=0.2; may be "
            "repeated",
        ),
    ] = None,
    fail: Annotated[
        bool, typer.Option("--fail", help=f"exit with {DRIFTED} where there is drift")
    ] = False,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE.png", help="draw both distributions (png, svg, pdf)"),
    ] = None,
    canary: arguments.Canary = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Compare live data in a file with what a version was fitted on."""
    limits = read_limits(fail_above or ())
    if plot is not None:
        check_output(plot, [input] if input else [])
        check_picture(plot)
    given = arguments.sources([input] if input else [], form, header, delimiter)
    chosen = arguments.choice(columns, field, lists)
    if not given and not chosen.fields:
        raise Misuse("name a file to read, or - for standard input")
    with Target(url, data).client() as client:
        takes = stored_backend(client, ref, "transform").takes
        (block,) = Reader(takes, chosen).blocks(given, cut=False)
        rows = None if canary is None else read_canary(canary, takes, chosen)
        answer = client.drift(ref, canary=rows, **cast("dict[str, Any]", block.values))
    found = cast("dict[str, Any]", answer)
    told = found["verdict"]
    crossed = [
        f"{name} {told[name]:.3g}" for name, limit in limits.items() if above(told, name, limit)
    ]
    if plot is not None:
        draw_drift(plot, ref, found)
    if as_json:
        print_json(found)
    else:
        print_text(f"{ref}  ({found['method']})  {found['n']} live, {found['n_fitted']} fitted")
        print_text(str(told["text"]))
        print_table(QUANTILES, quantile_rows(found))
        print_table(("part", "what", "value"), _rows(found))
    if not quiet:
        tell_reasons(found)
    if crossed or (fail and (told["drifted"] or told.get("cause") == "model")):
        say(f"drift: {', '.join(crossed) or told['text']}")
        raise typer.Exit(DRIFTED)


def read_limits(written: Sequence[str]) -> dict[str, float]:
    """Return the limits of ``NAME=LIMIT``.

    Raises
    ------
    Misuse
        A name that the verdict does not tell, or a limit that is no number.

    Examples
    --------
    >>> from normd.cli.commands.drift import read_limits
    >>> read_limits(["ks=0.2"])
    {'ks': 0.2}
    """
    found: dict[str, float] = {}
    for text in written:
        name, _, limit = text.partition("=")
        if name not in WEIGHED:
            raise Misuse(
                f"--fail-above {text}: {quoted(name)} is not told{did_you_mean(name, WEIGHED)}; "
                f"write NAME=LIMIT with one of {', '.join(WEIGHED)}"
            )
        try:
            found[name] = float(limit)
        except ValueError:
            raise Misuse(f"--fail-above {text}: the limit is no number") from None
    return found


def above(told: Mapping[str, Any], name: str, limit: float) -> bool:
    """Return whether what a verdict tells is beyond a limit; what it cannot tell is refused."""
    if told[name] is None:
        raise Misuse(f"--fail-above {name}: the statistics of this version do not tell it")
    return bool(abs(told[name]) > limit)


def draw_drift(plot: str, ref: str, found: Mapping[str, Any]) -> None:
    """Draw the quantiles of the fit and of the sample."""
    part = found["distribution"] or {}
    if not part:
        raise Misuse("--plot: the version keeps no distribution to draw")
    fitted, live = (np.asarray(part[name], dtype=np.float64) for name in ("fitted", "live"))
    drawn: list[Plot] = two_distributions(np.asarray(part["p"]), fitted, live)
    title = f"{ref}: {found['verdict']['text']}"
    write_whole(plot, draw(drawn, title, form_of_picture(plot)))


def quantile_rows(found: Mapping[str, Any]) -> Iterator[tuple[str, object, object, object]]:
    """Yield a row a quantile, of the column that moved most where there are several."""
    part = found["distribution"]
    if not isinstance(part, Mapping):
        return
    ks = np.asarray(part["ks"], dtype=np.float64).ravel()
    worst = int(np.nanargmax(ks)) if np.isfinite(ks).any() else 0
    columns = [
        np.moveaxis(np.asarray(part[name], dtype=np.float64), _axis(part[name], ks), 0)
        for name in QUANTILES[1:]
    ]
    for place, level in enumerate(np.asarray(part["p"]).tolist()):
        fitted, live, shift = (column[place].ravel()[worst] for column in columns)
        yield f"{level:g}", float(fitted), float(live), float(shift)


def _axis(values: object, ks: Array) -> int:
    """Return the axis of the quantiles, which stands before that of columns."""
    shape = np.asarray(values).shape
    return 0 if len(shape) == 1 else len(shape) - 1 if shape[:-1] == ks.shape else len(shape) - 2


def tell_reasons(found: Mapping[str, object]) -> None:
    """Tell on standard error what could not be compared."""
    reasons = found.get("reasons")
    for name, reason in (reasons if isinstance(reasons, Mapping) else {}).items():
        say(f"note: no {name}: {reason}")


def _rows(found: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    for name in PARTS:
        part = found[name]
        for what, value in (part if isinstance(part, Mapping) else {}).items():
            if name == PARTS[0] and what != "ks":
                continue  # they have a table of their own
            yield name, what, _shown(value)


def _shown(value: object) -> object:
    """Return a number, or the first ones of an array."""
    if not isinstance(value, np.ndarray):
        return value
    flat = value.reshape(-1).tolist()
    return flat if len(flat) <= FEW else [*flat[:FEW], "..."]
