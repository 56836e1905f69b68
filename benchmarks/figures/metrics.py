"""Alignment of groups beside pandas, the command line beside the library, and intervals."""

from __future__ import annotations

import itertools
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figure import Effort, Measured, Unmeasurable
from benchmarks.pairs import beside
from benchmarks.rows import SEED
from normalizers import GroupAverage, GroupZScore
from normalizers.evaluation.evaluate import evaluate

ROWS = 1_000_000
FEW, MANY = 50, 50_000
SYSTEMS, SEGMENTS, LANGUAGES = 40, 2000, 8
DRAWS = 10_000


def few_groups(effort: Effort) -> Measured:
    """Compare fit and transform of a million rows in 50 groups with pandas."""
    return _beside_pandas(FEW, effort)


def many_groups(effort: Effort) -> Measured:
    """Compare the same in 50,000 groups."""
    return _beside_pandas(MANY, effort)


def from_parquet(effort: Effort) -> Measured:
    """Compare the command line, from Parquet to Parquet, with the library and pyarrow."""
    try:
        import pyarrow.parquet as parquet
    except ImportError as missing:
        raise Unmeasurable("pyarrow is not installed") from missing
    frame = _frame(FEW)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        frame.to_parquet(place / "rows.parquet")
        normd = [sys.executable, "-m", "normd.cli"]
        names = map("aligner-{}".format, itertools.count())
        asked = ["--columns", "x", "--field", "groups=group", "--data", str(place / "data")]

        def by_command() -> None:
            name, out = next(names), ["-o", "aligned.parquet"]
            _run([*normd, "fit", "group_z_score", "rows.parquet", *asked, "--name", name], place)
            _run([*normd, "transform", name, "rows.parquet", *asked, *out], place)

        def by_library() -> None:
            table = parquet.read_table(place / "rows.parquet").to_pandas()
            aligned = GroupZScore().fit(table["x"], groups=table["group"])
            table["x"] = aligned.transform(table["x"], groups=table["group"])
            table.to_parquet(place / "own.parquet")

        return beside(by_command, by_library, effort.of(3))


def bootstrap(effort: Effort) -> Measured:
    """Compare 10,000 resamples of an average by clusters with one evaluation without interval."""
    random = np.random.default_rng(SEED)
    cells = SYSTEMS * SEGMENTS * LANGUAGES
    x = random.normal(size=cells)
    systems = np.repeat([f"s{at}" for at in range(SYSTEMS)], SEGMENTS * LANGUAGES).tolist()
    segments = np.tile(np.repeat(np.arange(SEGMENTS), LANGUAGES), SYSTEMS).astype(str).tolist()
    groups = np.tile([f"l{at}" for at in range(LANGUAGES)], SYSTEMS * SEGMENTS).tolist()
    average = GroupAverage(samples=DRAWS)
    drawn = partial(average.transform, x, systems=systems, groups=groups, clusters=segments)
    once = partial(
        evaluate,
        ["system_pair_accuracy"],
        scores=x,
        qualities=random.normal(size=cells),
        systems=systems,
        groups=groups,
        clusters=segments,
    )
    return beside(drawn, once, effort.of(2))


def _beside_pandas(groups: int, effort: Effort) -> Measured:
    frame = _frame(groups)
    x, labels = frame["x"], frame["group"]

    def ours() -> None:
        GroupZScore().fit(x, groups=labels).transform(x, groups=labels)

    def plain() -> None:
        grouped = frame.groupby("group")["x"]
        (x - grouped.transform("mean")) / grouped.transform("std")

    return beside(ours, plain, effort.of(5))


def _frame(groups: int) -> Any:
    try:
        import pandas as pd
    except ImportError as missing:
        raise Unmeasurable("pandas is not installed") from missing
    random = np.random.default_rng(SEED)
    codes = np.concatenate([np.arange(groups).repeat(2), random.integers(0, groups, ROWS)])[:ROWS]
    labels = pd.Series(random.permutation(codes)).map("group-{:05d}".format).astype("str")
    return pd.DataFrame({"x": random.normal(80, 5, ROWS), "group": labels})


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
