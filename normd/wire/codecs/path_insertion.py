"""Put values into the JSON tree they were named for."""

from __future__ import annotations

from typing import TypeAlias

from normalizers.messages import printable_name
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.paths import INDEX, tensor_keys

_Container: TypeAlias = dict[str, object] | list[object]


class TreeInserter:
    """A tree that takes values at the paths their names give.

    Parameters
    ----------
    tree : dict
        The JSON part; changed in place.
    depth : int
        Deepest path that is followed.
    noun : str
        What the values are, for errors.
    """

    def __init__(self, tree: dict[str, object], depth: int, noun: str = "tensor") -> None:
        self.tree = tree
        self.depth = depth
        self.noun = noun
        self._grown: list[tuple[_Container, str | int]] = []

    def add(self, name: str, value: object) -> None:
        """Put `value` where `name` says.

        Raises
        ------
        Unparseable
            When the JSON, or another name, already has a value there.
        """
        *parents, last = tensor_keys(name)
        if len(parents) >= self.depth:
            raise Unparseable(f"{self._called(name)} is nested too deep")
        node: object = self.tree
        for key in parents:
            node = self._step(node, key, name)
        container, place = self._free(node, last, name)
        _put(container, place, value)

    def finish(self) -> None:
        """Make lists of the containers that only names mention and whose keys are 0, 1, ..."""
        for container, place in reversed(self._grown):
            grown = container[place]  # type: ignore[index]
            if isinstance(grown, dict) and grown.keys() == set(map(str, range(len(grown)))):
                _put(container, place, [grown[str(index)] for index in range(len(grown))])

    def _step(self, node: object, key: str, name: str) -> object:
        """Return the container at `key` of `node`, made if nothing stands there."""
        found = node.get(key) if isinstance(node, dict) else self._item(node, key, name)
        if isinstance(found, dict | list):
            return found
        container, place = self._free(node, key, name)
        grown: dict[str, object] = {}
        _put(container, place, grown)
        self._grown.append((container, place))
        return grown

    def _free(self, node: object, key: str, name: str) -> tuple[_Container, str | int]:
        """Return the container and the place in it that `key` means, where nothing stands yet."""
        if isinstance(node, dict) and key not in node:
            return node, key
        if isinstance(node, list) and self._item(node, key, name) is None:
            return node, int(key)
        raise self._taken(name)

    def _item(self, node: object, key: str, name: str) -> object:
        """Return what a list holds at `key`; None for a placeholder and for the next index."""
        if not isinstance(node, list):
            raise self._taken(name)
        if not INDEX.fullmatch(key) or int(key) > len(node):
            raise Unparseable(
                f"{self._called(name)} needs an index from 0 to {len(node)} "
                "where the JSON has a list"
            )
        return node[int(key)] if int(key) < len(node) else None

    def _taken(self, name: str) -> Unparseable:
        return Unparseable(f"{self._called(name)} stands where there already is a value")

    def _called(self, name: str) -> str:
        return f"the {self.noun} '{printable_name(name)}'"


def _put(container: _Container, place: str | int, value: object) -> None:
    if isinstance(container, list) and place == len(container):
        container.append(value)
    else:
        container[place] = value  # type: ignore[index]
