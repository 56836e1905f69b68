"""The steps of a pipeline: methods and versions, from whatever way they were written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from normalizers.arrays import Array
from normalizers.errors import InvalidParams, UnknownName
from normalizers.fitted import Fitted
from normalizers.normalizer import Normalizer
from normalizers.version import Version
from normalizers.version_file import content_hash, to_bytes

if TYPE_CHECKING:
    from normalizers.catalogue import Catalogue

PREFIX = "steps"


@dataclass(frozen=True)
class Step:
    """One step: a method to fit or apply, or a version whose arrays are copied.

    Parameters
    ----------
    method : Normalizer
        The method with its parameters as given, or resolved.
    version : Version or None
        The fitted version that the step refers to.
    hash : str or None
        The hash of that version's file.
    """

    method: Normalizer
    version: Version | None = None
    hash: str | None = None

    @property
    def is_fitted_here(self) -> bool:
        """Whether the pipeline's fit fits this step."""
        return self.version is None and self.method.fittable

    @property
    def stateless(self) -> bool:
        """Whether the step works without a fit of the pipeline."""
        return self.version is not None or self.method.stateless

    def as_json(self) -> dict[str, object]:
        """Return the step as it stands in a manifest."""
        written: dict[str, object] = {
            "method": self.method.name,
            "params": self.method.as_json(self.method.given),
        }
        return {**written, "hash": self.hash} if self.hash else written


def read_step(item: object, path: str, catalogue: Catalogue) -> Step:
    """Return a step from a name, ``{"method", "params"}``, a normalizer or a version."""
    if isinstance(item, Step):
        return item
    if isinstance(item, Version):
        return Step(item.method, item, content_hash(to_bytes(item)))
    if isinstance(item, Normalizer):
        is_fitted = item.fittable and item.__sklearn_is_fitted__() and not item.stateless
        return read_step(item.version_, path, catalogue) if is_fitted else Step(item)
    if isinstance(item, str):
        return Step(_created(item, {}, path, path, catalogue))
    if isinstance(item, Mapping) and set(item) <= {"method", "params"} and "method" in item:
        params = item.get("params")
        name = item["method"]
        if isinstance(name, str) and (params is None or isinstance(params, Mapping)):
            return Step(_created(name, params or {}, f"{path}.method", f"{path}.params", catalogue))
    raise InvalidParams(
        "a step is a method's name, {'method', 'params'} or a reference {'ref'}", path=path
    )


def _created(
    name: str, params: Mapping[str, object], name_path: str, path: str, catalogue: Catalogue
) -> Normalizer:
    """Return the validated method of a step; what is wrong is told with its place in the step."""
    try:
        return catalogue.create(name, params, path).validated(path)
    except UnknownName as error:
        raise UnknownName(error.message, path=name_path) from None


def rebuilt_step(
    written: Mapping[str, object], arrays: Mapping[str, Array], index: int, catalogue: Catalogue
) -> Step:
    """Return the step that a manifest describes; a reference finds its arrays in the file."""
    cls = catalogue.method(str(written["method"]))
    params = written["params"]
    values = params if isinstance(params, Mapping) else {}
    own = arrays_of(arrays, index)
    method = cls.rebuilt(values, own, catalogue)
    if "hash" not in written:
        return Step(method)
    return Step(method, Version(method, method, Fitted(own)), str(written["hash"]))


def arrays_of(arrays: Mapping[str, Array], index: int) -> dict[str, Array]:
    """Return the fitted arrays of one step, without their prefix."""
    start = f"{PREFIX}.{index}."
    return {name.removeprefix(start): a for name, a in arrays.items() if name.startswith(start)}


def joined(fitted: Sequence[Fitted]) -> Fitted:
    """Return the fitted arrays of all steps as one, under ``steps.0.``, ``steps.1.`` and so on.

    The sizes of the first step hold for the pipeline's own input.
    """
    sizes = dict(fitted[0].sizes)
    arrays: dict[str, Array] = {}
    for index, one in enumerate(fitted):
        start = f"{PREFIX}.{index}."
        arrays |= {start + name: array for name, array in one.arrays.items()}
        sizes |= {start + symbol: size for symbol, size in one.sizes.items()}
    warnings = tuple(noted for one in fitted for noted in one.warnings)
    return Fitted(arrays, sizes, {PREFIX: [dict(one.report) for one in fitted]}, warnings)


def fitted_of(whole: Fitted, index: int) -> Fitted:
    """Return the fitted arrays and sizes of one step."""
    start = f"{PREFIX}.{index}."
    sizes = {s.removeprefix(start): n for s, n in whole.sizes.items() if s.startswith(start)}
    return Fitted(arrays_of(whole.arrays, index), sizes)
