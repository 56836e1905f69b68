"""The table of measures: every ``MEASURES`` of the modules beside this one."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TypeVar

from pydantic import ValidationError

from normalizers.errors import Fault, InvalidInput, InvalidParams
from normalizers.measures.measure import Measure, Parameters
from normalizers.messages import did_you_mean, printable_name, quoted, unknown

P = TypeVar("P", bound=Parameters)
CUT_OFF = "k"
# What other tools call a measure of ours; never accepted, only suggested.
PEERS = {
    "r": "recall", "ap": "map", "rr": "mrr", "f1": "f1_threshold",
    "ndcg_cut": "ndcg", "rprecision": "rprec", "hit_rate": "success", "hits": "success",
    "recip_rank": "mrr", "roc_auc": "auc", "ece": "calibration_error",
    "kendalltau": "kendall", "kendall_tau": "kendall", "tau": "kendall", "pearsonr": "pearson",
    "brier_score": "brier", "cross_entropy": "log_loss", "reciprocal_rank": "mrr",
}  # fmt: skip
SPELLINGS = {"P": "precision"}
DECIMAL = re.compile(r"[1-9][0-9]{0,15}")
# A measure with parameters in one word: precision(rel=2)@10.
WORDED = re.compile(r"(?P<name>[^(@]+)\((?P<params>[^()]*)\)(?P<rest>(@.*)?)")


@dataclass(frozen=True)
class MeasureSpec:
    """A measure as a request names it, with the parameters it gives.

    Parameters
    ----------
    label : str
        How answers call it: ``ndcg@10``.
    measure : Measure
    given : mapping
        Its parameters, None where one was not given and has no default.
    path : str
        Where it stands in the request.
    """

    label: str
    measure: Measure
    given: Mapping[str, object]
    path: str


@cache
def measures() -> Mapping[str, Measure]:
    """Return every measure by its name.

    Examples
    --------
    >>> from normalizers.measures.table import measures
    >>> {"auc", "ndcg", "kendall"} <= measures().keys()
    True
    """
    package = import_module(__package__ or "")
    modules = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    found = (
        measure
        for name in modules
        for measure in getattr(import_module(f"{package.__name__}.{name}"), "MEASURES", ())
    )
    return {measure.name: measure for measure in found}


def read_measure(sent: object, path: str) -> MeasureSpec:
    """Return the measure that a request names.

    Parameters
    ----------
    sent : str or mapping
        ``"ndcg@10"``, ``"ndcg(gain=exponential)@10"``, or ``{"measure": "f1_threshold",
        "params": {"threshold": 0.5}}``.
    path : str
        Where it stands.

    Raises
    ------
    InvalidInput
        For what is neither a name nor an object with one.
    InvalidParams
        For a name that is not in the table, and a parameter that is unknown or wrong.

    Examples
    --------
    >>> from normalizers.measures.table import read_measure
    >>> read_measure("ndcg@10", "measures[0]").given
    {'k': 10, 'gain': 'linear'}
    """
    name, params = _opened(sent, path)
    name, params = _unworded(name, params, path)
    name, _, cut = name.partition("@")
    name = SPELLINGS.get(name, name)
    measure = _find(name, path)
    if cut or (isinstance(sent, str) and "@" in sent):
        params = {**params, CUT_OFF: _cut_off(measure, cut, params, path)}
    given = read_parameters(measure.parameters, params, f"{path}.params").model_dump()
    return MeasureSpec(_label(measure, given), measure, given, path)


def read_parameters(kind: type[P], sent: object, path: str) -> P:
    """Return validated parameters, or say which one is wrong."""
    if not isinstance(sent, Mapping):
        raise InvalidParams("an object of parameters is expected here", path=path)
    for name in sent:
        if name not in kind.model_fields:
            raise InvalidParams(
                unknown("parameter", name, kind.model_fields),
                path=f"{path}.{printable_name(name)}",
            )
    try:
        return kind.model_validate(dict(sent))
    except ValidationError as error:
        items = error.errors(include_url=False, include_input=False, include_context=False)
        faults = [_fault(item["loc"], item["msg"], path) for item in items]
        first = faults[0]
        message = f"{first.path}: {first.message}"
        raise InvalidParams(message, path=first.path, faults=faults) from None


def _fault(loc: tuple[int | str, ...], message: str, path: str) -> Fault:
    # What parameters say of each other has no place of its own.
    return Fault(f"{path}.{loc[0]}" if loc else path, message.removeprefix("Value error, "))


def _opened(sent: object, path: str) -> tuple[str, Mapping[str, object]]:
    if isinstance(sent, str):
        return sent, {}
    if not isinstance(sent, Mapping) or not isinstance(sent.get("measure"), str):
        raise InvalidInput(
            'a measure is a name, "ndcg@10", or {"measure": name, "params": {..}}', path=path
        )
    for name in sent.keys() - {"measure", "params"}:
        raise InvalidInput(
            f"unknown member {quoted(name)}; known: measure, params",
            path=f"{path}.{printable_name(name)}",
        )
    params = sent.get("params")
    if params is not None and not isinstance(params, Mapping):
        raise InvalidParams("an object of parameters is expected here", path=f"{path}.params")
    return sent["measure"], params or {}


def _unworded(
    name: str, params: Mapping[str, object], path: str
) -> tuple[str, Mapping[str, object]]:
    """Return a name without the parameters that stand in it, and all parameters."""
    found = WORDED.fullmatch(name)
    if found is None:
        return name, params
    told: dict[str, object] = {}
    for part in found["params"].split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise InvalidParams(
                "parameters of a measure are written as in ndcg(gain=exponential)@10", path=path
            )
        if key in told or key in params:
            raise InvalidParams(f"say {quoted(key)} once", path=path)
        told[key] = _value(value)
    return found["name"] + found["rest"], {**params, **told}


def _value(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip("'\"")


def _label(measure: Measure, given: Mapping[str, object]) -> str:
    """Return how answers call a measure: what it was asked with, in one word, for rankings."""
    fields = measure.parameters.model_fields
    told = ",".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in given.items()
        if measure.needs == "rankings" and name != CUT_OFF and value != fields[name].default
    )
    label = f"{measure.name}({told})" if told else measure.name
    return label if given.get(CUT_OFF) is None else f"{label}@{given[CUT_OFF]}"


def _find(name: str, path: str) -> Measure:
    known = measures()
    if name not in known:
        raise InvalidParams(
            f"there is no measure {quoted(name)}{_hint(name)}; known: {', '.join(known)}",
            path=path,
        )
    return known[name]


def _hint(name: str) -> str:
    peer = PEERS.get(name.lower())
    return f"; did you mean '{peer}'?" if peer else did_you_mean(name, measures())


def _cut_off(measure: Measure, text: str, params: Mapping[str, object], path: str) -> int:
    if CUT_OFF not in measure.parameters.model_fields:
        raise InvalidParams(f"'{measure.name}' has no cut-off", path=path)
    if CUT_OFF in params:
        raise InvalidParams("say the cut-off once", path=f"{path}.params.{CUT_OFF}")
    if not DECIMAL.fullmatch(text):
        raise InvalidParams(
            f"a cut-off is a whole number from 1 on, as in {measure.name}@10", path=path
        )
    return int(text)
