"""Vectors as a version maps them, beside themselves: does it help or harm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from normd.cli.errors import Misuse
from normd.cli.io.backend import is_version_file, read_version
from normd.cli.io.mapping import ColumnChoice

if TYPE_CHECKING:
    from normd.client import Client

VECTORS, BASELINE = "vectors", "baseline"
# What each kind of label can tell of, where nothing is asked for.
BY_LABELS = {
    "pair_first": ("cosine_spearman",),
    "classes": ("class_precision", "neighbour_recall"),
}


def of_labels(choice: ColumnChoice) -> list[str]:
    """Return the measures that the labels beside vectors allow."""
    return [name for label in choice.fields for name in BY_LABELS.get(label, ())]


def beside_mapped(sent: Mapping[str, object], ref: str, client: Client) -> dict[str, object]:
    """Return evidence with the vectors as a version maps them, and their own as the baseline.

    Raises
    ------
    Misuse
        The evidence holds no vectors, or has a baseline already.
    """
    if VECTORS not in sent or BASELINE in sent:
        raise Misuse("--with maps the vectors of a file, which are then the baseline themselves")
    own = sent[VECTORS]
    if is_version_file(ref):
        version = read_version(ref)
        answer = version.transform({version.takes.main: own})
        mapped: object = answer.output[version.gives.main_of(answer.output)]
    else:
        mapped = client.transform(ref, np.asarray(own))
    return {**sent, VECTORS: np.asarray(mapped), BASELINE: {VECTORS: own}}
