"""Labels of rows: what names them, which group of a fit each has, how messages show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method
from normalizers.contract.parameter_models import other_words
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.messages import quoted_key

UnknownGroup: TypeAlias = Literal["error", "global", "median", "pass"]
UNKNOWN = -1
SHOWN_GROUPS = 5


def require_distinct(group_by: Sequence[str] | None, path: str) -> None:
    """Refuse a name of labels that stands twice."""
    names = group_by or []
    if len(set(names)) < len(names):
        raise InvalidParams("a name stands here twice", path=path)


def require_names(groups: Labels, group_by: Sequence[str] | None) -> None:
    """Refuse rows with another number of labels than `group_by` names."""
    given, named = groups.shape[1], len(group_by or ["group"])
    if given != named:
        raise InvalidParams(
            f"a row has {given} labels, and group_by names {named}; name each label",
            path="params.group_by",
        )


def group_of_rows(method: Method, fitted: Fitted, groups: Labels, path: str) -> Array:
    """Return the row of each label row's group in the fitted ``keys (g, j)``, -1 if unknown.

    Raises
    ------
    InvalidInput
        An unknown group, where `unknown_group` is ``error``.
    """
    if np.array_equal(groups.keys, fitted["keys"]):
        return groups.codes
    known = fitted.once("groups", lambda: _positions(fitted["keys"]))
    found = [known.get(tuple(key), UNKNOWN) for key in groups.keys.tolist()]
    index: Array = np.array(found, dtype=np.int64)[groups.codes]
    if getattr(method, "unknown_group", None) == "error" and UNKNOWN in found:
        row = int(np.argmax(index == UNKNOWN))
        raise InvalidInput(
            f"the fit does not know the group {quoted_key(groups.rows[row].tolist())}; "
            f"unknown_group {other_words(method, 'unknown_group', 'error')} accepts it",
            path=f"{path}[{row}]",
        )
    return index


def shown_groups(keys: Array) -> str:
    """Return the first few keys as a message shows them, and how many more there are."""
    named = ", ".join(quoted_key(key) for key in keys[:SHOWN_GROUPS].tolist())
    rest = len(keys) - SHOWN_GROUPS
    return f"{named} and {rest} more" if rest > 0 else named


def _positions(keys: Array) -> Mapping[tuple[str, ...], int]:
    return {tuple(key): row for row, key in enumerate(keys.tolist())}
