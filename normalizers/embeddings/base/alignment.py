"""An earlier map that a refit is turned onto, so that vectors of both can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method
from normalizers.contract.references import References
from normalizers.data.arrays import Array
from normalizers.errors import FitError, InvalidParams
from normalizers.normalizer import Normalizer
from normalizers.statistics import Statistics
from normalizers.versions.file import content_hash, to_bytes
from normalizers.versions.version import Version

# What the file of a fit calls the matrix that it was turned onto.
ALIGNED_TO = "aligned_to"


@dataclass(frozen=True, eq=False)
class EarlierMap:
    """The matrix of an earlier version; equal where it is of the same file.

    Parameters
    ----------
    method, hash : str
        Of the version: its method, and the SHA-256 of its file.
    matrix : array of shape (d, k)
        Its W, before `truncate_to`.
    """

    method: str
    hash: str
    matrix: Array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EarlierMap) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def as_json(self) -> dict[str, str]:
        """Return it as it stands in a manifest."""
        return {"method": self.method, "hash": self.hash}


class EarlierMapReference(References):
    """How an earlier map stands in a file: its hash, and its matrix among the fitted arrays."""

    def to_json(self, value: object) -> object:
        """Return the value as it stands in a manifest."""
        return value.as_json() if isinstance(value, EarlierMap) else value

    def from_json(self, written: object, fitted: Fitted, table: object) -> object:
        """Return the map that a manifest describes, with the file's copy of its matrix."""
        if not isinstance(written, Mapping) or set(written) != {"method", "hash"}:
            raise InvalidParams("align_to is the method and the hash of a version")
        return EarlierMap(str(written["method"]), str(written["hash"]), fitted[ALIGNED_TO])

    def fill_missing(
        self, given: object, used: object, statistics: Statistics | None
    ) -> tuple[object, object]:
        """Return both as they were read."""
        return given, used

    def conflict(self, given: object, used: object, statistics: Statistics | None) -> str | None:
        """Return an empty place where another version was used than the one that was given."""
        return None if given == used else ""

    def inconsistent_array(
        self, value: object, fitted: Fitted, statistics: Statistics | None
    ) -> str | None:
        """Return None: the copy is compared with the other arrays of the fit."""
        return None


def read_earlier_map(method: Method, value: object, path: str) -> EarlierMap:
    """Return the map of a version, or of a fitted normalizer.

    Raises
    ------
    InvalidParams
        Something else, or a version without one matrix.
    """
    if isinstance(value, EarlierMap):
        return value
    version = value.version_ if isinstance(value, Normalizer) and value.is_fitted else value
    if not isinstance(version, Version):
        raise InvalidParams(
            "it is an earlier version, {'ref': 'name@3'}, or in Python a fitted normalizer",
            path=path,
        )
    matrix = version.fitted.get("W")
    if matrix is None or matrix.ndim != 2:
        raise InvalidParams(
            f"this version of '{version.method.name}' has no one matrix to turn onto", path=path
        )
    return EarlierMap(version.method.name, version.hash or content_hash(to_bytes(version)), matrix)


def turned_onto(matrix: Array, covariance: Array, earlier: Array) -> tuple[Array, float]:
    """Return the rotation R that brings a map closest to an earlier one, and what is left.

    R = U V^T with U S V^T = W^T C W_earlier minimizes |(x - mean)(W R - W_earlier)| over rows of
    covariance C.

    Parameters
    ----------
    matrix, earlier : arrays of shape (d, k)
        W and W_earlier.
    covariance : array of shape (d, d)
        C, in any unit.

    Returns
    -------
    array of shape (k, k), float
        R, and the root of the mean squared difference over that of the earlier outputs.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.embeddings.base.alignment import turned_onto
    >>> rotation, left = turned_onto(np.eye(2), np.eye(2), np.array([[0.0, 1.0], [-1.0, 0.0]]))
    >>> rotation.tolist(), round(left, 12)
    ([[0.0, 1.0], [-1.0, 0.0]], 0.0)

    References
    ----------
    Schönemann: A generalized solution of the orthogonal Procrustes problem, 1966.
    """
    if matrix.shape != earlier.shape:
        raise FitError(
            f"this fit maps {_told(matrix)}, the version of align_to {_told(earlier)}: "
            "rotations keep both numbers; name n_components",
            path="params.align_to",
        )
    left, _, right = np.linalg.svd(matrix.T @ covariance @ earlier)
    rotation = left @ right
    missed = matrix @ rotation - earlier
    whole = float(np.einsum("ij,ij->", earlier, covariance @ earlier))
    rest = float(np.einsum("ij,ij->", missed, covariance @ missed))
    # Both are sums of squares; rounding may leave one of nothing below 0.
    return rotation, float(np.sqrt(max(rest, 0.0) / whole)) if whole > 0 else 0.0


def turn(arrays: dict[str, Array], covariance: Array, earlier: EarlierMap) -> dict[str, object]:
    """Turn ``W`` and ``W_inverse`` onto an earlier map, which goes with them; return the report."""
    rotation, residual = turned_onto(arrays["W"], covariance, earlier.matrix)
    arrays["W"] = np.asarray(arrays["W"] @ rotation, order="C")
    arrays["W_inverse"] = np.asarray(rotation.T @ arrays["W_inverse"], order="C")
    arrays[ALIGNED_TO] = earlier.matrix
    return {**earlier.as_json(), "residual": residual}


def _told(matrix: Array) -> str:
    return f"{matrix.shape[0]} dims to {matrix.shape[1]}"
