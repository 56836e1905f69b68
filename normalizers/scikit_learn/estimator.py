"""What scikit-learn asks of an estimator beside fit and transform; none of it needs its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
import numpy.typing as npt

from normalizers.contract.answer import Options
from normalizers.contract.parameters import Parameterized
from normalizers.data.arrays import Array
from normalizers.data.frames import framed, labelled
from normalizers.errors import InvalidInput, NormalizerError
from normalizers.messages import printable_name, quoted
from normalizers.scikit_learn.targets import LABELS, configured_output

if TYPE_CHECKING:
    from normalizers.contract.fields import Fields
    from normalizers.contract.method import Method
    from normalizers.versions.version import Version

Requests = dict[str, dict[str, bool | str | None]]
# An axis of one, as declarations write it.
ONE_COLUMN = ("1",)


class ScikitLearn(Parameterized):
    """Tags, routing of metadata, names of columns, and choices that a clone keeps."""

    # Without annotations: an annotated attribute would be a parameter.
    _columns = cast("tuple[str, ...] | None", None)
    _frames = cast("str | None", None)
    _options = cast("Mapping[str, object]", {})
    _requests = cast("Requests", {})

    @property
    def version_(self) -> Version:
        """The immutable version of the present fit."""
        raise NotImplementedError

    @property
    def is_fitted(self) -> bool:
        """Whether there is a fit, also where none is needed."""
        raise NotImplementedError

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

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> Array:
        """Return names of the output's columns (scikit-learn's protocol).

        They are those of the input where columns are kept, else the method's, numbered; none
        where the output is no table of one width.
        """
        sent = self._columns if input_features is None else input_features
        names = self._names_out(sent)
        width = self.version_.width_out or len(names) or self._same_width(len(sent or ()))
        return np.array(labelled(names, width, self._stem), dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose what `transform` returns: ``default``, ``pandas`` or ``polars``."""
        if transform not in (None, "default", "pandas", "polars"):
            raise InvalidInput("transform is 'default', 'pandas' or 'polars'", path="transform")
        self._frames = self._frames if transform is None else transform
        return self

    def set_options(self, **options: object) -> Self:
        """Choose options for every transform and way back, where a pipeline passes none on.

        None takes an option back; one that is given with the data goes before.

        Examples
        --------
        >>> from normalizers import WindowMaxAbs
        >>> WindowMaxAbs().set_options(layout="NT").transform([[1.0, -4.0, 2.0]]).tolist()
        [[0.25, -1.0, 0.5]]
        """
        chosen = {**self._options, **options}
        kept = {name: value for name, value in chosen.items() if value is not None}
        Options.read(kept)
        self._options = kept
        return self

    def get_metadata_routing(self) -> Any:
        """Return which side fields each call asks a pipeline for; scikit-learn itself asks."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        for call, declared in self._calls().items():
            chosen = self._requests.get(call, {})
            for name in declared:
                getattr(request, call).add_request(param=name, alias=chosen.get(name))
        return request

    def set_fit_request(self, **fields: bool | str | None) -> Self:
        """Ask a pipeline for fields of the fit beside the data, where routing is enabled.

        Parameters
        ----------
        **fields : bool or str or None
            True asks for a field, False does without, a string asks for it by another name;
            None, as at first, has the pipeline refuse one that nobody chose.

        Returns
        -------
        Self
            The normalizer.

        Examples
        --------
        >>> from normalizers import GroupZScore
        >>> method = GroupZScore().set_fit_request(groups=True).set_transform_request(groups=True)
        >>> method.get_metadata_routing().fit.requests
        {'groups': True, 'qualities': None}
        """
        return self._request("fit", fields)

    def set_partial_fit_request(self, **fields: bool | str | None) -> Self:
        """Ask a pipeline for fields of a further part of the fit."""
        return self._request("partial_fit", fields)

    def set_transform_request(self, **fields: bool | str | None) -> Self:
        """Ask a pipeline for fields of a transform beside the data."""
        return self._request("transform", fields)

    def set_inverse_transform_request(self, **fields: bool | str | None) -> Self:
        """Ask a pipeline for fields of the way back, for example the sizes of windows."""
        return self._request("inverse_transform", fields)

    def __sklearn_is_fitted__(self) -> bool:
        """Whether `fit` was called, or none is needed."""
        return self.is_fitted or self._checked().stateless

    def __sklearn_clone__(self) -> Self:
        """Return one without a fit, of the same parameters and choices."""
        from sklearn.base import clone

        twin = type(self)(
            **{name: clone(value, safe=False) for name, value in self.explicit_params.items()}
        )
        twin._frames, twin._options, twin._requests = self._frames, self._options, self._requests
        return twin

    def __sklearn_tags__(self) -> object:
        """Return scikit-learn's tags; scikit-learn itself asks for them."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        method = self._checked()
        axes, used = self._axes(method), method.resolved(None)
        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=LABELS in method.fits and method.fits[LABELS].required),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(
                one_d_array=1 in axes,
                two_d_array=2 in axes,
                three_d_array=3 in axes,
                allow_nan=getattr(used, "nan_policy", None) in ("omit", "propagate"),
            ),
            requires_fit=not method.stateless,
        )

    def _axes(self, method: Method) -> set[int]:
        """Return of how many axes the main field is; none where it is no array.

        A flat list is not counted where a table is taken: scikit-learn would send nothing else.
        """
        fields = method.fits or method.takes
        field = fields[fields.main]
        if field.kind == "lists":
            return {2}
        if field.kind == "series":
            layout = self._options.get("layout")
            return {len(str(layout))} if layout not in (None, "ragged") else {1, 3}
        return {len(field.shape)} if field.kind == "floats" else set()

    def _calls(self) -> dict[str, list[str]]:
        """Return the side fields of each call that scikit-learn routes to."""
        method = self._checked()
        declared = {
            "fit": method.fits, "partial_fit": method.fits,
            "transform": method.takes, "inverse_transform": method.inverse_takes,
        }  # fmt: skip
        return {call: _beside_main(fields) for call, fields in declared.items()}

    def _request(self, call: str, fields: Mapping[str, bool | str | None]) -> Self:
        known = self._calls()[call]
        for name in fields:
            if name not in known:
                raise InvalidInput(
                    f"{call} takes no field {quoted(name)} beside the data; it takes "
                    f"{', '.join(known) or 'none'}",
                    path=f"{call}.{printable_name(name)}",
                )
        self._requests = {**self._requests, call: {**self._requests.get(call, {}), **fields}}
        return self

    @property
    def _stem(self) -> str:
        return type(self).__name__.lower()

    def _checked(self) -> Method:
        """Return the method with validated parameters: what it declares may follow from them."""
        return cast("Method", self.validated())

    def _framed(self, output: object, x: object) -> Array:
        frames = self._frames or configured_output(output)
        if frames == "default":
            return cast(Array, output)
        return cast(Array, framed(output, x, self._names_out(self._columns), self._stem, frames))

    def _same_width(self, width: int) -> int:
        """Return the declared width of the output: one column, or that of the input; else 0."""
        version = self.version_
        there, here = version.takes[version.takes.main], version.gives[version.gives.main]
        if here.shape[1:] == ONE_COLUMN:
            return 1
        return width if there.shape[-1:] == here.shape[-1:] else 0

    def _names_out(self, names: Sequence[str] | None) -> Sequence[str]:
        kept = self.version_.resolved_method.traits.preserves_columns
        return () if names is None or not kept else names


def _beside_main(fields: Fields) -> list[str]:
    """Return the fields that scikit-learn has no place for: all but the data and `y`."""
    return [name for name in list(fields)[1:] if name != LABELS]
