"""The face that users of the library see: fit, transform and back, as scikit-learn has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
import numpy.typing as npt

from normalizers.answer import Answer, Options
from normalizers.arrays import Array
from normalizers.errors import InvalidInput, NormalizerError, NotFitted
from normalizers.frames import check_columns, column_names, framed, labelled
from normalizers.parameters import Parameterized
from normalizers.targets import configured_output, with_labels

if TYPE_CHECKING:
    from normalizers.normalizer import Normalizer
    from normalizers.statistics.product import Statistics
    from normalizers.version import Version


class Estimator(Parameterized):
    """Fit, transform and back; in scikit-learn too, which asks for methods, not a base class."""

    # Without annotations: an annotated attribute would be a parameter.
    _version = cast("Version | None", None)
    _pending = cast("Statistics | None", None)
    _columns = cast("tuple[str, ...] | None", None)
    _frames = cast("str | None", None)
    _settings = cast("dict[str, object] | None", None)

    def fit(self, x: object = None, y: object = None, **fields: object) -> Self:
        """Fit on `x`, the main field, and other fields by name; an earlier fit is forgotten.

        Parameters
        ----------
        x : array_like
            The main field; a data frame's column names are kept.
        y : array_like
            The labels, where the method is fitted on labels; ignored elsewhere.
        **fields : array_like
            Further fields of the fit, for example ``groups``.

        Returns
        -------
        Self
            The fitted normalizer.
        """
        from normalizers import fitting

        method, columns = self._checked(), column_names(x)
        values = self._named(method.fits, x, with_labels(method.fits, y, fields))
        if not method.fittable:
            self._version = fitting.stateless(method)
        else:
            batch = fitting.read_fit(method, values)
            self._version = fitting.fit_batch(method, batch, columns=columns)
        self._pending, self._columns = None, columns
        return self

    def partial_fit(self, x: object = None, y: object = None, **fields: object) -> Self:
        """Go on from the present fit with further rows; the first call begins one."""
        from normalizers import fitting

        method = self._same_method()
        if method.stateless and "fitted" not in method.kinds:  # no parameters give it a fit
            return self.fit(x, y, **fields)
        settled = self._version.worker.affecting("statistics") if self._version else {}
        named = self._named(method.fits, x, with_labels(method.fits, y, fields))
        batch = fitting.read_fit(method, named)
        check_columns(x, self._columns, f"fit.{method.fits.main}")
        part = fitting.partial(method, batch, settled)
        before = self._pending or (self._version.statistics if self._version else None)
        self._pending = part if before is None else before.merge(part)
        self._columns = self._columns or column_names(x)
        self._settings = method.statistics_given()
        return self

    def fit_statistics(self, **statistics: object) -> Self:
        """Fit from stored statistics: ``fit_statistics(scatter={"n": .., "mean": .., ..})``."""
        from normalizers import fitting

        self._version = fitting.from_statistics(self._checked(), statistics)
        self._pending = None
        return self

    def merge(self, *others: Normalizer) -> Self:
        """Return a normalizer fitted on everything that this one and `others` have seen."""
        from normalizers import fitting

        versions = [self.version_, *(other.version_ for other in others)]
        twin = type(self)(**self.given)
        twin._version = fitting.merge(twin._checked(), versions)
        return twin

    def transform(self, x: object = None, **fields: object) -> Array:
        """Return the main output for `x` and other fields and options by name."""
        output = self._answer(x, fields).output
        return self._framed(output[self.version_.worker.gives.main_of(output)], x)

    def fit_transform(self, x: object = None, y: object = None, **fields: object) -> Array:
        """Fit on `x` and return its transform."""
        takes = self.fit(x, y, **fields).version_.worker.takes
        return self.transform(x, **{name: fields[name] for name in fields if name in takes})

    def inverse_transform(self, y: object = None, **fields: object) -> Array:
        """Return the input that gives `y`, or without it what was sent instead: quantiles."""
        takes = self.version_.worker.takes
        return cast(Array, self.inverse_to(y, **fields).alone(takes))

    def inverse_to(self, y: object = None, **fields: object) -> Answer:
        """Return the whole answer of the way back: points, spreads, quantiles."""
        version = self.version_
        values, options = Options.split(fields, version.worker.returns)
        named = self._named(version.worker.returns, y, values)
        return version.inverse(named, Options.read(options))

    def apply_to(self, x: object = None, **fields: object) -> Answer:
        """Return the whole answer: every output, flags, warnings, parts."""
        return self._answer(x, fields)

    @property
    def version_(self) -> Version:
        """The immutable version of the present fit."""
        from normalizers import fitting

        if self._pending is not None:
            method = self._same_method()
            settled = self._version.worker.affecting("statistics") if self._version else {}
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
    def report_(self) -> Mapping[str, object]:
        """The fit report."""
        return self.version_.report

    @property
    def feature_names_in_(self) -> npt.NDArray[Any]:
        """Names of the columns the fit saw; only when the data had names."""
        if self._columns is None:
            raise AttributeError("the fit saw no column names")
        return np.array(self._columns, dtype=object)

    @property
    def n_features_in_(self) -> int:
        """Columns that the fit saw (scikit-learn's protocol); only where there is one number."""
        try:
            width = self.version_.width if self.is_fitted else None
        except NormalizerError:  # the rows so far determine no fit
            width = None
        if width is None:
            raise AttributeError("no fit saw a table of columns")
        return width

    def save(self, path: str | Path) -> str:
        """Write the fit to one safetensors file and return its SHA-256."""
        from normalizers.version_file import write

        return write(self.version_, Path(path))

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> Array:
        """Return names of the output's columns (scikit-learn's protocol).

        They are those of the input where columns are kept, else the method's, numbered; none
        where the output is no table of one width.
        """
        names = self._names_out(self._columns if input_features is None else input_features)
        width = self.version_.width_out or len(names)
        return np.array(labelled(names, width, self._stem), dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose what `transform` returns: ``default``, ``pandas`` or ``polars``."""
        if transform not in (None, "default", "pandas", "polars"):
            raise InvalidInput("transform is 'default', 'pandas' or 'polars'", path="transform")
        self._frames = self._frames if transform is None else transform
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Whether `fit` was called, or none is needed."""
        return self.is_fitted or self._checked().stateless

    def __sklearn_tags__(self) -> object:
        """Return scikit-learn's tags; scikit-learn itself asks for them."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(allow_nan=True),
            requires_fit=not self._checked().stateless,
        )

    @property
    def is_fitted(self) -> bool:
        """Whether there is a fit, also where none is needed."""
        return self._version is not None or self._pending is not None

    @property
    def _stem(self) -> str:
        return type(self).__name__.lower()

    def _checked(self) -> Normalizer:
        """Return the method with validated parameters: what it declares may follow from them."""
        return cast("Normalizer", self.validated())

    def _same_method(self) -> Normalizer:
        """Return the checked method; refuse to go on from statistics kept with other parameters."""
        from normalizers import fitting

        method = self._checked()
        kept = self._settings if self._pending is not None else None
        if kept is None and self._version is not None:
            kept = self._version.method.statistics_given()
        if kept is not None:
            fitting.require_same_settings(kept, method.statistics_given())
        return method

    def _without_fit(self) -> Version:
        from normalizers import fitting

        method = self._checked()
        if not method.stateless and not method.found_by_fit:
            raise NotFitted(f"this {type(self).__name__} is not fitted; call fit first")
        return fitting.stateless(method)

    def _answer(self, x: object, fields: Mapping[str, object]) -> Answer:
        version = self.version_
        check_columns(x, self._columns, f"input.{version.worker.takes.main}")
        values, options = Options.split(fields, version.worker.takes)
        named = self._named(version.worker.takes, x, values)
        return version.transform(named, Options.read(options))

    def _named(
        self, declared: Mapping[str, object], x: object, fields: Mapping[str, object]
    ) -> dict[str, object]:
        if x is None:
            return dict(fields)
        main = next(iter(declared), "x")
        if main in fields:
            raise InvalidInput(f"'{main}' was given twice", path=main)
        return {main: x, **fields}

    def _framed(self, output: object, x: object) -> Array:
        frames = self._frames or configured_output(output)
        if frames == "default":
            return cast(Array, output)
        return cast(Array, framed(output, x, self._names_out(self._columns), self._stem, frames))

    def _names_out(self, names: Sequence[str] | None) -> Sequence[str]:
        return () if names is None or not self.version_.worker.keeps_columns else names


def load(path: str | Path) -> Normalizer:
    """Return the fitted normalizer that `save` wrote to `path`, of the class it was.

    Raises
    ------
    CorruptVersion
        The file is damaged or holds no version of a method that is installed.

    Examples
    --------
    >>> import tempfile
    >>> from normalizers.estimator import load
    >>> from normalizers import MinMax
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = MinMax().fit([0.0, 10.0]).save(f"{folder}/scores.safetensors")
    ...     load(f"{folder}/scores.safetensors").transform([5.0]).tolist()
    [0.5]
    """
    from normalizers.version_file import read

    return fitted_normalizer(read(Path(path)))


def fitted_normalizer(version: Version) -> Normalizer:
    """Return the normalizer whose present fit is `version`."""
    normalizer = version.method.with_values({})
    normalizer._version, normalizer._columns = version, version.columns
    return normalizer
