"""Series of several channels as windows of one length: missing values stand behind the last step.

A request has no layout of lists of windows; a missing value changes no answer beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from normalizers.contract.answer import Answer
from normalizers.data.arrays import Array

MISSING = "missing"
STEPS = 1


def channels_of(value: object) -> int:
    """Return how many channels the parts of a field have; 0 where it has no steps."""
    if not isinstance(value, list) or not value:
        return 0
    return 1 if np.ndim(value[0]) == 1 else int(np.shape(value[0])[1])


def padded(parts: Sequence[Array], channels: int) -> Array:
    """Return series ``(t, c)`` as windows ``(n, t, c)``; one column stands for all channels.

    Examples
    --------
    >>> import numpy as np
    >>> from normd.cli.io.padding import padded
    >>> padded([np.array([1.0, 2.0]), np.array([3.0])], 1)[:, :, 0].tolist()
    [[1.0, 2.0], [3.0, nan]]
    """
    longest = max(map(len, parts))
    whole = np.full((len(parts), longest, channels), np.nan)
    for place, part in enumerate(parts):
        whole[place, : len(part)] = np.reshape(part, (len(part), -1))
    return whole


def windows(values: Mapping[str, object], channels: int) -> dict[str, object]:
    """Return the fields of series as those of windows; a mask hides what is padded."""
    found: dict[str, object] = {}
    for name, value in values.items():
        if isinstance(value, list):
            array = padded(value, channels)
            found[name] = np.nan_to_num(array) if name == "mask" else array
        elif isinstance(value, np.ndarray) and value.ndim <= STEPS + 1:
            found[name] = value.reshape(len(value), 1, -1)
        else:
            found[name] = value
    return found


def series(answer: Answer, lengths: Sequence[int]) -> tuple[Answer, dict[str, object]]:
    """Return the answer to windows, and its output as series of their own lengths.

    What is flagged as missing is what is so within these lengths.
    """
    output = {name: _cut(value, lengths) for name, value in answer.output.items()}
    main = next(iter(output.values()))
    flags = {name: places for name, places in answer.flags.items() if name != MISSING}
    if MISSING in answer.flags and isinstance(main, list):
        lost = np.argwhere([np.isnan(part).any(axis=0) for part in main])
        flags |= {MISSING: lost} if len(lost) else {}
    return replace(answer, flags=flags), output


def _cut(value: object, lengths: Sequence[int]) -> object:
    if not isinstance(value, np.ndarray) or value.ndim != STEPS + 2:
        return value
    if value.shape[STEPS] == 1 and max(lengths) > 1:
        return value[:, 0]
    return [part[:length] for part, length in zip(value, lengths, strict=True)]
