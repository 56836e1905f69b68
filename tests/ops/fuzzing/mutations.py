"""Small damage to a JSON tree and to bytes, by a seeded generator."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random

Place = tuple[str | int, ...]

ARRAYS: tuple[dict[str, object], ...] = (
    {"dtype": "float64", "shape": [1], "base64": "AAAAAAAA8D8="},
    {"dtype": "float64", "shape": [], "base64": "AAAAAAAA8D8="},
    {"dtype": "float64", "shape": [0], "base64": ""},
    {"dtype": "uint8", "shape": [2], "base64": "AAE="},
    {"dtype": "bool", "shape": [1, 1], "base64": "AQ=="},
    {"dtype": "float64", "shape": [1], "base64": "AAAAAAAA+H8="},
)
NUMBERS = (0, -1, 1, 2, 0.5, -0.0, 5e-324, 1e-310, 1e308, -1e308, 1.7976931348623157e308)
INTEGERS = (2**31, 2**53, 2**53 + 1, -(2**63), 2**64, 10**30, 10**400)
TEXTS = ("", "a", "\0", "\n", "\ud800", "é" * 300, "../..", "min_max", "nan", "1", "a.b~1", "%00")
OTHERS = (None, True, False, [], {}, [[]], [None], [[], [1.0]], {"": 0}, [{}], {"ref": "held"})
NAMES = ("x", "scores", "ids", "runs", "fit", "input", "options", "params", "method", "offsets")


def places(node: object, keys: Place = ()) -> Iterator[Place]:
    """Yield the place of everything below `node`."""
    children: Iterator[tuple[str | int, object]] = iter(())
    if isinstance(node, dict):
        children = iter(node.items())
    elif isinstance(node, list):
        children = iter(enumerate(node))
    for key, child in children:
        yield (*keys, key)
        yield from places(child, (*keys, key))


def at(node: object, place: Place) -> object:
    """Return what stands at `place`."""
    for key in place:
        node = node[key]  # type: ignore[index]
    return node


def strange(random: Random) -> object:
    """Return a value that belongs nowhere in particular."""
    kinds = (NUMBERS, NUMBERS, INTEGERS, TEXTS, OTHERS, ARRAYS)
    return deepcopy(random.choice(random.choice(kinds)))  # type: ignore[arg-type]


def changed(tree: dict[str, object], random: Random) -> dict[str, object]:
    """Return a copy of `tree` with one place changed."""
    tree = deepcopy(tree)
    found = list(places(tree))
    place = random.choice(found) if found else ()
    if not place:
        tree[random.choice(NAMES)] = strange(random)
        return tree
    node, key = at(tree, place[:-1]), place[-1]
    value = node[key]  # type: ignore[index]
    match random.randrange(9):
        case 0 | 1 | 2:
            node[key] = strange(random)  # type: ignore[index]
        case 3:
            del node[key]  # type: ignore[attr-defined]
        case 4:
            node[key] = deepcopy(at(tree, random.choice(found)))  # type: ignore[index]
        case 5:
            node[key] = [value]  # type: ignore[index]
        case 6 if isinstance(value, list):
            node[key] = value * random.choice((0, 2, 50))  # type: ignore[index]
        case 7 if isinstance(node, dict):
            node[random.choice(NAMES) if random.random() < 0.5 else f"{key}_"] = node.pop(key)
        case 8 if isinstance(value, list) and value:
            random.shuffle(value)
        case _:
            node[key] = {random.choice(NAMES): value}  # type: ignore[index]
    return tree


def damaged(content: bytes, random: Random) -> bytes:
    """Return `content` with a few bytes flipped, cut off, put in or repeated."""
    if not content:
        return bytes(random.randrange(256) for _ in range(random.randrange(20)))
    place = random.randrange(len(content))
    match random.randrange(6):
        case 0:
            return content[:place]
        case 1:
            return content[:place] + content[random.randrange(place, len(content)) :]
        case 2:
            return content[:place] + random.randbytes(random.choice((1, 4, 9))) + content[place:]
        case 3:
            return content[:place] + content[: random.randrange(len(content))] + content[place:]
        case _:
            flipped = bytearray(content)
            for _ in range(random.choice((1, 1, 3))):
                flipped[random.randrange(len(content))] ^= 1 << random.randrange(8)
            return bytes(flipped)
