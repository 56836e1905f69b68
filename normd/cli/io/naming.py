"""Which column of a file is called like a field."""

from __future__ import annotations

from collections.abc import Container

PLURAL = "s"


def column_named(field: str, columns: Container[str]) -> str | None:
    """Return the column that has the name of a field, or its singular; None where there is none.

    A field is called by all of its values, a column of a table often by one.

    Examples
    --------
    >>> from normd.cli.io.naming import column_named
    >>> column_named("labels", ["score", "label"]), column_named("x", ["score"])
    ('label', None)
    """
    if field in columns:
        return field
    one = field.removesuffix(PLURAL)
    return one if one and one in columns else None
