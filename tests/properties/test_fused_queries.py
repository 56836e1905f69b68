"""Laws of fusions of many queries: each is answered as by itself, in whatever form it is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.envelope import queries_tree, work_tree
from app.service.context import Context, open_context
from app.service.fusion.fusion import fuse
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normd.wire.codecs import JSON, TREC, DecodeLimits
from tests.properties.samples import EXAMPLES

METHODS = ["rrf", "wsum", "combmnz", "isr", "bordafuse", "combmed"]
NAMES = ["x", "y", "z"]
SCORE = st.integers(-3, 9).map(lambda number: number / 3)
HITS = st.lists(st.tuples(st.sampled_from("abcdefgh"), SCORE), max_size=6)
QUERY = st.dictionaries(st.sampled_from(NAMES), HITS, min_size=1)
QUERIES = st.lists(QUERY, min_size=1, max_size=6)
BOUNDS = DecodeLimits()


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Context:
    return open_context(Settings(data=tmp_path_factory.mktemp("data")), CATALOGUE)


def member(name, hits):
    return {"name": name, "ids": [id for id, _ in hits], "scores": [score for _, score in hits]}


def as_queries(queries):
    return [
        {"id": place, "runs": [member(name, hits) for name, hits in runs.items()]}
        for place, runs in enumerate(queries)
    ]


def names_of(queries):
    return list(dict.fromkeys(name for runs in queries for name in runs))


def as_columns(queries):
    columns = []
    for name in names_of(queries):
        lists = [runs.get(name, []) for runs in queries]
        offsets = [0]
        for hits in lists:
            offsets.append(offsets[-1] + len(hits))
        whole = member(name, [hit for hits in lists for hit in hits])
        columns.append({**whole, "offsets": offsets})
    return columns


def answered(context, tree):
    done = fuse(context, tree)
    made = queries_tree(done) if "queries" in tree else work_tree(done)
    return JSON.decode(JSON.encode(made, frozenset()), BOUNDS, "").tree


@EXAMPLES
@given(queries=QUERIES, method=st.sampled_from(METHODS), top_k=st.integers(1, 5))
def test_each_query_is_answered_as_by_itself(context, queries, method, top_k) -> None:
    asked = {"method": method, "top_k": top_k, "explain": True}
    many = answered(context, {**asked, "queries": as_queries(queries)})["queries"]
    for query, runs in zip(many, queries, strict=True):
        alone = [member(name, runs.get(name, [])) for name in names_of(queries)]
        single = answered(context, {**asked, "runs": alone})
        for name in ("output", "total", "depth_used", "explain"):
            assert query[name] == single[name]


@EXAMPLES
@given(queries=QUERIES, method=st.sampled_from(METHODS))
def test_columns_are_the_queries_one_after_the_other(context, queries, method) -> None:
    many = answered(context, {"method": method, "queries": as_queries(queries)})
    columns = {
        "method": method,
        "query_ids": list(range(len(queries))),
        "runs": as_columns(queries),
    }
    whole = answered(context, columns)
    offsets = [0]
    for name in ("ids", "scores"):
        lists = [query["output"][name] for query in many["queries"]]
        assert [item for part in lists for item in part] == whole["output"][name]
        offsets = [sum(map(len, lists[:place])) for place in range(len(lists) + 1)]
    assert whole["output"]["offsets"] == offsets
    assert whole["output"]["query_ids"] == [query["id"] for query in many["queries"]]
    assert whole["total"] == [query["total"] for query in many["queries"]]
    assert whole["effective_params"] == many["effective_params"]


@EXAMPLES
@given(queries=QUERIES, method=st.sampled_from(METHODS))
def test_lines_of_trec_hold_the_same_bits(context, queries, method) -> None:
    tree = {
        "method": method,
        "query_ids": [f"q{place}" for place in range(len(queries))],
        "runs": as_columns(queries),
    }
    done = work_tree(fuse(context, tree))
    whole = JSON.decode(JSON.encode(done, frozenset()), BOUNDS, "").tree["output"]
    read = TREC.decode(TREC.encode(done, frozenset()), BOUNDS, "").tree
    found = [name for name, start, stop in zip(
        whole["query_ids"], whole["offsets"][:-1], whole["offsets"][1:], strict=True
    ) if stop > start]  # fmt: skip
    assert read["query_ids"] == found
    for run in read["runs"]:
        assert run["ids"] == whole["ids"]
        assert run["scores"].tolist() == whole["scores"]
    again = (
        fuse(context, {"method": "combsum", "normalizer": "identity", **read}) if found else None
    )
    if again is not None:
        assert work_tree(again)["output"]["ids"].values.tolist() == whole["ids"]


@EXAMPLES
@given(queries=QUERIES, data=st.data())
def test_a_query_that_fails_changes_no_other(context, queries, data) -> None:
    good = as_queries(queries)
    wrong = data.draw(st.sets(st.integers(0, len(good))))
    bad = {"runs": [{"name": "x", "ids": ["a"], "scores": [None]}, {"name": "y", "ids": []}]}
    bad["runs"] += [{"name": "z", "ids": []}]
    pad = {"id": "pad", "runs": [*bad["runs"][1:], {"name": "x", "ids": []}]}
    mixed = [pad]
    for place, query in enumerate(good):
        if place in wrong:
            mixed.append({"id": f"bad{place}", **bad})
        mixed.append(query)
    asked = {"method": "wsum", "on_error": "skip"}
    found = answered(context, {**asked, "queries": mixed})["queries"]
    expected = answered(context, {**asked, "queries": [pad, *good]})["queries"]
    assert [query for query in found if "error" not in query] == expected
    assert len(found) - len(expected) == len(wrong & set(range(len(good))))
