"""The example requests of the OpenAPI document: each method's own, and evaluations."""

from __future__ import annotations

from app.api.openapi.schema import Schema
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.evaluation.sample import comparable
from normalizers.evaluation.table import evidences
from normd.wire.descriptions import docstring_sections


def examples_of(name: str, catalogue: Catalogue) -> Schema:
    """Return an example of an operation's body for every method that has one."""
    if name == "evaluate":
        return {
            about: {"summary": about, "value": dict(value)}
            for kind in evidences()
            for about, value in kind.examples.items()
        }
    of_methods = {
        cls.name: {"summary": docstring_sections(cls)["summary"], "value": value}
        for cls in catalogue.values()
        if (value := _example(name, cls)) is not None
    }
    return {**of_methods, **_of_many_queries(catalogue)} if name == "fuse" else of_methods


def _of_many_queries(catalogue: Catalogue) -> Schema:
    """Return the examples of fusions of many queries, by the first fusion that has an example."""
    examples = (_example("fuse", cls) for cls in catalogue.values() if cls.example.fit is None)
    one = next(example for example in examples if example is not None)
    runs = list(one.pop("runs"))
    queries = [{"id": "q1", "runs": runs}, {"id": "q2", "runs": runs[:1]}]
    columns = [{**run, "offsets": [0, len(run["ids"]), len(run["ids"])]} for run in runs]
    return {
        "queries": {
            "summary": "Many queries, each with the runs that answered it",
            "value": {**one, "queries": queries, "on_error": "skip"},
        },
        "columns": {
            "summary": "Many queries as columns with offsets",
            "value": {**one, "query_ids": ["q1", "q2"], "runs": columns},
        },
    }


def _example(name: str, cls: type[Method]) -> Schema | None:
    example = cls.example
    params, fit = dict(example.params), example.fit
    if not example.input:
        return None
    if name == "fuse":
        runs = example.input.get("runs")
        stateless = runs is not None and not fit
        return {"method": cls.name, **params, "runs": runs} if stateless else None
    if name == "drift":
        comparable_fit = fit is not None and comparable(cls(**params).resolved(UNKNOWN_STATISTICS))
        return {"input": dict(example.input)} if comparable_fit else None
    if name == "diagnose":
        return _live_example(cls)
    described = {"method": cls.name, "params": params, **({"fit": dict(fit)} if fit else {})}
    if example.weights is not None:
        described["weights"] = dict(example.weights)
    if name == "transform":
        return {**described, "input": dict(example.input)}
    return {"name": cls.name, **described} if name == "create" else None


def _live_example(cls: type[Method]) -> Schema | None:
    """Return scores of live queries against the gallery of the example's fit."""
    method = cls(**cls.example.params).resolved(UNKNOWN_STATISTICS)
    bank = (cls.example.fit or {}).get("bank_sims")
    if not method.diagnoses or not isinstance(bank, list):
        return None
    return {"input": {"sims": bank}, "k": 1}
