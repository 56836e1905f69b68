import numpy as np
import pytest

from normalizers.data.arrays import string_array
from normalizers.errors import IncompatibleStatistics, InvalidInput, ShapeError
from normalizers.statistics import Extrema, Grouped, Moments, Quantiles, Scatter

LABELS = string_array(["de", "cs", "de", "cs", "de"])
VALUES = np.array([1.0, 5.0, 3.0, 7.0, 8.0])


def test_each_group_has_the_statistic_of_its_rows():
    grouped = Grouped(Moments()).update(LABELS, VALUES)
    assert grouped.name == "moments"
    assert grouped.keys == (("cs",), ("de",))
    assert list(grouped) == [("cs",), ("de",)]
    assert grouped.n == 5
    assert grouped["cs"].mean.tolist() == [6.0]
    assert "fr" not in grouped
    assert grouped.positions(string_array(["de", "fr"])).tolist() == [1, -1]
    np.testing.assert_allclose(grouped.pooled().mean, VALUES.mean())


def test_merge_unites_the_groups_in_any_order():
    one = Grouped(Moments()).update(LABELS[:3], VALUES[:3])
    other = Grouped(Moments()).update(string_array(["fr", "cs", "de"]), np.array([0.0, 7.0, 8.0]))
    assert one.merge(other).keys == (("cs",), ("de",), ("fr",))
    assert one.merge(other)["cs"].mean.tolist() == [6.0]


def test_members_are_stacked_on_an_axis_of_groups():
    members = Grouped(Moments()).update(LABELS, VALUES).to_arrays()
    assert members["group_by"].tolist() == ["group"]
    assert members["keys"].tolist() == [["cs"], ["de"]]
    assert members["n"].tolist() == [[2], [3]]
    assert members["mean"].shape == (2, 1)


@pytest.mark.parametrize("inner", [Moments(), Extrema(), Quantiles(), Scatter()])
def test_members_round_trip(inner):
    rows = np.stack([VALUES, VALUES[::-1]], axis=1)
    keys = np.stack([LABELS, string_array("abbaa")], axis=1)
    grouped = Grouped(inner, ("lang", "year")).update(keys, rows)
    members = grouped.to_arrays()
    again = Grouped(inner).from_arrays({k: v.tolist() for k, v in members.items()}, "s")
    assert again.group_by == ("lang", "year")
    assert again.keys == grouped.keys
    for name, array in again.to_arrays().items():
        np.testing.assert_array_equal(array, members[name])


def test_quantiles_of_groups_stand_side_by_side():
    members = Grouped(Quantiles()).update(LABELS, VALUES).to_arrays()
    assert members["offsets"].tolist() == [0, 2, 5]
    assert members["n"].tolist() == [2, 3]


def test_an_object_from_label_to_members():
    posted = {
        "en-de": {"n": 5, "mean": 77.7, "std": 9.6, "ddof": 1},
        "cs": {"n": 2, "mean": [1.0], "m2": [2.0]},
    }
    grouped = Grouped(Moments()).from_arrays(posted, "s")
    assert grouped.keys == (("cs",), ("en-de",))
    np.testing.assert_allclose(grouped["en-de"].std(1), [9.6])
    assert grouped.group_by == ("group",)


def test_groups_without_n_fit():
    grouped = Grouped(Moments()).from_arrays(
        {"keys": ["a", "b"], "mean": [1.0, 2.0], "std": [1.0, 1.0], "ddof": 1}, "s"
    )
    assert not grouped.mergeable
    assert grouped.to_arrays()["mean"].tolist() == [[1.0], [2.0]]


def test_stored_quantiles_by_group():
    posted = {g: {"p": [0, 1], "v": [0, high]} for g, high in (("a", 1), ("b", 2))}
    grouped = Grouped(Quantiles()).from_arrays(posted, "s")
    members = grouped.to_arrays()
    assert members["v"].tolist() == [[0.0, 0.0], [1.0, 2.0]]
    again = Grouped(Quantiles()).from_arrays(members, "s")
    assert again["b"].share_below(np.array([1.0])).tolist() == [0.5]


def test_removal_is_key_by_key_and_drops_a_group_without_rows():
    grouped = Grouped(Moments()).update(LABELS, VALUES)
    left = grouped.minus(Grouped(Moments()).update(LABELS[[1, 3, 4]], VALUES[[1, 3, 4]]))
    assert left.keys == (("de",),)
    assert left["de"].mean.tolist() == [2.0]
    assert grouped.removable
    assert not Grouped(Extrema()).removable
    with pytest.raises(IncompatibleStatistics, match="no group"):
        grouped.minus(Grouped(Moments()).update(string_array(["fr"]), VALUES[:1]))


def test_a_group_of_missing_values_is_kept():
    grouped = Grouped(Moments()).update(string_array(["a", "b"]), np.array([np.nan, 1.0]))
    assert grouped.to_arrays()["n"].tolist() == [[0], [1]]
    again = Grouped(Moments()).from_arrays(grouped.to_arrays(), "s")
    assert again.keys == (("a",), ("b",))


def test_groups_by_other_labels_do_not_merge():
    one, other = (Grouped(Moments(), (by,)).update(LABELS, VALUES) for by in ("lang", "year"))
    with pytest.raises(IncompatibleStatistics, match="group_by"):
        one.merge(other)
    with pytest.raises(IncompatibleStatistics, match="other labels"):
        Grouped(Moments(), ("lang",)).from_arrays(other.to_arrays(), "s")


@pytest.mark.parametrize(
    "members, error, message",
    [
        ({"keys": ["a", "a"], "n": 1, "mean": [1, 2], "m2": [0, 0]}, InvalidInput, "twice"),
        ({"keys": [], "n": 1, "mean": [], "m2": []}, InvalidInput, "no key"),
        ({"keys": ["a"], "n": 1, "mean": [1, 2], "m2": [0]}, ShapeError, "one a key"),
        ({"keys": [["a", "b"]], "n": 1, "mean": [1], "m2": [0]}, InvalidInput, "group_by"),
        (
            {"keys": [["a", "b"]], "group_by": ["x"], "n": 1, "mean": [1], "m2": [0]},
            ShapeError,
            "names 1",
        ),
        ({"a": [1.0]}, InvalidInput, "object from label"),
        (
            {"a": {"n": 1, "mean": [1], "m2": [0]}, "b": {"n": 1, "mean": [1, 2], "m2": [0, 0]}},
            InvalidInput,
            "same members",
        ),
        (
            {"a": {"n": 1, "mean": [1], "m2": [0]}, "b": {"mean": [1], "std": [0]}},
            InvalidInput,
            "same members",
        ),
    ],
)
def test_wrong_members_are_refused(members, error, message):
    with pytest.raises(error, match=message):
        Grouped(Moments()).from_arrays(members, "s")


def test_keys_of_several_labels_need_names():
    with pytest.raises(ShapeError, match="group_by"):
        Grouped(Moments()).update(np.stack([LABELS, LABELS], axis=1), VALUES)


def test_summary_lists_the_groups():
    summary = Grouped(Extrema()).update(LABELS, VALUES).summary()
    assert summary["groups"][0] == {"key": ["cs"], "min": [5.0], "max": [7.0]}


@pytest.mark.parametrize("inner", [Moments(), Extrema(), Quantiles()])
@pytest.mark.parametrize("longest", [5, 5000])
def test_all_groups_at_once_are_bit_for_bit_each_group_by_itself(inner, longest):
    rng = np.random.default_rng(7)
    labels = string_array(rng.choice(list("abcdefgh"), size=60).tolist() + ["i"] * longest)
    rows = rng.normal(size=(len(labels), 3)) * 10.0 ** rng.integers(-9, 9, size=(len(labels), 1))
    rows[rng.random(rows.shape) < 0.3] = np.nan
    rows[labels == "c"] = np.nan
    rows[labels == "d"] = 0.1
    grouped = Grouped(inner).update(labels[:30], rows[:30]).update(labels[30:], rows[30:])
    for key in "abcdefghi":
        early, late = (
            rows[part][labels[part] == key] for part in (slice(None, 30), slice(30, None))
        )
        alone = inner.update(early) if len(early) else inner
        alone = alone.update(late) if len(late) else alone
        for name, array in alone.arrays().items():
            np.testing.assert_array_equal(grouped[key].arrays()[name], array, err_msg=key)


def test_a_row_that_cannot_be_stored_is_told_with_its_place_among_all_rows():
    with pytest.raises(InvalidInput, match="row 3, column 0"):
        Grouped(Moments()).update(LABELS, np.array([1.0, 2.0, 3.0, 1e200, 5.0]))
