"""Every verb once, as a flow of calls: the two clients differ in how they wait."""

from normd.client.verbs import (
    aliases,
    contents,
    evaluation,
    fusion,
    names,
    observations,
    operations,
    versions,
    work,
)

__all__ = [
    "aliases",
    "contents",
    "evaluation",
    "fusion",
    "names",
    "observations",
    "operations",
    "versions",
    "work",
]
