"""Declared inputs and outputs of a method: kind, symbolic shape, how a request may write them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Self, TypeAlias

Kind: TypeAlias = Literal[
    "floats", "lists", "series", "mask", "integers", "labels", "ids", "id_lists",
    "integer_lists", "texts", "text_lists", "state",
    "records", "record", "text", "boolean", "method",
]  # fmt: skip
Flat: TypeAlias = Literal["row", "column", "number", "either", "item"]
Symbols: TypeAlias = tuple[str, ...]

RAGGED_KINDS = frozenset({"lists", "id_lists", "integer_lists", "text_lists"})
NUMERIC_KINDS = frozenset({"floats", "lists", "series"})


PATHS = "p"  # the symbol of an axis of sample paths


@dataclass(frozen=True)
class Field:
    """One named input or output.

    Parameters
    ----------
    kind : str
        ``floats`` dense numbers; ``lists`` ragged numbers; ``series`` windows ``(n, t, c)`` in
        any layout, or ragged; ``mask`` 0/1 beside a series; ``labels`` groups; ``ids`` names of
        items; ``id_lists`` ragged ids; ``integer_lists`` ragged positions; ``texts`` one text a
        row, which may be empty, ``text_lists`` ragged ones; ``state`` what a causal method
        carries; ``records`` a list of objects with fields of their own, ``record`` one of them;
        ``text`` and ``boolean``
        single values; ``method`` a method by name, ``{"method", "params"}``, or a version.
    shape : tuple of str
        Symbolic canonical shape. ``1`` is an axis of length one. A symbol means one size in all
        fields of a batch, and in the fit and its transforms.
    flat : {'row', 'column', 'number', 'either', 'item'} or None
        What a one-dimensional value means where the canonical shape has two axes; ``number`` is
        a column, and takes a number alone too; ``either`` is a column, or one row where the fit
        has several columns. ``item`` is for any shape: a value with one axis less is one item.
    leading : bool
        Whether the rows may have axes of their own, ``(n, t, c)`` for ``(n, c)``: they are folded
        into one on the way in, and the answer has them again.
    required : bool
        Whether a request must send it.
    native : bool
        Computed in the input's dtype (embeddings) rather than in float64.
    screened : bool
        Whether NaN and infinities follow the method's policies; False passes them on.
    ragged : bool
        Of a series: whether windows of unequal length, or one series by another, are taken too.
    like : str or None
        Output only: the input whose form the answer takes (the main input by default).
    members : Fields or None
        The fields of a record.
    help : str
        One line for the documentation.
    """

    kind: Kind
    shape: Symbols = ()
    flat: Flat | None = None
    leading: bool = False
    required: bool = True
    native: bool = False
    screened: bool = True
    ragged: bool = True
    like: str | None = None
    members: Fields | None = None
    help: str = ""

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers that the missing-value policies apply to."""
        return self.kind in NUMERIC_KINDS

    @property
    def has_paths(self) -> bool:
        """Whether it holds sample paths: windows with an axis of paths behind that of windows."""
        return self.kind == "series" and PATHS in self.shape

    @property
    def shape_text(self) -> str:
        """The symbolic shape as people write it: ``(n, d)``."""
        if self.kind in RAGGED_KINDS:
            return "~(N)"
        return f"({', '.join(self.shape)}{',' if len(self.shape) == 1 else ''})"


class Fields(dict[str, Field]):
    """Named fields in order; the first is the main one. Nobody changes them once they are made.

    Every request asks them many times, so that they are a dict rather than a mapping around one.

    Parameters
    ----------
    one_of : tuple of tuples of str
        Alternatives: exactly one of these sets of fields must be sent.
    any_of : tuple of tuples of str
        Parts of a fit: at least one of these sets must be sent, each whole. Beside it, `one_of`
        says which fields stand in each other's place.
    summed : tuple of str
        Of a fit, the symbols of its rows: the rows of each are a part that is added up, and cut,
        on its own. All other fields are the same for every part of the rows and go along with
        each. By default the first axis of the main field.
    **fields : Field
        The declarations.

    See Also
    --------
    Fields.in_parts : The fields of a fit of several parts.
    """

    def __init__(
        self,
        one_of: tuple[tuple[str, ...], ...] = (),
        any_of: tuple[tuple[str, ...], ...] = (),
        summed: tuple[str, ...] = (),
        /,
        **fields: Field,
    ) -> None:
        super().__init__(fields)
        self.one_of = one_of
        self.any_of = any_of
        self.summed = summed

    @classmethod
    def in_parts(
        cls,
        summed: str,
        /,
        *,
        any_of: tuple[tuple[str, ...], ...],
        one_of: tuple[tuple[str, ...], ...] = (),
        **fields: Field,
    ) -> Self:
        """Return the fields of a fit of several parts, each added up and cut on its own.

        Parameters
        ----------
        summed : str
            The symbols of the rows of each part, written ``"n r"``.
        any_of, one_of : tuple of tuples of str
            As of the class: sets of fields of which at least one is sent, and alternatives.
        **fields : Field
            The declarations; those of parts are optional.

        Examples
        --------
        >>> from normalizers.contract.fields import Fields, floats, optional
        >>> x, reference = optional(floats("n d")), optional(floats("r d"))
        >>> fits = Fields.in_parts("n r", any_of=(("x",), ("reference",)), x=x, reference=reference)
        >>> fits.parts(["x", "reference"]), fits.part_of("reference", ["reference"])
        (('n', 'r'), 'r')
        """
        return cls(one_of, any_of, tuple(summed.split()), **fields)

    def __repr__(self) -> str:
        return f"Fields({', '.join(f'{name}={field.kind}' for name, field in self.items())})"

    @property
    def main(self) -> str:
        """Name of the main field."""
        return next(iter(self))

    def main_of(self, present: Collection[str]) -> str:
        """Return the main one of the fields that are `present`: of alternatives, the one there."""
        for name in self:
            if name in present:
                return name
        return self.main

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of its fields."""
        return frozenset([field.kind for field in self.values()])

    @cached_property
    def ragged(self) -> bool:
        """Whether some field is ragged, so that ``offsets`` may stand beside it."""
        return any(
            field.kind in RAGGED_KINDS or (field.kind == "series" and field.ragged)
            for field in self.values()
        )

    @cached_property
    def names_methods(self) -> bool:
        """Whether some field, or one of a record's, names a method."""
        return any(
            field.kind == "method" or (field.members is not None and field.members.names_methods)
            for field in self.values()
        )

    def parts(self, present: Collection[str]) -> tuple[str, ...]:
        """Return the symbols of the rows that are added up, of the fields that are `present`."""
        if not self.summed:
            return self[self.main_of(present)].shape[:1]
        there = {symbol for name in present if name in self for symbol in self[name].shape[:1]}
        return tuple(symbol for symbol in self.summed if symbol in there)

    def part_of(self, name: str, present: Collection[str]) -> str | None:
        """Return the symbol of the rows that a field is one of; None where all rows share it."""
        return next((s for s in self[name].shape[:1] if s in self.parts(present)), None)

    def with_fields(self, **fields: Field) -> Fields:
        """Return these fields and others after them."""
        return Fields(self.one_of, self.any_of, self.summed, **{**self, **fields})


NO_FIELDS = Fields()


def floats(
    shape: str, *, flat: Flat | None = None, leading: bool = False, native: bool = False,
    screened: bool = True, help: str = "",
) -> Field:  # fmt: skip
    """Declare dense numbers of a symbolic shape, written ``"n d"``."""
    return Field(
        "floats",
        tuple(shape.split()),
        flat=flat,
        leading=leading,
        native=native,
        screened=screened,
        help=help,
    )


def integers(shape: str, *, help: str = "") -> Field:
    """Declare dense whole numbers."""
    return Field("integers", tuple(shape.split()), help=help)


def lists(*, screened: bool = True, help: str = "") -> Field:
    """Declare ragged lists of numbers: one flat list, nested lists, or flat with ``offsets``."""
    return Field("lists", ("N",), screened=screened, help=help)


def id_lists(*, help: str = "") -> Field:
    """Declare ragged lists of ids."""
    return Field("id_lists", ("N",), help=help)


def integer_lists(*, help: str = "") -> Field:
    """Declare ragged lists of whole numbers: the positions of candidates."""
    return Field("integer_lists", ("N",), help=help)


def texts(shape: str = "n", *, help: str = "") -> Field:
    """Declare one text a row; it may be empty, and stands for nothing but itself."""
    return Field("texts", tuple(shape.split()), help=help)


def text_lists(*, help: str = "") -> Field:
    """Declare ragged lists of texts, each of which may be empty."""
    return Field("text_lists", ("N",), help=help)


def series(shape: str = "n t c", *, ragged: bool = True, help: str = "") -> Field:
    """Declare windows ``(n, t, c)`` in any layout; a window without a time axis is ``"n 1 c"``."""
    return Field("series", tuple(shape.split()), ragged=ragged, help=help)


def sample_paths(*, help: str = "sample paths of a forecast of any length") -> Field:
    """Declare sample paths ``(n, p, h, c)``: p forecasts of every window."""
    shape = ("n", PATHS, "h", "c")
    return Field("series", shape, required=False, ragged=False, help=help)


def mask(shape: str, *, flat: Flat | None = None, help: str = "1 = observed, 0 = not") -> Field:
    """Declare a mask of 0/1 or booleans beside a series; ``flat="item"`` beside maps and points."""
    return Field("mask", tuple(shape.split()), flat=flat, help=help)


def labels(shape: str, *, help: str = "") -> Field:
    """Declare group labels: strings, or integers that become decimal strings."""
    return Field("labels", tuple(shape.split()), flat="column", help=help)


def ids(shape: str, *, help: str = "") -> Field:
    """Declare ids of items, one a row or column."""
    return Field("ids", tuple(shape.split()), help=help)


def state(*, help: str = "what the previous answer carried") -> Field:
    """Declare the carried state of a causal method."""
    return Field("state", required=False, help=help)


def records(*, help: str = "", **members: Field) -> Field:
    """Declare a list of objects with fields of their own."""
    return Field("records", members=Fields(**members), help=help)


def record(*, help: str = "", **members: Field) -> Field:
    """Declare one object with fields of its own."""
    return Field("record", members=Fields(**members), help=help)


def text(*, help: str = "") -> Field:
    """Declare one string."""
    return Field("text", help=help)


def boolean(*, help: str = "") -> Field:
    """Declare one boolean."""
    return Field("boolean", help=help)


def method(*, help: str = "") -> Field:
    """Declare a method or a version that a request names."""
    return Field("method", help=help)


def optional(field: Field) -> Field:
    """Return the field as one that a request may leave out."""
    return replace(field, required=False)


def like(name: str, field: Field) -> Field:
    """Return the output field written in the form of the input `name`."""
    return replace(field, like=name)
