from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import InvalidInput, ShapeError
from normalizers.evaluation.evaluate import evaluate
from normalizers.measures.paired_systems import SegmentTests

MEASURE = ["soft_pairwise_accuracy"]


def test_a_system_that_always_leads_is_sure_to_be_better() -> None:
    segments = np.arange(12.0)[:, None] + np.array([5.0, 0.0, 0.0])
    paired = SegmentTests.of(segments, segments)
    assert paired.by_quality[:2].max() < 0.01
    assert paired.by_quality[2] == 1.0


def test_scores_in_the_same_order_agree_and_in_the_other_do_not() -> None:
    random = np.random.default_rng(2)
    qualities = random.normal([0.0, 2.0, 4.0], size=(30, 3))
    table = {"systems": ["a", "b", "c"] * 30, "clusters": np.repeat(np.arange(30), 3).astype(str)}
    sent = {name: list(labels) for name, labels in table.items()}
    rows = qualities.ravel()
    alike = evaluate(MEASURE, scores=rows, qualities=rows, **sent).results[0].value
    turned = evaluate(MEASURE, scores=-rows, qualities=rows, **sent).results[0].value
    signed = (
        evaluate(MEASURE, scores=-rows, qualities=rows, higher_is_better=False, **sent)
        .results[0]
        .value
    )
    assert alike == signed == 1.0
    assert turned < 0.1


def test_what_is_not_sent_is_told() -> None:
    with pytest.raises(InvalidInput, match="systems, and clusters"):
        evaluate(MEASURE, scores=[1.0, 2.0], qualities=[1.0, 2.0])


@pytest.mark.parametrize("rows", [[[0.1], [0.2]], [[0.1, 0.2]], [[0.1, 0.2], [0.3], [0.4]]])
def test_rows_of_another_form_are_no_upper_triangle(rows: list[list[float]]) -> None:
    with pytest.raises(ShapeError, match="upper triangle"):
        evaluate(MEASURE, p_values=rows, quality_p_values=rows)
    with pytest.raises(InvalidInput, match="0 to 1"):
        evaluate(MEASURE, p_values=[[2.0]], quality_p_values=[[0.1]])
