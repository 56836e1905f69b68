"""Golden words of scores: list normalizers, calibrators and fusions."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden.tables import scores_calibrators, scores_fusions, scores_lists, scores_trained
from tests.golden.tables.entry import Entry

TABLE: Mapping[str, Entry] = {
    **scores_calibrators.TABLE,
    **scores_fusions.TABLE,
    **scores_lists.TABLE,
    **scores_trained.TABLE,
}
