"""The contract of a method: one class that declares itself and up to four short functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, TypeAlias

from normalizers.contract.answer import Answer, Options
from normalizers.contract.example import Example
from normalizers.contract.exports import NPZ, Export, npz
from normalizers.contract.fields import NO_FIELDS, Fields
from normalizers.contract.fitted import Fitted
from normalizers.contract.neighbours import LiveNeighbours
from normalizers.contract.parameters import Parameterized, merge_params, param
from normalizers.contract.shipped import ShippedStatistics
from normalizers.contract.tolerance import differing, require_ascending
from normalizers.contract.traits import Traits
from normalizers.data.batch import Batch
from normalizers.errors import UnsupportedOperation
from normalizers.statistics.base.statistic import Statistic
from normalizers.statistics.base.statistics_set import Statistics

if TYPE_CHECKING:
    # Methods are made by name, from values of any type, wherever requests are read.
    Text: TypeAlias = Any
else:
    Text: TypeAlias = str | None

Kind: TypeAlias = Literal[
    "stateless", "fitted", "window", "causal", "ordered", "learned", "pipeline"
]  # fmt: skip
# Families whose fits belong to the vectors or scores of one model, which nothing else tells.
SOURCED_FAMILIES = frozenset({"embeddings", "hubness", "scores"})
FITTED_KINDS = frozenset({"fitted", "ordered"})
# Passed to `defaults` when there is a fit whose statistics are not known yet.
UNKNOWN_STATISTICS = Statistics({})


class Method(Parameterized):
    """Base of every method.

    A subclass declares its name, family, parameters, fields and statistics, and implements
    `accumulate` and `solve` when it is fitted, `apply` always, and `undo` when there is a way
    back. Everything else (the scikit-learn face, REST, documentation, tests) follows from that.

    Attributes
    ----------
    name, family : str
        Canonical name in the one namespace of methods, and the family it belongs to.
    kinds : tuple of str
        ``stateless``, ``fitted``, ``window``, ``causal``, ``ordered``, ``learned``, ``pipeline``.
    aliases : mapping
        Other spellings and the parameters each implies.
    fusion_aliases : mapping
        Spellings that mean it only where a fusion is asked for, and the parameters each implies.
    presets : mapping
        Named parameter values that reproduce a peer or a paper.
    shipped : mapping
        Named statistics that come with the package: a fit may be ``{"preset": name}``.
    traits : Traits
        What it is like: monotone, which options and devices; a property where it follows from
        parameters, read on the resolved method. A subclass changes one by
        ``traits = replace(Base.traits, monotone=True)``.
    found_by_fit : tuple of str
        Parameters that have no standard value but what a fit finds; naming them needs no fit.
    ascending : tuple of str
        Fitted arrays whose rows never fall; a file with others is refused.
    example : Example
        A small request that works.
    examples : tuple of Example
        Several, of which the first is `example`: variants, scopes, rounds, each a case of the
        conformance tests. A subclass declares one of the two, and the other follows.
    """

    name: ClassVar[str] = ""
    family: ClassVar[str] = ""
    kinds: ClassVar[tuple[Kind, ...]] = ()
    aliases: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    fusion_aliases: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}
    shipped: ClassVar[Mapping[str, ShippedStatistics]] = {}
    traits: ClassVar[Traits] = Traits()
    required_or_fitted: ClassVar[tuple[str, ...]] = ()
    ascending: ClassVar[tuple[str, ...]] = ()
    example: ClassVar[Example] = Example()
    examples: ClassVar[tuple[Example, ...]] = (Example(),)

    source: Text = param(
        default=None,
        min_length=1,
        max_length=200,
        affects="statistics",
        help="whose embeddings or scores these are: fits and requests of another model are refused",
    )

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        # A method that is made from another one has no spelling of its.
        for spelled in ("aliases", "fusion_aliases", "presets"):
            if spelled not in vars(cls):
                setattr(cls, spelled, {})
        # `source` is declared once for every fitted method of these families, whatever its base.
        if cls.family not in SOURCED_FAMILIES or FITTED_KINDS.isdisjoint(cls.kinds):
            cls._without("source")
        if "examples" in vars(cls):
            cls.example = cls.examples[0]
        elif "example" in vars(cls):
            cls.examples = (cls.example,)

    @property
    def sources(self) -> frozenset[str]:
        """The models whose numbers it was told to be fitted on."""
        return frozenset() if self.source is None else frozenset({self.source})

    @property
    def knows_source(self) -> bool:
        """Whether it can be told whose numbers it is fitted on."""
        return "source" in self.parameters

    @property
    def fits(self) -> Fields:
        """What a fit takes; no fields when the method needs none."""
        return NO_FIELDS

    @property
    def takes(self) -> Fields:
        """What a transform takes."""
        raise NotImplementedError

    @property
    def gives(self) -> Fields:
        """What a transform gives; the first is the main output."""
        raise NotImplementedError

    @property
    def inverse_takes(self) -> Fields:
        """What the way back takes; no fields when there is none."""
        return NO_FIELDS

    @property
    def diagnoses(self) -> Fields:
        """What a diagnosis takes: live queries; no fields where it corrects no ranking of items."""
        return NO_FIELDS

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The statistics a fit keeps, by name, each empty."""
        return {}

    @property
    def optional_statistics(self) -> frozenset[str]:
        """Which of `keeps` may be missing when statistics are posted."""
        return frozenset()

    @property
    def weight_fields(self) -> Fields:
        """The weights it imports, trained elsewhere; no fields when it imports none.

        They are the fitted arrays, by these names, which are those of the layer's state dict.
        """
        return NO_FIELDS

    @property
    def weight_spellings(self) -> Mapping[str, str]:
        """Other names that state dicts have for its weights, each with the one above."""
        return {}

    @property
    def ignored_weights(self) -> frozenset[str]:
        """Names of a state dict that change no answer: left out, with a warning."""
        return frozenset()

    @property
    def stateless(self) -> bool:
        """Whether it can be applied without a fit and without weights."""
        return not self.fittable and not self.weight_fields

    @property
    def fittable(self) -> bool:
        """Whether it can be fitted with these parameters.

        Those that say when are asked alone: what is kept may depend on the answer.
        """
        told = [
            declared.fits_when(getattr(self, name))
            for name, declared in self.parameters.items()
            if declared.fits_when is not None
        ]
        return all(told) if told else bool(self.keeps)

    @property
    def streams(self) -> bool:
        """Whether a fit may be added up from observations and merges."""
        return self.fittable and not self.ordered

    @property
    def ordered(self) -> bool:
        """Whether a fit goes on from the one before: batches move it, and have no sum."""
        return "ordered" in self.acts_as

    @property
    def row_by_row(self) -> bool:
        """Whether the answer for a row depends on that row, the parameters and the fit alone."""
        return self.traits.batch_invariant and "causal" not in self.acts_as

    @property
    def acts_as(self) -> tuple[Kind, ...]:
        """The kinds that it is with these parameters, of those that the class may be."""
        can = {
            "stateless": self.stateless,
            "fitted": self.fittable,
            "learned": bool(self.weight_fields),
        }
        return tuple(kind for kind in self.kinds if can.get(kind, True))

    def output_sizes(self, fitted: Fitted) -> Mapping[str, int]:
        """Return the sizes that the symbols of the output stand for."""
        return fitted.sizes

    def of_columns(self, fitted: Fitted, columns: Sequence[int]) -> Fitted | None:
        """Return the fit of some columns alone, in this order; None where columns need others.

        The way back then takes some columns of the answer, by their names.
        """
        return None

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Return values for parameters that were not given.

        `statistics` is None when there is no fit, empty when a fit's statistics are not known
        yet. A value of None means "not decided here": the parameter's standard value is used.
        """
        return {}

    def decide(self, source: Batch | Statistics) -> dict[str, object]:
        """Return values for parameters that the data of one whole fit, or statistics, decide.

        Statistics that contradict a given value are refused.
        """
        return {}

    def resolved(
        self, statistics: Statistics | None, settled: Mapping[str, object] | None = None
    ) -> Self:
        """Return a copy on which every parameter has the value it is used with."""
        given = self.explicit_params
        # What is settled already may decide others.
        told = self.with_values(settled) if settled else self
        decided = {k: v for k, v in told.defaults(statistics).items() if v is not None}
        chosen = merge_params(type(self), decided, given, settled or {})
        rivals = {r for group in self.exclusive if chosen.keys() & set(group) for r in group}
        standards = {
            name: declared.standard
            for name, declared in self.parameters.items()
            if name not in rivals
        }
        return self.with_values({**standards, **chosen}).in_one_spelling()

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted statistics of which one contradicts another; each is possible by itself."""

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Return the statistics with one more batch; pure."""
        raise UnsupportedOperation(f"'{self.name}' is not fitted: it keeps no statistics")

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the fitted arrays of these statistics."""
        raise UnsupportedOperation(f"'{self.name}' is not fitted: it keeps no statistics")

    def check_weights(self, weights: Batch, path: str) -> None:
        """Refuse imported weights that contradict each other, or that no answer follows from."""

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the answer for `batch`."""
        raise NotImplementedError

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the input that gives `batch`."""
        raise UnsupportedOperation(f"'{self.name}' has no inverse")

    def led_back(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the way back of all that was sent; families lead parts of it by themselves."""
        return self.undo(fitted, batch, options)

    def neighbours(
        self, fitted: Fitted, statistics: Statistics, batch: Batch, k: int
    ) -> LiveNeighbours:
        """Return the `k` nearest items of live queries before and after the correction.

        `batch` holds what `diagnoses` names.
        """
        raise UnsupportedOperation(
            f"'{self.name}' is not diagnosed: with these parameters it corrects no ranking of items"
        )

    def newcomers(self, known: Fitted, new: Fitted) -> Mapping[str, object]:
        """Return what a report says of new items beside those known, and names under ``suspect``.

        Both are fits over the same bank, which are joined.
        """
        return {}

    @property
    def exports(self) -> tuple[str, ...]:
        """The forms in which a fit with these parameters is written for other engines."""
        return (NPZ,) if self.fittable or self.weight_fields else ()

    def export(self, fitted: Fitted, name: str) -> Export:
        """Return a fit in one of the forms of `exports`."""
        return npz(fitted.arrays)

    def check_fitted(self, fitted: Fitted, prefix: str = "") -> None:
        """Refuse fitted arrays that no fit gives; where statistics are kept, `solve` tells more."""
        for name in self.ascending:
            require_ascending(fitted.get(name), f"{prefix}{name}")

    def first_difference(
        self, found: Fitted, expected: Fitted, statistics: Statistics | None = None
    ) -> str | None:
        """Return the name of the first array that is not that of the expected fit, or None.

        The last bits may differ: another processor may have written them. `statistics` are those
        of the expected fit, for a method whose arrays they leave partly open.
        """
        if dict(found.sizes) != dict(expected.sizes):
            return "sizes"
        return differing(found.arrays, expected.arrays, self.traits.tolerance)

    def report(self, batch: Batch, fitted: Fitted) -> Mapping[str, object]:
        """Return what the fit report can say only while the rows are at hand, once it is solved.

        `batch` is the data of one whole fit, with fields that the report alone reads.
        """
        return {}


class MethodTable(Protocol):
    """Methods by name, as a catalogue has them: who reads names need not know who collects them."""

    def method(self, name: str) -> type[Method]:
        """Return the class of a canonical name or an alias."""

    def create(
        self, name: str, params: Mapping[str, object] | None = None, path: str = "params"
    ) -> Method:
        """Return the method `name` with `params`, not yet validated."""
