"""Classes and functions as users call them; what must be refused carries an ignore."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import normalizers
from normalizers import (
    Answer,
    MinMax,
    Ragged,
    WeightedSum,
    Whitening,
    borda,
    log_euclidean_mean,
    min_max,
    wsum,
)
from normalizers.scores.lists.min_max import MinMax as MinMaxInItsModule

array = np.array([[1.0, 2.0], [3.0, 5.0]])
assert_type(min_max([3.0, 1.0, 2.0]), npt.NDArray[Any])
assert_type(min_max(array, clip=True, on_constant="zero"), npt.NDArray[Any])
assert_type(min_max([[3.0, 1.0], [2, 4, 5]]), list[npt.NDArray[Any]])
assert_type(min_max([np.array([1.0]), np.array([2.0, 3.0])]), list[npt.NDArray[Any]])
assert_type(min_max(Ragged.of([[1.0], [2.0, 3.0]])), Ragged)
assert_type(log_euclidean_mean(np.array([np.eye(2), np.eye(2)])), npt.NDArray[Any])

runs = [{"ids": ["a", "b"], "scores": [2.0, 1.0]}, {"ids": ["b"], "scores": [3.0]}]
fused: Answer = wsum(runs, weights=(1, 2))
fused_ids: list[str] = wsum(runs)["ids"].tolist()
wsum([{"ids": ["a"], "scores": [2.0]}, {"ids": ["b"], "scores": [3.0]}], missing=0.5)
assert len(borda(runs)["runs"]) == 2

white: Whitening = Whitening(variant="pca").fit(array)
rows: npt.NDArray[Any] = white.transform(array)
same: type[MinMaxInItsModule] = MinMax
WeightedSum(weights=[1.0, 2.0]).apply_to(runs)


def refused() -> None:
    """Each line is wrong, and checkers must say so: an ignore without need is an error."""
    min_max([1.0], clipp=True)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
    wsum(runs, missing="nothing")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    wsum(runs, weigths=[1.0])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    wsum([1.0, 2.0])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    Whitening(variant="pcaa")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Whitening(variants="pca")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    normalizers.minmax()  # type: ignore[attr-defined]  # pyright: ignore
