"""Fusions: ranked lists in, one ranked list out; parameters stand flat beside the runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from app.codecs.errors import TooLarge
from app.registry.errors import RegistryError
from app.service.bodies import WorkBody
from app.service.context import Context
from app.service.work import Work, transform
from normalizers.answer import Options
from normalizers.catalogue import PRESET
from normalizers.errors import (
    Fault,
    InvalidInput,
    InvalidParams,
    NormalizerError,
    UnsupportedOperation,
)
from normalizers.spelling import did_you_mean, quoted, shown

RUNS = "runs"
NOT_YET = ("queries",)
NESTED = re.compile(r"^(input|params|options)\.")


def fuse(context: Context, tree: Mapping[str, object]) -> Work:
    """Return the fused list of the runs in a request."""
    for name in NOT_YET:
        if name in tree:
            raise InvalidInput(f"'{name}' is not served yet; send one query's runs", path=name)
    method = tree.get("method")
    if not isinstance(method, str):
        raise InvalidInput("method names the fusion, for example 'rrf'", path="method")
    if RUNS not in tree:
        raise InvalidInput("runs is a list of ranked lists", path=RUNS)
    name, implied = context.catalogue.fusion(method)
    if RUNS not in context.catalogue.create(name).takes:
        raise UnsupportedOperation(f"{quoted(method)} fuses no runs", path="method")
    _refuse_unknown(context, tree, name)
    with _flat_places():
        return transform(context, _as_work({**implied, **tree}, name), inverse=False)


def _refuse_unknown(context: Context, tree: Mapping[str, object], method: str) -> None:
    cls = context.catalogue.method(method)
    known = ["method", RUNS, *Options.model_fields, *cls.parameters, PRESET]
    for name in tree:
        if name not in known:
            raise InvalidParams(
                f"'{cls.name}' knows no {quoted(name)}{did_you_mean(name, known)}; "
                f"known: {', '.join(known)}",
                path=shown(name),
            )


def _as_work(tree: Mapping[str, object], method: str) -> WorkBody:
    options = {name: value for name, value in tree.items() if name in Options.model_fields}
    rest = tree.keys() - options.keys() - {"method", RUNS}
    return WorkBody(
        method=method,
        params={name: tree[name] for name in sorted(rest)},
        input={RUNS: tree[RUNS]},
        options=options,
    )


@contextmanager
def _flat_places() -> Iterator[None]:
    """Name places as they stand in the body of a fusion, where nothing is nested."""
    try:
        yield
    except NormalizerError as error:
        error.message, error.path = NESTED.sub("", error.message), _flat(error.path)
        error.faults = tuple(Fault(_flat(fault.path), fault.message) for fault in error.faults)
        raise
    except (TooLarge, RegistryError) as error:
        error.path = _flat(error.path)
        raise


def _flat(path: str) -> str:
    return RUNS if path == "input" else NESTED.sub("", path)
