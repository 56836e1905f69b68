"""Limits on what one request holds, beyond its bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from app.settings import Settings, variable
from normalizers.contract.answer import Options
from normalizers.contract.fields import Fields
from normalizers.data.batch import Batch, Value
from normalizers.data.ragged import Ragged
from normalizers.statistics import Statistics
from normalizers.versions.tensor_tree import leaves
from normd.wire.codecs.errors import TooLarge

DIMS = "d"


def check_fit(batch: Batch, fields: Fields, settings: Settings) -> None:
    """Refuse the data of a fit with more rows, lists, ids or dims than the settings allow."""
    check_batch(batch, settings, "fit")
    for name, field in fields.items():
        value = batch.get(name)
        if isinstance(value, np.ndarray) and DIMS in field.shape:
            dims = value.shape[field.shape.index(DIMS)]
            if dims > settings.max_dims:
                raise TooLarge(
                    f"{dims} dims are too many for a fit",
                    limit=settings.max_dims,
                    setting="NORMD_MAX_DIMS",
                    path=f"fit.{name}",
                )


def check_answer(given: Batch, sizes: Mapping[str, int], settings: Settings) -> None:
    """Refuse rows whose answer would hold more values than a request may.

    `sizes` are those of the fit; rows of few components may come back as rows of many dims.
    """
    widest = max((size for symbol, size in sizes.items() if "." not in symbol), default=1)
    for name, value in given.items():
        if (
            isinstance(value, np.ndarray)
            and value.ndim
            and len(value) * widest > settings.max_values
        ):
            raise TooLarge(
                f"the answer would hold {len(value)} x {widest} values",
                limit=settings.max_values,
                setting="NORMD_MAX_VALUES",
                path=f"input.{name}",
            )


def check_explanation(given: Batch, options: Options, settings: Settings) -> None:
    """Refuse to explain so many documents of so many runs that the parts would fill the memory."""
    if not options.explain:
        return
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


def check_batch(batch: Batch, settings: Settings, path: str) -> None:
    """Refuse a batch with more rows, lists or ids than the settings allow."""
    for name, value in _values(batch, path):
        for count, limit, setting in _counts(value, settings):
            if count > limit:
                raise TooLarge(
                    f"{count} entries are too many",
                    limit=limit,
                    setting=f"NORMD_{setting.upper()}",
                    path=name,
                )


def _values(batch: Batch, path: str) -> Iterator[tuple[str, Value]]:
    for name, value in batch.items():
        place = f"{path}.{name}"
        if isinstance(value, Batch):
            yield from _values(value, place)
        elif isinstance(value, tuple):
            for index, record in enumerate(value):
                yield from _values(record, f"{place}[{index}]")
        else:
            yield place, value


def _counts(value: Value, settings: Settings) -> Iterator[tuple[int, int, str]]:
    if isinstance(value, Ragged):
        yield len(value), settings.max_lists, "max_lists"
        if value.values.dtype == object:
            yield len(value.values), settings.max_ids, "max_ids"
    elif isinstance(value, np.ndarray) and value.ndim:
        ids = value.dtype == object
        yield (
            len(value),
            settings.max_ids if ids else settings.max_rows,
            "max_ids" if ids else "max_rows",
        )
