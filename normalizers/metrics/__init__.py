"""Metric alignment: scores of groups made comparable."""
