"""The weighted sum of the normalized scores of the runs."""

from __future__ import annotations

from normalizers.scores.fusion.base.summing import SummingFusion
from normalizers.scores.fusion.runs.example import TWO_WEIGHTED_RUNS
from normalizers.scores.fusion.search.searched_weights import SearchedWeights


class WeightedSum(SearchedWeights, SummingFusion):
    """Fuse scored lists: the weighted sum of normalized scores.

    ``score = sum w s`` over the runs, s normalized list by list (`normalizer`, min_max without
    one).

    Notes
    -----
    Without weights each is 1/m of m runs; they are used as given unless `normalize_weights`. A run
    of weight 0 gives 0 and its documents stay unless `drop_zero_weight`. A document that a run
    lacks counts as `missing` says: with ``auto`` as 0 where the run's normalizer is bounded, else
    as the run's lowest value, because 0 would mean an average document. ``skip`` leaves the run and
    its weight out: the sum is scaled up by all weights over those left.

    The parts of `explain` add up to the score. With ``skip`` the sum of the parts has a ``factor``.
    Raw scores of different scales give the warning ``scale_mismatch``.

    Presets give an engine's own numbers; its weights are yours to send: ``weaviate`` (relative
    score fusion), ``elasticsearch`` (linear, raw scores), ``llama_index`` (relative score) and
    ``llama_index_dist`` (distribution based), ``haystack`` (merge), ``milvus``, ``mongodb``
    (sigmoid, mean), ``txtai`` (convex), ``pyserini``, ``ranx``.

    References
    ----------
    Bruch, Gai, Ingber, "An analysis of fusion functions for hybrid retrieval", ACM TOIS 2023; the
    engines' documentation and source.

    Examples
    --------
    >>> from normalizers import WeightedSum
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = WeightedSum(weights={"words": 0.4, "vectors": 0.6}).apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 0.76), ('c', 0.6), ('b', 0.28), ('d', 0.0)]
    """

    name = "wsum"
    aliases = {"weighted_sum": {}, "relative_score_fusion": {"normalizer": "min_max"}}
    fusion_aliases = {"linear": {}}
    presets = {
        "weaviate": {"normalizer": "min_max", "missing": "zero"},
        "elasticsearch": {"normalizer": "identity", "missing": "zero"},
        "llama_index": {
            "normalizer": {"method": "min_max", "params": {"preset": "llama_index"}},
            "missing": "zero",
        },
        "llama_index_dist": {
            "normalizer": {
                "method": "dbsf",
                "params": {"ddof": 0, "on_constant": "one_if_positive"},
            },
            "missing": "zero",
        },
        "haystack": {"normalizer": "identity", "missing": "zero", "normalize_weights": True},
        "milvus": {"normalizer": "milvus_map", "missing": "zero"},
        "mongodb": {"normalizer": "sigmoid", "missing": "zero"},
        "txtai": {"normalizer": "identity", "missing": "zero", "drop_zero_weight": True},
        "pyserini": {"normalizer": "identity", "missing": "run_min"},
        "ranx": {
            "normalizer": {"method": "min_max", "params": {"constant_value": 0.0}},
            "missing": "zero",
        },
    }
    example = TWO_WEIGHTED_RUNS

    def default_weight(self, runs: int) -> float:
        """Return 1/m: the sum of bounded scores stays bounded."""
        return 1.0 / runs
