"""The plain function of a method as a stub writes it: typed by the fields of the method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from normalizers.catalogue.functions import function_for
from normalizers.contract.fields import Fields
from normalizers.data.devices import CPU
from normalizers.normalizer import Normalizer
from stubs.annotations import declarations

# What comes out of a list, of nested lists, and of ragged lists.
LISTS = (
    ("Sequence[float | None] | _SupportsArray", "Array"),
    ("Sequence[Sequence[float | None] | _SupportsArray]", "list[Array]"),
    ("Ragged", "Ragged"),
)
DENSE = "npt.ArrayLike"
RECORDS = "Sequence[Mapping[str, object]]"
# Outputs of a whole answer: one query gives arrays, several give lists of them.
OUTPUTS = {"records": "tuple[Batch, ...]", "id_lists": "Array | Any", "lists": "Array | Any"}


class Function(NamedTuple):
    """A method with a function, and what its main field and its answer are."""

    cls: type[Normalizer]
    takes: Fields
    gives: Fields

    @property
    def answers(self) -> bool:
        """Whether it returns the whole answer."""
        return self.takes[self.takes.main].kind == "records"

    def lines(self) -> Iterator[str]:
        """Yield the source of the function, or of its overloads."""
        forms = self._forms()
        for accepted, returned in forms:
            if len(forms) > 1:
                yield "@overload"
            yield f"def {self.cls.name}("
            yield f"    {self.takes.main}: {accepted},"
            yield "    /,"
            if self.cls.parameters:
                yield "    *,"
            yield from (f"    {declared}," for declared in declarations(self.cls))
            yield f") -> {returned}:"
            yield f'    """{summary(self.cls)}"""'
            yield ""

    def _forms(self) -> tuple[tuple[str, str], ...]:
        if self.answers:
            return ((RECORDS, answer_name(self.gives)),)
        if self.takes[self.takes.main].kind == "lists":
            return LISTS
        on_numpy = self.cls().traits.devices == (CPU,)
        return ((DENSE, "Array" if on_numpy else "Any"),)


def functions(methods: list[type[Normalizer]]) -> list[Function]:
    """Return the functions of those methods that have one."""
    made = (cls() for cls in methods if function_for(cls))
    return [Function(type(method), method.takes, method.gives) for method in made]


def answer_name(gives: Fields) -> str:
    """Return the name of the answer with these outputs; it stands in the stub alone."""
    return f"_{''.join(name.title() for name in gives)}Answer"


def answer_lines(gives: Fields) -> Iterator[str]:
    """Yield the source of an answer whose outputs are typed by name."""
    yield "@type_check_only"
    yield f"class {answer_name(gives)}(Answer):"
    for name, field in gives.items():
        yield "    @overload"
        yield f'    def __getitem__(self, name: Literal["{name}"]) -> {OUTPUTS[field.kind]}: ...'
    yield "    @overload"
    yield "    def __getitem__(self, name: str) -> Rendered: ..."
    yield ""


def summary(cls: type[Normalizer]) -> str:
    """Return the first line of a method's documentation."""
    return (cls.__doc__ or "").strip().splitlines()[0]
