"""Every figure, in one table: a group a target of make, the figures of a group in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.figure import Figure, Goal
from benchmarks.figures import fit, json_transform, memory, npy_transform, one_vector, start

GROUPS: Mapping[str, Sequence[Figure]] = {
    "service": (
        Figure("npy-transform", Goal(1.3), npy_transform.measure),
        Figure("json-transform-bare", Goal(5, faster=True), json_transform.against_bare),
        Figure(
            "json-transform-annotated", Goal(2.2, faster=True), json_transform.against_annotated
        ),
        Figure("json-fast-bare", Goal(8, faster=True), json_transform.fast_against_bare),
        Figure(
            "json-fast-annotated", Goal(3.3, faster=True), json_transform.fast_against_annotated
        ),
        Figure("one-vector-npy", Goal(2.5), one_vector.npy_p50),
        Figure("one-vector-json", Goal(4), one_vector.json_p50),
        Figure("fit", Goal(2.5), fit.measure),
        Figure("memory-streamed-fit", Goal(1.05), memory.streamed_fit),
        Figure("memory-transform", Goal(1), memory.transform),
        Figure("ready", Goal(1), start.measure),
    )
}
