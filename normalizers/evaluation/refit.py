"""A refit beside the version before it: whether what was stored with the one suits the other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.labels import Labels
from normalizers.errors import InvalidInput, NormalizerError
from normalizers.evaluation.result import Tree
from normalizers.kernels.row_norms import row_norms, unit_rows
from normalizers.versions.version import Version

SAMPLE_ROWS = 1000
# Vectors this close rank alike: neighbours that an index tells apart differ by more.
ALIKE = 0.999
SAYS = {
    "compatible": "outputs of both are alike: an index of the earlier version may stay",
    "rotation_only": "rotation only: each ranks alike by itself, but both must not be mixed; refit "
    "with align_to, or turn one",
    "re_index": "re-index: the outputs differ by more than a rotation",
}


def refit(earlier: Version, later: Version, sample: Mapping[str, object]) -> Tree:
    """Return how far the vectors of two versions are apart, and what becomes of an index.

    Parameters
    ----------
    earlier, later : Version
        Of methods that map rows to vectors of one width.
    sample : mapping
        Input of both, by the names of its fields.

    Returns
    -------
    dict
        ``n``, ``cosine`` of earlier and later outputs (``mean``, ``lowest``), the same
        ``after_rotation`` by the best one and one scale (Procrustes), and ``verdict`` with what it
        ``says``: ``compatible``, ``rotation_only`` or ``re_index``.

    Raises
    ------
    InvalidInput
        The outputs are no vectors, of two widths, or fewer than two.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import Whitening
    >>> from normalizers.evaluation import refit
    >>> x = np.random.default_rng(0).normal(size=(200, 3))
    >>> one, other = (Whitening(variant=form).fit(x).version_ for form in ("pca", "zca"))
    >>> refit(one, other, {"x": x})["verdict"]
    'rotation_only'
    """
    before, after = (_vectors(version, sample) for version in (earlier, later))
    if before.shape != after.shape:
        raise InvalidInput(
            f"the versions give rows of {before.shape[1]} and {after.shape[1]} columns: an index "
            "of one holds none of the other",
            path="input",
        )
    kept = (row_norms(before) > 0) & (row_norms(after) > 0)
    before, after = unit_rows(before[kept]), unit_rows(after[kept])
    if len(before) < 2:
        raise InvalidInput("fewer than two rows have a direction", path="input")
    left, _, right = np.linalg.svd(after.T @ before)
    plain, turned = _cosines(before, after), _cosines(before, after @ (left @ right))
    code = (
        "compatible"
        if plain["mean"] >= ALIKE
        else "rotation_only"
        if turned["mean"] >= ALIKE
        else "re_index"
    )
    return {
        "n": len(before),
        "cosine": plain,
        "after_rotation": turned,
        "verdict": code,
        "says": SAYS[code],
    }


def refit_notes(earlier: Version | None, later: Version, batch: Batch | None) -> Tree:
    """Return what a fit report says of the version before, by a sample of the rows of the fit.

    Nothing where there is none, or where its rows are no input of both.
    """
    if earlier is None or batch is None:
        return {}
    main = later.takes.main
    needed = {name for name, field in later.takes.items() if field.required}
    if not needed <= batch.keys() or not isinstance(batch.get(main), np.ndarray):
        return {}
    rows = len(batch.array(main))
    places = np.arange(0, rows, max(1, -(-rows // SAMPLE_ROWS)))
    sample = {name: _some(batch[name], places) for name in sorted(needed)}
    try:
        return {"refit": refit(earlier, later, sample)}
    except NormalizerError:
        # A version of other columns, groups or outputs: there is nothing to compare.
        return {}


def _some(value: object, places: Array) -> object:
    if isinstance(value, Labels):
        return value.take(places).rows
    return np.asarray(value)[places]


def _vectors(version: Version, sample: Mapping[str, object]) -> Array:
    output = version.transform(sample).output
    found = output[version.gives.main_of(output)]
    if not isinstance(found, np.ndarray) or found.ndim != 2 or found.dtype.kind != "f":
        raise InvalidInput(f"'{version.method.name}' gives no vectors to compare", path="input")
    return found.astype(np.float64)


def _cosines(before: Array, after: Array) -> dict[str, float]:
    cosines = np.einsum("ij,ij->i", before, after)
    return {"mean": float(np.mean(cosines)), "lowest": float(np.min(cosines))}
