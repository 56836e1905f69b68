"""Bodies above a limit of bytes or values (report 4)."""

from __future__ import annotations

from tests.api.conftest import Serve
from tests.api.problem import read_problem, slug_of
from tests.api.routes import Route, hold
from tests.api.samples import JSON, post, stored


def test_report_4_a_body_above_the_limit(route: Route, serve: Serve) -> None:
    own = serve(max_body_bytes=1000)
    hold(own)
    before = stored(own)
    large = route.works + b" " * 1001
    assert slug_of(route.send(own, large)) == "too-large"
    chunks = iter([large[i : i + 7] for i in range(0, len(large), 7)])
    chunked = own.request(route.verb, route.path, content=chunks, headers={"content-type": JSON})
    assert slug_of(chunked) == "too-large"
    assert stored(own) == before
    assert slug_of(route.send(own, b" " * 1000)) == "unparseable"


def test_report_4_ten_million_values_within_the_bytes(serve: Serve) -> None:
    own = serve(max_values=1000)
    for body in (
        {"method": "min_max", "input": {"scores": [1] * 1001}},
        {"method": "min_max", "input": {"scores": [[1]] * 1001}},
        {"method": "rrf", "input": {"runs": [{"ids": ["a"] * 1001}]}},
    ):
        problem = read_problem(post(own, "/v1/transform", body))
        assert (problem["limit"], problem["setting"]) == (1000, "NORMD_MAX_VALUES")
