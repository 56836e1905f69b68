"""What a method takes, as its catalogue describes it; the same for a method of any service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from normalizers.contract.fields import Fields

GROUPED_KINDS = frozenset({"lists", "id_lists"})
TEXT_KINDS = frozenset({"labels", "ids", "id_lists"})
RUNS = "runs"
NUMBER_KINDS = frozenset({"floats", "lists", "series", "mask", "integers"})


@dataclass(frozen=True)
class Declared:
    """One declared field.

    Parameters
    ----------
    name, kind, help : str
        As the catalogue has them.
    axes : tuple of str
        The symbols of its shape.
    required : bool
        Whether a request must send it.
    """

    name: str
    kind: str
    axes: tuple[str, ...] = ()
    required: bool = True
    help: str = ""

    @property
    def is_text(self) -> bool:
        """Whether it holds labels or ids."""
        return self.kind in TEXT_KINDS

    @property
    def is_grouped(self) -> bool:
        """Whether it holds one list a query."""
        return self.kind in GROUPED_KINDS

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in NUMBER_KINDS

    @property
    def is_column(self) -> bool:
        """Whether it has one value a row or place: columns of a table are one each."""
        return len(self.axes) == 1


@dataclass(frozen=True)
class Declarations:
    """Declared fields in order, and which sets of them are alternatives."""

    fields: Mapping[str, Declared]
    one_of: Sequence[Sequence[str]] = field(default_factory=tuple)

    def __iter__(self) -> Iterator[Declared]:
        return iter(self.fields.values())

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def main(self) -> Declared:
        """The main field."""
        return next(iter(self.fields.values()))

    @property
    def names(self) -> str:
        """Their names, in words."""
        return ", ".join(self.fields) or "none"


def declarations(described: Mapping[str, object], stage: str) -> Declarations:
    """Return the fields of a method's description: of ``fits``, ``takes``, ``gives``, ``returns``.

    Examples
    --------
    >>> from normd.cli.io.field_specs import declarations
    >>> described = {"takes": {"x": {"kind": "floats", "shape": "(m, d)", "required": True}}}
    >>> declarations(described, "takes").main.axes
    ('m', 'd')
    """
    found = described.get(stage)
    fields = {
        name: Declared(
            name,
            str(said.get("kind", "floats")),
            _axes(str(said.get("shape", ""))),
            bool(said.get("required", True)),
            str(said.get("help", "")),
        )
        for name, said in (found.items() if isinstance(found, Mapping) else ())
    }
    alternatives = described.get(f"{stage}_one_of")
    return Declarations(fields, alternatives if isinstance(alternatives, Sequence) else ())


def fuses(described: Mapping[str, object]) -> bool:
    """Return whether a described method fuses runs."""
    takes = described.get("takes")
    return isinstance(takes, Mapping) and RUNS in takes


def library_fields(fields: Fields) -> Declarations:
    """Return fields of the library as a catalogue describes them."""
    from normd.wire.descriptions import describe_fields

    stage = "takes"
    one_of = [list(names) for names in fields.one_of]
    return declarations({stage: describe_fields(fields), f"{stage}_one_of": one_of}, stage)


def _axes(shape: str) -> tuple[str, ...]:
    return tuple(axis.strip() for axis in shape.strip("~()").split(",") if axis.strip())
