"""What a fusion is fitted on: runs and judgements in files, and how its weights are searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from normalizers.messages import did_you_mean, quoted
from normd.cli.errors import Misuse
from normd.cli.io.fit_data import Collected
from normd.cli.io.mapping import ColumnChoice
from normd.cli.io.run_files import TREC, RunFile, run_files
from normd.cli.io.runs import read_runs
from normd.cli.io.trec import evidence, trec_qrels
from normd.wire.field_specs import FieldSpecs

QRELS = "qrels"


@dataclass(frozen=True)
class Search:
    """How the weights of a fusion are searched, as a call says it.

    Parameters
    ----------
    measure : str, optional
        What is made as large as possible.
    folds : int, optional
        Parts of a cross-validation.
    grid : optional
        Values to try: a step, a list of values, or one list a point.
    bootstrap : int, optional
        Resamples of the queries, on which the choice is made again.
    """

    measure: str | None = None
    folds: int | None = None
    grid: object = None
    bootstrap: int | None = None

    @property
    def fields(self) -> dict[str, object]:
        """The fields of a fit that are given."""
        found = {
            "measure": self.measure,
            "folds": self.folds,
            "grid": self.grid,
            "bootstrap": None if self.bootstrap is None else {"samples": self.bootstrap},
        }
        return {name: value for name, value in found.items() if value is not None}


def fusion_fit(
    files: Sequence[RunFile],
    choice: ColumnChoice,
    qrels: str,
    search: Search,
    method: str,
    fits: FieldSpecs,
) -> Collected:
    """Return runs and judgements as the fields of a fit.

    Raises
    ------
    Misuse
        No files, or a way of searching that the method does not have.
    """
    if not files:
        raise Misuse("--qrels judges runs: name their files, as in bm25.run dense.run")
    for name in search.fields:
        if name not in fits.fields:
            raise Misuse(
                f"--{name}: {method} searches no weights{did_you_mean(name, fits.fields)}; it is "
                f"fitted on {fits.names}"
            )
    sent = evidence(read_runs(files, choice), trec_qrels(qrels))
    return Collected({**sent, **search.fields})


def files_of_runs(
    words: Sequence[str] | None, form: str | None, header: bool | None, delimiter: str | None
) -> list[RunFile]:
    """Return the files of runs that a fit names: lines of TREC where an ending tells no other."""
    return run_files(words or (), form, header, delimiter, standard=TREC)


def require_qrels(fields: Mapping[str, object]) -> None:
    """Refuse a way of searching without judgements.

    Raises
    ------
    Misuse
        Something is said of the search, and no judgements.
    """
    for name in fields:
        raise Misuse(f"--{name} says how {quoted(QRELS)} are used; name their file by --qrels FILE")
