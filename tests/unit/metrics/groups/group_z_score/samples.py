"""Scores of two groups."""

from __future__ import annotations

from normalizers import GroupZScore

SCORES = [1.0, 2.0, 4.0, 10.0, 30.0]
GROUPS = ["a", "a", "a", "b", "b"]


def report_of(method: GroupZScore, *key: str) -> dict[str, object]:
    return next(told for told in method.report_["groups"] if told["keys"] == list(key))
