from __future__ import annotations

import pytest

from app.registry.errors import NotFound, PreconditionFailed
from app.registry.registry import Registry
from normalizers.errors import InvalidInput
from tests.unit.app.registry.samples import new_name, new_version

ONE = new_version(b"one")
TWO = new_version(b"two")


@pytest.fixture
def filled(registry: Registry) -> Registry:
    registry.names.create(new_name(), ONE)
    registry.versions.add("a", TWO, generation=1)
    return registry


def test_an_alias_moves(filled: Registry) -> None:
    first = filled.aliases.put("a", "prod", 1)
    assert (first.created, first.alias.version, first.alias.hash) == (True, 1, ONE.hash)
    moved = filled.aliases.put("a", "prod", 2)
    assert (moved.created, moved.alias.hash) == (False, TWO.hash)
    filled.aliases.put("a", "canary", 1)
    assert [alias.alias for alias in filled.aliases.list("a")] == ["canary", "prod"]


def test_if_match_compares_the_hash(filled: Registry) -> None:
    for expected in (ONE.hash, "*"):
        with pytest.raises(PreconditionFailed) as missing:
            filled.aliases.put("a", "prod", 1, if_match=[expected])
        assert missing.value.actual is None
    filled.aliases.put("a", "prod", 1)
    with pytest.raises(PreconditionFailed) as wrong:
        filled.aliases.put("a", "prod", 2, if_match=[TWO.hash])
    assert (wrong.value.expected, wrong.value.actual) == (TWO.hash, ONE.hash)
    assert filled.aliases.list("a")[0].version == 1
    assert filled.aliases.put("a", "prod", 2, if_match=[ONE.hash]).alias.version == 2
    assert filled.aliases.put("a", "prod", 1, if_match=["*"]).alias.version == 1


def test_if_none_match_only_creates(filled: Registry) -> None:
    filled.aliases.put("a", "prod", 1, if_none_match=True)
    with pytest.raises(PreconditionFailed):
        filled.aliases.put("a", "prod", 2, if_none_match=True)


def test_delete(filled: Registry) -> None:
    filled.aliases.put("a", "prod", 1)
    with pytest.raises(PreconditionFailed):
        filled.aliases.delete("a", "prod", if_match=[TWO.hash])
    filled.aliases.delete("a", "prod", if_match=[ONE.hash])
    assert filled.aliases.list("a") == []
    with pytest.raises(NotFound):
        filled.aliases.delete("a", "prod")


def test_what_does_not_exist(filled: Registry) -> None:
    with pytest.raises(NotFound):
        filled.aliases.put("b", "prod", 1)
    with pytest.raises(NotFound):
        filled.aliases.put("a", "prod", 3)
    with pytest.raises(InvalidInput):
        filled.aliases.put("a", "open", 1)
    assert filled.aliases.list("a") == []
