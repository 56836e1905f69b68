"""The measured tables of the pages: every row is there, and some are computed again."""

from __future__ import annotations

import re

import pytest

from benchmarks.retrieval import fusions, thresholds
from benchmarks.retrieval.collection import ABSENT, FOLDER
from benchmarks.retrieval.tables import TABLES, Table
from docs.site import HAND_WRITTEN
from normalizers import ReciprocalRankFusion
from tests.docs.measured import found, rows

NUMBER = re.compile(r"[+-]?\d+\.(\d+)")
# In units of the last digit that is shown.
TOLERANCE = 1.5
RECOMPUTED = {
    fusions.HEAD: (
        "BM25 alone",
        "`wsum` of `min_max` (advised for scores)",
        "`wsum` of `z_score`, missing as 0",
        "`condorcet`",
        "`log_odds` of `platt`",
        "`posfuse`",
    ),
    thresholds.HEAD: ("`rrf`", "BM25, `percentile` per query"),
}
needs_runs = pytest.mark.skipif(not FOLDER.exists(), reason=ABSENT)


def shown(head: tuple[str, ...]) -> list[list[str]]:
    ((_, text),) = found(Table(head, list))
    return rows(text)


def assert_same(told: list[str], computed: list[str]) -> None:
    assert len(told) == len(computed)
    for cell, again in zip(told, computed, strict=True):
        assert NUMBER.sub("#", cell) == NUMBER.sub("#", again)
        for one, other in zip(NUMBER.finditer(cell), NUMBER.finditer(again), strict=True):
            unit = 10.0 ** -len(one[1])
            assert float(one[0]) == pytest.approx(float(other[0]), abs=TOLERANCE * unit), told


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.head[0])
def test_each_table_stands_on_one_page(table: Table) -> None:
    assert len(found(table)) == 1


def test_the_pages_have_every_row() -> None:
    assert [row[0] for row in shown(fusions.HEAD)] == list(fusions.LABELS)
    assert [row[0] for row in shown(thresholds.HEAD)] == list(thresholds.ROWS)
    depths = shown(("depth", *fusions.BY_DEPTH))
    assert [int(row[0]) for row in depths] == list(fusions.DEPTHS)


@needs_runs
@pytest.mark.parametrize("label", RECOMPUTED[fusions.HEAD])
def test_a_fusion_is_as_good_as_the_page_says(label: str) -> None:
    (told,) = (row for row in shown(fusions.HEAD) if row[0] == label)
    ((*computed,),) = fusions.rows([label])
    assert_same(told, computed)


@needs_runs
@pytest.mark.parametrize("label", RECOMPUTED[thresholds.HEAD])
def test_a_threshold_is_as_good_as_the_page_says(label: str) -> None:
    (told,) = (row for row in shown(thresholds.HEAD) if row[0] == label)
    ((*computed,),) = thresholds.rows([label])
    assert_same(told, computed)


@needs_runs
def test_depths_cost_what_the_page_says() -> None:
    told = shown(("depth", *fusions.BY_DEPTH))
    (computed,) = fusions.depth_rows(fusions.DEPTHS[:1])
    assert_same(told[0], computed)


@needs_runs
def test_calibration_is_as_good_as_the_page_says() -> None:
    computed = list(thresholds.quality_rows(["dense"]))
    for told, again in zip(shown(thresholds.QUALITY_HEAD)[-len(computed) :], computed, strict=True):
        assert_same(told, again)


def test_the_constants_of_rrf_are_those_of_the_presets() -> None:
    page = (HAND_WRITTEN / "which-fusion.md").read_text(encoding="utf-8")
    table = page.partition("### The constant of rrf")[2].partition("###")[0]
    constants = [
        (plain(who), constant) for who, *_, constant in rows(table[table.index("|") :].strip())
    ]
    for engine, params in ReciprocalRankFusion.presets.items():
        (constant,) = (constant for who, constant in constants if plain(engine) in who)
        assert constant.partition(",")[0] == f"{params['k']:g}", engine


def plain(name: str) -> str:
    return re.sub("[^a-z,]", "", name.casefold())
