"""A fitted normalizer as an immutable value: parameters, fitted arrays, statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from normalizers.contract.answer import NO_OPTIONS, Answer, Options
from normalizers.contract.exports import Export
from normalizers.contract.fields import Fields
from normalizers.contract.fitted import NOT_FITTED, Fitted
from normalizers.contract.method import Method
from normalizers.data.batch import Batch
from normalizers.data.frames import require_columns
from normalizers.errors import InvalidInput, NotFitted, UnsupportedOperation
from normalizers.messages import did_you_mean, quoted, unknown
from normalizers.runtime.apply import answer, validate_input
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.validation.columns import COLUMNS
from normalizers.validation.limits import Limits
from normalizers.versions.manifest import params_json


@dataclass(frozen=True)
class Version:
    """What a fit produced; it can be stored, merged and applied, never changed.

    Parameters
    ----------
    method : Method
        The method with its parameters as they were given.
    worker : Method
        The same with every parameter resolved.
    fitted : Fitted
        The fitted arrays; empty for a stateless method.
    statistics : Statistics
        What the fit was solved from; empty for a stateless method.
    columns : tuple of str or None
        Names of the columns, when the data had names.
    notes : mapping
        What the fit report knows from the rows themselves; not part of the file.
    hash : str or None
        The SHA-256 of its file, where the file is known: what refers to it need not write it anew.
    unnamed : frozenset of str
        Parameters that its file does not name, since it was written before there were such: they
        have the values that say what was done then, and its bytes stay without them.
    """

    method: Method
    resolved_method: Method
    fitted: Fitted = NOT_FITTED
    statistics: Statistics = field(default_factory=lambda: Statistics({}))
    columns: tuple[str, ...] | None = None
    notes: Mapping[str, object] = field(default_factory=dict)
    hash: str | None = None
    unnamed: frozenset[str] = frozenset()

    def transform(
        self, values: Mapping[str, object], options: Options = NO_OPTIONS, path: str = "input"
    ) -> Answer:
        """Return the answer for `values`, fields by name."""
        return self.answer(self.read(values, options, path), options)

    def inverse(
        self, values: Mapping[str, object], options: Options = NO_OPTIONS, path: str = "input"
    ) -> Answer:
        """Return the way back for `values`, fields by name."""
        batch = self.read(values, options, path, inverse=True)
        return self.answer(batch, options, inverse=True)

    def read(
        self,
        values: Mapping[str, object],
        options: Options = NO_OPTIONS,
        path: str = "input",
        *,
        inverse: bool = False,
        limits: Limits | None = None,
    ) -> Batch:
        """Return the validated input of a transform, or of the way back."""
        fields = self.inverse_takes if inverse else self.takes
        batch = validate_input(
            self.resolved_method,
            fields,
            values,
            options,
            path,
            sizes=self._sizes_back(values, fields) if inverse else self.fitted.sizes,
            inverse=inverse,
            limits=limits,
        )
        if inverse and self._names_some(batch):
            self._places(batch.columns or (), f"{path}.{COLUMNS}")
        if not inverse:
            require_columns(batch.columns, self.columns, f"{path}.{fields.main}")
        return batch if batch.columns is not None else batch.named(self.columns)

    def answer(
        self, batch: Batch, options: Options = NO_OPTIONS, *, inverse: bool = False
    ) -> Answer:
        """Return the answer for a validated input, or the way back."""
        gives = self.takes if inverse else self.gives
        fitted = self.fitted
        if inverse and self._names_some(batch):
            places = self._places(batch.columns or (), COLUMNS)
            fitted = self.resolved_method.of_columns(fitted, places) or fitted
        return answer(
            self.resolved_method,
            fitted,
            gives,
            batch,
            options,
            inverse=inverse,
            effective_params=dict(self._effective_params),
        )

    def export(self, form: str, path: str = "format") -> Export:
        """Return the fit in a form that another engine reads.

        Raises
        ------
        UnsupportedOperation
            A form that the method does not offer with these parameters.
        """
        offered = self.resolved_method.exports if self.fitted.arrays else ()
        if form not in offered:
            known = f"it is written as {', '.join(offered)}" if offered else "it has none"
            raise UnsupportedOperation(
                f"this version of '{self.method.name}' has no export {quoted(form)}"
                f"{did_you_mean(form, offered)}; {known}, and without a form as a version file",
                path=path,
            )
        return self.resolved_method.export(self.fitted, form)

    @cached_property
    def takes(self) -> Fields:
        """What a transform takes."""
        return self.resolved_method.takes

    @cached_property
    def gives(self) -> Fields:
        """What a transform gives; the first is the main output."""
        return self.resolved_method.gives

    @cached_property
    def inverse_takes(self) -> Fields:
        """What the way back takes; no fields when there is none."""
        return self.resolved_method.inverse_takes

    def _sizes_back(self, values: Mapping[str, object], fields: Fields) -> Mapping[str, int]:
        """Sizes of what the way back takes: those of the output, where they differ from the fit.

        Columns that are named may be some of those of the fit, where each goes back by itself.
        """
        sizes = {**self.fitted.sizes, **self.resolved_method.output_sizes(self.fitted)}
        if values.get(COLUMNS) is not None and self._columns_apart:
            sizes.pop(fields[fields.main].shape[-1], None)
        return sizes

    @cached_property
    def _columns_apart(self) -> bool:
        """Whether the columns have names, and each goes back by itself."""
        if self.columns is None:
            return False
        return self.resolved_method.of_columns(self.fitted, ()) is not None

    def _names_some(self, batch: Batch) -> bool:
        """Whether a batch names other columns than the fit, or in another order."""
        return self._columns_apart and batch.columns not in (None, self.columns)

    def _places(self, names: Sequence[str], path: str) -> list[int]:
        """Return where these columns stand in the fit."""
        known = {name: place for place, name in enumerate(self.columns or ())}
        for place, name in enumerate(names):
            if name not in known:
                raise InvalidInput(unknown("column", name, known), path=f"{path}[{place}]")
        return [known[name] for name in names]

    @property
    def n(self) -> int:
        """Rows the fit has seen."""
        return self.statistics.n

    @property
    def width(self) -> int | None:
        """Columns that the fit saw, None where its data are no table of one width."""
        return self._width(
            self.resolved_method.fits or self.resolved_method.takes, self.fitted.sizes
        )

    @property
    def width_out(self) -> int | None:
        """Columns of the main output, None where that is no table of one width."""
        return self._width(
            self.resolved_method.gives, self.resolved_method.output_sizes(self.fitted)
        )

    @property
    def explicit_params(self) -> dict[str, object]:
        """Parameters as they were given."""
        return self.method.explicit_params

    @property
    def resolved(self) -> dict[str, object]:
        """Every parameter with the value it is used with."""
        return dict(self._effective_params)

    @cached_property
    def _effective_params(self) -> dict[str, object]:
        return self.resolved_method.explicit_params

    @cached_property
    def report(self) -> dict[str, object]:
        """The fit report: what the statistics know, and what the rows told."""
        solved = self.solved()
        return {
            "n": self.n,
            "params": params_json(self.resolved_method, self.resolved),
            "statistics": self.statistics.summary(),
            **solved.report,
            **self.notes,
            "warnings": [noted.as_dict() for noted in solved.warnings],
        }

    @staticmethod
    def _width(fields: Fields, sizes: Mapping[str, int]) -> int | None:
        shape = fields[fields.main].shape
        return sizes.get(shape[-1]) if shape else None

    def solved(self) -> Fitted:
        """Return the fit with its report, which a version from a file has not read: of its sums."""
        if self.fitted.report or self.statistics.is_empty:
            return self.fitted
        return self.resolved_method.solve(self.statistics)


def require_fit(method: Method) -> NotFitted:
    """Return the error for a method that was given nothing to work by."""
    if method.weight_fields and not method.fittable:
        names = ", ".join(method.weight_fields)
        return NotFitted(
            f"'{method.name}' needs weights ({names}): import them, or use a version that has them",
            path="weights",
        )
    if method.required_or_fitted:
        names = " and ".join(method.required_or_fitted)
        return NotFitted(
            f"'{method.name}' needs {names}: give it, or send a fit that finds it",
            path=f"params.{method.required_or_fitted[0]}",
        )
    return NotFitted(
        f"'{method.name}' needs a fit: send one of fit (data), statistics, or use a fitted version"
    )
