from __future__ import annotations

import math

import numpy as np
import pytest

from normalizers.data.ragged import Ragged
from normd.wire.codecs import trec
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import NotAcceptable, TooLarge, Unparseable

RUN = b"""q2 Q0 d1 2 0.5 bm25
q2 Q0 d2 1 1.5 bm25

q1\tQ0\td1\t1\t-2e-3\tbm25\r
q1 Q0 d9 1 7 dense
"""


def form(*parts: tuple[str, bytes]) -> bytes:
    written = [
        b"--limit\r\nContent-Disposition: form-data; "
        + name.encode()
        + b"\r\n\r\n"
        + text
        + b"\r\n"
        for name, text in parts
    ]
    return b"".join([*written, b"--limit--\r\n"])


def test_tags_name_runs_and_ranks_order_lines() -> None:
    tree = trec.decode(RUN, DecodeLimits()).tree
    assert tree["query_ids"] == ["q2", "q1"]
    bm25, dense = tree["runs"]
    assert (bm25["name"], bm25["ids"]) == ("bm25", ["d2", "d1", "d1"])
    assert bm25["scores"].tolist() == [1.5, 0.5, -2e-3]
    assert bm25["offsets"].tolist() == [0, 2, 3]
    assert (dense["name"], dense["ids"], dense["offsets"].tolist()) == ("dense", ["d9"], [0, 0, 1])


def test_parts_name_runs() -> None:
    body = form(
        ('name="bm25"; filename="x.run"', RUN.partition(b"\n\n")[0]),
        ('filename="runs/dense.txt"', b""),
    )
    bm25, dense = trec.decode_parts(body, DecodeLimits()).tree["runs"]
    assert (bm25["name"], bm25["ids"]) == ("bm25", ["d2", "d1"])
    assert (dense["name"], dense["ids"], dense["offsets"].tolist()) == ("dense", [], [0, 0])


def test_nothing_is_no_runs() -> None:
    assert trec.decode(b"\n \n", DecodeLimits()).tree == {"runs": [], "query_ids": []}


def test_only_the_blanks_of_ascii_end_a_word() -> None:
    tree = trec.decode("q\u00a01 Q0 d\u30001\t1 2 t\n".encode(), DecodeLimits()).tree
    assert (tree["query_ids"], tree["runs"][0]["ids"]) == (["q\u00a01"], ["d\u30001"])
    ids = Ragged.of([["d\u30001"]], object)
    lines = trec.encode({"output": {"ids": ids, "scores": Ragged.of([[1.0]])}, "method": "rrf"})
    assert trec.decode(lines, DecodeLimits()).tree["runs"][0]["ids"] == ["d\u30001"]


def test_what_is_no_finite_number_is_passed_on() -> None:
    scores = trec.decode(b"q Q0 a 1 nan t\nq Q0 b 2 1e400 t\n", DecodeLimits()).tree["runs"][0][
        "scores"
    ]
    assert math.isnan(scores[0])
    assert math.isinf(scores[1])


@pytest.mark.parametrize(
    "line, message",
    [
        (b"q Q0 d 1 2", "the run, line 2: 5 words stand here"),
        (b"q Q0 d 1 2 t more", "the run, line 2: 7 words stand here"),
        (b"q Q0 d first 2 t", "run 't', line 2: the rank is no whole number"),
        (b"q Q0 d 1.0 2 t", "run 't', line 2: the rank is no whole number"),
        (b"q Q0 d 99999999999999999999 2 t", "run 't', line 2: the rank is no whole number"),
        (b"q Q0 d 1 high t", "run 't', line 2: the score is no number"),
        (b"q Q0 d 1 1_0 t", "run 't', line 2: the score is no number"),
        ("q Q0 d 1 \u0661 t".encode(), "run 't', line 2: the score is no number"),
        (b"q Q0 d 1 1\x1c t", "run 't', line 2: the score is no number"),
        ("q Q0 d \u0661 1 t".encode(), "run 't', line 2: the rank is no whole number"),
        ("q Q0 d 1\u00a02 t".encode(), "the run, line 2: 5 words stand here"),
        (b"\xff", "not text in UTF-8"),
    ],
)
def test_lines_that_are_none(line: bytes, message: str) -> None:
    with pytest.raises(Unparseable, match=message):
        trec.decode(b"q Q0 x 1 1 t\n" + line + b"\n", DecodeLimits())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        RUN,
        b"--limit\r\n",
        form(("nothing", b"")),
        b"--limit\r\nname\r\n--limit--\r\n",
        form(('name="a"', RUN)).removesuffix(b"--limit--\r\n"),
    ],
)
def test_forms_that_are_none(body: bytes) -> None:
    with pytest.raises(Unparseable):
        trec.decode_parts(body, DecodeLimits())


def test_lines_are_limited() -> None:
    with pytest.raises(TooLarge):
        trec.decode(RUN, DecodeLimits(values=3))
    with pytest.raises(TooLarge):
        trec.decode_parts(form(('name="a"', RUN), ('name="b"', RUN)), DecodeLimits(values=5))


IDS = Ragged.of([["b", "a"], [], ["c"]], object)
SCORES = Ragged.of([[0.1 + 0.2, 1e-300], [], [-5.0]])


@pytest.mark.parametrize("output", [
    {"ids": IDS, "scores": SCORES},
    {"ids": list(IDS), "scores": list(SCORES)},
])  # fmt: skip
def test_answers_are_lines_that_read_back(output: dict[str, object]) -> None:
    tree = {"method": "rrf", "output": {**output, "query_ids": ["x", "y", "z"]}}
    lines = trec.encode(tree)
    assert lines.splitlines()[0] == b"x Q0 b 1 0.30000000000000004 rrf"
    read = trec.decode(lines, DecodeLimits()).tree
    assert read["query_ids"] == ["x", "z"]
    assert read["runs"][0]["ids"] == ["b", "a", "c"]
    np.testing.assert_array_equal(read["runs"][0]["scores"], SCORES.values)


def test_queries_without_names_have_their_place() -> None:
    one = {"method": "rrf", "output": {"ids": IDS.values[:1], "scores": SCORES.values[2:]}}
    assert trec.encode(one) == b"0 Q0 b 1 -5.0 rrf\n"
    queries = [{"id": "q", "output": {"ids": IDS.values[:1], "scores": SCORES.values[2:]}}]
    assert trec.encode({"method": "rrf", "queries": queries}) == b"q Q0 b 1 -5.0 rrf\n"


@pytest.mark.parametrize(
    "tree",
    [
        {"output": {"y": SCORES}},
        {"output": {"ids": [["a b"]], "scores": [[1.0]]}},
        {"output": {"ids": [["a"]], "scores": [[1.0]], "query_ids": ["q 1"]}},
        {"output": {"ids": [["a"]], "scores": [[1.0]]}, "explain": []},
        {"queries": [{"id": "q", "error": {}}]},
        {"items": []},
    ],
)
def test_what_lines_have_no_room_for(tree: dict[str, object]) -> None:
    with pytest.raises(NotAcceptable, match="accept application/json"):
        trec.encode({"method": "rrf", **tree})
