"""Names, versions and observations for the tests, and a process that writes them."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from app.registry.files import place_of
from app.registry.folder_files import FolderFiles
from app.registry.records import NewName, NewObservation, NewVersion
from app.registry.registry import Registry
from app.settings import Settings


def new_name(name: str = "a", *, digest: str = "d1") -> NewName:
    return NewName(
        name=name,
        method="any",
        given={"eps": 0.5},
        statistics_params={"beta": 2},
        digest=digest,
        binding={"x": [None, 3]},
        description="text",
        tags=("t",),
    )


def new_version(content: bytes = b"one", *, digest: str = "d1") -> NewVersion:
    return NewVersion(
        content=content,
        hash=hashlib.sha256(content).hexdigest(),
        method="any",
        given={"eps": 0.5},
        resolved={"eps": 0.5, "k": 3},
        statistics_params={"beta": 2},
        n=4,
        report={"n": 4},
        parents=({"name": "p", "version": 1, "hash": "h"},),
        origin="fit",
        library_version="0",
        digest=digest,
    )


def new_observation(
    content: bytes = b"o", *, digest: str = "d1", beta: int = 2, generation: int = 1
) -> NewObservation:
    return NewObservation(
        content=content, n=1, begin={"beta": beta}, generation=generation, digest=digest
    )


def has_file(registry: Registry, content: bytes) -> bool:
    return registry._files.exists(hashlib.sha256(content).hexdigest())


def remove_file(registry: Registry, content: bytes) -> None:
    registry._files.remove(hashlib.sha256(content).hexdigest())


def damage_file(registry: Registry, content: bytes, other: bytes) -> None:
    """Put other bytes where the file of these belongs."""
    hash = hashlib.sha256(content).hexdigest()
    if isinstance(registry._files, FolderFiles):
        registry._files.path(hash).write_bytes(other)
    else:
        import obstore

        obstore.put(registry._files._store, place_of(hash), other, mode="overwrite")  # type: ignore[attr-defined]


def write(folder: str, task: str, worker: str, count: str) -> None:
    """Do one task `count` times, telling each acknowledged step on standard output."""
    registry = Registry(Settings(data=Path(folder)))
    for index in range(int(count)):
        told = TASKS[task](registry, worker, index)
        print(told, flush=True)
    registry.close()


def add(registry: Registry, worker: str, index: int) -> str:
    content = f"{worker}:{index}".encode()
    return str(registry.versions.add("a", new_version(content), generation=1).version.number)


def create_same(registry: Registry, worker: str, index: int) -> str:
    result = registry.names.create(new_name(f"same{index}"), new_version())
    number = result.manifest.version.number if result.manifest.version else None
    return f"{result.created} {number}"


def append_same(registry: Registry, worker: str, index: int) -> str:
    new = new_observation(str(index).encode(), digest=str(index))
    return str(registry.observations.append("a", new, key=str(index)).created)


def add_and_delete(registry: Registry, worker: str, index: int) -> str:
    added = registry.versions.add("a", new_version(b"shared"), generation=1).version
    registry.versions.content(added)
    registry.versions.delete("a", added.number)
    return str(added.number)


def append_and_compact(registry: Registry, worker: str, index: int) -> str:
    registry.observations.append("a", new_observation(f"{worker}:{index} ".encode()))
    return str(registry.observations.compact("a", b"".join))


TASKS = {
    "add": add,
    "create_same": create_same,
    "append_same": append_same,
    "add_and_delete": add_and_delete,
    "append_and_compact": append_and_compact,
}

if __name__ == "__main__":
    write(*sys.argv[1:])
