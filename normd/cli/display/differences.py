"""What tells versions apart: numbers of their reports and parameters that are not the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from normd.cli.display.console import shown_value

# What a report repeats: parameters have a place of their own, statistics are what was counted, and
# a canary is rows, whose answers are compared.
LEFT_OUT = frozenset({"warnings", "noticed", "params", "statistics", "canary"})
MOST = 4
# Ends of paths that people ask for first.
FIRST = ("best.value", "cross_validation.value")


def scalars(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield what a report holds, by path; lists of numbers as one.

    Examples
    --------
    >>> from normd.cli.display.differences import scalars
    >>> dict(scalars({"search": {"best": {"value": 0.5}}, "range": [1.0, 9.0]}))
    {'search.best.value': 0.5, 'range': [1.0, 9.0]}
    """
    if isinstance(value, Mapping):
        for name, item in value.items():
            if path or name not in LEFT_OUT:
                yield from scalars(item, f"{path}.{name}" if path else str(name))
    elif not isinstance(value, list) or all(not isinstance(item, Mapping) for item in value):
        yield path, value


def differing(maps: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the names under which not all maps hold the same.

    Examples
    --------
    >>> from normd.cli.display.differences import differing
    >>> differing([{"a": 1, "b": 2}, {"a": 1, "b": 3}])
    ['b']
    """
    names = dict.fromkeys(name for one in maps for name in one)
    return [name for name in names if any(one.get(name) != maps[0].get(name) for one in maps)]


def told_apart(
    items: Sequence[Mapping[str, object]], reports: Sequence[Mapping[str, object]]
) -> list[str]:
    """Return in a few words what each version has that not all of them have."""
    params = [_mapping(item.get("resolved")) for item in items]
    flat = [dict(scalars(report)) for report in reports]
    by_params, by_report = differing(params), differing(flat)
    by_report = [name for name in by_report if name not in {"n", *by_params}]
    by_report.sort(key=lambda name: not name.endswith(FIRST))
    found = []
    for own, report in zip(params, flat, strict=True):
        told = [f"{name}={shown_value(own.get(name))}" for name in by_params if name in own]
        rest = [
            f"{name}={shown_value(report[name])}"
            for name in by_report
            if name in report and is_short(report[name])
        ]
        found.append(", ".join([*told, *rest][:MOST]))
    return found


def differences(one: Mapping[str, object], other: Mapping[str, object]) -> list[list[object]]:
    """Return a row for each name under which two maps do not hold the same."""
    return [[name, one.get(name), other.get(name)] for name in differing([one, other])]


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def is_short(value: object) -> bool:
    """Return whether a value has room in a table."""
    return not isinstance(value, list) or len(value) <= MOST
