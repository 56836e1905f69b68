"""Rules by which one golden parameter becomes parameters of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden.request import Members, Unsupported
from tests.golden.tables.entry import Rule


def same(name: str, *values: object) -> Rule:
    """Keep the value under a name of the catalogue; of `values`, when some are named."""

    def rule(value: object, params: Members) -> Members:
        if values and value not in values:
            raise Unsupported(f"{name} {value!r}")
        return {name: value}

    return rule


def renamed(name: str) -> Rule:
    """Keep the value under another name: the catalogue's."""
    return same(name)


def turned(name: str, values: Mapping[object, object]) -> Rule:
    """Replace the value by the catalogue's word for it."""

    def rule(value: object, params: Members) -> Members:
        if value not in values:
            raise Unsupported(f"{name} for {value!r}")
        return {name: values[value]}

    return rule


def implied(*values: object) -> Rule:
    """Drop a parameter that says what holds anyway; only these values do."""

    def rule(value: object, params: Members) -> Members:
        if value not in values:
            raise Unsupported(f"the value {value!r} of a parameter that is always {values}")
        return {}

    return rule


def remark(value: object, params: Members) -> Members:
    """Drop a remark for the reader."""
    return {}


def constant_value(value: object, params: Members) -> Members:
    """Return a number as it is, and a word as the policy it names."""
    return {"on_constant": value} if isinstance(value, str) else {"constant_value": value}
