"""A small request of two runs: the example of the fusions."""

from __future__ import annotations

from normalizers.contract import Example

RUNS: dict[str, object] = {
    "runs": [
        {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]},
        {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]},
    ]
}
TWO_RUNS = Example(input=RUNS)
TWO_WEIGHTED_RUNS = Example(params={"weights": {"words": 0.4, "vectors": 0.6}}, input=RUNS)
