"""The fields of a method as its description declares them; the same for a method of any service."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self, cast

GROUPED_KINDS = frozenset({"lists", "id_lists", "integer_lists", "text_lists"})
TEXT_KINDS = frozenset({"labels", "ids", "id_lists", "texts", "text_lists"})
NUMBER_KINDS = frozenset({"floats", "lists", "series", "mask", "integers", "integer_lists"})


@dataclass(frozen=True)
class FieldSpec:
    """One declared field.

    Parameters
    ----------
    name, kind, help : str
        As the catalogue has them.
    axes : tuple of str
        The symbols of its shape.
    required : bool
        Whether a request must send it.
    flat : str or None
        What a value of one axis means where the shape has two: ``row``, ``column``, ``number``,
        ``either``; or ``item``, one of several whatever the shape.
    leading : bool
        Whether the rows may have axes of their own.
    ragged : bool
        Of a series: whether windows of unequal length are taken.
    members : mapping
        The fields of a record.
    """

    name: str
    kind: str
    axes: tuple[str, ...] = ()
    required: bool = True
    help: str = ""
    flat: str | None = None
    leading: bool = False
    ragged: bool = True
    members: Mapping[str, FieldSpec] = field(default_factory=dict)

    @classmethod
    def from_json(cls, name: str, described: Mapping[str, object]) -> Self:
        """Return a field as ``GET /v1/methods/{name}`` describes it.

        Examples
        --------
        >>> from normd.wire.field_specs import FieldSpec
        >>> FieldSpec.from_json("x", {"kind": "floats", "shape": "(m, d)"}).axes
        ('m', 'd')
        """
        shape = str(described.get("shape", "")).strip("~()")
        flat, members = described.get("flat"), described.get("members")
        return cls(
            name,
            str(described.get("kind", "floats")),
            tuple(axis.strip() for axis in shape.split(",") if axis.strip()),
            bool(described.get("required", True)),
            str(described.get("help", "")),
            None if flat is None else str(flat),
            bool(described.get("leading", False)),
            bool(described.get("ragged", True)),
            read_fields(members),
        )

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


@dataclass(frozen=True, eq=False)
class FieldSpecs(Mapping[str, FieldSpec]):
    """Declared fields in order, which sets of them are alternatives, and which rows are parts.

    `any_of` and `summed` are those of a fit: sets of which at least one is sent, and the symbols
    of rows that are added up, each on its own.
    """

    fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    one_of: Sequence[Sequence[str]] = ()
    any_of: Sequence[Sequence[str]] = ()
    summed: Sequence[str] = ()

    @classmethod
    def from_json(cls, described: Mapping[str, object], stage: str) -> Self:
        """Return fields of a method's description: of ``fits``, ``takes``, ``gives``, ``returns``.

        Examples
        --------
        >>> from normd.wire.field_specs import FieldSpecs
        >>> described = {"takes": {"x": {"kind": "floats", "shape": "(m, d)", "required": True}}}
        >>> FieldSpecs.from_json(described, "takes").main.axes
        ('m', 'd')
        """
        told = (described.get(f"{stage}_{word}") for word in ("one_of", "any_of", "summed"))
        return cls(
            read_fields(described.get(stage)),
            *(words if isinstance(words, Sequence) else () for words in told),
        )

    def __getitem__(self, name: str) -> FieldSpec:
        return self.fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def main(self) -> FieldSpec:
        """The main field."""
        return next(iter(self.fields.values()))

    def parts(self, present: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the fields of each part of the rows, by its symbol, of those that are `present`.

        What stands in no part goes along with every one.
        """
        known = [name for name in self.fields if name in present]
        symbols = self.summed or [*self.fields[known[0]].axes[:1]] if known else ()
        found = {
            symbol: tuple(name for name in known if self.fields[name].axes[:1] == (symbol,))
            for symbol in symbols
        }
        return {symbol: names for symbol, names in found.items() if names}

    @property
    def names(self) -> str:
        """Their names, in words."""
        return ", ".join(self.fields) or "none"


def read_fields(described: object) -> dict[str, FieldSpec]:
    """Return described fields by name; none where nothing is described."""
    if not isinstance(described, Mapping):
        return {}
    fields = cast("Mapping[str, Mapping[str, object]]", described)
    return {name: FieldSpec.from_json(name, said) for name, said in fields.items()}
