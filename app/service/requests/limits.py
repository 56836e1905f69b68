"""Limits on what one request holds, beyond its bytes."""

from __future__ import annotations

import numpy as np

from app.settings import Settings, variable
from normalizers.contract.answer import Options
from normalizers.data.batch import Batch, Value
from normalizers.data.ragged import Ragged
from normalizers.statistics import Statistics
from normalizers.validation.limits import TooMany
from normalizers.versions.tensor_tree import leaves
from normd.wire.codecs.errors import TooLarge


def too_large(error: TooMany) -> TooLarge:
    """Return the refusal of what a limit of the library forbids, with the setting that sets it."""
    return TooLarge(
        error.message,
        limit=error.limit,
        setting=variable(f"max_{error.name}"),
        path=error.path,
    )


def check_explanation(given: Batch, options: Options, settings: Settings) -> None:
    """Refuse to explain so many documents of so many runs that the parts would fill the memory."""
    for name, records in given.items():
        if isinstance(records, tuple):
            lists = [record["ids"] for record in records if "ids" in record]
            documents = sum(_size(ids) for ids in lists)
            if options.top_k is not None:
                queries = max(map(_lists, lists), default=1)
                documents = min(documents, options.top_k * queries)
            require_few_parts(len(records), documents, settings, f"input.{name}")


def require_few_parts(runs: int, documents: int, settings: Settings, path: str) -> None:
    """Refuse more runs times documents than an explanation may have parts."""
    if runs * documents > settings.max_parts:
        raise TooLarge(
            f"an explanation of {documents} documents by {runs} runs is too long; send fewer, or "
            "top_k",
            limit=settings.max_parts,
            setting=variable("max_parts"),
            path=path,
        )


def _size(ids: Value) -> int:
    if isinstance(ids, Ragged):
        return len(ids.values)
    return ids.size if isinstance(ids, np.ndarray) else 0


def _lists(ids: Value) -> int:
    return len(ids) if isinstance(ids, Ragged) else 1


def check_statistics(statistics: Statistics, settings: Settings) -> None:
    """Refuse posted statistics of more dims than the settings allow: square arrays, by size."""
    for path, array in leaves(statistics.to_arrays(), "statistics."):
        square = array.ndim >= 2 and array.shape[-1] == array.shape[-2]
        if square and array.shape[-1] > settings.max_dims:
            raise TooLarge(
                f"{array.shape[-1]} dims are too many for a fit",
                limit=settings.max_dims,
                setting="NORMD_MAX_DIMS",
                path=path,
            )
