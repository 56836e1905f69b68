"""The parts of fused scores as a table: what each run says of a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from normalizers.pictures.plots import MOST_BARS, PartsPlot

COLUMNS = ("rank", "id", "score", "run")


def parts_table(explained: object) -> tuple[tuple[str, ...], list[list[object]]]:
    """Return columns and rows of the explanation of one list, a row for each run of a document.

    Examples
    --------
    >>> from normd.cli.display.fused_parts import parts_table
    >>> part = {"run": "bm25", "rank": 1, "contribution": 0.5}
    >>> parts_table([{"id": "a", "score": 0.5, "parts": [part]}])
    (('rank', 'id', 'score', 'run', "run's rank", 'contribution'), [[1, 'a', 0.5, 'bm25', 1, 0.5]])
    """
    hits = list(fused_hits(explained))
    told = list(dict.fromkeys(name for hit in hits for part in hit["parts"] for name in part))
    told = [name for name in told if name != "run"]
    rows: list[list[object]] = []
    for place, hit in enumerate(hits, 1):
        for first, part in enumerate(hit["parts"]):
            # What is one for all parts of a document stands once.
            head = (place, hit["id"], hit["score"]) if not first else ("", "", "")
            rows.append([*head, part["run"], *(part.get(name) for name in told)])
    return (*COLUMNS, *("run's rank" if name == "rank" else name for name in told)), rows


def parts_plot(explained: object, title: str) -> PartsPlot:
    """Return the best documents of one list as bars of what each run gives."""
    hits = list(fused_hits(explained))[:MOST_BARS]
    runs = list(dict.fromkeys(part["run"] for hit in hits for part in hit["parts"]))
    given = [{part["run"]: part.get("contribution") or 0 for part in hit["parts"]} for hit in hits]
    parts = {run: np.array([one.get(run, 0) for one in given], dtype=np.float64) for run in runs}
    return PartsPlot(title, [str(hit["id"]) for hit in hits], parts)


def fused_hits(explained: object) -> Iterator[Mapping[str, Any]]:
    """Yield the documents of one list, however deep it lies among lists."""
    if isinstance(explained, Mapping):
        yield explained
        return
    if isinstance(explained, Sequence) and not isinstance(explained, str):
        for one in explained:
            yield from fused_hits(one)
