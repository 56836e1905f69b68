"""Which cases a check is for, by what a method declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar, get_args

from normalizers.contract.fields import Fields
from normalizers.contract.parameter_models import parameter_model
from normalizers.contract.resolution import is_invertible
from normalizers.data.devices import CPU
from normalizers.statistics.base.statistic import Statistic
from normalizers.testing import samples
from normalizers.testing.cases import Case

SECOND_MOMENTS = {"moments", "scatter"}
VALUES = {"quantiles", "item_quantiles", "knots", "counts", "sample"}
Condition = Callable[[Case], bool]
F = TypeVar("F", bound=Callable[..., None])


class Check(Protocol):
    """A small function that fails when a method does not do what it should."""

    __name__: str
    conditions: tuple[Condition, ...]

    def __call__(self, case: Case, *arguments: object) -> None:
        """Fail, or do nothing."""


def of(*conditions: Condition) -> Callable[[F], F]:
    """Say that a check is for the cases that meet all `conditions`."""

    def mark(check: F) -> F:
        check.conditions = conditions  # type: ignore[attr-defined]
        return check

    return mark


def applies(check: Callable[..., None], case: Case) -> bool:
    """Whether a check is for this case."""
    return all(condition(case) for condition in getattr(check, "conditions", ()))


def fitted(case: Case) -> bool:
    """Fitted in this case."""
    return case.with_fit


def streams(case: Case) -> bool:
    """Fitted by parts."""
    return case.with_fit and case.method.streams


def merges(case: Case) -> bool:
    """Fitted by parts in any order; the parts of an ordered fit come one after the other."""
    return streams(case) and "ordered" not in case.resolved_method.acts_as


def fitted_in_any_order(case: Case) -> bool:
    """Fitted, whatever the order of the rows; an ordered fit depends on it by its meaning."""
    return case.with_fit and "ordered" not in case.resolved_method.acts_as


def by_unit(case: Case) -> bool:
    """Gives a row, list or window for every one of the input's."""
    return case.is_by_unit(case.output)


def of_the_class(case: Case) -> bool:
    """The first case of a class, for what is said of the class; further examples are not asked."""
    return not case.is_variant


def needs_fit(case: Case) -> bool:
    """Useless without a fit."""
    return not case.method.stateless


def causal(case: Case) -> bool:
    """No answer depends on a later step."""
    return "causal" in case.resolved_method.acts_as


def on_devices(case: Case) -> bool:
    """Computes on other devices too."""
    return case.resolved_method.traits.devices != (CPU,)


def carries_state(case: Case) -> bool:
    """Gives a state that the next request takes."""
    return "state" in case.takes and "state" in case.resolved_method.gives


def takes_windows_of_rows(case: Case) -> bool:
    """Takes rows with axes of their own in all fields of a request."""
    return all(case.takes[name].leading for name in samples.wanted(case.takes))


def numeric(case: Case) -> bool:
    """Takes numbers and gives numbers in their place."""
    taken, given = case.takes[case.main], case.resolved_method.gives[case.output]
    return numeric_input(case) and given.numeric and taken.shape[:1] == given.shape[:1]


def numeric_input(case: Case) -> bool:
    """Takes numbers as its main field."""
    return case.takes[case.main].numeric


def screened(case: Case) -> bool:
    """Missing values of the main field follow a policy."""
    return numeric_input(case) and case.takes[case.main].screened


def scale_free(case: Case) -> bool:
    """Takes lists or windows, which may be of any magnitude."""
    of_any_scale = case.kind in ("lists", "series") and any_size(case)
    return of_any_scale and numeric(case) and anonymous(case) and by_unit(case)


def any_size(case: Case) -> bool:
    """Takes numbers of any size, not only shares."""
    hint = case.hint
    return case.main not in hint.shares | hint.positive | hint.log_shares | hint.portions


def anonymous(case: Case) -> bool:
    """Takes numbers and nothing that names them."""
    return _only_main(case.takes)


def dense(case: Case) -> bool:
    """Takes an array of rows."""
    return case.kind == "floats"


def one_array(case: Case) -> bool:
    """Takes an array of rows or of windows."""
    return case.kind in ("floats", "series")


def lists_of_scores(case: Case) -> bool:
    """Takes lists of numbers and gives such lists."""
    return case.kind == "lists" and numeric(case)


def invertible(case: Case) -> bool:
    """Has a way back."""
    return is_invertible(case.version.resolved_method)


def monotone(case: Case) -> bool:
    """A larger input never gives a smaller output."""
    return case.resolved_method.traits.monotone and numeric(case)


def batch_invariant(case: Case) -> bool:
    """The answer for a unit depends on that unit alone."""
    return case.resolved_method.traits.batch_invariant


def squares(case: Case) -> bool:
    """Keeps second moments, which cannot hold every magnitude."""
    return case.with_fit and not SECOND_MOMENTS.isdisjoint(
        _kept(case.resolved_method.keeps.values())
    )


def keeps_no_values(case: Case) -> bool:
    """Keeps statistics whose size does not depend on the data."""
    return merges(case) and VALUES.isdisjoint(_kept(case.resolved_method.keeps.values()))


def keeps_no_rows(case: Case) -> bool:
    """Keeps statistics that rows seen again add nothing to."""
    return merges(case) and "sample" not in _kept(case.resolved_method.keeps.values())


def frame_like(case: Case) -> bool:
    """Rows of a fixed width go in, and nothing else is needed: scikit-learn's shape of data."""
    return (
        dense(case)
        and len(case.takes[case.main].shape) == 2
        and _only_main(case.takes)
        and (not case.with_fit or (_only_main(case.fits) and case.fits.main == case.main))
        and case.resolved_method.gives[case.output].kind == "floats"
    )


def choices(case: Case, parameter: str) -> tuple[str, ...]:
    """Return the words a parameter accepts; none where there is no such parameter."""
    if parameter not in case.cls.parameters:
        return ()
    return tuple(_words(parameter_model(case.cls).model_fields[parameter].annotation))


def _words(annotation: object) -> Iterable[str]:
    for part in get_args(annotation):
        if isinstance(part, str):
            yield part
        else:
            yield from _words(part)


def _only_main(fields: Fields) -> bool:
    return sum(field.required for field in fields.values()) == 1


def _kept(statistics: Iterable[Statistic]) -> set[str]:
    """Return the names of statistics, those of a pipeline's steps among them."""
    names: set[str] = set()
    for kept in statistics:
        inner = [member for part in getattr(kept, "parts", ()) for member in part.values()]
        names |= _kept(inner) if inner else {kept.name}
    return names
