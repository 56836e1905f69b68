"""What a check needs to know about a method, derived from its class alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.answer import Answer, Options
from normalizers.contract.example import Example
from normalizers.contract.fields import Fields
from normalizers.contract.method import UNKNOWN_STATISTICS
from normalizers.contract.parameters import merge_params
from normalizers.normalizer import Normalizer
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.testing import samples
from normalizers.testing.hint import Hint
from normalizers.testing.samples import Values
from normalizers.versions import fitting
from normalizers.versions.version import Version
from normalizers.versions.weights import from_weights, read_weights

FIT_UNITS = 40
UNITS = 7
FIT_SEED = 11
SEED = 23


@dataclass(frozen=True)
class Case:
    """A method with parameters it works with, fitted or not.

    Parameters
    ----------
    cls : type of Normalizer
        The method.
    with_fit : bool
        Whether it is fitted: a method that works both ways is two cases.
    catalogue : Catalogue
        Where it is found by name.
    hint : Hint
        What the class cannot say.
    alternative : int
        Which of several sets of fields is sent, where a method takes one of several.
    example : Example, optional
        The example whose parameters it works with; the first by default.
    """

    cls: type[Normalizer]
    with_fit: bool
    catalogue: Catalogue
    hint: Hint = field(default_factory=Hint)
    alternative: int = 0
    example: Example | None = None

    @property
    def is_variant(self) -> bool:
        """Whether it works with a further example: what is said of the class is checked once."""
        return self.example is not None and self.example is not self.cls.examples[0]

    @property
    def name(self) -> str:
        """The name of the case in a test id."""
        both = self.method.stateless and self.method.fittable
        name = _named(self.cls, self.example) if self.example is not None else self.cls.name
        name = f"{name}.fitted" if both and self.with_fit else name
        return f"{name}.{self._sent}" if self.alternative else name

    @property
    def _sent(self) -> str:
        """The main field, or where several alternatives have it the one that only this has."""
        sets = self.resolved_method.takes.one_of
        if sum(self.main in names for names in sets) < 2:
            return self.main
        chosen = sets[self.alternative % len(sets)]
        others = {name for names in sets if names != chosen for name in names}
        return next((name for name in chosen if name not in others), self.main)

    @cached_property
    def params(self) -> dict[str, object]:
        """The parameters of the class's example, unless a hint names others."""
        return dict(_params(self.cls, self.hint, self.example))

    @cached_property
    def method(self) -> Normalizer:
        """The method, validated, not fitted."""
        return self.cls(**self.params).validated()

    @cached_property
    def resolved_method(self) -> Normalizer:
        """The method with every parameter resolved as far as no data are needed."""
        return self.method.resolved(UNKNOWN_STATISTICS if self.with_fit else None)

    @cached_property
    def takes(self) -> Fields:
        """What a transform takes, in one of its alternatives."""
        return samples.narrowed(self.resolved_method.takes, self.alternative, self.hint.also)

    @cached_property
    def fits(self) -> Fields:
        """What a fit takes, in one of its alternatives."""
        return samples.narrowed(self.resolved_method.fits, self.alternative, self.hint.also)

    @property
    def main(self) -> str:
        """The main field that samples send."""
        return samples.wanted(self.takes)[0]

    @property
    def kind(self) -> str:
        """The kind of the main field."""
        return self.takes[self.main].kind

    @property
    def output(self) -> str:
        """The main output, in the alternative that is sent."""
        return samples.narrowed(self.resolved_method.gives, self.alternative).main

    @property
    def is_learned(self) -> bool:
        """Whether it works by the weights of its example."""
        return not self.with_fit and bool(self.resolved_method.weight_fields)

    @property
    def weights(self) -> dict[str, object]:
        """The weights that it works by, of its example."""
        return dict((self.example or self.cls.example).weights or {})

    @property
    def source(self) -> dict[str, object]:
        """What a request carries beside method and parameters: data of a fit, or weights."""
        if self.with_fit:
            return {"fit": self.fit_values()}
        return {"weights": self.weights} if self.is_learned else {}

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes that samples have: those of the weights, and of the hint."""
        known = dict(self.version.fitted.sizes) if self.is_learned else {}
        return {**known, **self.hint.sizes}

    @property
    def native(self) -> bool:
        """Whether it computes in the input's dtype."""
        return self.takes[self.main].native

    @property
    def same_bits(self) -> bool:
        """Whether a unit alone gets the bits that it gets among others."""
        return self.resolved_method.traits.same_bits

    def is_by_unit(self, name: str) -> bool:
        """Whether an output has a row, list or window for every one of the input's.

        Others are numbers and tables of the whole request, or of its groups.
        """
        given, answered = self.takes[self.main], self.resolved_method.gives[name]
        if self.kind != "floats" or answered.kind not in ("floats", "integers"):
            return answered.kind not in ("state", "text", "boolean")
        return answered.shape[:1] == given.shape[:1]

    def fit_values(self, units: int = FIT_UNITS, seed: int = FIT_SEED) -> Values:
        """Return data of a fit."""
        made = samples.sample(self.fits, units, seed, self.sizes)
        if seed != FIT_SEED:
            # Parts of a fit share what is no row of any: another gallery would be another fit.
            first = samples.sample(self.fits, units, FIT_SEED, self.sizes)
            made |= {name: first[name] for name in made if not self.fits.part_of(name, made)}
        return {**self._hinted(made), **self.hint.fit}

    def given(self, units: int = UNITS, seed: int = SEED) -> Values:
        """Return the input of a transform."""
        return self._hinted(samples.sample(self.takes, units, seed, self.sizes))

    def _hinted(self, values: Values) -> Values:
        kinds = {
            name: values[name] % kinds for name, kinds in self.hint.kinds.items() if name in values
        }  # type: ignore[operator]
        shares = {name: samples.shares(values[name]) for name in self.hint.shares if name in values}
        positive = {
            name: samples.positive(values[name]) for name in self.hint.positive if name in values
        }
        positive |= {
            name: samples.log_shares(values[name])
            for name in self.hint.log_shares
            if name in values
        }
        positive |= {
            name: samples.portions(values[name]) for name in self.hint.portions if name in values
        }
        positive |= {
            name: np.round(values[name] * 10)  # type: ignore[operator]
            for name in self.hint.whole
            if name in values
        }
        names = [name for name in self.hint.symmetric if name in values]
        symmetric = {name: samples.symmetric(values[name]) for name in names}
        return {**values, **kinds, **shares, **positive, **symmetric}

    def usable(self, numbers: np.ndarray) -> np.ndarray:
        """Return numbers that the main field takes, in the same order."""
        if self.main in self.hint.portions:
            return samples.portions(numbers)  # type: ignore[return-value]
        if self.main in self.hint.log_shares:
            return samples.log_shares(numbers)  # type: ignore[return-value]
        if self.main in self.hint.positive:
            return samples.positive(numbers)  # type: ignore[return-value]
        return samples.shares(numbers) if self.main in self.hint.shares else numbers  # type: ignore[return-value]

    def estimator(self, params: Mapping[str, object] | None = None) -> Normalizer:
        """Return a fresh estimator."""
        return self.cls(**(self.params if params is None else params))

    def prepared(self) -> Normalizer:
        """Return an estimator that can work."""
        if self.is_learned:
            return self.estimator().fit_weights(self.weights)
        return self.estimator().fit(**self.fit_values()) if self.with_fit else self.estimator()

    def fitted_on(
        self, values: Values | None = None, params: Mapping[str, object] | None = None
    ) -> Version:
        """Return the version of these values, or of no fit."""
        method = self.estimator(params)
        if self.is_learned:
            checked = method.validated()
            return from_weights(checked, read_weights(checked, self.weights))
        if not self.with_fit:
            return fitting.stateless(method.validated())
        return fitting.fit(method, self.fit_values() if values is None else values)

    @cached_property
    def version(self) -> Version:
        """The version fitted on the standard sample."""
        return self.fitted_on()

    def statistics_of(self, values: Values) -> Statistics:
        """Return the statistics of one part of a stream."""
        batch = fitting.read_fit(self.method, values)
        return fitting.partial(self.method, batch, {})

    def solved(self, statistics: Statistics) -> Version:
        """Return the version of these statistics."""
        return fitting.solve(self.method, statistics, {})

    def answer(
        self, values: Values | None = None, version: Version | None = None, **options: object
    ) -> Answer:
        """Return the answer for `values`, the standard input by default."""
        given = self.given() if values is None else values
        return (version or self.version).transform(given, Options.read(options))

    def returned(self, answer: Answer, values: Values, version: Version | None = None) -> Values:
        """Return what the way back takes: the answer's outputs, and the rest as it was sent."""
        known = {**values, **answer.output}
        names = (version or self.version).resolved_method.inverse_takes
        return {name: known[name] for name in names if name in known}

    def spelled(self) -> Iterator[tuple[str, dict[str, object]]]:
        """Yield the parameters of the case, and those of every alias that implies some."""
        yield self.cls.name, self.params
        for alias, implied in self.cls.aliases.items():
            if implied:
                yield alias, merge_params(self.cls, implied, {}, {})


def cases_of(
    catalogue: Catalogue,
    classes: Iterable[type[Normalizer]],
    hints: Mapping[str, Hint] = MappingProxyType({}),
) -> list[Case]:
    """Return the cases of these methods; `hints` go by their names."""
    return [
        Case(cls, with_fit, catalogue, hint, alternative, example)
        for cls in classes
        for example, hint in _examples(cls, hints)
        for with_fit in _ways(cls, hint, example)
        for alternative in range(_alternatives(cls, hint, example))
    ]


def _examples(cls: type[Normalizer], hints: Mapping[str, Hint]) -> Iterator[tuple[Example, Hint]]:
    """Yield the examples of a class with the hint of each: its own, or that of the class."""
    shared = hints.get(cls.name, Hint())
    for example in cls.examples:
        own = shared if example is cls.examples[0] else replace(shared, params=None)
        yield example, hints.get(_named(cls, example), own)


def _named(cls: type[Normalizer], example: Example) -> str:
    return f"{cls.name}.{example.name}" if example.name else cls.name


def _params(cls: type[Normalizer], hint: Hint, example: Example | None) -> Mapping[str, object]:
    return (example or cls.example).params if hint.params is None else hint.params


def _ways(cls: type[Normalizer], hint: Hint, example: Example) -> list[bool]:
    method = cls(**_params(cls, hint, example)).validated()
    unfitted = method.stateless or example.weights is not None
    return [fit for fit, can in ((False, unfitted), (True, method.fittable)) if can]


def _alternatives(cls: type[Normalizer], hint: Hint, example: Example) -> int:
    method = cls(**_params(cls, hint, example)).validated()
    return max(1, len(method.takes.one_of), len(method.fits.one_of))


def numbers_of(value: object) -> np.ndarray:
    """Return an output's numbers as one flat array; those of all records."""
    if isinstance(value, tuple):
        return np.concatenate(
            [numbers_of(number) for record in value for number in record.values()]
        )
    if isinstance(value, list):
        return np.concatenate([np.ravel(part) for part in value]) if value else np.empty(0)
    return np.ravel(getattr(value, "values", value))  # type: ignore[arg-type]
