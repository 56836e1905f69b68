"""Codes of the warnings of an answer or a report."""

from __future__ import annotations

from normalizers import InvertedSoftmax


def warning_codes(method: InvertedSoftmax) -> set[str]:
    return {warning["code"] for warning in method.report_["warnings"]}
