"""Names that were sent and stand in messages: cut, and without what controls a terminal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from normalizers import (
    GroupZScore,
    InvertedSoftmax,
    MinMax,
    Percentile,
    Pipeline,
    RollingZScore,
    Whitening,
    rrf,
)
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.errors import Fault, NormalizerError, printable
from normalizers.versions import fitting

HOSTILE = "\x1b[2J\r\n\u202eevil\x00" + "x" * 300
LONGEST_MESSAGE = 700
ROWS = [[0.0, 1.0], [4.0, 0.5], [0.0, -1.0], [-4.0, 0.25]]
RUNS = [{"ids": ["a"], "name": HOSTILE}, {"ids": ["b"], "name": "b"}]
GROUPS = {"x": [1.0, 2.0], "groups": [HOSTILE] * 2}
MOMENTS = {"keys": ["a"], "n": 2, "mean": [1.0], "m2": [0.5]}


def of_columns() -> object:
    fitted = Whitening().fit(pd.DataFrame(ROWS, columns=["a", HOSTILE]))
    return fitted.transform(pd.DataFrame(ROWS, columns=["a", "b"]))


ASKED: dict[str, Callable[[], object]] = {
    "a method": lambda: CATALOGUE.create(HOSTILE, {}),
    "a preset": lambda: CATALOGUE.create("whitening", {"preset": HOSTILE}),
    "a parameter": lambda: MinMax(**{HOSTILE: 1}),
    "a parameter in a request": lambda: CATALOGUE.create("min_max", {HOSTILE: 1}),
    "a choice": lambda: MinMax(on_constant=HOSTILE).fit([1.0, 2.0]),
    "a field": lambda: MinMax().transform([1.0], **{HOSTILE: 1}),
    "an option": lambda: fitting.stateless(MinMax()).transform({"scores": [1.0], HOSTILE: 1}),
    "a layout": lambda: RollingZScore(window=2).transform([1.0, 2.0], layout=HOSTILE),
    "a weight": lambda: rrf([{"ids": ["a"]}], weights={HOSTILE: 1.0}),
    "a run without a weight": lambda: rrf(RUNS, weights={"b": 1.0}),
    "a run twice": lambda: rrf([RUNS[0], RUNS[0]]),
    "a similarity": lambda: rrf([{"ids": ["a"], "similarity": HOSTILE}]),
    "a member of a run": lambda: rrf([{"ids": ["a"], HOSTILE: 1}]),
    "a group": lambda: (
        GroupZScore().fit([1, 2], groups=["a", "a"]).transform([1.0], groups=[HOSTILE])
    ),
    "a group of the fit": lambda: GroupZScore().fit([1.0], groups=[HOSTILE]),
    "an item": lambda: (
        InvertedSoftmax(unknown_item="error")
        .fit(ROWS)
        .transform(candidate_ids=[[HOSTILE]], candidate_scores=[[1.0]])
    ),
    "a statistic": lambda: Whitening().fit_statistics(**{HOSTILE: {}}),
    "a member of a statistic": lambda: Whitening().fit_statistics(scatter={HOSTILE: 1}),
    "a label of members": lambda: GroupZScore().fit_statistics(moments={HOSTILE: 1}),
    "members of a label": lambda: GroupZScore().fit_statistics(moments={HOSTILE: {"n": -1}}),
    "a group of ranges": lambda: GroupZScore().fit_statistics(
        moments=MOMENTS, extrema={"keys": [HOSTILE], "n": 2, "min": [0.0], "max": [2.0]}
    ),
    "a group that is removed": lambda: fitting.minus(
        GroupZScore().validated(),
        GroupZScore().fit([1, 2], groups=["a", "a"]).statistics_,
        [fitting.fit(GroupZScore(), GROUPS)],
        {},
    ),
    "labels of other names": lambda: (
        GroupZScore(group_by=["a"])
        .fit([1, 2], groups=["a", "a"])
        .merge(GroupZScore(group_by=[HOSTILE]).fit([1, 2], groups=["a", "a"]))
    ),
    "a column": of_columns,
    "a member of a state": lambda: RollingZScore(window=2).transform(
        [1.0, 2.0], state={HOSTILE: 1}
    ),
    "a step": lambda: Pipeline(steps=[HOSTILE]).transform([1.0]),
    "a parameter of a step": lambda: Pipeline(
        steps=[{"method": "min_max", "params": {HOSTILE: 1}}]
    ).transform([1.0]),
    "a choice of a scope": lambda: Percentile(scope=HOSTILE).transform([1.0]),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_name_in_a_message_is_cut_and_printable(name: str) -> None:
    with pytest.raises(NormalizerError) as caught:
        ASKED[name]()
    error = caught.value
    for text in (str(error), error.message, error.path, *map(str, error.faults)):
        assert text.isprintable()
        assert "x" * 100 not in text
        assert len(text) < LONGEST_MESSAGE


def test_every_part_of_an_error_is_printable() -> None:
    faults = [Fault("a\nb", "c\x00")]
    error = NormalizerError("d\te", path="f\rg", faults=faults)
    assert (str(error), error.path) == ("d\\te", "f\\rg")
    assert error.faults == (Fault("a\\nb", "c\\x00"),)


@pytest.mark.parametrize("text", ["", "plain", "é漢 '\"", "a / b"])
def test_what_prints_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_numbers_of_a_request_are_not_in_its_errors() -> None:
    with pytest.raises(NormalizerError) as caught:
        Whitening().fit(np.array([[123456.75, np.nan], [1.0, 2.0]]))
    assert "123456" not in str(caught.value)
