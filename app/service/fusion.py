"""Fusions: ranked lists in, one ranked list out; parameters stand flat beside the runs."""

from __future__ import annotations

from collections.abc import Mapping

from app.service.bodies import WorkBody
from app.service.context import Context
from app.service.work import Work, transform
from normalizers.answer import Options
from normalizers.errors import InvalidInput, UnsupportedOperation

RUNS = "runs"
NOT_YET = ("queries",)


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
    if RUNS not in context.catalogue.create(method).takes:
        raise UnsupportedOperation(f"'{method[:60]}' fuses no runs", path="method")
    return transform(context, _as_work(tree, method), inverse=False)


def _as_work(tree: Mapping[str, object], method: str) -> WorkBody:
    options = {name: value for name, value in tree.items() if name in Options.model_fields}
    rest = tree.keys() - options.keys() - {"method", RUNS}
    return WorkBody(
        method=method,
        params={name: tree[name] for name in sorted(rest)},
        input={RUNS: tree[RUNS]},
        options=options,
    )
