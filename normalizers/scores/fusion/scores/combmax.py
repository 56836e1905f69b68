"""CombMAX: the highest of the normalized scores of a document."""

from __future__ import annotations

from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.example import TWO_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.runs.selection import chosen


class CombMax(ScoreFusion):
    """Fuse scored lists: the highest normalized score over the runs that found a document.

    ``score = max s`` over the runs that found the document, s normalized list by list.

    Notes
    -----
    A run that lacks a document is skipped.

    In `explain` the runs whose scores count contribute them, the others 0: the parts add up to the
    score. Presets: ``llama_index`` takes raw scores (its mode ``simple``), ``haystack``
    distribution-based ones.

    References
    ----------
    Fox and Shaw, "Combination of multiple searches", TREC-2, 1994.

    Examples
    --------
    >>> from normalizers import CombMax
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = CombMax().apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 1.0), ('c', 1.0), ('b', 0.7), ('d', 0.0)]
    """

    name = "combmax"
    fusion_aliases = {"max": {}, "simple": {"normalizer": "identity"}}
    presets = {
        "llama_index": {"normalizer": "identity"},
        "haystack": {
            "normalizer": {"method": "dbsf", "params": {"ddof": 0, "on_constant": "keep"}},
        },
    }
    example = TWO_RUNS

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return the highest score, of several equal ones the first."""
        return chosen(entries, segments.maxima(entries.values))
