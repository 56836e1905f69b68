"""What a client remembers between calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.client.compression import Compression
from app.client.forms import FormName


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
        Descriptions of methods by name and alias, None before they are asked for.
    method_of : mapping
        The method of each stored name that was met.
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
    method_of: dict[str, tuple[str, Mapping[str, object]]] = field(default_factory=dict)
    limits: Mapping[str, float] | None = None
    routes: frozenset[str] | None = None
    unread: set[str] = field(default_factory=set)
