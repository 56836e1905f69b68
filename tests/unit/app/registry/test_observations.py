from __future__ import annotations

import pytest

from app.registry.errors import Conflict, NotFound
from app.registry.registry import Registry
from tests.unit.app.registry.samples import new_name, new_observation


@pytest.fixture
def opened(registry: Registry) -> Registry:
    registry.names.create(new_name())
    return registry


def append(registry: Registry, *letters: str) -> None:
    for letter in letters:
        registry.observations.append("a", new_observation(letter.encode()))


def test_partials_stay_in_order(opened: Registry) -> None:
    assert opened.observations.open("a").begun is None
    append(opened, *"abc")
    statistics = opened.observations.open("a")
    assert (statistics.begun, statistics.n) == ({"beta": 2}, 3)
    assert opened.observations.partials("a") == [b"a", b"b", b"c"]


def test_a_key_counts_once_also_after_a_clear(opened: Registry) -> None:
    assert not opened.observations.seen("a", "k", "d1")
    assert opened.observations.append("a", new_observation(), key="k").created
    assert not opened.observations.append("a", new_observation(), key="k").created
    assert opened.observations.seen("a", "k", "d1")
    assert len(opened.observations.partials("a")) == 1
    with pytest.raises(Conflict, match="another body"):
        opened.observations.append("a", new_observation(digest="d2"), key="k")
    opened.observations.clear("a")
    assert not opened.observations.append("a", new_observation(), key="k").created
    assert opened.observations.partials("a") == []


def test_other_parameters_conflict_until_cleared(opened: Registry) -> None:
    append(opened, "a")
    with pytest.raises(Conflict, match="beta") as error:
        opened.observations.append("a", new_observation(beta=3), key="k")
    assert "DELETE" in error.value.hint
    opened.observations.clear("a")
    assert opened.observations.append("a", new_observation(beta=3), key="k").created
    assert opened.observations.open("a").begun == {"beta": 3}


def test_a_late_append_to_a_name_created_anew(opened: Registry) -> None:
    opened.names.delete("a")
    with pytest.raises(NotFound):
        append(opened, "a")
    opened.names.create(new_name())
    with pytest.raises(Conflict, match="anew"):
        append(opened, "a")
    assert opened.observations.partials("a") == []


def test_compaction_is_geometric_and_keeps_the_order(opened: Registry) -> None:
    merges: list[int] = []

    def merge(partials: list[bytes]) -> bytes:
        merges.append(len(partials))
        return b"".join(partials)

    letters = [chr(ord("!") + index) for index in range(64)]
    for letter in letters:
        append(opened, letter)
        opened.observations.compact("a", merge)
    statistics = opened.observations.open("a")
    assert b"".join(statistics.partials).decode() == "".join(letters)
    assert statistics.n == 64
    assert set(merges) == {4}
    assert len(merges) == 16 + 4 + 1
    assert len(statistics.partials) == 1


def test_few_partials_are_left_alone(opened: Registry) -> None:
    append(opened, *"abc")
    assert opened.observations.compact("a", b"".join) == 0
    assert opened.observations.compact("nobody", b"".join) == 0


def test_appends_while_merging_stay(opened: Registry) -> None:
    append(opened, *"abcd")

    def merge(partials: list[bytes]) -> bytes:
        append(opened, "e")
        return b"".join(partials)

    assert opened.observations.compact("a", merge) == 1
    assert opened.observations.partials("a") == [b"abcd", b"e"]


def test_a_merge_of_cleared_partials_is_dropped(opened: Registry) -> None:
    append(opened, *"abcd")

    def merge(partials: list[bytes]) -> bytes:
        opened.observations.clear("a")
        append(opened, *"wxyz")
        return b"".join(partials)

    assert opened.observations.compact("a", merge) == 0
    assert opened.observations.partials("a") == [b"w", b"x", b"y", b"z"]
