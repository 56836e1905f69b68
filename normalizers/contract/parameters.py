"""Parameters: annotated class attributes, stored raw, validated by a model made from them."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import (
    Any,
    ClassVar,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    dataclass_transform,
)

from normalizers.contract.parameter_models import unknown_parameter, validate
from normalizers.contract.references import References
from normalizers.contract.spellings import Spelling, in_one_spelling, spelled_groups
from normalizers.errors import InvalidParams

Affects: TypeAlias = Literal["statistics", "solution", "answer"]
FitsWhen: TypeAlias = Callable[[Any], bool]
Read: TypeAlias = Callable[[Any, object, str], object]
T = TypeVar("T")


@dataclass(frozen=True)
class Parameter:
    """What a method declares about one parameter.

    Parameters
    ----------
    help : str
        One line: what it does, with its unit.
    affects : {'statistics', 'solution', 'answer'}
        What another value needs: other statistics, another solution of the same statistics, or
        nothing but another answer.
    standard : object
        Its value when it is not given and the method's `defaults` does not decide.
    resolves : str
        How a value that is not given is decided, in words.
    references : References
        How a value that holds other methods is written and read; None where it holds none.
    read : callable
        What makes the value that the method works with of the one that was given: of an alias
        its canonical word, of a name its method. It is called with the method, the value and
        the place of the value, before the model sees it.
    fits_when : callable
        Whether a method with this value can be fitted; without it the value has no say.
    spells : Spelling
        The parameter whose number this is in another spelling; None where it is one of its own.
    bounds : mapping
        Limits in pydantic's words: ``ge``, ``gt``, ``le``, ``lt``, ``min_length``.
    """

    help: str
    affects: Affects
    standard: object
    resolves: str
    references: References | None
    read: Read | None
    fits_when: FitsWhen | None
    spells: Spelling | None
    bounds: Mapping[str, object]


def param(
    *,
    default: None = None,
    help: str,
    affects: Affects,
    default_value: object = None,
    resolves: str = "",
    references: References | None = None,
    read: Read | None = None,
    fits_when: FitsWhen | None = None,
    spells: Spelling | None = None,
    **bounds: object,
) -> Any:
    """Declare a parameter; its default is always None, "not given"."""
    return Parameter(
        help, affects, default_value, resolves, references, read, fits_when, spells, bounds
    )


def unwrap(value: T | None) -> T:
    """Return a resolved parameter; None here means the method forgot to resolve it."""
    if value is None:
        raise InvalidParams("a parameter was used before it was resolved")
    return value


@dataclass_transform(kw_only_default=True, field_specifiers=(param,))
class Parameterized:
    """An object whose parameters are its annotated class attributes.

    The constructor only stores what it is given; `validated` returns a copy whose values passed
    the strict model. A parameter that is None was not given. A class drops a parameter that it
    inherits by ``name = None``.
    """

    parameters: ClassVar[Mapping[str, Parameter]] = {}
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = ()
    _declared: ClassVar[Mapping[str, Parameter | None]] = {}

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        inherited = _inherited(cls.__mro__[1:])
        cls._declared = {
            name: value
            for name, value in vars(cls).items()
            if isinstance(value, Parameter) or (value is None and name in inherited)
        }
        cls.parameters = _inherited(cls.__mro__)
        cls.exclusive = spelled_groups(cls.exclusive, cls.parameters)
        for name in cls._declared:
            setattr(cls, name, None)
        cls.__signature__ = _signature(cls)  # type: ignore[attr-defined]

    @classmethod
    def _without(cls, name: str) -> None:
        """Drop a parameter that a base declares for some of its classes."""
        cls.parameters = {key: each for key, each in cls.parameters.items() if key != name}
        cls.__signature__ = _signature(cls)  # type: ignore[attr-defined]

    def __init__(self, **values: object) -> None:
        for name in values:
            if name not in self.parameters:
                raise unknown_parameter(name, self.parameters)
        for name in self.parameters:
            setattr(self, name, values.get(name))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.explicit_params.items())
        return f"{type(self).__name__}({given})"

    @property
    def explicit_params(self) -> dict[str, object]:
        """The parameters that were given, by name."""
        held = vars(self)
        return {name: value for name in self.parameters if (value := held.get(name)) is not None}

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """Return every parameter as it was given (scikit-learn's protocol)."""
        return {name: getattr(self, name) for name in self.parameters}

    def set_params(self, **values: object) -> Self:
        """Set parameters and return self (scikit-learn's protocol)."""
        for name, value in values.items():
            if name not in self.parameters:
                raise unknown_parameter(name, self.parameters)
            setattr(self, name, value)
        return self

    def with_values(self, values: Mapping[str, object]) -> Self:
        """Return a copy with some parameters replaced."""
        twin = copy.copy(self)
        for name, value in values.items():
            setattr(twin, name, value)
        return twin

    def validated(self, path: str = "params") -> Self:
        """Return a copy whose given parameters passed the model and every `check`.

        Raises
        ------
        InvalidParams
            Naming each parameter that is unknown, of a wrong type, out of bounds or excluded.
        """
        given = {name: self._read(name, path) for name in self.explicit_params}
        checked = type(self)(**validate(type(self), given, path))
        _check_spellings(checked, path)
        # Each class adds a rule of its own and none lifts another's, so all of them are called
        # here, bases first: an author need not remember `super().check(path)`.
        for cls in reversed(type(self).__mro__):
            if "check" in vars(cls):
                vars(cls)["check"](checked, path)
        return checked

    def in_one_spelling(self) -> Self:
        """Return a copy in which a number that was given in another spelling stands in its own."""
        return self.with_values(in_one_spelling(vars(self), self.parameters))

    def check(self, path: str) -> None:
        """Refuse parameters that do not go together; the checks of the bases are called too."""

    def _read(self, name: str, path: str) -> object:
        value, read = getattr(self, name), self.parameters[name].read
        return value if read is None else read(self, value, f"{path}.{name}")


def merge_params(cls: type[Parameterized], *layers: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters of several layers, weakest first; naming one drops its rivals."""
    result: dict[str, object] = {}
    if not cls.exclusive:
        for layer in layers:
            result.update(layer)
        return result
    for layer in layers:
        for name, value in layer.items():
            for rival in _excluded_by(cls.exclusive, name):
                if rival not in layer:
                    result.pop(rival, None)
            result[name] = value
    return result


def _check_spellings(checked: Parameterized, path: str) -> None:
    """Refuse a number whose own spelling would be refused, or beyond the largest float."""
    for name, value in in_one_spelling(vars(checked), checked.parameters).items():
        if value is None or checked.parameters[name].spells is not None:
            continue
        try:
            validate(type(checked), {name: value}, path)
        except InvalidParams as error:
            other = next(
                key
                for key in checked.explicit_params
                if (spells := checked.parameters[key].spells) is not None and spells.of == name
            )
            raise InvalidParams(
                f"as '{name}' this would be {value:g}: {error.message.rpartition(': ')[2]}",
                path=f"{path}.{other}",
            ) from None


def _inherited(classes: Sequence[type]) -> dict[str, Parameter]:
    """Return the parameters that classes in their order of resolution declare and do not drop."""
    declared: dict[str, Parameter | None] = {}
    for cls in reversed(classes):
        declared |= vars(cls).get("_declared", {})
    return {name: each for name, each in declared.items() if each is not None}


def _excluded_by(groups: Iterable[tuple[str, ...]], name: str) -> set[str]:
    return {rival for group in groups if name in group for rival in group} - {name}


def _signature(cls: type[Parameterized]) -> inspect.Signature:
    return inspect.Signature(
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
            for name in cls.parameters
        ]
    )
