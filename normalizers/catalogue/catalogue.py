"""Every method by name: canonical names, aliases, presets, and methods of third parties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from operator import attrgetter

from normalizers.catalogue.discovery import built_in
from normalizers.catalogue.third_party import third_party, warn_of
from normalizers.contract.parameters import merge_params
from normalizers.errors import InvalidParams, UnknownName
from normalizers.messages import did_you_mean, printable_name, quoted
from normalizers.normalizer import Normalizer

PRESET, RUNS = "preset", "runs"


class Catalogue(Mapping[str, type[Normalizer]]):
    """An immutable mapping from canonical name to method class, and what aliases mean.

    Parameters
    ----------
    methods : iterable of Normalizer classes
        Names and aliases must be unique in the one namespace.
    """

    def __init__(self, methods: Iterable[type[Normalizer]]) -> None:
        self._methods: dict[str, type[Normalizer]] = {}
        for cls in sorted(methods, key=attrgetter("name")):
            if self._methods.setdefault(cls.name, cls) is not cls:
                raise ValueError(f"'{cls.name}' names two methods")
        self._spellings = self._spelled()

    def __getitem__(self, name: str) -> type[Normalizer]:
        return self._methods[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._methods)

    def __len__(self) -> int:
        return len(self._methods)

    def with_methods(self, *methods: type[Normalizer]) -> Catalogue:
        """Return a catalogue with further methods."""
        return Catalogue([*self.values(), *methods])

    def method(self, name: str) -> type[Normalizer]:
        """Return the class of a canonical name or an alias."""
        return self._found(name)[0]

    def create(
        self, name: str, params: Mapping[str, object] | None = None, path: str = "params"
    ) -> Normalizer:
        """Return the method `name` with `params`, aliases and presets expanded, not yet validated.

        Raises
        ------
        UnknownName
            With the nearest names.
        InvalidParams
            An unknown preset or parameter.
        """
        cls, implied = self._found(name)
        given = dict(params or {})
        preset = self._preset(cls, given.pop(PRESET, None), path) if PRESET in given else {}
        for unknown in given.keys() - cls.parameters.keys():
            known = sorted(cls.parameters)
            raise InvalidParams(
                f"'{cls.name}' has no parameter {quoted(unknown)}"
                f"{_fitted_with(cls, unknown) or did_you_mean(unknown, known)}; "
                f"known: {', '.join(known) or 'none'}",
                path=f"{path}.{printable_name(unknown)}",
            )
        named = {name: value for name, value in given.items() if value is not None}
        return cls(**merge_params(cls, implied, preset, named))

    def fusion(self, name: str) -> tuple[str, Mapping[str, object]]:
        """Return the method that a spelling names where a fusion is asked for, and its parameters.

        Some words name another method elsewhere: ``max`` and ``sum`` are list normalizers.
        """
        found = self._fusions.get(normalized(name))
        return found if found is not None else (name, {})

    @cached_property
    def fusions(self) -> frozenset[str]:
        """Names of the methods that take runs."""
        return frozenset(name for name, cls in self._methods.items() if RUNS in cls().takes)

    @cached_property
    def _fusions(self) -> Mapping[str, tuple[str, Mapping[str, object]]]:
        return {
            normalized(spelling): (cls.name, implied)
            for cls in self._methods.values()
            for spelling, implied in cls.fusion_aliases.items()
        }

    @cached_property
    def spellings(self) -> Mapping[str, str]:
        """Every accepted spelling and the canonical name it stands for."""
        return {spelling: cls.name for spelling, (cls, _) in self._spellings.items()}

    def _found(self, name: str) -> tuple[type[Normalizer], Mapping[str, object]]:
        found = self._spellings.get(normalized(name))
        if found is None:
            raise UnknownName(
                f"unknown method {quoted(name)}{did_you_mean(normalized(name), self._spellings)}",
                path="method",
            )
        return found

    def _preset(self, cls: type[Normalizer], name: object, path: str) -> Mapping[str, object]:
        if name is None:
            return {}
        if not isinstance(name, str) or name not in cls.presets:
            hint = did_you_mean(name, cls.presets) if isinstance(name, str) else ""
            raise InvalidParams(
                f"'{cls.name}' has no such preset{hint}; known: {', '.join(cls.presets) or 'none'}",
                path=f"{path}.{PRESET}",
            )
        return cls.presets[name]

    def _spelled(self) -> dict[str, tuple[type[Normalizer], Mapping[str, object]]]:
        spelled: dict[str, tuple[type[Normalizer], Mapping[str, object]]] = {}
        for cls in self._methods.values():
            for spelling, implied in {cls.name: {}, **cls.aliases}.items():
                key = normalized(spelling)
                other, _ = spelled.setdefault(key, (cls, implied))
                if other is not cls:
                    raise ValueError(f"'{spelling}' names both {other.name} and {cls.name}")
                spelled[key] = cls, implied
        return spelled


def _fitted_with(cls: type[Normalizer], name: str) -> str:
    return f"; it is sent with the data of a fit: fit.{name}" if name in cls().fits else ""


def normalized(name: str) -> str:
    """Return a spelling in the one form in which spellings are compared."""
    return name.lower().replace("-", "_")


def installed() -> Catalogue:
    """Return the built-in methods and those of installed packages that fit beside them."""
    catalogue = Catalogue(built_in())
    for entry, cls in third_party():
        try:
            catalogue = catalogue.with_methods(cls)
        except ValueError as error:  # its name or an alias is taken
            warn_of(entry, error)
    return catalogue


def __getattr__(name: str) -> Catalogue:
    """Build the catalogue when it is first asked for: methods import the contract."""
    if name != "CATALOGUE":
        raise AttributeError(name)
    catalogue = installed()
    globals()["CATALOGUE"] = catalogue
    return catalogue
