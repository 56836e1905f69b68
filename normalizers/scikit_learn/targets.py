"""scikit-learn's second argument `y`, and its settings, in the words of the methods."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import numpy as np

from normalizers.contract.fields import Field, Fields
from normalizers.errors import InvalidInput

LABELS = "labels"


def with_labels(declared: Fields, y: object, fields: Mapping[str, object]) -> dict[str, object]:
    """Return the fields with `y` as the labels, where a fit takes labels; else `y` is ignored."""
    named = dict(fields)
    if LABELS not in declared:
        return named
    if y is not None and named.get(LABELS) is not None:
        raise InvalidInput("'labels' was given twice: as y and by name", path=f"fit.{LABELS}")
    if y is not None:
        named[LABELS] = y
    if LABELS in named:
        named[LABELS] = _numbered(one_a_row(declared[LABELS], named[LABELS]))
    return named


def one_a_row(field: Field, value: object) -> object:
    """Return a table of one column as the flat list it is, where a field has one axis."""
    if len(field.shape) != 1 or not hasattr(value, "__array__"):
        return value
    if field.kind not in ("floats", "integers") or not _is_one_column(value):
        return value
    return np.asanyarray(value).reshape(-1)


def _is_one_column(value: object) -> bool:
    shape: tuple[int, ...] = getattr(value, "shape", ())
    return len(shape) == 2 and shape[1] == 1


def _numbered(labels: object) -> object:
    """Return booleans as 1 and 0, which is what they mean as labels; others as they are."""
    if isinstance(labels, (list, tuple)):
        if all(isinstance(label, (bool, np.bool_)) for label in labels):
            return [int(label) for label in labels]
        return labels
    if str(getattr(labels, "dtype", "")).lower().endswith(("bool", "boolean")):
        array = np.asarray(labels)
        return array.astype(np.int64) if array.dtype == np.bool_ else labels
    return labels


def configured_output(output: object) -> str:
    """Return scikit-learn's ``transform_output`` for this output, where scikit-learn is in use.

    A setting for every estimator means those whose output is a table: lists stay lists.
    """
    # Not imported here: who set it has imported it.
    sklearn = sys.modules.get("sklearn")
    settings: dict[str, str] = getattr(sklearn, "get_config", dict)()
    is_table = getattr(output, "ndim", 0) == 2
    return settings.get("transform_output", "default") if is_table else "default"
