"""Measures of what a request sent, beside a baseline where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from normalizers.data.arrays import Array
from normalizers.data.batch import Notice, notice
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.evaluation.baseline import read_parts
from normalizers.evaluation.comparing import corrected, results
from normalizers.evaluation.diagrams import Points, curve_tree, read_diagram, reliability_tree
from normalizers.evaluation.measuring import Measured
from normalizers.evaluation.places import ROOT, flat_notice, flat_paths
from normalizers.evaluation.printed import printed
from normalizers.evaluation.result import Result, Tree
from normalizers.evaluation.table import read_evidence
from normalizers.evaluation.treatment import Inspect, ignore
from normalizers.measures.bootstrap import Bootstrap
from normalizers.measures.occurrence import Occurrences
from normalizers.measures.reliability import Bins
from normalizers.measures.table import MeasureSpec, measures, read_measure

MOST_MEASURES = 100


@dataclass(frozen=True)
class Evaluation:
    """What all measures say.

    Parameters
    ----------
    results : tuple of Result
        By measure, then by run in the order of the request.
    counts : mapping
        Sizes of what was measured.
    query_ids : object array of str or None
        Names of the queries, where they were sent.
    bootstrap : Bootstrap or None
        How resamples were drawn, where they were.
    threshold_curves, reliability : tuple of mappings
        One a run, where they were asked for.
    warnings : tuple of Notice
        What a reader should know.
    """

    results: tuple[Result, ...]
    counts: Mapping[str, object]
    query_ids: Array | None = None
    bootstrap: Bootstrap | None = None
    threshold_curves: tuple[Tree, ...] = ()
    reliability: tuple[Tree, ...] = ()
    warnings: tuple[Notice, ...] = ()

    def __getitem__(self, key: tuple[str, str | int | None] | str) -> float:
        """Return the value of a measure: by its label, or by label and run."""
        label, run = (key, None) if isinstance(key, str) else key
        found = [one for one in self.results if one.measure == label]
        for one in found:
            if one.run == run or (run is None and len(found) == 1):
                return one.value
        raise KeyError(key)

    def __str__(self) -> str:
        """Return the values as a table of runs and measures, and the differences below it."""
        return printed(self.as_dict())

    def as_dict(self, *, per_query: bool = False) -> Tree:
        """Return the answer: plain values, and arrays of one value a query or threshold."""
        tree: Tree = {
            "results": [one.as_dict(per_query=per_query) for one in self.results],
            "counts": dict(self.counts),
            "warnings": [noted.as_dict() for noted in self.warnings],
        }
        if per_query and self.query_ids is not None:
            tree["query_ids"] = self.query_ids
        if self.bootstrap is not None:
            tree["bootstrap"] = self.bootstrap.model_dump()
        if self.threshold_curves:
            tree["threshold_curves"] = list(self.threshold_curves)
        if self.reliability:
            tree["reliability"] = list(self.reliability)
        return tree


def evaluate(
    asked: Sequence[object],
    *,
    baseline: object = None,
    training: object = None,
    bootstrap: object = None,
    threshold_curve: object = None,
    reliability: object = None,
    inspect: Inspect = ignore,
    **evidence: object,
) -> Evaluation:
    """Return how good runs or scores are.

    Parameters
    ----------
    asked : sequence of str or mapping
        Measures: ``"ndcg@10"``, ``{"measure": "f1_threshold", "params": {"threshold": 0.5}}``.
    baseline : str, int or mapping, optional
        The run to compare with, by name or place; of scores an object with other ``scores`` (or
        ``probabilities``) of the same rows.
    training : mapping, optional
        The same evidence of other queries: what a measure chooses (a threshold) and the share of
        positives are taken from there.
    bootstrap : mapping or True, optional
        ``samples``, ``seed``, ``confidence`` of the resamples of queries; they are drawn for
        every difference from a baseline, and for every value where this is given.
    threshold_curve, reliability : mapping or True, optional
        Ask for the curve (``points``) or the diagram (``bins``).
    inspect : callable
        Is given every part that was read, and its path, before anything is computed.
    **evidence : object
        ``runs`` and ``qrels``, with ``query_ids``, ``depth``, ``duplicates``, ``ties``,
        ``higher_is_better``; or ``scores`` (or ``probabilities``) and ``labels``, with
        ``offsets`` or ``clusters``; or ``scores`` and ``qualities``, with ``groups`` and
        ``clusters``; or the members of any other evidence that is declared.

    Returns
    -------
    Evaluation

    Raises
    ------
    InvalidInput
        What was sent does not fit together, or is not what a measure needs.
    InvalidParams
        An unknown measure, or a parameter that it does not take.

    Notes
    -----
    Lists are ordered by score, then by id ascending, or with ``ties: trec`` as trec_eval does. A
    judgement is a gain; for yes/no measures an id with one above 0, or of at least `rel`, is
    relevant.
    A query without a relevant document has no value and counts in no mean. A measure without a
    value is NaN, with the reason, never 0. Cost O(N log N) for N hits, and O(N) more a resample.

    Examples
    --------
    >>> from normalizers.evaluation import evaluate
    >>> runs = [{"name": "bm25", "ids": ["a", "b", "c"], "scores": [9.0, 7.0, 7.0]}]
    >>> found = evaluate(["ndcg@10", "recall@1"], runs=runs, qrels={"ids": ["b"]})
    >>> [round(one.value, 4) for one in found.results]
    [0.6309, 0.0]
    >>> print(found)
    run   ndcg@10  recall@1
    bm25  0.6309   0
    n     1        1
    """
    wanted = _read_measures(asked)
    curve = read_diagram(Points, threshold_curve, "threshold_curve")
    diagram = read_diagram(Bins, reliability, "reliability")
    if not wanted and curve is None and diagram is None:
        raise InvalidInput(_nothing_asked(), path="measures")
    resamples = read_diagram(Bootstrap, bootstrap, "bootstrap")
    with flat_paths():
        given = read_evidence(evidence, ROOT, inspect, {one.measure.needs for one in wanted})
        parts = read_parts(evidence, given, baseline, training, inspect)
        found = [one for item in wanted for one in results(item, parts, resamples)]
        curves = [curve_tree(one, curve) for one in given.treatments if curve]
        diagrams = [reliability_tree(one, diagram) for one in given.treatments if diagram]
    drawn = resamples or (Bootstrap() if baseline is not None and wanted else None)
    return Evaluation(
        tuple(corrected([result for result, _ in found])),
        given.counts,
        given.units,
        drawn,
        tuple(curves),
        tuple(diagrams),
        tuple(
            dict.fromkeys((*map(flat_notice, given.notices), *_in_sample(found), *_large_k(found)))
        ),
    )


def _read_measures(asked: Sequence[object]) -> list[MeasureSpec]:
    if isinstance(asked, str) or not isinstance(asked, Sequence):
        raise InvalidInput(
            'measures is a list of names, ["ndcg@10", "recall@100"]', path="measures"
        )
    if len(asked) > MOST_MEASURES:
        raise InvalidInput(f"at most {MOST_MEASURES} measures in one request", path="measures")
    read = [read_measure(item, f"measures[{index}]") for index, item in enumerate(asked)]
    for index, one in enumerate(read):
        if any((one.label, one.given) == (other.label, other.given) for other in read[:index]):
            raise InvalidParams(f"'{one.label}' is asked for twice", path=one.path)
    return read


def _nothing_asked() -> str:
    return f"name at least one measure: {', '.join(measures())}"


def _in_sample(found: Sequence[tuple[Result, Measured]]) -> list[Notice]:
    labels = dict.fromkeys(one.asked.label for _, one in found if one.in_sample)
    message = (
        "the threshold was chosen on the scores it is measured on, which flatters it; give one, "
        "or a training part"
    )
    return [notice("threshold_in_sample", message, measure=label) for label in labels]


def _large_k(found: Sequence[tuple[Result, Measured]]) -> list[Notice]:
    """Return the warnings of measures for which nearly every item of a gallery is near."""
    message = "k is more than half of the gallery: nearly every item is near, hub or not"
    return [
        notice("large_k", message, measure=one.asked.label)
        for _, one in found
        if isinstance(one.evidence, Occurrences)
        and 2 * one.evidence.depth(cast("int | None", one.params.get("k"))) > one.evidence.items
    ]
