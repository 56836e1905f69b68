"""Another method for each column of a table, as one normalizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, Self, cast

import numpy as np

import normalizers.pipeline.columns as table
from normalizers.contract.answer import Answer, Options
from normalizers.contract.example import Example
from normalizers.contract.fields import NO_FIELDS, Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import UNKNOWN_STATISTICS
from normalizers.contract.parameters import param
from normalizers.contract.traits import Traits
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.messages import quoted
from normalizers.pipeline.pipeline import Pipeline
from normalizers.pipeline.references import StepReferences
from normalizers.pipeline.steps import STEPS, Step, empty_step_statistics, fitted_of
from normalizers.statistics.base.statistic import Statistic
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.statistics.steps import Steps

X, Y = "x", "y"


class ColumnTransformer(Pipeline):
    """Apply to some columns of a table one method, to others another; the rest pass unchanged.

    ``y_k = step_k(x_k)`` for the columns of each step, one step after another. A step is
    ``{"columns", "method", "params"}``; columns are named, or told by their position from 0. Steps
    stand in order: one that names a column of a step before it works on what that gave.

    See Also
    --------
    pipeline, standardization, robust_scaling, power_transform, log

    Notes
    -----
    A step is a method of columns, which answers them in their places: those of `standardization`,
    or an elementwise one of series such as `log`, to which the table is one series. Missing values
    are refused; with `nan_policy` ``propagate`` each step follows its own, and in columns of no
    step they pass, flagged ``missing``. What a step flags of its columns has a name of its own,
    ``steps.0.constant``. Streams, merges and removals are exact where no fitted step works on what
    another gave; others are fitted at once. Invertible when every step is. At most 32 steps.
    Cost: the sum of the steps.

    References
    ----------
    The idea is that of scikit-learn's ``ColumnTransformer``, whose columns keep no places.

    Examples
    --------
    >>> from normalizers import ColumnTransformer
    >>> steps = [{"columns": [0], "method": "log"}, {"columns": [1], "method": "standardization"}]
    >>> rows = [[1.0, 2.0, 0.0], [100.0, 6.0, 1.0]]
    >>> ColumnTransformer(steps=steps).fit(rows).transform(rows).round(2).tolist()
    [[0.0, -1.0, 0.0], [4.61, 1.0, 1.0]]
    """

    name = "column_transformer"
    example = Example(
        params={
            "steps": [
                {"columns": [0], "method": "asinh"},
                {"columns": [1], "method": "standardization"},
            ]
        },
        fit={"x": [[1.0, 2.0, 0.0], [100.0, 6.0, 1.0]]},
        input={"x": [[10.0, 4.0, 1.0]]},
    )

    steps: list[object] | None = param(
        default=None,
        read=lambda method, written, path: table.read_column_steps(written, path),
        affects="statistics",
        references=StepReferences(),
        min_length=1,
        help="steps in order, each {columns, method, params}: names or positions of columns, and "
        "what is done to them",
    )
    remainder: Literal["error", "pass"] | None = param(
        default=None,
        default_value="pass",
        affects="answer",
        help="a column of no step passes unchanged, or is refused",
    )
    nan_policy: Literal["reject", "propagate"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing value: refused, or passed on to the steps, which follow their own policies",
    )
    inf_policy: Literal["as_nan", "reject"] | None = param(
        default=None,
        default_value="as_nan",
        affects="answer",
        help="an infinity: as a missing value, or refused",
    )

    def check(self, path: str) -> None:
        """Refuse a table without steps; given ones were checked as they were read."""
        if self.steps is None:
            raise InvalidParams(table.NO_LIST, path=f"{path}.{STEPS}")

    @property
    def parts(self) -> list[Step]:
        """The steps as they are now; none before they are given."""
        return [] if self.steps is None else table.read_column_steps(self.steps, "params.steps")

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """Flags name rows, those of a step columns."""
        traits = [step.method.traits for step in self.parts]
        return Traits(
            column_flags=table.column_flags(self.parts),
            same_bits=all(each.same_bits for each in traits),
            batch_invariant=all(each.batch_invariant for each in traits),
        )

    @property
    def streams(self) -> bool:
        """Whether the fitted steps can be fitted from a stream, side by side."""
        fitted = [step for step in self.parts if step.is_fitted_here]
        return all(step.method.streams for step in fitted) and table.are_apart(self.parts)

    @property
    def fittable(self) -> bool:
        """Whether some step can be fitted; nobody knows before there are steps."""
        return self.steps is None or super().fittable

    @property
    def fits(self) -> Fields:
        """The table."""
        if not self.fittable:
            return NO_FIELDS
        return Fields(x=floats("n d", flat="row", help="rows of a table"))

    @property
    def takes(self) -> Fields:
        """The table."""
        return Fields(x=floats("m d", flat="row", help="rows of a table"))

    @property
    def gives(self) -> Fields:
        """The table after the steps."""
        return Fields(y=floats("m d", flat="row", help="the same columns after their steps"))

    @property
    def inverse_takes(self) -> Fields:
        """The table after the steps, where every step has a way back."""
        return self.gives if table.are_invertible(self.parts) else NO_FIELDS

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The statistics of the steps."""
        if not self.fittable:
            return {}
        kept = [empty_step_statistics(step) for step in self.parts]
        return {STEPS: Steps(kept, apart=table.are_apart(self.parts))}

    def resolved(
        self, statistics: Statistics | None, settled: Mapping[str, object] | None = None
    ) -> Self:
        """Return a copy whose steps are resolved, and what becomes of other columns."""
        whole = self if self.steps is None else super().resolved(statistics, settled)
        words = {
            "remainder": self.remainder or "pass",
            "nan_policy": self.nan_policy or "reject",
            "inf_policy": self.inf_policy or "as_nan",
        }
        return whole.with_values(words)

    def decide(self, source: Batch | Statistics) -> dict[str, object]:
        """Return what the data of one whole fit decide for the steps."""
        if isinstance(source, Statistics):
            return {}
        return {STEPS: table.decide(self.parts, self.resolved(UNKNOWN_STATISTICS).parts, source)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Fold the rows into every fitted step."""
        self._check_width(batch, "fit.x")
        kept = cast(Steps, statistics[STEPS])
        return statistics.replace(**{STEPS: table.accumulate(self.parts, kept, batch)})

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the fitted arrays of all steps; the table itself has no size of theirs."""
        whole = super().solve(statistics)
        own = {symbol: n for symbol, n in whole.sizes.items() if symbol.startswith(f"{STEPS}.")}
        return replace(whole, sizes=own)

    def output_sizes(self, fitted: Fitted) -> Mapping[str, int]:
        """Return no size: the table has the columns that it comes with."""
        return {}

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the table after every step."""
        y = given.array(X)
        if not len(y):
            return Answer({Y: y})
        self._check_width(given, "input.x")
        whole, steps = Answer({}), self.parts
        for index, step in enumerate(steps):
            places = table.places_of(step, given, "input.x")
            path = table.path_of(steps, index, "input")
            rows = table.step_rows(step, y, places, step.method.takes, path)
            answer = step.method.apply(fitted_of(fitted, index), rows, options)
            y, answer = table.answered(step, index, answer, y, places)
            whole = _beside(whole, answer)
        return replace(whole, output={Y: y})

    def undo(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the table before the steps, undone from the last to the first."""
        x = given.array(Y).copy()
        if not len(x):
            return Answer({X: x})
        for index, step in reversed(list(enumerate(self.parts))):
            places = table.places_of(step, given, "input.y")
            rows = table.taken(step.method, x[:, places])
            batch = Batch({step.method.inverse_takes.main: rows})
            answer = step.method.undo(fitted_of(fitted, index), batch, options)
            found = cast(Array, answer.canonical(step.method.takes.main))
            x[:, places] = table.given_back(step.method, found)
        return Answer({X: x})

    def _check_width(self, batch: Batch, path: str) -> None:
        """Refuse columns of no step, where `remainder` says so."""
        if self.remainder != "error":
            return
        taken = [table.places_of(step, batch, path) for step in self.parts]
        left = np.setdiff1d(np.arange(batch.array(X).shape[1]), np.concatenate(taken))
        if len(left):
            names = batch.columns
            shown = ", ".join(quoted(names[p]) if names else str(p) for p in left[:5].tolist())
            raise InvalidInput(
                f"columns of no step: {shown}; remainder 'pass' lets them be", path=path
            )


def _beside(whole: Answer, answer: Answer) -> Answer:
    for name, places in answer.flags.items():
        whole = whole.flagged(name, places)
    explained = whole.explain if isinstance(whole.explain, list) else []
    if answer.explain is not None:
        whole = replace(whole, explain=[*explained, answer.explain])
    return whole.warned(*answer.warnings)
