"""How good is it: measures of runs and scores, and live samples beside fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.errors import InvalidInput
from normd.client.calls import Call, Flow
from normd.client.exchange import exchange
from normd.client.fields import written
from normd.client.forms import FormName
from normd.client.methods import method_behind
from normd.client.requests import TRANSFORM
from normd.client.sessions import Session
from normd.client.transform_call import TransformCall

NUMBERS = (int, float, type(None))


def evaluate(
    session: Session,
    measures: Sequence[str | Mapping[str, object]],
    /,
    *,
    baseline: object = None,
    training: Mapping[str, object] | None = None,
    per_query: bool = False,
    bootstrap: Mapping[str, object] | bool | None = None,
    threshold_curve: Mapping[str, object] | bool | None = None,
    reliability: Mapping[str, object] | bool | None = None,
    form: FormName | None = None,
    **evidence: object,
) -> Flow[dict[str, object]]:
    """Return how good runs or scores are.

    Parameters
    ----------
    measures : sequence of str or mapping
        ``"ndcg@10"``, or ``{"measure": "f1_threshold", "params": {"threshold": 0.5}}``.
    baseline : str, int or mapping, optional
        The run to compare with, by name or place; of scores an object with other scores.
    training : mapping, optional
        The same evidence of other queries, where thresholds are chosen.
    per_query : bool
        Whether the value of every query comes back.
    bootstrap : mapping or bool, optional
        ``samples``, ``seed``, ``confidence``, for intervals of all values.
    threshold_curve : mapping or bool, optional
        Precision, recall and F1 by threshold, at most so many ``points``.
    reliability : mapping or bool, optional
        Predicted and observed shares by ``bins``.
    form : str, optional
        The form of the bodies.
    **evidence : object
        The members of one kind of evidence: ``runs`` and ``qrels``, ``scores`` (or
        ``probabilities``) and ``labels``, ``scores`` and ``qualities``, with what belongs to them.

    Returns
    -------
    dict
        ``results``, ``counts``, ``warnings`` ...; lists of numbers are arrays, NaN is undefined.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> runs = [{"name": "bm25", "ids": [["a", "b"]], "scores": [[9.0, 7.0]]}]
    >>> found = client.evaluate(["mrr@10"], runs=runs, qrels={"ids": [["b"]]})
    >>> found["results"][0]["value"]
    0.5
    >>> client.close()
    """
    members = {
        "measures": list(measures),
        "baseline": baseline,
        "training": training,
        "bootstrap": bootstrap,
        "threshold_curve": threshold_curve,
        "reliability": reliability,
        **({"per_query": True} if per_query else {}),
        **evidence,
    }
    given = {name: value for name, value in members.items() if value is not None}
    sent = written(given, "evaluate")
    document = yield from exchange(session, Call("POST", "/v1/evaluate"), sent, form, ["results"])
    return {name: _with_arrays(value) for name, value in document.tree.items()}


def drift(
    session: Session,
    ref: str,
    x: object = None,
    /,
    *,
    options: Mapping[str, object] | None = None,
    canary: Mapping[str, object] | None = None,
    form: FormName | None = None,
    **fields: object,
) -> Flow[dict[str, object]]:
    """Return how far a live sample is from what a stored version was fitted on.

    Parameters
    ----------
    ref : str
        A stored name or reference.
    x : array_like
        The main field of the method's input.
    options : mapping, optional
        Options by name.
    canary : mapping, optional
        ``ids`` of rows that the fit kept (its option `canary`), and their ``input`` now: tells a
        changed model from changed traffic.
    form : str, optional
        The form of the bodies.
    **fields : array_like
        Further fields by name.

    Returns
    -------
    dict
        ``distribution``, ``range``, ``moments``: None where the statistics do not know them.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> manifest = client.fit("bm25", "percentile", [3.0, 4.0, 5.0, 6.0])
    >>> found = client.drift("bm25", [5.5, 9.0])
    >>> found["distribution"]["ks"], found["range"]["out_of_range"]
    (0.75, 0.5)
    >>> client.close()
    """
    work = TransformCall((yield from method_behind(session, ref)), ref)
    body = work.body(work.request(TRANSFORM, x, fields, options, form))
    if canary is not None:
        body = {**body, "canary": written(canary, "canary")}
    call = Call("POST", "/v1/normalizers/{ref}/drift", {"ref": ref})
    document = yield from exchange(session, call, body, form, ["n"])
    return {name: _with_arrays(value) for name, value in document.tree.items()}


def diagnose(
    session: Session,
    ref: str,
    x: object = None,
    /,
    *,
    k: int | None = None,
    form: FormName | None = None,
    **fields: object,
) -> Flow[dict[str, object]]:
    """Return whether the correction of hubs of a stored version helps live queries.

    Parameters
    ----------
    ref : str
        A stored name or reference.
    x : array_like of shape (q, g)
        Scores of about 200 live queries against the gallery.
    k : int, optional
        How many of the nearest items of each query count; by default 10.
    form : str, optional
        The form of the bodies.
    **fields : array_like
        In place of `x`: ``query_embeddings`` and ``gallery_embeddings``, or candidates.

    Returns
    -------
    dict
        As `normalizers.evaluation.diagnose` gives it: ``measures`` before, after and at random,
        ``agreement``, ``verdict``.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> bank = [[0.9, 0.2, 0.1], [0.8, 0.4, 0.3], [0.7, 0.1, 0.2]]
    >>> manifest = client.fit("hubs", "sinkhorn", bank)
    >>> found = client.diagnose("hubs", [[0.8, 0.7, 0.1], [0.9, 0.8, 0.7]], k=1)
    >>> found["measures"]["robin_hood"]["before"]
    0.6666666666666666
    >>> client.close()
    """
    if x is not None:
        method = yield from method_behind(session, ref)
        main = next(iter(method.diagnoses or method.takes), "x")
        if main in fields:
            raise InvalidInput(f"'{main}' was given twice", path=main)
        fields = {main: x, **fields}
    body = {"input": written(fields, "input"), **({} if k is None else {"k": k})}
    call = Call("POST", "/v1/normalizers/{ref}/diagnose", {"ref": ref})
    document = yield from exchange(session, call, body, form, ["n"])
    return dict(document.tree)


def _with_arrays(node: object) -> object:
    """Return a tree with arrays for lists of numbers, whichever form the answer came in."""
    if isinstance(node, Mapping):
        return {name: _with_arrays(child) for name, child in node.items()}
    if not isinstance(node, list) or not node:
        return node
    if all(isinstance(child, NUMBERS) for child in node):
        return np.array(node, dtype=np.float64)
    parts = [_with_arrays(child) for child in node]
    rows = all(isinstance(part, np.ndarray) for part in parts)
    return np.array(parts) if rows else parts
