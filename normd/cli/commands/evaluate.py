"""``normd evaluate``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Annotated, Any, cast

import typer

from normalizers.evaluation.printed import differences_table, legend, values_table
from normalizers.pictures.contents import plots_of_evaluation
from normalizers.pictures.picture import check_picture, draw, form_of_picture
from normd.cli.display.console import (
    print_json,
    print_table,
    print_text,
    shown_value,
    tell_warnings,
)
from normd.cli.errors import Misuse
from normd.cli.files.sink import check_output, write_whole
from normd.cli.io.evidence_tables import EvidenceTable, measures_of
from normd.cli.io.mapped_vectors import beside_mapped, of_labels
from normd.cli.io.query_split import halves
from normd.cli.io.run_files import TREC, run_files
from normd.cli.io.runs import read_runs
from normd.cli.io.trec import evidence, trec_qrels
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.options.parameters import assignments
from normd.cli.target import Target

STANDARD_MEASURES = ("ndcg@10", "recall@100", "map", "mrr@10")


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(evaluate)


def evaluate(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="with --qrels runs, FILE or NAME=FILE: lines of TREC, or tables of query, id and "
            "score with or without a column 'run'; else one table of scores, with the labels or "
            "qualities of the same rows",
        ),
    ],
    *,
    qrels: Annotated[
        str | None,
        typer.Option(
            "--qrels", metavar="FILE", help="TREC judgements (query 0 document judgement)"
        ),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME@K",
            help="may be repeated, with parameters as in ndcg(gain=exponential)@10 or "
            f"precision(rel=2)@5; of runs by default {', '.join(STANDARD_MEASURES)}",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="NAME",
            help="the run to compare the others with; of a table a column of other scores",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="REF|FILE",
            help="of vectors: measure them as this version maps them, beside themselves",
        ),
    ] = None,
    training: Annotated[
        str | None,
        typer.Option(
            "--training",
            metavar="FILE",
            help="a table of other rows, on which thresholds are chosen",
        ),
    ] = None,
    split: Annotated[
        float | None,
        typer.Option(
            "--split",
            metavar="SHARE",
            min=0,
            max=1,
            help="thresholds are chosen on this share of the queries, and measured on the others",
        ),
    ] = None,
    sort: Annotated[
        str | None, typer.Option("--sort", metavar="MEASURE", help="the best run by it comes first")
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
    curve: Annotated[
        bool,
        typer.Option("--threshold-curve", help="precision, recall and F1 by threshold; in --json"),
    ] = False,
    reliability: Annotated[
        bool,
        typer.Option("--reliability", help="observed shares by predicted probability; in --json"),
    ] = False,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE.png",
            help="draw the threshold curve and the reliability that are asked for (png, svg, pdf)",
        ),
    ] = None,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="the value of every query; with --json")
    ] = False,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    form: arguments.Form = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NAME=VALUE",
            help="what else belongs to the evidence: higher_is_better=false; may be repeated",
        ),
    ] = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Measure runs against judgements, or scores against labels or qualities, beside a baseline.

    Lists are ordered by score, then by document; the ranks in the files are not used.
    """
    if plot is not None:
        if not (curve or reliability):
            raise Misuse("--plot draws what --threshold-curve or --reliability asks for: add one")
        check_output(plot, files)
        check_picture(plot)
    if qrels is not None:
        asked = measure or list(STANDARD_MEASURES)
        given_runs = run_files(files, form, header, delimiter, standard=TREC)
        runs = read_runs(given_runs, arguments.choice(columns, field, lists))
        sent = {**evidence(runs, trec_qrels(qrels)), "baseline": baseline}
    else:
        asked = measure or []
        given = arguments.sources(files, form, header, delimiter)
        if len(given) != 1:
            raise Misuse("one table is measured at a time; runs go with --qrels FILE")
        chosen_fields = arguments.choice(columns, field, lists)
        asked = asked or (of_labels(chosen_fields) if by is not None else [])
        table = EvidenceTable(given[0], chosen_fields, asked)
        if not (asked or curve or reliability):
            raise Misuse(
                f"say --measure NAME; of {' with '.join(table.kind.sends)} there are "
                f"{', '.join(measures_of(table.kind))}"
            )
        sent = dict(table.members())
        if baseline is not None:
            sent["baseline"] = table.baseline(baseline)
        if training is not None:
            other = arguments.sources([training], form, header, delimiter)[0]
            chosen = arguments.choice(columns, field, lists)
            sent["training"] = EvidenceTable(other, chosen, asked).members()
    if split is not None:
        if training is not None:
            raise Misuse("--split takes rows for choosing from the files, --training other ones")
        sent = halves(sent, split, seed or 0)
    drawn = {"samples": samples, "seed": seed}
    bootstrap = {name: value for name, value in drawn.items() if value is not None}
    told = {name: value for name, value in sent.items() if value is not None}
    with Target(url, data).client() as client:
        if by is not None:
            told = beside_mapped(told, by, client)
        found = client.evaluate(
            asked,
            bootstrap=bootstrap or None,
            per_query=per_query,
            depth=depth,
            ties=ties,
            threshold_curve=curve or None,
            reliability=reliability or None,
            **cast("Any", {**told, **assignments(param or (), ())}),
        )
    if plot is not None:
        write_whole(
            plot, draw(plots_of_evaluation(found), PurePath(files[0]).name, form_of_picture(plot))
        )
    if as_json:
        print_json(found)
    else:
        _show(found, sort)
    if not quiet:
        tell_warnings(found["warnings"])


def _show(found: Mapping[str, Any], sort: str | None) -> None:
    """Print the values, and the differences from a baseline below them."""
    if not found["results"]:
        for one in found.get("threshold_curves") or ():
            best = one["best"] or {}
            print_text(
                f"{one.get('run', 'scores')}: the best F1 is {shown_value(best.get('f1'))}, from "
                f"{shown_value(best.get('threshold'))} on"
            )
        return
    measured = list(dict.fromkeys(str(one["measure"]) for one in found["results"]))
    if sort is not None and sort not in measured:
        raise Misuse(f"--sort {sort}: the measures are {', '.join(measured)}")
    print_table(*values_table(found, sort))
    below = differences_table(found)
    if below.rows:
        print_table(*below)
        print_text(legend(found))
