"""What each engine's preset sets, of every fusion and normalizer of scores that names it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from docs.markdown import code, table
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.method import Method

FAMILY = "scores"
RUNS, NORMALIZER, PRESET = "runs", "normalizer", "preset"


def fusion_presets(catalogue: Catalogue) -> str:
    """Return a row for each engine: its fusions by rank and by score."""
    fusions = [cls for cls in _with_presets(catalogue) if RUNS in cls().takes]
    ranks = [cls for cls in fusions if NORMALIZER not in cls.parameters]
    scores = [cls for cls in fusions if NORMALIZER in cls.parameters]
    return table(
        (PRESET, "by rank", "by score"),
        ([code(one), _told(ranks, one), _told(scores, one)] for one in _engines(fusions)),
    )


def normalizer_presets(catalogue: Catalogue) -> str:
    """Return a row for each engine: its normalizers."""
    methods = [cls for cls in _with_presets(catalogue) if RUNS not in cls().takes]
    return table(
        (PRESET, "normalizers"), ([code(one), _told(methods, one)] for one in _engines(methods))
    )


def _with_presets(catalogue: Catalogue) -> Iterator[type[Method]]:
    return (cls for cls in catalogue.values() if cls.family == FAMILY and cls.presets)


def _engines(methods: Iterable[type[Method]]) -> list[str]:
    return sorted({engine for cls in methods for engine in cls.presets})


def _told(methods: Iterable[type[Method]], engine: str) -> str:
    named = (cls for cls in methods if engine in cls.presets)
    return "<br>".join(code(f"{cls.name}({settings(cls.presets[engine])})") for cls in named)


def settings(params: Mapping[str, object]) -> str:
    """Return parameters as ``name=value, ..``; a method with its own in parentheses."""
    return ", ".join(f"{name}={_value(value)}" for name, value in params.items())


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{value['method']}({settings(value.get('params', {}))})"
    return f"{value:g}" if isinstance(value, float) else str(value).lower()
