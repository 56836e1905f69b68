"""The one rule for names, versions and aliases, and how a reference is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from normalizers.errors import InvalidInput

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
ALIAS = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,127}")

# Eighteen digits are sure to fit the 64-bit integers of a database.
VERSION = re.compile(r"[1-9][0-9]{0,17}")

OPEN = "open"

NAME_RULE = "a name is 1 to 128 of A-Z a-z 0-9 . _ -, the first a letter or digit"
ALIAS_RULE = (
    f"an alias is 1 to 128 of A-Z a-z 0-9 . _ -, the first a letter; '{OPEN}' is reserved for the "
    "open statistics"
)
REFERENCE_RULE = (
    f"a reference is name, name@7 (a version) or name@prod (an alias); {NAME_RULE}; a version is "
    "a decimal integer from 1; an alias starts with a letter"
)


@dataclass(frozen=True)
class Reference:
    """A name, and at most one of a version number and an alias; neither is the newest version."""

    name: str
    version: int | None = None
    alias: str | None = None

    @property
    def open(self) -> bool:
        """Whether this is ``name@open``, the open statistics."""
        return self.alias == OPEN

    def __str__(self) -> str:
        suffix = self.alias or self.version
        return f"{self.name}@{suffix}" if suffix else self.name


def parse_name(text: str) -> str:
    """Return `text` if it is a name.

    Raises
    ------
    InvalidInput
        Otherwise; the message names the rule and does not repeat the text.
    """
    if not NAME.fullmatch(text):
        raise InvalidInput(NAME_RULE, path="name")
    return text


def parse_alias(text: str) -> str:
    """Return `text` if it can be an alias.

    Raises
    ------
    InvalidInput
        Otherwise; the message names the rule and does not repeat the text.
    """
    if not ALIAS.fullmatch(text) or text == OPEN:
        raise InvalidInput(ALIAS_RULE, path="alias")
    return text


def parse_reference(text: str) -> Reference:
    """Return what ``name``, ``name@7``, ``name@prod`` or ``name@open`` refers to.

    Raises
    ------
    InvalidInput
        For anything else; the message names the rule and does not repeat the text.

    Examples
    --------
    >>> from app.registry.references import parse_reference
    >>> parse_reference("reranker@7")
    Reference(name='reranker', version=7, alias=None)
    """
    name, separator, suffix = text.partition("@")
    if not NAME.fullmatch(name):
        raise InvalidInput(REFERENCE_RULE, path="ref")
    if not separator:
        return Reference(name)
    if VERSION.fullmatch(suffix):
        return Reference(name, version=int(suffix))
    if ALIAS.fullmatch(suffix):
        return Reference(name, alias=suffix)
    raise InvalidInput(REFERENCE_RULE, path="ref")
