"""Metric alignment: scores of groups made comparable."""

from normalizers.metrics.group_z_score import GroupZScore

METHODS = (GroupZScore,)

__all__ = ["METHODS", "GroupZScore"]
