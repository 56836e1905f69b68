"""Labels of rows as codes."""

from __future__ import annotations

import numpy as np
import pandas
import pyarrow as pa
import pytest

from normalizers import GroupZScore
from normalizers.data.labels import FEW_KEYS, Labels
from normalizers.errors import DtypeError
from normalizers.validation.labels import label_codes

WORDS = ["de", "cs", "de", "ja", "cs"]


@pytest.mark.parametrize(
    "column",
    [
        WORDS,
        tuple(WORDS),
        np.array(WORDS),
        np.array(WORDS, dtype=object),
        pandas.Series(WORDS, dtype="str"),
        pandas.Series(WORDS, dtype="string"),
        pandas.Series(WORDS, dtype=object),
        pandas.Series(pandas.Categorical(WORDS, categories=["ja", "unused", "de", "cs"])),
        pandas.DataFrame({"lp": pandas.Series(WORDS, dtype="category")}),
        pa.array(WORDS),
        pa.chunked_array([WORDS[:2], WORDS[2:]]),
        pa.array(WORDS).dictionary_encode(),
    ],
    ids=lambda column: type(column).__name__,
)
def test_k6_labels_are_codes_from_whatever_column_they_come(column: object) -> None:
    found = label_codes(column, "fit.groups")
    assert found.keys.tolist() == [["cs"], ["de"], ["ja"]]
    assert found.codes.tolist() == [1, 0, 1, 2, 0]
    assert found.rows[:, 0].tolist() == WORDS
    assert found.shape == (5, 1)


def test_k6_distinct_labels_alone_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fit of many rows looks at each label once, at the door, and never again."""
    looked: list[int] = []
    of_distinct = Labels.of_distinct.__func__  # type: ignore[attr-defined]

    def counting(cls: type[Labels], names: list[str], places: np.ndarray) -> Labels:
        looked.append(len(names))
        coded: Labels = of_distinct(cls, names, places)
        return coded

    monkeypatch.setattr(Labels, "of_distinct", classmethod(counting))
    rows = pandas.Series(["a", "b", "c"] * 1000, dtype="str")
    fitted = GroupZScore().fit(np.arange(3000.0), groups=rows)
    assert looked == [3]
    fitted.transform(np.arange(3000.0), groups=rows)
    assert looked == [3, 3]


def test_k6_integers_are_their_decimal_text_and_keys_stand_in_code_point_order() -> None:
    assert label_codes([10, "9", 10], "g").keys[:, 0].tolist() == ["10", "9"]
    assert label_codes(pandas.Series([10, 9, 10], dtype="category"), "g").codes.tolist() == [
        0,
        1,
        0,
    ]
    mixed = pandas.Series(pandas.Categorical([1, "1", 2]))
    assert label_codes(mixed, "g").codes.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "column",
    [
        pandas.Series(["a", None], dtype="str"),
        pandas.Series(["a", None], dtype="category"),
        pa.array(["a", None]),
        ["a", None],
    ],
)
def test_k6_a_missing_label_is_refused_by_its_row(column: object) -> None:
    with pytest.raises(DtypeError) as caught:
        label_codes(column, "fit.groups")
    assert caught.value.path == "fit.groups[1]"


def test_k6_a_category_that_is_no_label_is_refused_where_a_row_has_it() -> None:
    with pytest.raises(DtypeError) as caught:
        label_codes(pandas.Series(pandas.Categorical(["a", 1.5, "a"])), "fit.groups")
    assert caught.value.path == "fit.groups[1]"
    unused = pandas.Series(pandas.Categorical(["a"], categories=["a", 1.5]))
    assert label_codes(unused, "fit.groups").keys.tolist() == [["a"]]


def test_several_labels_a_row() -> None:
    table = [["b", "1"], ["a", "2"], ["b", "1"], ["b", "0"]]
    coded = Labels.of(np.array(table, dtype=object))
    assert coded.keys.tolist() == [["a", "2"], ["b", "0"], ["b", "1"]]
    assert coded.rows.tolist() == table
    frame = pandas.DataFrame(table, columns=["l", "r"], dtype="str")
    assert label_codes(frame, "groups").rows.tolist() == table
    left, right = Labels.of([row[0] for row in table]), Labels.of([row[1] for row in table])
    assert left.beside(right).rows.tolist() == table


def test_rows_of_one_key_stand_together_in_the_order_they_came() -> None:
    coded = Labels.of(WORDS)
    assert coded.order.tolist() == [1, 4, 0, 2, 3]
    assert coded.bounds.tolist() == [0, 2, 4, 5]


def test_some_rows_have_some_keys() -> None:
    some = Labels.of(WORDS).take(np.array([False, True, False, True, False]))
    assert some.keys.tolist() == [["cs"], ["ja"]]
    assert some.codes.tolist() == [0, 1]


def test_more_keys_than_a_short_integer_counts() -> None:
    names = [f"{number:06d}" for number in range(FEW_KEYS + 5)][::-1]
    coded = Labels.of(names)
    assert coded.rows[coded.order][:, 0].tolist() == sorted(names)
    assert Labels.of([]).shape == (0, 1)
