"""A stream, and its z-scores one step at a time and in chunks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers import RollingZScore

NAN = float("nan")
STREAM = np.array(
    [11.082, 1.889, 7.836, NAN, 6.095, 6.569, 2.96, 6.536, 5.27, 13.646, 7.452, 6.295]
)


def one_by_one(x: np.ndarray, window: int, ddof: int, least: int, *, current: bool) -> np.ndarray:
    y = np.full(len(x), NAN)
    for step in range(len(x)):
        end = step + 1 if current else step
        part = x[max(0, end - window) : end]
        part = part[~np.isnan(part)]
        if len(part) >= max(least, ddof + 1) and np.std(part) > 0:
            y[step] = (x[step] - part.mean()) / part.std(ddof=ddof)
    return y


def chunked(method: RollingZScore, x: np.ndarray, sizes: list[int], **options: object) -> bytes:
    state: Mapping[str, object] | None = None
    parts, start = [], 0
    for size in sizes:
        fields = (
            {"x": x[start : start + size]} if x.ndim == 1 else {"x": x[:, start : start + size]}
        )
        answer = method.apply_to(**fields, **({} if state is None else {"state": state}), **options)
        state = answer["state"]
        parts.append(answer["y"])
        start += size
    assert state is not None
    assert state["step"] == start
    return np.concatenate(parts, axis=int(x.ndim > 1)).tobytes()


def carried() -> dict[str, object]:
    return dict(RollingZScore(window=3).apply_to(x=[1.0, 2.0, 4.0])["state"])
