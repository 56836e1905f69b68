"""Golden words of the trained fusions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tests.golden import plays
from tests.golden.answers import Reading, entries, members, read
from tests.golden.case import Case
from tests.golden.request import Members
from tests.golden.tables.entry import Entry
from tests.golden.tables.rules import same
from tests.golden.tables.scores_fusions import FUSED, SHARED, normalizer, record_of, runs_by_query

# Where the bands of bayesfuse end; golden cases list a number for each rank.
BANDS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


def _training(case: Case) -> Members:
    """Return runs and judgements with one list a judged query."""
    judged = members((case.fit or {})["qrels"])
    runs = [members(run) for run in entries((case.fit or {})["runs"])]
    lists = [[record_of(members(run.get(query, {})).items()) for query in judged] for run in runs]
    return {
        "fit": {
            "runs": [
                {
                    "name": f"run {index}",
                    "ids": [one["ids"] for one in own],
                    "scores": [one["scores"] for one in own],
                }
                for index, own in enumerate(lists)
            ],
            "qrels": {
                "ids": [list(members(judged[query])) for query in judged],
                "judgements": [list(members(judged[query]).values()) for query in judged],
            },
        }
    }


def _each_cut(rows: Sequence[Sequence[float]], expected: Sequence[Sequence[float]]) -> object:
    """Return each run's shares to its own depth; beyond it they are 0."""
    assert not any(np.any(row[len(own) :]) for row, own in zip(rows, expected, strict=True))
    return [list(row[: len(own)]) for row, own in zip(rows, expected, strict=True)]


def _by_rank(rows: Sequence[Sequence[float]], expected: Sequence[Sequence[float]]) -> object:
    """Return the number of each rank's band."""
    sizes = np.diff((0, *BANDS))
    return [
        np.repeat(row, sizes)[: len(own)].tolist() for row, own in zip(rows, expected, strict=True)
    ]


def _trained(method: str, fitted: Reading) -> Entry:
    return Entry(
        method=method,
        play=plays.trained,
        params=SHARED
        | {name: same(name) for name in ("w", "n_segments")}
        | {"norm": normalizer("min_max")},
        off={},
        source=_training,
        given=runs_by_query,
        readings=FUSED | {"fitted": (fitted,)},
    )


SHARES = "fitted.probabilities"
TABLE: Mapping[str, Entry] = {
    "fuse/mapfuse": _trained("mapfuse", read("fitted.map")),
    "fuse/posfuse": _trained("posfuse", read(SHARES, "expected.fitted", by=_each_cut)),
    "fuse/slidefuse": _trained("slidefuse", read(SHARES, "expected.fitted", by=_each_cut)),
    "fuse/probfuse": _trained("probfuse", read(SHARES)),
    "fuse/bayesfuse": _trained(
        "bayesfuse", read("fitted.log_odds", "expected.fitted", by=_by_rank)
    ),
    "fuse/segfuse": _trained("segfuse", read(SHARES)),
}
