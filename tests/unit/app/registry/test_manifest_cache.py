"""What a reference means is remembered only while nothing is committed, by any process."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.registry.errors import NotFound
from app.registry.references import parse_reference
from app.registry.registry import Registry
from app.registry.sqlite_watch import Watch
from app.settings import Settings
from tests.unit.app.registry.samples import new_name, new_version


def registry(folder: Path) -> Registry:
    return Registry(Settings(data=folder))


def test_another_process_s_commit_is_seen_at_once(tmp_path: Path) -> None:
    ours, theirs = registry(tmp_path), registry(tmp_path)
    ours.names.create(new_name("a"), new_version(b"one"))
    reference = parse_reference("a")
    assert ours.versions.known(reference) is None
    first = ours.versions.get(reference)
    assert ours.versions.known(reference) is first
    generation = first.name.generation
    theirs.versions.add("a", new_version(b"two", digest="d2"), generation=generation)
    assert ours.versions.known(reference) is None
    found = ours.versions.get(reference).version
    assert found is not None
    assert found.number == 2


def test_an_alias_that_moves_and_a_name_that_goes_are_not_remembered(tmp_path: Path) -> None:
    ours = registry(tmp_path)
    ours.names.create(new_name("a"), new_version(b"one"))
    ours.aliases.put("a", "prod", 1)
    reference = parse_reference("a@prod")
    ours.versions.get(reference)
    ours.aliases.delete("a", "prod")
    with pytest.raises(NotFound):
        ours.versions.get(reference)


def test_a_watch_says_the_same_until_something_is_committed(tmp_path: Path) -> None:
    ours = registry(tmp_path)
    watch = Watch(tmp_path / "registry.db")
    token = watch.token()
    assert watch.token() == token
    ours.names.create(new_name("a"), new_version(b"one"))
    assert watch.token() != token
    watch.close()
