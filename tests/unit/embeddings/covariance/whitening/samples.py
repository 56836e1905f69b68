"""Rows to whiten, and the codes of what a report says."""

from __future__ import annotations

import numpy as np

from normalizers import Whitening

FULL = {"eps": 0.0, "shrinkage": "none"}


def rows(n: int = 200, d: int = 5, seed: int = 0, offset: float = 0.0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    mixing = generator.normal(size=(d, d)) + np.eye(d)
    return generator.normal(size=(n, d)) @ mixing + offset


def warning_codes(method: Whitening) -> set[str]:
    return {warning["code"] for warning in method.report_["warnings"]}


def advice_codes(method: Whitening) -> set[str]:
    return {item["code"] for item in method.report_["advice"]}
