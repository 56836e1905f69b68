"""Names of columns in, and frames out."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from normalizers import GroupZScore, MinMax, Whitening, WindowZScore
from normalizers.errors import IncompatibleStatistics, InvalidInput, MissingDependency
from normalizers.normalizer import Normalizer
from normalizers.pipeline.pipeline import Pipeline
from tests.unit.normalizer.samples import FRAME, ROWS


def test_the_names_of_columns_are_kept() -> None:
    whitening = Whitening().fit(FRAME)
    assert whitening.feature_names_in_.tolist() == ["a", "b", "c"]
    assert whitening.get_feature_names_out().tolist() == ["a", "b", "c"]
    assert whitening.get_feature_names_out(["p", "q", "r"]).tolist() == ["p", "q", "r"]
    assert Whitening(n_components=2).fit(FRAME).get_feature_names_out().tolist() == [
        "whitening0",
        "whitening1",
    ]
    np.testing.assert_array_equal(whitening.transform(FRAME), whitening.transform(ROWS))


GROUPS = ["fr", "si"] * 15
NUMBERED = ["whitening0", "whitening1", "whitening2"]


def names_out(fitted: Normalizer) -> list[str]:
    return list(fitted.get_feature_names_out().tolist())


def test_columns_of_groups_are_named() -> None:
    named = GroupZScore().fit(FRAME, groups=GROUPS)
    assert names_out(named) == ["a", "b", "c"]
    assert named.get_feature_names_out(["p", "q", "r"]).tolist() == ["p", "q", "r"]
    rows = GroupZScore().fit(ROWS, groups=GROUPS)
    assert names_out(rows) == ["groupzscore0", "groupzscore1", "groupzscore2"]
    assert names_out(GroupZScore().fit(ROWS[:, 0], groups=GROUPS)) == ["groupzscore0"]


def test_components_do_not_bear_the_names_of_columns() -> None:
    whitening = Whitening(variant="pca").set_output(transform="pandas").fit(FRAME)
    assert names_out(whitening) == NUMBERED
    assert whitening.get_feature_names_out(["p", "q", "r"]).tolist() == NUMBERED
    assert list(whitening.transform(FRAME).columns) == NUMBERED  # type: ignore[attr-defined]
    assert names_out(Whitening(variant="zca").fit(FRAME)) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("last", "names"),
    [
        ({}, ["a", "b", "c"]),
        ({"variant": "pca"}, ["pipeline0", "pipeline1", "pipeline2"]),
        ({"n_components": 2}, ["pipeline0", "pipeline1"]),
    ],
)
def test_a_pipeline_names_the_columns_of_its_last_step(
    last: dict[str, object], names: list[str]
) -> None:
    chain = Pipeline(steps=["whitening", {"method": "whitening", "params": last}])
    chain.set_output(transform="pandas").fit(FRAME)
    assert names_out(chain) == names
    assert list(chain.transform(FRAME).columns) == names  # type: ignore[attr-defined]
    assert chain.n_features_in_ == 3


def test_lists_have_no_columns_to_name() -> None:
    assert names_out(MinMax().fit([1.0, 2.0])) == []


@pytest.mark.parametrize("x", [ROWS, pd.DataFrame(ROWS), ROWS.tolist()])
def test_without_names_there_are_none(x: object) -> None:
    whitening = Whitening().fit(x)
    assert not hasattr(whitening, "feature_names_in_")
    assert whitening.transform(FRAME).shape == (30, 3)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("bacdefgh", "in another order: 'b' in place of 'a', 'a' in place of 'b'"),
        ("abcdefgz", "'h' missing; 'z' not known"),
        ("abcdefg", "'h' missing"),
        ("abcdefghi", "'i' not known"),
        ("hgfedcba", "in another order: 'h' in place of 'a', .*, 'd' in place of 'e', ...$"),
        ("zyxwvuts", "'a', 'b', 'c', 'd', 'e', ... missing; 'z', 'y', 'x', 'w', 'v', ... not"),
        ("abcdefgg", "'h' missing"),
        ("aabcdefgh", "9 in place of 8"),
    ],
)
def test_every_difference_of_columns_is_told(names: str, told: str) -> None:
    rows = np.random.default_rng(1).normal(size=(30, len(names)))
    known = np.random.default_rng(1).normal(size=(30, 8))
    fitted = Whitening().fit(pd.DataFrame(known, columns=list("abcdefgh")))
    other = pd.DataFrame(rows, columns=list(names))
    with pytest.raises(InvalidInput, match=f"not those of the fit: {told}"):
        fitted.transform(other)
    # A fit refuses names that stand twice.
    if len(set(names)) == len(names):
        with pytest.raises(IncompatibleStatistics, match=f"on other columns: {told}"):
            fitted.merge(Whitening().fit(other))


@pytest.mark.parametrize("columns", [["b", "a", "c"], ["a", "b", "z"]])
def test_columns_of_other_names_are_refused(columns: list[str]) -> None:
    other = pd.DataFrame(ROWS, columns=columns)
    for begun in (Whitening().fit(FRAME), Whitening().partial_fit(FRAME)):
        with pytest.raises(InvalidInput, match="are not those of the fit") as caught:
            begun.transform(other)
        assert caught.value.path == "input.x"
        with pytest.raises(InvalidInput, match="are not those of the fit") as caught:
            begun.partial_fit(other)
        assert caught.value.path == "fit.x"
        assert begun.version_.n == 30


def test_set_output_pandas() -> None:
    frame = FRAME.set_index(pd.Index(range(100, 130)))
    whitening = Whitening().set_output(transform="pandas").fit(frame)
    found = whitening.transform(frame)
    assert isinstance(found, pd.DataFrame)
    assert (list(found.columns), list(found.index)) == (["a", "b", "c"], list(frame.index))
    np.testing.assert_array_equal(found, Whitening().fit(ROWS).transform(ROWS))
    assert list(whitening.transform(ROWS[:2]).index) == [0, 1]  # type: ignore[attr-defined]
    assert whitening.set_output() is whitening
    assert isinstance(whitening.transform(ROWS), pd.DataFrame)
    assert isinstance(whitening.set_output(transform="default").transform(ROWS), np.ndarray)


@pytest.mark.parametrize(
    "act",
    [
        lambda: MinMax().set_output(transform="pandas").transform([1.0, 2.0]),
        lambda: MinMax().set_output(transform="pandas").transform([[1.0, 2.0], [3.0]]),
        lambda: WindowZScore().set_output(transform="pandas").transform(np.ones((2, 3, 4))),
    ],
)
def test_an_output_that_is_no_table_is_no_frame(act: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput, match="no table of rows and columns"):
        act()


def test_an_unknown_kind_of_frame_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'default', 'pandas' or 'polars'"):
        Whitening().set_output(transform="spark")


def test_a_kind_of_frame_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingDependency, match="needs polars: pip install polars"):
        Whitening().set_output(transform="polars").fit(ROWS).transform(ROWS)
