"""The table of measures and how requests name them."""

from __future__ import annotations

import pytest

from normalizers.errors import InvalidInput, InvalidParams
from normalizers.measures.table import measures, read_measure

OF_THE_CONTRACT = {
    "ndcg", "recall", "precision", "map", "mrr", "f1_threshold", "auc", "average_precision",
    "brier", "log_loss", "calibration_error",
}  # fmt: skip


def test_every_measure_of_the_contract_is_there() -> None:
    assert set(measures()) >= OF_THE_CONTRACT
    for name, measure in measures().items():
        assert measure.name == name
        assert measure.help
        assert measure.undefined


def test_a_cut_off_is_a_parameter() -> None:
    assert read_measure("ndcg@10", "m").given == {"k": 10, "gain": "linear"}
    assert read_measure({"measure": "ndcg", "params": {"k": 10}}, "m").label == "ndcg@10"
    assert read_measure("err", "m").given == {"k": None, "max_grade": 4.0}
    assert read_measure("P@10", "m").label == "precision@10"
    assert read_measure("map(rel=2)@5", "m").given == {"k": 5, "rel": 2.0}
    assert read_measure("map(rel=2)@5", "m").label == "map(rel=2)@5"


@pytest.mark.parametrize(
    "sent, path, message",
    [
        ("ndgc@10", "m", "did you mean 'ndcg'"),
        ("RR@10", "m", "did you mean 'mrr'"),
        ("ECE", "m", "did you mean 'calibration_error'"),
        ("nDCG@10", "m", "did you mean 'ndcg'"),
        ("ndcg@", "m", "whole number from 1 on"),
        ("ndcg@-1", "m", "whole number from 1 on"),
        ("ndcg@0", "m", "whole number from 1 on"),
        ("ndcg@1.5", "m", "whole number from 1 on"),
        ("auc@10", "m", "has no cut-off"),
        ("rprec@10", "m", "has no cut-off"),
        ("ndcg(gain)", "m", "are written as in"),
        ("map(rel=2,rel=3)", "m", "once"),
        ("map(rel=0)", "m.params.rel", "greater than 0"),
        ({"measure": "ndcg@5", "params": {"k": 3}}, "m.params.k", "say the cut-off once"),
        ({"measure": "ndcg", "params": {"k": -3}}, "m.params.k", "greater than or equal to 1"),
        ({"measure": "ndcg", "params": {"K": 3}}, "m.params.K", "did you mean 'k'"),
        ({"measure": "ndcg", "params": {"k": True}}, "m.params.k", "valid integer"),
        ({"measure": "ndcg", "params": 3}, "m.params", "an object of parameters"),
        ({"measure": "ndcg", "parms": {}}, "m.parms", "known: measure, params"),
        ({"measure": "auc", "params": {"k": 1}}, "m.params.k", "known: none"),
        ({"name": "ndcg"}, "m", "a measure is a name"),
        (3, "m", "a measure is a name"),
        (None, "m", "a measure is a name"),
    ],
)
def test_what_is_no_measure(sent: object, path: str, message: str) -> None:
    with pytest.raises((InvalidInput, InvalidParams), match=message) as refused:
        read_measure(sent, "m")
    assert refused.value.path == path
