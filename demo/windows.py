"""Windows there and back, and a series in chunks."""

from __future__ import annotations

import numpy as np

from demo.digits import split
from demo.service import Client
from demo.table import Row, Section
from normalizers.data.arrays import Array

TINY = 1e-200
ROLLING = {"window": 16}
CHUNK = 100
SERIES = 1000


def undone(client: Client) -> Section:
    """Undo windows of images read line by line, and roll over a long series in pieces."""
    (images,) = split(1)
    windows = images.images[:, :, None]
    whole = images.images.ravel()[:SERIES]
    return Section(
        f"Scale windows and undo it ({len(images)} images read line by line); "
        "scale a series piece by piece",
        [
            Row("window_z_score", "largest error", "", _largest_error(client, windows)),
            Row(
                "window_z_score, values near 1e-200",
                "largest error",
                "",
                _largest_error(client, windows * TINY),
            ),
            Row(
                f"rolling_z_score, {SERIES // CHUNK} chunks",
                "bits of the whole",
                "",
                "yes" if _same_bits(client, whole) else "NO",
            ),
        ],
    )


def _largest_error(client: Client, windows: Array) -> str:
    """Return the largest error of the way back, as a share of the largest value."""
    made = client.once("window_z_score", {}, x=windows.tolist())
    back = client.undo("window_z_score", {}, **{name: a.tolist() for name, a in made.items()})["x"]
    return f"{np.abs(back - windows).max() / np.abs(windows).max():.0e}"


def _same_bits(client: Client, series: Array) -> bool:
    pieces = []
    state: object = None
    for start in range(0, len(series), CHUNK):
        carried = {} if state is None else {"state": state}
        chunk = series[start : start + CHUNK].tolist()
        made = client.once("rolling_z_score", ROLLING, x=chunk, **carried)
        pieces.append(np.asarray(made["y"], dtype=float))
        state = made["state"]
    whole = client.once("rolling_z_score", ROLLING, x=series.tolist())["y"]
    return np.concatenate(pieces).tobytes() == np.asarray(whole, dtype=float).tobytes()
