"""``normd evaluate``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, cast

import typer

from normd.cli.display.console import print_json, print_table, tell_warnings
from normd.cli.io.trec import evidence, named_runs, trec_qrels
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target

STANDARD_MEASURES = ("ndcg@10", "recall@100", "map", "mrr@10")
COLUMNS = ("measure", "run", "value", "queries", "difference", "from", "to")


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(evaluate)


def evaluate(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="RUNFILES...",
            help="TREC runs (query Q0 document rank score tag), called by their names",
        ),
    ],
    *,
    qrels: Annotated[
        str,
        typer.Option(
            "--qrels", metavar="FILE", help="TREC judgements (query 0 document judgement)"
        ),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME@K",
            help="may be repeated, with parameters as in ndcg(gain=exponential)@10 or "
            f"precision(rel=2)@5; by default {', '.join(STANDARD_MEASURES)}",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="NAME", help="the run to compare the others with"),
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", help="resamples of the queries for an interval")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="seed of the resamples")] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", help="hits of each list that count")
    ] = None,
    ties: Annotated[
        str | None,
        typer.Option("--ties", metavar="id|trec", help="order of equal scores; trec: trec_eval's"),
    ] = None,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="the value of every query; with --json")
    ] = False,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Measure runs against relevance judgements, beside a baseline.

    Lists are ordered by score, then by document; the ranks in the files are not used.
    """
    sent = cast("dict[str, Any]", evidence(named_runs(files), trec_qrels(qrels)))
    drawn = {"samples": samples, "seed": seed}
    bootstrap = {name: value for name, value in drawn.items() if value is not None}
    with Target(url, data).client() as client:
        found = client.evaluate(
            measure or list(STANDARD_MEASURES),
            baseline=baseline,
            bootstrap=bootstrap or None,
            per_query=per_query,
            depth=depth,
            ties=ties,
            **sent,
        )
    if as_json:
        print_json(found)
    else:
        print_table(COLUMNS, _rows(cast("list[Mapping[str, Any]]", found["results"])))
    if not quiet:
        tell_warnings(found["warnings"])


def _rows(results: list[Mapping[str, Any]]) -> Iterator[tuple[object, ...]]:
    for one in results:
        beside = one.get("baseline") or {}
        ends = beside.get("interval") or {}
        yield (
            one["measure"],
            one["run"],
            one["value"],
            one["n"],
            beside.get("difference"),
            *(ends.values() or (None, None)),
        )
