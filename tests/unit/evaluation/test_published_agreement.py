"""Agreement on public data: the figures that were measured there independently."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from normalizers import GroupZScore
from normalizers.data.arrays import Array
from normalizers.evaluation import evaluate

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "metrics"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the shared data are not here")


def table(name: str) -> list[dict[str, str]]:
    with gzip.open(FOLDER / f"{name}.tsv.gz", "rt") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def columns(rows: list[dict[str, str]]) -> tuple[Array, list[str], Array]:
    """Return scores, languages and qualities: fewer errors are better."""
    scores = np.array([float(row["chrfpp"]) for row in rows])
    return scores, [row["lang"] for row in rows], np.array([-float(row["errors"]) for row in rows])


def test_pair_accuracy_across_languages_is_the_published_one() -> None:
    rows = table("xqmeval_chrfpp")
    odd = set(sorted({row["seg"] for row in rows}, key=int)[1::2])
    fit, test = ([row for row in rows if (row["seg"] in odd) == own] for own in (False, True))
    anchors, anchor_languages, _ = columns(fit)
    scores, languages, qualities = columns(test)
    aligner = GroupZScore(ddof=1).fit(anchors, groups=anchor_languages)
    sent = {"qualities": qualities, "groups": languages}
    raw = evaluate(["pair_accuracy"], scores=scores, **sent)["pair_accuracy"]
    aligned = aligner.transform(scores, groups=languages)
    found = evaluate(["pair_accuracy"], scores=aligned, **sent)["pair_accuracy"]
    within = {"measure": "pair_accuracy", "params": {"pairs": "within_group"}}
    ceiling = evaluate([within], scores=scores, **sent)["pair_accuracy"]
    assert (raw, found, ceiling) == pytest.approx((0.7386, 0.8164, 0.8199), abs=1e-4)


def test_tau_b_of_systems_is_the_published_one() -> None:
    rows = [
        row
        for row in table("wmt23_sys")
        if row["lp"] in ("en-de", "en-ja", "en-zh") and row["comet22"]
    ]
    human = [float(row["da_raw"]) for row in rows]
    found = evaluate(["kendall"], scores=[float(row["comet22"]) for row in rows], qualities=human)
    assert (len(rows), found["kendall"]) == (40, pytest.approx(0.403, abs=5e-4))
