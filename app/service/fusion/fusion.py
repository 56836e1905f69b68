"""Fusions: ranked lists in, one ranked list a query out; parameters stand flat beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from app.registry.errors import RegistryError
from app.service.context import Context
from app.service.fusion.queries import (
    Key,
    Query,
    all_keys,
    check_positions,
    count_pairs,
    read_queries,
)
from app.service.fusion.query_fusion import FusedQueries, fuse_queries
from app.service.requests.limits import require_few_parts
from app.service.version_loader import Found, reference_at
from app.service.work import Transformed, answer_input
from app.settings import Settings, variable
from normalizers.catalogue.catalogue import PRESET
from normalizers.contract.answer import Options
from normalizers.contract.fields import Fields, ids
from normalizers.contract.method import Method
from normalizers.data.arrays import Array
from normalizers.errors import (
    Fault,
    InvalidInput,
    InvalidParams,
    NormalizerError,
    ShapeError,
    UnsupportedOperation,
)
from normalizers.messages import did_you_mean, printable_name, quoted
from normalizers.validation import validate
from normd.wire.codecs.errors import TooLarge

RUNS, QUERIES, QUERY_IDS, ON_ERROR = "runs", "queries", "query_ids", "on_error"
BESIDE = (RUNS, QUERIES, QUERY_IDS, ON_ERROR)
REF = "ref"
FAIL, SKIP = "fail", "skip"
RUN = re.compile(r"runs\[(\d+)\]")
NESTED = re.compile(r"^(input|params|options)\.")


def fuse(context: Context, tree: Mapping[str, object]) -> Transformed | FusedQueries:
    """Return the fused list of the runs in a request, or that of each of its queries."""
    asked = _asked(context, tree)
    if QUERIES in tree:
        return _queries(context, asked, tree)
    if RUNS not in tree:
        raise InvalidInput(
            "runs is a list of ranked lists; or queries, a list of objects with an id and runs",
            path=RUNS,
        )
    if ON_ERROR in tree:
        raise InvalidInput("on_error goes with queries", path=ON_ERROR)
    named = _read_names(tree) if QUERY_IDS in tree else None
    try:
        with _flat_places():
            fused = asked.fuse(context, tree[RUNS])
    except InvalidInput as error:
        _name_hit(error, tree, named)
        raise
    return fused if named is None else _named(fused, named)


@dataclass(frozen=True)
class FusionRequest:
    """A fusion with its parameters and options, which stand flat beside its runs.

    Parameters
    ----------
    method : str
        The fusion.
    params : mapping
        Its parameters as they were given, here or when it was stored.
    options : mapping
        What the answer holds.
    found : Found, optional
        The stored version it is.
    """

    method: str
    params: Mapping[str, object]
    options: Mapping[str, object]
    found: Found | None = None

    def fuse(self, context: Context, runs: object) -> Transformed:
        """Return the fused list of these runs."""
        if self.found is None:
            record, version = None, context.versions.stateless_version(self.method, self.params)
        else:
            record, version = self.found
        options = Options.read(self.options)
        return answer_input(context, version, {RUNS: runs}, options, record=record)

    def fusion(self, context: Context) -> Method:
        """Return the method with these parameters."""
        if self.found is not None:
            return self.found[1].resolved_method
        return context.versions.create(self.method, self.params)


def _asked(context: Context, tree: Mapping[str, object]) -> FusionRequest:
    if REF in tree:
        return _stored(context, tree)
    method = tree.get("method")
    if not isinstance(method, str):
        raise InvalidInput(
            "method names the fusion, for example 'rrf'; or ref a stored one", path="method"
        )
    name, implied = context.catalogue.fusion(method)
    cls = context.catalogue.method(name)
    if cls.name not in context.catalogue.fusions:
        raise UnsupportedOperation(
            f"{quoted(method)} fuses no runs{_fuses_fitted(context, name)}", path="method"
        )
    _refuse_unknown(tree, cls)
    merged = {**implied, **tree}
    options = {name: value for name, value in merged.items() if name in Options.model_fields}
    rest = merged.keys() - options.keys() - {"method", *BESIDE}
    return FusionRequest(name, {name: merged[name] for name in sorted(rest)}, options)


def _stored(context: Context, tree: Mapping[str, object]) -> FusionRequest:
    """Return the stored fusion that a request names; its parameters are those of its version."""
    if "method" in tree:
        raise InvalidInput("send method or ref, not both", path="method")
    reference = tree[REF]
    if not isinstance(reference, str):
        raise InvalidInput("ref names a stored fusion: 'name@prod'", path=REF)
    with reference_at(REF):
        found = context.versions.find(reference)
    version = found[1]
    if RUNS not in version.resolved_method.takes:
        raise UnsupportedOperation(f"'{version.method.name}' fuses no runs", path=REF)
    known = [REF, *BESIDE, *Options.model_fields]
    for name in tree:
        if name not in known:
            own = name in version.method.parameters
            hint = "its version says that; another value is a new version" if own else ""
            raise InvalidParams(
                f"a stored fusion takes no {quoted(name)}{did_you_mean(name, known)}; "
                f"{hint or 'known: ' + ', '.join(known)}",
                path=printable_name(name),
            )
    options = {name: value for name, value in tree.items() if name in Options.model_fields}
    return FusionRequest(version.method.name, version.method.explicit_params, options, found)


def _fuses_fitted(context: Context, name: str) -> str:
    """Return where a method is used that may take runs only after a fit."""
    if "fitted" not in context.catalogue.method(name).kinds:
        return ""
    return (
        " without a fit; one that fuses when fitted with runs is fitted at /v1/normalizers, "
        "and named by ref"
    )


def _queries(context: Context, asked: FusionRequest, tree: Mapping[str, object]) -> FusedQueries:
    for other in (RUNS, QUERY_IDS):
        if other in tree:
            raise InvalidInput(f"send {other} or queries, not both", path=other)
    on_error = tree.get(ON_ERROR, FAIL)
    if not isinstance(on_error, str) or on_error not in (FAIL, SKIP):
        raise InvalidParams("on_error is 'fail' or 'skip'", path=ON_ERROR)
    sent = tree[QUERIES]
    if isinstance(sent, list):
        _require_few(len(sent), context.settings, QUERIES)
    queries = read_queries(sent)
    with _flat_places():
        method = asked.fusion(context)
        if not {"ids", "scores"} <= method.gives.keys():
            raise UnsupportedOperation(
                f"'{method.name}' answers no list a query; send runs", path="method"
            )
        options = Options.read(asked.options)
    keys = all_keys(queries)
    _require_few(len(keys), context.settings, QUERIES)
    _require_few_pairs(queries, keys, context.settings)
    if options.explain:
        documents = sum(query.documents(options.top_k) for query in queries)
        require_few_parts(len(keys), documents, context.settings, QUERIES)
    check_positions(asked.params.get("weights"), queries, keys)

    def fuse_runs(runs: list[object]) -> Transformed:
        with _flat_places():
            return asked.fuse(context, runs)

    fused = fuse_queries(method, queries, fuse_runs, skip=on_error == SKIP)
    return replace(fused, record=asked.found[0]) if asked.found is not None else fused


def _require_few_pairs(queries: Sequence[Query], keys: Sequence[Key], settings: Settings) -> None:
    """Refuse queries whose runs differ so much that the work grows with the square."""
    pairs = count_pairs(queries, keys)
    if pairs > settings.max_pairs:
        raise TooLarge(
            f"{len(queries)} queries of so different runs, of which there are {len(keys)} in all, "
            "are too many; name and describe the same run alike in all queries, or send fewer "
            "queries",
            limit=settings.max_pairs,
            setting=variable("max_pairs"),
            path=QUERIES,
        )


def _require_few(count: int, settings: Settings, path: str) -> None:
    if count > settings.max_lists:
        raise TooLarge(
            f"{count} entries are too many",
            limit=settings.max_lists,
            setting="NORMD_MAX_LISTS",
            path=path,
        )


def _read_names(tree: Mapping[str, object]) -> Array:
    """Return the names of the queries, each once."""
    fields = Fields(query_ids=ids("q", help="what each query is called"))
    with _flat_places():
        return validate(fields, {QUERY_IDS: tree[QUERY_IDS]}, path="input").array(QUERY_IDS)


def _named(work: Transformed, names: Array) -> Transformed:
    """Return the answer with the names of its queries beside their lists."""
    answer = work.answer
    _require_one_each(answer.extra.get("total"), len(names))
    return replace(work, answer=replace(answer, output={**answer.output, QUERY_IDS: names}))


def _require_one_each(totals: object, names: int) -> None:
    queries = len(totals) if isinstance(totals, list) else 1
    if queries != names:
        raise ShapeError(f"{names} names, but the runs have {queries} queries", path=QUERY_IDS)


def _name_hit(error: InvalidInput, tree: Mapping[str, object], names: Array | None) -> None:
    """Say which run, query and hit is meant where an error knows a list or hit by its position."""
    found = RUN.match(error.path)
    whole = error.path == RUNS and names is not None
    if error.positions and (found or whole):
        query, *hits = error.positions[0]
        run = f"run {_told_run(tree[RUNS], int(found[1]))}, " if found else ""
        called = query if names is None or query >= len(names) else quoted(names[query])
        place = "".join(f", hit {hit}" for hit in hits)
        error.message = f"{error.message} ({run}query {called}{place})"
        error.faults = (Fault(error.path, error.message),)


def _told_run(runs: object, place: int) -> object:
    run = runs[place] if isinstance(runs, list) and place < len(runs) else None
    name = run.get("name") if isinstance(run, Mapping) else None
    return quoted(name) if isinstance(name, str) else place


def _refuse_unknown(tree: Mapping[str, object], cls: type[Method]) -> None:
    known = [
        "method",
        *BESIDE,
        *Options.model_fields,
        *cls.parameters,
        PRESET,
    ]
    for name in tree:
        if name not in known:
            raise InvalidParams(
                f"'{cls.name}' knows no {quoted(name)}{did_you_mean(name, known)}; "
                f"known: {', '.join(known)}",
                path=printable_name(name),
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
