"""A small request of two runs with judgements: the example of the trained fusions."""

from __future__ import annotations

from normalizers.contract import Example

TRAINING: dict[str, object] = {
    "runs": [
        {
            "name": "words",
            "ids": [["a", "b", "c"], ["d", "e"], ["f", "a", "g"]],
            "scores": [[9.0, 8.5, 2.0], [7.1, 6.4], [8.8, 3.0, 1.5]],
        },
        {
            "name": "vectors",
            "ids": [["c", "a", "d"], ["e", "f"], ["a", "f", "h"]],
            "scores": [[0.9, 0.8, 0.3], [0.7, 0.6], [0.8, 0.4, 0.2]],
        },
    ],
    "qrels": {"ids": [["a"], ["d", "e"], ["f", "h"]]},
}
GIVEN: dict[str, object] = {
    "runs": [
        {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]},
        {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]},
    ]
}
TRAINED = Example(fit=TRAINING, input=GIVEN)
