"""Runs of many queries, cut into blocks of queries whose answers do not depend on each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.batch import Notice
from normalizers.data.ragged import Ragged
from normd.client.answers import ServedAnswer
from normd.client.combine import Span, combine
from normd.client.exchange import LARGE_BYTES
from normd.client.fields import OFFSETS, is_nested

Run = Mapping[str, object]
LISTS = ("ids", "scores")
COUNT = "count"
# A number in JSON with its comma, and what stands around an id.
NUMBER_BYTES, QUOTES_BYTES = 26, 3
# What a body holds beside the lists.
SHARE_OF_LIMIT = 0.9


@dataclass(frozen=True)
class Columns:
    """Runs whose lists can be cut, and the names of their queries.

    Parameters
    ----------
    runs : sequence of mappings
        Each with nested lists, `Ragged` lists, or flat lists with offsets.
    query_ids : sequence, optional
        What the queries are called.
    count : int
        How many queries there are.
    """

    runs: Sequence[Run]
    query_ids: Sequence[object] | None
    count: int

    def block(self, start: int, stop: int) -> tuple[list[Run], Sequence[object] | None]:
        """Return the runs and the names of some queries."""
        if (start, stop) == (0, self.count):
            return list(self.runs), self.query_ids
        names = None if self.query_ids is None else self.query_ids[start:stop]
        return [_part(run, start, stop) for run in self.runs], names

    def spans(self, limits: Mapping[str, float]) -> list[Span]:
        """Return blocks of about one size that keep to the limits, in order."""
        hits = [_hits(run) for run in self.runs]
        shares = [
            self.count / limits.get("max_lists", np.inf),
            max(hits) / limits.get("max_ids", np.inf),
            2 * sum(hits) / limits.get("max_values", np.inf),
            self.bytes / (SHARE_OF_LIMIT * limits.get("max_body_bytes", np.inf)),
        ]
        blocks = min(self.count, int(np.ceil(max(shares))) or 1)
        edges = [self.count * place // blocks for place in range(blocks + 1)]
        return list(pairwise(edges))

    @property
    def is_large(self) -> bool:
        """Whether the limits of the service are worth asking for."""
        return self.bytes > LARGE_BYTES

    @property
    def bytes(self) -> int:
        """About how many bytes the lists take."""
        return sum(map(_bytes, self.runs))


def columns_of(runs: Sequence[Run], query_ids: Sequence[object] | None) -> Columns | None:
    """Return runs as columns that can be cut; None where they cannot, or are of one query."""
    counts = {_queries(run) for run in runs}
    count = counts.pop() if len(counts) == 1 else None
    if count is None or count < 2 or (query_ids is not None and len(query_ids) != count):
        return None
    return Columns(runs, query_ids, count)


def joined_fusions(answers: Sequence[ServedAnswer], spans: Sequence[Span]) -> ServedAnswer:
    """Return the answers of blocks as that of the whole."""
    if len(answers) == 1:
        return answers[0]
    whole = combine(answers, spans, axis=None, shifted=True)
    parts = [answer.explain for answer in answers]
    return replace(
        whole,
        extra={
            name: list(chain(*(answer.extra[name] for answer in answers)))  # type: ignore[arg-type]
            for name in whole.extra
        },
        explain=None if parts[0] is None else list(chain(*parts)),  # type: ignore[arg-type]
        warnings=_added(list(chain(*(answer.warnings for answer in answers)))),
    )


def _added(notices: Sequence[Notice]) -> tuple[Notice, ...]:
    """Return each kind of warning once a run, its counts added up."""
    found: dict[tuple[object, ...], Notice] = {}
    for noted in notices:
        detail = dict(noted.detail)
        count = detail.pop(COUNT, None)
        key = (noted.code, *detail.items())
        before = dict(found[key].detail).get(COUNT) if key in found else None
        if isinstance(count, int):
            detail[COUNT] = count + (before if isinstance(before, int) else 0)
        found[key] = Notice(noted.code, noted.message, tuple(detail.items()))
    return tuple(found.values())


def _queries(run: Run) -> int | None:
    ids, offsets = run.get("ids"), run.get(OFFSETS)
    if isinstance(ids, Ragged) or is_nested(ids):
        return None if offsets is not None else len(ids)
    flat = all(isinstance(run.get(name, []), list | np.ndarray) for name in LISTS)
    return len(offsets) - 1 if isinstance(offsets, list | np.ndarray) and flat else None


def _part(run: Run, start: int, stop: int) -> Run:
    offsets = run.get(OFFSETS)
    if offsets is None:
        return {**run, **{name: _slice(run[name], start, stop) for name in LISTS if name in run}}
    edges = np.asarray(offsets)[start : stop + 1]
    flat: Mapping[str, Sequence[object]] = {name: run[name] for name in LISTS if name in run}  # type: ignore[misc]
    parts = {name: values[edges[0] : edges[-1]] for name, values in flat.items()}
    return {**run, **parts, OFFSETS: (edges - edges[0]).tolist()}


def _slice(lists: object, start: int, stop: int) -> object:
    if isinstance(lists, Ragged):
        edges = lists.offsets[start : stop + 1]
        return Ragged(lists.values[edges[0] : edges[-1]], edges - edges[0])
    return lists[start:stop]  # type: ignore[index]


def _flat(lists: object) -> Sequence[object] | Array:
    if isinstance(lists, Ragged):
        return lists.values
    return list(chain(*lists)) if is_nested(lists) else lists  # type: ignore[return-value]


def _hits(run: Run) -> int:
    return len(_flat(run["ids"]))


def _bytes(run: Run) -> int:
    ids = list(_flat(run["ids"]))
    numbers = NUMBER_BYTES * len(ids) if "scores" in run else 0
    return sum(map(len, map(str, ids))) + QUOTES_BYTES * len(ids) + numbers
