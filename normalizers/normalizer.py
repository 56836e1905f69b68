"""The face that users of the library see: fit, transform and back, as scikit-learn has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self, cast

from normalizers.contract.answer import NO_OPTIONS, Answer, Options
from normalizers.contract.fields import Fields
from normalizers.contract.fit_options import FitOptions
from normalizers.contract.method import Method
from normalizers.contract.resolution import given_statistics_params, params_affecting
from normalizers.contract.snapshot import Snapshot
from normalizers.data.arrays import Array
from normalizers.data.frames import check_columns, column_names, require_columns
from normalizers.errors import InvalidInput, NotFitted
from normalizers.pictures.report import Report
from normalizers.scikit_learn.estimator import ScikitLearn
from normalizers.scikit_learn.long_series import LongSeries
from normalizers.scikit_learn.targets import one_a_row, with_labels
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.validation.columns import COLUMNS, has_columns
from normalizers.versions import file, fitting
from normalizers.versions.shipped import shipped_version
from normalizers.versions.version import Version
from normalizers.versions.weights import below, from_weights, read_weights

# What `Parameterized` gives to who writes a method, beside `Method` as a whole.
AUTHORS = {"exclusive", "check", "validated", "with_values", "explicit_params"}


class Normalizer(LongSeries, ScikitLearn, Method):
    """Fit, transform and back; in scikit-learn too, which asks for methods, not a base class."""

    # Without annotations: an annotated attribute would be a parameter.
    _version = cast("Version | None", None)
    _pending = cast("Statistics | None", None)
    _settings = cast("dict[str, object] | None", None)
    _made = cast("tuple[Snapshot, Version] | None", None)

    def fit(self, x: object = None, y: object = None, **fields: object) -> Self:
        """Fit on `x`, the main field, and other fields by name; an earlier fit is forgotten.

        Parameters
        ----------
        x : array_like
            The main field; a data frame's column names are kept.
        y : array_like
            The labels, where the method is fitted on labels; ignored elsewhere.
        **fields : array_like
            Further fields of the fit, for example ``groups``, and options of fits: ``strict``,
            ``layout``, ``recommend``. ``preset`` alone names statistics that come with the package.

        Returns
        -------
        Self
            The fitted normalizer.
        """
        method, columns = self._checked(), column_names(x)
        data, asked = FitOptions.split(fields, method.fits)
        values = self._named(method.fits, x, with_labels(method.fits, y, data))
        named = shipped_version(method, values)
        if named is not None:
            self._version = named
        elif not method.fittable:
            self._version = fitting.stateless(method)
        else:
            batch = fitting.read_fit(method, values, options=self._asked_of_fit(method, asked))
            self._version = fitting.fit_batch(method, batch, columns=columns)
            columns = self._version.columns
        self._pending, self._columns = None, columns
        return self

    def partial_fit(self, x: object = None, y: object = None, **fields: object) -> Self:
        """Go on from the present fit with further rows; the first call begins one."""
        method = self._same_method()
        # No parameters give it a fit, nor is it a pipeline with a step that has one.
        if method.stateless and not method.fittable and "fitted" not in method.kinds:
            return self.fit(x, y, **fields)
        settled = (
            params_affecting(self._version.resolved_method, "statistics") if self._version else {}
        )
        data, asked = FitOptions.split(fields, method.fits)
        named = self._named(method.fits, x, with_labels(method.fits, y, data))
        batch = fitting.read_fit(method, named, options=self._asked_of_fit(method, asked))
        require_columns(column_names(x) or batch.columns, self._columns, f"fit.{method.fits.main}")
        before = self._pending or (self._version.statistics if self._version else None)
        self._pending = fitting.go_on(method, before, batch, settled)
        self._columns = self._columns or column_names(x) or batch.columns
        self._settings = given_statistics_params(method)
        return self

    def fit_statistics(self, **statistics: object) -> Self:
        """Fit from stored statistics: ``fit_statistics(scatter={"n": .., "mean": .., ..})``."""
        self._version = fitting.from_statistics(self._checked(), statistics)
        self._pending = None
        return self

    def fit_weights(
        self,
        weights: Mapping[str, object],
        *,
        prefix: str = "",
        columns: Sequence[str] | None = None,
    ) -> Self:
        """Import weights that were trained elsewhere: a layer's state dict by its own names.

        Parameters
        ----------
        weights : mapping
            Arrays or tensors by name, ``{"mean_layer.weight": .., "mean_layer.bias": ..}``.
        prefix : str
            Where the layer stands in the state dict of a whole model, ``"model.bin."``: what has
            other names is left alone.
        columns : sequence of str, optional
            Names of the channels that the layer was trained on, in their order: a frame with
            others is then refused.

        Returns
        -------
        Self
            The normalizer with these weights; an earlier fit is forgotten.
        """
        method = self._checked()
        sent = below(weights, prefix) if prefix else weights
        named = sent if columns is None else {**sent, COLUMNS: list(columns)}
        self._version = from_weights(method, read_weights(method, named))
        self._pending, self._columns = None, self._version.columns
        return self

    def merge(self, *others: Normalizer) -> Self:
        """Return a normalizer fitted on everything that this one and `others` have seen."""
        versions = [self.version_, *(other.version_ for other in others)]
        twin = type(self)(**self.explicit_params)
        twin._version = fitting.merge(twin._checked(), versions)
        return twin

    def join(self, *others: Normalizer) -> Self:
        """Return a normalizer of the items of this one and of `others`, fitted on the same bank.

        This is how new items enter: fit the bank on them alone, and join both fits. What stands
        out among them is in the report, under ``gate``.
        """
        versions = [self.version_, *(other.version_ for other in others)]
        twin = type(self)(**self.explicit_params)
        twin._version = fitting.join(twin._checked(), versions)
        return twin

    def transform(self, x: object = None, **fields: object) -> Array:
        """Return the main output for `x` and other fields and options by name."""
        output = self._answer(x, fields).output
        return self._framed(output[self.version_.gives.main_of(output)], x)

    def fit_transform(self, x: object = None, y: object = None, **fields: object) -> Array:
        """Fit on `x` and return its transform."""
        method = self._checked()
        data, options = Options.split(fields, {*method.fits, *method.takes})
        # What neither takes is left to the fit, which says so.
        fitted = {k: v for k, v in data.items() if k in method.fits or k not in method.takes}
        shared = {k: v for k, v in options.items() if k in method.traits.fit_options}
        takes = self.fit(x, y, **fitted, **shared).version_.resolved_method.takes
        return self.transform(x, **{k: v for k, v in data.items() if k in takes}, **options)

    def inverse_transform(self, y: object = None, **fields: object) -> Array:
        """Return the input that gives `y`, or without it what was sent instead: quantiles."""
        return cast(Array, self.inverse_to(y, **fields).alone(self.version_.takes))

    def inverse_to(self, y: object = None, **fields: object) -> Answer:
        """Return the whole answer of the way back: points, spreads, quantiles."""
        version = self.version_
        values, options = Options.split(fields, version.inverse_takes)
        named = self._named(version.inverse_takes, y, values)
        return version.inverse(named, self._asked(options))

    def apply_to(self, x: object = None, **fields: object) -> Answer:
        """Return the whole answer: every output, flags, warnings, parts."""
        return self._answer(x, fields)

    @property
    def version_(self) -> Version:
        """The immutable version of the present fit."""
        if self._pending is not None:
            method = self._same_method()
            settled = (
                params_affecting(self._version.resolved_method, "statistics")
                if self._version
                else {}
            )
            self._version = fitting.solve(method, self._pending, settled, columns=self._columns)
            self._pending = None
        if self._version is None:
            return self._without_fit()
        return self._version

    @property
    def fitted_(self) -> Mapping[str, Array]:
        """The fitted arrays by name."""
        return self.version_.fitted.arrays

    @property
    def statistics_(self) -> Statistics:
        """The statistics of the present fit."""
        return self._pending or self.version_.statistics

    @property
    def report_(self) -> Report:
        """The fit report, which draws itself by `plot`."""
        return Report(self.version_.report, self.fitted_, self.name)

    def save(self, path: str | Path) -> str:
        """Write the fit to one safetensors file and return its SHA-256."""
        return file.write(self.version_, Path(path))

    def export_as(self, form: str) -> bytes:
        """Return the fit as another engine reads it: ``npz``, ``onnx``, what `exports` names."""
        return self.version_.export(form).content

    @property
    def is_fitted(self) -> bool:
        """Whether there is a fit, also where none is needed."""
        return self._version is not None or self._pending is not None

    def __dir__(self) -> list[str]:
        """Return what a user may use; the words of the contract are for who writes a method."""
        faces = (cls for cls in Normalizer.__mro__ if cls is not Method)
        shown = {
            name for cls in faces for name in vars(cls) if name not in AUTHORS | vars(Method).keys()
        }
        return sorted({*shown, *self.parameters, *vars(self)})

    def _same_method(self) -> Method:
        """Return the checked method; refuse to go on from statistics kept with other parameters."""
        method = self._checked()
        kept = self._settings if self._pending is not None else None
        if kept is None and self._version is not None:
            kept = given_statistics_params(self._version.method)
        if kept is not None:
            fitting.require_same_settings(kept, given_statistics_params(method))
        return method

    def _asked_of_fit(self, method: Method, asked: Mapping[str, object]) -> FitOptions:
        """Return the options of a fit: those given with it, and those chosen that it honours."""
        honoured = method.traits.fit_options
        chosen = {name: value for name, value in self._options.items() if name in honoured}
        return FitOptions.read({**chosen, **asked})

    def _without_fit(self) -> Version:
        """Return the version without a fit, made anew only where a parameter has changed."""
        values = tuple(map(vars(self).get, self.parameters))
        if self._made is not None and self._made[0].holds(values):
            return self._made[1]
        method = self._checked()
        if not method.stateless and not method.required_or_fitted and not method.weight_fields:
            raise NotFitted(f"this {type(self).__name__} is not fitted; call fit first")
        version, snapshot = fitting.stateless(method), Snapshot.of(values)
        self._made = None if snapshot is None else (snapshot, version)
        return version

    def _answer(self, x: object, fields: Mapping[str, object]) -> Answer:
        version = self.version_
        takes = version.takes
        if self._columns is not None:
            check_columns(x, self._columns, f"input.{takes.main}")
        values, options = Options.split(fields, takes)
        return version.transform(self._named(takes, x, values), self._asked(options))

    def _asked(self, options: Mapping[str, object]) -> Options:
        """Return the options of a call, and those that were chosen for every call."""
        chosen = {**self._options, **options}
        return Options.read(chosen) if chosen else NO_OPTIONS

    def _named(
        self, declared: Fields, x: object, fields: Mapping[str, object]
    ) -> dict[str, object]:
        if x is None:
            return dict(fields)
        main = next(iter(declared), "x")
        if main in fields:
            raise InvalidInput(f"'{main}' was given twice", path=main)
        names = column_names(x)
        if names is not None and COLUMNS not in fields and has_columns(declared):
            fields = {**fields, COLUMNS: names}
        return {main: one_a_row(declared[main], x) if main in declared else x, **fields}


def load(path: str | Path) -> Normalizer:
    """Return the fitted normalizer that `save` wrote to `path`, of the class it was.

    Raises
    ------
    CorruptVersion
        The file is damaged or holds no version of a method that is installed.

    Examples
    --------
    >>> import tempfile
    >>> from normalizers import MinMax, load
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = MinMax().fit([0.0, 10.0]).save(f"{folder}/scores.safetensors")
    ...     load(f"{folder}/scores.safetensors").transform([5.0]).tolist()
    [0.5]
    """
    return fitted_normalizer(file.read(Path(path)))


def fitted_normalizer(version: Version) -> Normalizer:
    """Return the normalizer whose present fit is `version`."""
    # Classes of the catalogue all have the face; the contract between them does not say so.
    normalizer = cast(Normalizer, version.method.with_values({}))
    normalizer._version, normalizer._columns = version, version.columns
    return normalizer
