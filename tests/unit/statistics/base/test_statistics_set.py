import numpy as np
import pytest

from normalizers.errors import IncompatibleStatistics, InvalidInput
from normalizers.statistics import Extrema, Moments, Statistics

ROWS = np.array([[1.0], [2.0]])
EMPTY = Statistics({"moments": Moments(), "extrema": Extrema()}, frozenset({"extrema"}))


def seen():
    return EMPTY.replace(moments=Moments().update(ROWS), extrema=Extrema().update(ROWS))


def posted():
    return EMPTY.from_arrays({"moments": {"n": 2, "mean": [1.0], "m2": [1.0]}}, "statistics")


def test_an_optional_member_may_be_missing_when_posted():
    assert list(posted()) == ["moments"]
    assert posted().merge(posted())["moments"].n == 4


def test_an_empty_optional_member_is_dropped_beside_a_full_one():
    full = {"n": 2, "mean": [1.0], "m2": [1.0]}
    assert list(EMPTY.from_arrays({"moments": full, "extrema": {}}, "s")) == ["moments"]
    assert set(EMPTY.from_arrays({"moments": {}, "extrema": {}}, "s")) == {"moments", "extrema"}


def test_an_optional_member_is_dropped_when_one_side_lacks_it():
    assert list(seen().merge(posted())) == ["moments"]
    assert list(posted().merge(seen())) == ["moments"]
    assert seen().merge(posted())["moments"].n == 4


def test_an_empty_side_drops_nothing():
    without = Statistics({"moments": Moments()}, frozenset({"extrema"}))
    assert set(seen().merge(without)) == {"moments", "extrema"}
    assert set(without.merge(seen())) == {"moments", "extrema"}
    assert list(EMPTY.merge(posted())) == ["moments"]


def test_required_members_and_names_are_checked():
    with pytest.raises(InvalidInput, match="'moments' is missing"):
        EMPTY.from_arrays({"extrema": {}}, "statistics")
    with pytest.raises(InvalidInput, match="did you mean 'moments'") as caught:
        EMPTY.from_arrays({"moment": {}}, "statistics")
    assert caught.value.path == "statistics.moment"
    with pytest.raises(InvalidInput, match="object of its members"):
        EMPTY.from_arrays({"moments": [1]}, "statistics")


def test_other_members_do_not_merge():
    with pytest.raises(IncompatibleStatistics):
        Statistics({"moments": Moments()}).merge(Statistics({"extrema": Extrema()}))


def test_removable_needs_every_member_to_be():
    assert Statistics({"moments": Moments()}).removable
    assert not seen().removable
