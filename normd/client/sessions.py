"""What a client remembers between calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from normalizers.errors import InvalidParams
from normd.client.compression import Compression
from normd.client.forms import FormName


@dataclass
class Session:
    """Choices of the user, and what the service told so far.

    Parameters
    ----------
    form : str or None
        The form of bodies the user forces, None for the one that fits.
    compress : str or None
        How bodies are compressed on the way out.
    methods : mapping or None
        Descriptions of all methods by name and alias, None before they are asked for.
    described : mapping
        Descriptions by the names that were asked for one by one, None where a name is no method.
    method_of : mapping
        Descriptions of the methods of stored versions, by the references that were met.
    limits : mapping or None
        Limits of one request, None before they are asked for.
    routes : set or None
        What the service has, None before it is asked for.
    unread : set of str
        Forms and compressions that the service turned out not to read.
    """

    form: FormName | None = None
    compress: Compression | None = None
    methods: Mapping[str, Mapping[str, object]] | None = None
    described: dict[str, Mapping[str, object] | None] = field(default_factory=dict)
    method_of: dict[str, Mapping[str, object]] = field(default_factory=dict)
    limits: Mapping[str, float] | None = None
    routes: frozenset[str] | None = None
    unread: set[str] = field(default_factory=set)

    def forget(self, reference: str) -> None:
        """Ask for the method of a name again: it may have been deleted, made anew or gone on."""
        name = reference.partition("@")[0]
        for known in [known for known in self.method_of if known.partition("@")[0] == name]:
            del self.method_of[known]

    def __post_init__(self) -> None:
        require_known("form", self.form, get_args(FormName))
        require_known("compress", self.compress, get_args(Compression))


def require_known(name: str, value: object, known: Sequence[str]) -> None:
    """Refuse a choice that is neither None nor one of those known."""
    if value is not None and value not in known:
        raise InvalidParams(f"{name} is {', '.join(known)} or None", path=name)
