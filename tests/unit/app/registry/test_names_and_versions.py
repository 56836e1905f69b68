from __future__ import annotations

import pytest

from app.registry.errors import Conflict, NotFound
from app.registry.records import VersionRecord
from app.registry.references import Reference, parse_reference
from app.registry.registry import Registry
from app.settings import Settings
from normalizers.errors import CorruptVersion, InvalidInput
from tests.unit.app.registry.samples import (
    damage_file,
    has_file,
    new_name,
    new_observation,
    new_version,
    remove_file,
)


def version_of(registry: Registry, reference: str) -> VersionRecord:
    version = registry.versions.get(parse_reference(reference)).version
    assert version is not None
    return version


def test_a_name_with_its_first_version(registry: Registry) -> None:
    result = registry.names.create(new_name(), new_version())
    assert result.created
    name, version = result.manifest.name, result.manifest.version
    assert version is not None
    assert (name.name, name.method, name.given, name.tags) == ("a", "any", {"eps": 0.5}, ["t"])
    assert (name.binding, name.first_version, name.generation) == ({"x": [None, 3]}, 1, 1)
    assert (version.number, version.size, version.resolved) == (1, 3, {"eps": 0.5, "k": 3})
    assert version.parents == [{"name": "p", "version": 1, "hash": "h"}]
    assert version.created.endswith("+00:00")
    assert registry.versions.content(version) == b"one"
    assert registry.versions.get(Reference("a")) == result.manifest


def test_an_open_name_has_no_version(registry: Registry) -> None:
    assert registry.names.create(new_name()).manifest.version is None
    assert registry.versions.get(Reference("a")).version is None
    assert not registry.names.create(new_name()).created
    assert registry.versions.add("a", new_version(), generation=1).version.number == 1
    assert version_of(registry, "a").number == 1


def test_the_same_request_gives_the_same_version(registry: Registry) -> None:
    first = registry.names.create(new_name(), new_version())
    registry.versions.add("a", new_version(b"two"), generation=1)
    again = registry.names.create(new_name(), new_version())
    assert not again.created
    assert again.manifest.version == first.manifest.version
    assert registry.names.earlier("a", "d1") == first.manifest
    assert registry.names.earlier("b", "d1") is None


def test_another_request_under_a_taken_name(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    other = new_name(digest="d2")
    for first in (None, new_version(b"two", digest="d2")):
        with pytest.raises(Conflict) as error:
            registry.names.create(other, first)
        assert "/v1/normalizers/a/versions" in error.value.hint
    with pytest.raises(Conflict):
        registry.names.earlier("a", "d2")
    assert not has_file(registry, b"two")
    assert has_file(registry, b"one")


def test_the_same_request_after_its_version_is_gone(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    registry.versions.delete("a", 1)
    with pytest.raises(Conflict, match="deleted"):
        registry.names.create(new_name(), new_version())


def test_names_obey_the_rule(registry: Registry) -> None:
    for name in ("..", "a/b", "a\n"):
        with pytest.raises(InvalidInput):
            registry.names.create(new_name(name))


def test_versions_by_reference(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    registry.versions.add("a", new_version(b"two"), generation=1)
    registry.aliases.put("a", "prod", 1)
    assert version_of(registry, "a").number == 2
    assert version_of(registry, "a@1").number == 1
    assert version_of(registry, "a@prod").number == 1
    for wrong in ("b", "b@1", "a@3", "a@live"):
        with pytest.raises(NotFound):
            registry.versions.get(parse_reference(wrong))
    with pytest.raises(InvalidInput, match="open statistics"):
        registry.versions.get(parse_reference("a@open"))


def test_a_key_makes_a_retry_the_same_version(registry: Registry) -> None:
    registry.names.create(new_name())
    assert registry.versions.earlier("a", "k", "d1") is None
    first = registry.versions.add("a", new_version(), generation=1, key="k")
    again = registry.versions.add("a", new_version(b"x"), generation=1, key="k")
    assert (first.created, again.created) == (True, False)
    assert again.version == first.version == registry.versions.earlier("a", "k", "d1")
    assert not has_file(registry, b"x")
    with pytest.raises(Conflict, match="another body"):
        registry.versions.add("a", new_version(digest="d2"), generation=1, key="k")
    with pytest.raises(Conflict):
        registry.versions.earlier("a", "k", "d2")
    registry.versions.delete("a", 1)
    with pytest.raises(Conflict, match="deleted"):
        registry.versions.add("a", new_version(), generation=1, key="k")
    with pytest.raises(InvalidInput, match="Idempotency-Key"):
        registry.versions.add("a", new_version(), generation=1, key="k\n")


def test_numbers_are_never_used_again(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    registry.versions.add("a", new_version(b"two"), generation=1)
    registry.versions.delete("a", 2)
    assert version_of(registry, "a").number == 1
    assert registry.versions.add("a", new_version(b"3"), generation=1).version.number == 3
    registry.names.delete("a")
    again = registry.names.create(new_name(), new_version()).manifest
    assert again.version is not None
    assert (again.version.number, again.name.generation) == (4, 2)
    with pytest.raises(Conflict, match="anew"):
        registry.versions.add("a", new_version(b"5"), generation=1)


def test_a_deleted_name_takes_everything_with_it(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    registry.names.create(new_name("b"), new_version(b"two"))
    registry.versions.add("a", new_version(b"two"), generation=1, key="k")
    registry.observations.append("a", new_observation(), key="k")
    registry.names.delete("a")
    for call in (
        lambda: registry.versions.get(Reference("a")),
        lambda: registry.versions.history("a", limit=5),
        lambda: registry.observations.open("a"),
        lambda: registry.aliases.list("a"),
        lambda: registry.names.delete("a"),
        lambda: registry.versions.add("a", new_version(), generation=1),
    ):
        with pytest.raises(NotFound):
            call()
    assert not has_file(registry, b"one")
    assert has_file(registry, b"two")
    registry.names.create(new_name())
    assert registry.observations.open("a").partials == []
    assert registry.observations.append("a", new_observation(generation=2), key="k").created
    assert registry.versions.add("a", new_version(), generation=2, key="k").created


def test_an_alias_protects_what_it_points_to(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    registry.versions.add("a", new_version(b"two"), generation=1)
    registry.aliases.put("a", "prod", 1)
    registry.versions.delete("a", 2)
    with pytest.raises(Conflict, match="prod"):
        registry.versions.delete("a", 1)
    with pytest.raises(Conflict, match="prod"):
        registry.names.delete("a")
    registry.aliases.delete("a", "prod")
    registry.names.delete("a")


def test_equal_bytes_share_a_file_until_the_last_is_gone(
    registry: Registry,
) -> None:
    registry.names.create(new_name(), new_version())
    registry.versions.add("a", new_version(), generation=1)
    registry.versions.delete("a", 1)
    assert registry.versions.content(version_of(registry, "a")) == b"one"
    registry.versions.delete("a", 2)
    assert not has_file(registry, b"one")
    with pytest.raises(NotFound):
        registry.versions.delete("a", 2)


def test_a_flipped_byte_is_found_and_mended_by_the_same_bytes(
    registry: Registry,
) -> None:
    registry.names.create(new_name(), new_version())
    damage_file(registry, b"one", b"onf")
    with pytest.raises(CorruptVersion):
        registry.versions.content(version_of(registry, "a"))
    registry.versions.add("a", new_version(), generation=1)
    assert registry.versions.content(version_of(registry, "a@1")) == b"one"


def test_a_missing_file_is_corruption_and_a_deleted_version_is_not(
    registry: Registry,
) -> None:
    registry.names.create(new_name(), new_version())
    version = version_of(registry, "a")
    remove_file(registry, b"one")
    with pytest.raises(CorruptVersion, match="gone"):
        registry.versions.content(version)
    registry.versions.delete("a", 1)
    with pytest.raises(NotFound):
        registry.versions.content(version)


def test_bytes_of_another_hash_are_not_kept(registry: Registry) -> None:
    registry.names.create(new_name())
    wrong = new_version().__class__(**{**vars(new_version()), "content": b"other"})
    with pytest.raises(CorruptVersion):
        registry.versions.add("a", wrong, generation=1)


def test_a_file_removed_before_the_row_is_written_again(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry.names.create(new_name())
    before = registry.versions._add

    def remove_first(*arguments: object) -> object:
        remove_file(registry, b"one")
        return before(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(registry.versions, "_add", remove_first)
    added = registry.versions.add("a", new_version(), generation=1)
    assert registry.versions.content(added.version) == b"one"


def test_pages_of_names_and_versions(registry: Registry) -> None:
    for name in ("b", "a", "C", "a.1"):
        registry.names.create(new_name(name))
    registry.versions.add("a", new_version(), generation=1)
    registry.versions.add("a", new_version(b"two"), generation=1)
    first = registry.names.list(limit=2)
    assert [item.name.name for item in first.items] == ["C", "a"]
    assert [item.version.number if item.version else None for item in first.items] == [None, 2]
    assert first.next == "a"
    second = registry.names.list(limit=2, after=first.next)
    assert [item.name.name for item in second.items] == ["a.1", "b"]
    assert second.next is None
    history = registry.versions.history("a", limit=1)
    assert ([item.number for item in history.items], history.next) == ([1], "1")
    rest = registry.versions.history("a", limit=1, after=1)
    assert ([item.number for item in rest.items], rest.next) == ([2], None)


def test_it_outlives_its_process(registry: Registry, settings: Settings) -> None:
    created = registry.names.create(new_name(), new_version()).manifest
    registry.close()
    again = Registry(settings)
    assert again.versions.get(Reference("a")) == created
    again.close()
