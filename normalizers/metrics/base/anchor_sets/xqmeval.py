"""XQ-MEval's level means: what nine metrics give texts with one to five known errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.messages import did_you_mean, quoted

NAME = "xqmeval-v1"
FILE = "xqmeval_v1.json"
ATTRIBUTION = (
    "XQ-MEval (Liu, Qu, Tei, Kamigaito, Liu, Watanabe 2026, arXiv 2604.14934; "
    "github.com/zhiqu22/XQ-MEval), CC BY-SA 4.0"
)
# MQM takes five points for a major error.
POINTS_AN_ERROR = -5.0


class LevelMeans(NamedTuple):
    """Mean scores of one metric.

    Parameters
    ----------
    metric : str
        The exact model.
    higher_is_better : bool
        Its direction.
    groups : tuple of str
        Language pairs.
    levels : array of shape (l,)
        Errors of each level.
    means : array of shape (g, l)
        The scores.
    """

    metric: str
    higher_is_better: bool
    groups: tuple[str, ...]
    levels: Array
    means: Array

    @property
    def qualities(self) -> Array:
        """Quality of each level, -5 for each error; shape (l,)."""
        return self.levels * POINTS_AN_ERROR


def level_means(metric: str | None, path: str) -> LevelMeans:
    """Return the means of a metric, by the name of its model or the one in XQ-MEval's table.

    Raises
    ------
    InvalidParams
        No metric, or one that was not measured: scores of another model are on another scale.

    Examples
    --------
    >>> from normalizers.metrics.base.anchor_sets.xqmeval import level_means
    >>> found = level_means("wmt22-comet-da", "params.metric")
    >>> found.groups[0], found.means[0].tolist()
    ('en-de', [87.386162, 81.181252, 75.748636, 70.893657, 64.359299])
    """
    held = _held()
    measured: Mapping[str, Mapping[str, object]] = held["metrics"]  # type: ignore[assignment]
    spellings = {also: name for name in measured for also in (name, str(measured[name]["also"]))}
    if metric not in spellings:
        known = ", ".join(measured)
        told = "name the metric" if metric is None else f"there is no {quoted(metric)}"
        raise InvalidParams(
            f"{told}: '{NAME}' has scores of {known}{did_you_mean(metric or '', spellings)}",
            path=path,
        )
    name = spellings[metric]
    return LevelMeans(
        name,
        bool(measured[name]["higher_is_better"]),
        tuple(held["groups"]),  # type: ignore[arg-type]
        np.array(held["levels"], dtype=np.float64),
        np.array(measured[name]["means"], dtype=np.float64),
    )


@cache
def _held() -> Mapping[str, object]:
    text = files("normalizers.metrics.base.anchor_sets").joinpath(FILE).read_text(encoding="utf-8")
    found: Mapping[str, object] = json.loads(text)
    return found
