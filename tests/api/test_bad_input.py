"""Bodies that parse and cannot be used: each a problem with its place, and nothing stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.api.conftest import Serve
from tests.api.problem import MARKER, paths_of, read_problem, slug_of
from tests.api.samples import (
    BANK,
    HUBS,
    ITEMS,
    NAMES,
    PERCENTILE,
    ROWS,
    RUNS,
    SAFETENSORS,
    SCORES,
    WHITENING,
    create,
    look,
    post,
    stored,
)

Body = Mapping[str, object]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data=tmp_path_factory.mktemp("data"))
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        create(client, "white", WHITENING)
        create(client, "white2", {**WHITENING, "fit": {"x": [row[:2] for row in ROWS]}})
        create(client, "percent", PERCENTILE)
        create(client, "hubs", HUBS)
        create(client, "hubs5", {**HUBS, "params": {"beta": 5.0}})
        create(client, "query", {"method": "min_max"})
        create(client, "opened", {"method": "whitening"})
        client.post(f"{NAMES}/opened/observations", json={"fit": {"x": ROWS}})
        client.post(f"{NAMES}/hubs/observations", json={"fit": HUBS["fit"]})
        client.put(f"{NAMES}/white/aliases/prod", json={"version": 1})
        yield client


@pytest.fixture(autouse=True)
def _nothing_is_stored(client: TestClient) -> Iterator[None]:
    before = stored(client)
    yield
    assert stored(client) == before


class Bad(NamedTuple):
    """One-shot work that must fail: the problem's slug and where."""

    slug: str
    path: str
    method: str
    given: Body
    params: Body = {}
    fit: Body | None = None
    options: Body | None = None

    @property
    def body(self) -> dict[str, object]:
        body = {"method": self.method, "params": self.params, "input": self.given}
        for name in ("fit", "options"):
            if getattr(self, name) is not None:
                body[name] = getattr(self, name)
        return body


def _white(slug: str, path: str, x: object, fit: object = ROWS, **params: object) -> Bad:
    return Bad(slug, path, "whitening", {"x": x}, params, {"x": fit})


def _scores(slug: str, path: str, given: Body, **params: object) -> Bad:
    return Bad(slug, path, "min_max", given, params)


def _hubs(slug: str, path: str, given: Body, fit: Body = HUBS["fit"], **params: object) -> Bad:  # type: ignore[assignment]
    return Bad(slug, path, "inverted_softmax", given, {"beta": 20.0, **params}, fit)


def _groups(slug: str, path: str, given: Body, fit: Body | None = None) -> Bad:
    known = {"x": [1.0, 2.0, 4.0, 8.0], "groups": ["a", "a", "b", "b"]}
    return Bad(slug, path, "group_z_score", given, {}, fit or known)


def _window(slug: str, path: str, given: Body, **options: object) -> Bad:
    return Bad(slug, path, "window_z_score", given, {}, None, options or None)


def _steps(slug: str, path: str, steps: object) -> Bad:
    return Bad(slug, path, "pipeline", {"scores": SCORES}, {"steps": steps})


CANDIDATES = {"candidate_ids": [["a", "b"]], "candidate_scores": [[0.5, 0.4]]}

BAD = {
    "ragged rows": _white("shape-error", "input.x[1]", [[1, 2, 3], [1, 2]]),
    "ragged rows in a fit": _white("shape-error", "fit.x[2]", [[1, 2]], [[1, 2], [3, 4], [5]]),
    "a row that is a number": _white("shape-error", "input.x[1]", [[1, 2, 3], 5]),
    "three axes": _white("shape-error", "input.x", [[[1, 2, 3]]]),
    "a scalar": _white("shape-error", "input.x", 1.0),
    "an object": _white("dtype-error", "input.x", {"a": 1}),
    "a string": _white("dtype-error", "input.x", MARKER),
    "another dimension": _white("shape-error", "input.x", [[1, 2]]),
    "another dimension, flat": _white("shape-error", "input.x", [1, 2]),
    "rows of nothing": _white("shape-error", "input.x", [[]]),
    "null for a field": _white("invalid-input", "input.x", None),
    "null for a row": _white("shape-error", "input.x", [None]),
    "null for a number": _white("non-finite", "input.x[0][1]", [[1, None, 2]]),
    "null in a fit": _white("non-finite", "fit.x[1][0]", [[1, 2]], [[1, 2], [None, 1], [3, 4]]),
    "a fit of nothing": _white("not-enough-data", "fit", [[1, 2, 3]], []),
    "a fit of rows of nothing": _white("rank-deficient", "fit", [[1, 2, 3]], [[], []]),
    "a fit of one row": _white("not-enough-data", "fit", [[1, 2, 3]], [[1, 2, 3]]),
    "a fit of rank 0": _white("rank-deficient", "fit", [[1, 2, 3]], [[1, 2, 3]] * 4),
    "a fit beyond 1e140": _white("invalid-input", "fit", [[1, 2]], [[1e200, 1], [1, 2], [2, 1]]),
    "no components": _white("invalid-params", "params.n_components", [[1, 2, 3]], n_components=0),
    "true components": _white(
        "invalid-params", "params.n_components", [[1, 2, 3]], n_components=True
    ),
    "components of a string": _white(
        "invalid-params", "params.n_components", [[1, 2, 3]], n_components="2"
    ),
    "a negative eps": _white("invalid-params", "params.eps", [[1, 2, 3]], eps=-1.0),
    "eps of a list": _white("invalid-params", "params.eps", [[1, 2, 3]], eps=[MARKER]),
    "two of one group": _white("invalid-params", "params.eps_rel", [[1, 2, 3]], eps=1, eps_rel=1),
    "an unknown variant": _white("invalid-params", "params.variant", [[1, 2, 3]], variant=MARKER),
    "an unknown preset": _white("invalid-params", "params.preset", [[1, 2, 3]], preset=MARKER),
    "a list beside a number": _scores("shape-error", "input.scores[1]", {"scores": [[1.0], 2.0]}),
    "lists in lists": _scores("shape-error", "input.scores[0]", {"scores": [[[1.0]]]}),
    "no field": _scores("invalid-input", "input.scores", {}),
    "a field misspelt": _scores("invalid-input", "input.score", {"score": [MARKER]}),
    "offsets beyond": _scores(
        "shape-error", "input.scores", {"scores": [1.0, 2.0], "offsets": [0, 3]}
    ),
    "offsets that fall": _scores(
        "invalid-input", "input.offsets", {"scores": [1.0, 2.0], "offsets": [0, 2, 1, 2]}
    ),
    "offsets not from 0": _scores(
        "invalid-input", "input.offsets", {"scores": [1.0, 2.0], "offsets": [1, 2]}
    ),
    "offsets of halves": _scores(
        "invalid-input", "input.offsets", {"scores": [1.0, 2.0], "offsets": [0, 0.5, 2]}
    ),
    "no offsets": _scores("shape-error", "input.offsets", {"scores": [1.0], "offsets": []}),
    "offsets and nested lists": _scores(
        "shape-error", "input.scores", {"scores": [[1.0]], "offsets": [0, 1]}
    ),
    "bounds the wrong way": _scores(
        "invalid-params", "params.lower", {"scores": SCORES}, bounds="fixed", lower=5, upper=1
    ),
    "a fit of no scores": Bad(
        "not-enough-data", "fit", "percentile", {"scores": SCORES}, {}, {"scores": []}
    ),
    "a fit where none belongs": Bad(
        "unsupported-operation", "fit", "rrf", {"runs": RUNS}, {}, {"scores": SCORES}
    ),
    "ids and scores of other lengths": _hubs(
        "shape-error", "input.candidate_ids", {**CANDIDATES, "candidate_scores": [[0.5]]}
    ),
    "null for an id": _hubs(
        "dtype-error", "input.candidate_ids[0][1]", {**CANDIDATES, "candidate_ids": [["a", None]]}
    ),
    "a number with a fraction for an id": _hubs(
        "dtype-error", "input.candidate_ids[0][1]", {**CANDIDATES, "candidate_ids": [["a", 1.5]]}
    ),
    "an item nobody knows": _hubs(
        "invalid-input",
        "input.candidate_ids[0][1]",
        {**CANDIDATES, "candidate_ids": [["a", "zz"]]},
        unknown_item="error",
    ),
    "an item twice": _hubs(
        "invalid-input",
        "fit.gallery_ids[2]",
        CANDIDATES,
        {"bank_sims": BANK, "gallery_ids": ["a", MARKER, MARKER]},
    ),
    "too few items": _hubs(
        "shape-error", "fit.gallery_ids", CANDIDATES, {"bank_sims": BANK, "gallery_ids": ["a"]}
    ),
    "a bank of nothing": _hubs(
        "not-enough-data", "fit", CANDIDATES, {"bank_sims": [], "gallery_ids": ITEMS}
    ),
    "beta 0": _hubs("invalid-params", "params.beta", CANDIDATES, beta=0.0),
    "beta in words": _hubs("invalid-params", "params.beta", CANDIDATES, beta=MARKER),
    "too few groups": _groups("shape-error", "input.groups", {"x": [1.0, 2.0], "groups": ["a"]}),
    "null for a group": _groups(
        "dtype-error", "input.groups[1]", {"x": [1.0, 2.0], "groups": ["a", None]}
    ),
    "a group nobody knows": _groups(
        "invalid-input", "input.groups[1]", {"x": [1.0, 2.0], "groups": ["a", "zz"]}
    ),
    "one row of a group": _groups(
        "not-enough-data",
        "fit.groups",
        {"x": [1.0], "groups": ["a"]},
        {"x": [1.0, 2.0, 3.0], "groups": ["a", "a", "b"]},
    ),
    "ragged windows": _window("shape-error", "input.x[0][1]", {"x": [[[1, 2], [3]]]}),
    "text in a window": _window("dtype-error", "input.x[0][1][0]", {"x": [[[1.0], [MARKER]]]}),
    "an unknown layout": _window(
        "invalid-params", "options.layout", {"x": [[1.0, 2.0]]}, layout=MARKER[:3]
    ),
    "a mask of twos": _window(
        "invalid-input", "input.mask[0][1]", {"x": [[1.0, 2.0]], "mask": [[1, 2]]}, layout="NT"
    ),
    "a mask of another shape": _window(
        "shape-error", "input.mask", {"x": [[1.0, 2.0]], "mask": [[1]]}, layout="NT"
    ),
    "an unknown option": Bad(
        "invalid-params",
        "options.explian",
        "min_max",
        {"scores": SCORES},
        options={"explian": MARKER},
    ),
    "an option of another type": Bad(
        "invalid-params", "options.explain", "min_max", {"scores": SCORES}, options={"explain": 1}
    ),
    "an option without meaning": Bad(
        "invalid-params", "options.depth", "min_max", {"scores": SCORES}, options={"depth": 3}
    ),
    "no steps": _steps("invalid-params", "params.steps", []),
    "steps of a string": _steps("invalid-params", "params.steps", "min_max"),
    "steps of an object": _steps("invalid-params", "params.steps", {"method": "min_max"}),
    "a step of a number": _steps("invalid-params", "params.steps[1]", ["min_max", 5]),
    "a step of null": _steps("invalid-params", "params.steps[0]", [None]),
    "an unknown step": _steps("unknown-method", "params.steps[0]", ["min_mx"]),
    "an unknown method of a step": _steps(
        "unknown-method", "params.steps[0].method", [{"method": "min_mx"}]
    ),
    "an unknown parameter of a step": _steps(
        "invalid-params",
        "params.steps[0].params.bound",
        [{"method": "min_max", "params": {"bound": MARKER}}],
    ),
    "a step more": _steps(
        "invalid-params", "params.steps[0]", [{"method": "min_max", "x": MARKER}]
    ),
    "a reference more": _steps("invalid-input", "params.steps[0]", [{"ref": "white", "x": MARKER}]),
    "a reference that is none": _steps("invalid-input", "params.steps[0].ref", [{"ref": "../x"}]),
    "a reference to nothing": _steps("not-found", "params.steps[0].ref", [{"ref": "nothing"}]),
    "a reference to no version": _steps("not-found", "params.steps[0].ref", [{"ref": "white@9"}]),
    "a reference to an open name": _steps("conflict", "params.steps[0].ref", [{"ref": "opened"}]),
    "steps that do not follow": _steps(
        "invalid-params", "params.steps[1]", ["min_max", {"ref": "white"}]
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_one_shot_work_that_cannot_be_done(client: TestClient, name: str) -> None:
    bad = BAD[name]
    response = post(client, "/v1/transform", bad.body)
    assert slug_of(response) == bad.slug, response.content
    assert paths_of(response)[0] == bad.path


NO_CREATION = [name for name, bad in BAD.items() if bad.path.startswith(("fit", "params"))]


@pytest.mark.parametrize("name", NO_CREATION)
def test_a_name_that_cannot_be_created(client: TestClient, name: str) -> None:
    bad = BAD[name]
    body = {k: v for k, v in bad.body.items() if k != "input"}
    for query in ("", "?dry_run=true"):
        response = post(client, NAMES + query, {"name": "new", **body})
        assert slug_of(response) == bad.slug
        assert paths_of(response)[0] == bad.path


@pytest.mark.parametrize("name", [n for n, bad in BAD.items() if bad.method == "whitening"])
def test_the_same_of_stored_names(client: TestClient, name: str) -> None:
    bad = BAD[name]
    if bad.path.startswith("input"):
        for ref in ("white", "white@1", "white@prod"):
            response = post(client, f"{NAMES}/{ref}/transform", {"input": bad.given})
            assert (slug_of(response), paths_of(response)[0]) == (bad.slug, bad.path)
    else:
        body = {"from": "fit", "fit": bad.fit, "params": bad.params}
        response = post(client, f"{NAMES}/white2/versions", body)
        assert (slug_of(response), paths_of(response)[0]) == (bad.slug, bad.path)


def test_did_you_mean(client: TestClient) -> None:
    for body, guess in (
        ({"method": "min_mx", "input": {}}, "min_max"),
        ({"method": "reciprocal_rank_fusio", "input": {}}, "reciprocal_rank_fusion"),
        ({"method": "min_max", "params": {"bound": 1}, "input": {}}, "bounds"),
        ({"method": "min_max", "input": {"score": []}}, "scores"),
        ({"method": "whitening", "input": {"vectors": []}, "fit": {"vectors": []}}, "x"),
        ({"method": "min_max", "input": {}, "options": {"stricct": True}}, "strict"),
        ({"method": "min_max", "input": {}, "param": {}}, "params"),
        ({"method": "whitening", "input": {}, "statistics": {"scater": {}}}, "scatter"),
    ):
        response = post(client, "/v1/transform", body)
        assert f"did you mean '{guess}'" in str(read_problem(response)["detail"])


BAD_NAMES = [
    "",
    ".",
    "..",
    "../../etc/passwd",
    "a/b",
    "/etc",
    "a\\b",
    "a\r\nX-Evil: 1",
    "a\n",
    "a\x00b",
    "a b",
    "a#b",
    "a?b",
    "a%00b",
    "a@b",
    "-a",
    "_a",
    "é",
    "é",
    "Ａ",
    "١",
    "a\u2028",
    "\ufffd",
    "x" * 129,
    "x" * 300,
    "x" * 5000,
]
ODD_BUT_GOOD = ["CON", "a..b", "0", "x" * 128, "import", "a.", "NUL.safetensors"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_report_6_one_rule_for_names_in_bodies(client: TestClient, name: str) -> None:
    for query in ("", "?dry_run=true"):
        response = post(client, NAMES + query, {"name": name, **WHITENING})
        assert slug_of(response) == "invalid-input"
        assert paths_of(response) == ["name"]
    imported = client.post(
        f"{NAMES}/import",
        params={"name": name},
        content=client.get(f"{NAMES}/white/export").content,
        headers={"content-type": SAFETENSORS},
    )
    assert slug_of(imported) == "invalid-input"
    merged = post(client, f"{NAMES}/white/versions", {"from": "merge", "refs": [f"{name}@1"]})
    assert slug_of(merged) == "invalid-input"


def _encoded(name: str) -> str:
    return "".join(f"%{byte:02x}" for byte in name.encode())


@pytest.mark.parametrize("name", [name for name in BAD_NAMES if name])
def test_report_6_one_rule_for_names_in_paths(client: TestClient, name: str) -> None:
    quoted = _encoded(name)
    for verb, path, body in (
        ("GET", quoted, None),
        ("DELETE", quoted, None),
        ("GET", f"{quoted}/versions", None),
        ("GET", f"{quoted}/statistics", None),
        ("GET", f"{quoted}/export", None),
        ("GET", f"{quoted}/observations", None),
        ("DELETE", f"{quoted}/observations", None),
        ("GET", f"{quoted}/aliases", None),
        ("GET", f"white@{quoted}", None),
        ("PUT", f"{quoted}/aliases/prod", {"version": 1}),
        ("PUT", f"white/aliases/{quoted}", {"version": 1}),
        ("DELETE", f"white/aliases/{quoted}", None),
        ("POST", f"{quoted}/transform", {"input": {"x": ROWS}}),
        ("POST", f"{quoted}/versions", {"from": "fit", "fit": {"x": ROWS}}),
        ("POST", f"{quoted}/observations", {"fit": {"x": ROWS}}),
    ):
        response = client.request(verb, f"{NAMES}/{path}", json=body)
        problem = read_problem(response)
        assert response.status_code in (404, 405, 422), (verb, path)
        if "/" not in name and name != "a@b":
            assert response.status_code == 422 or "aliases" in path
        if len(name) > 2:
            assert name not in str(problem)


def test_report_6_odd_names_that_keep_the_rule_stay_in_the_folder(serve: Serve) -> None:
    own = serve()
    for name in ODD_BUT_GOOD:
        create(own, name, {"method": "min_max"})
        assert own.get(f"{NAMES}/{name}@1").json()["name"] == name
    folder = own.app.state.context.settings.data  # type: ignore[attr-defined]
    assert {path.name for path in folder.iterdir()} <= {
        "registry.db",
        "registry.db-wal",
        "registry.db-shm",
        "versions",
    }


def test_unknown_names_versions_and_aliases(client: TestClient) -> None:
    for ref in ("nothing", "white@2", "white@999999999999999999", "white@canary", "nothing@1"):
        for verb, path, body in (
            ("GET", "", None),
            ("GET", "/statistics", None),
            ("GET", "/fitted", None),
            ("GET", "/report", None),
            ("GET", "/export", None),
            ("POST", "/transform", {"input": {"x": ROWS}}),
            ("POST", "/inverse", {"input": {"y": ROWS}}),
        ):
            response = client.request(verb, f"{NAMES}/{ref}{path}", json=body)
            assert slug_of(response) == "not-found"
    for verb, path, body in (
        ("GET", "nothing/versions", None),
        ("GET", "nothing/aliases", None),
        ("GET", "nothing/observations", None),
        ("DELETE", "nothing", None),
        ("DELETE", "white@2", None),
        ("DELETE", "white/aliases/canary", None),
        ("DELETE", "nothing/observations", None),
        ("PUT", "white/aliases/canary", {"version": 2}),
        ("PUT", "nothing/aliases/canary", {"version": 1}),
        ("POST", "nothing/versions", {"from": "params"}),
        ("POST", "nothing/observations", {"fit": {"x": ROWS}}),
        ("POST", "white/versions", {"from": "merge", "refs": ["white@2"]}),
        ("POST", "white/versions", {"from": "merge", "refs": ["nothing"]}),
        ("POST", "white/versions", {"from": "merge", "refs": ["white@1"], "minus": ["white@2"]}),
    ):
        assert slug_of(client.request(verb, f"{NAMES}/{path}", json=body)) == "not-found"


def test_references_that_are_none(client: TestClient) -> None:
    for ref in ("white@", "white@0", "white@-1", "white@1.5", "white@1e3", "white@01", "@1", "@"):
        assert slug_of(client.get(f"{NAMES}/{ref}")) == "invalid-input"
    assert slug_of(client.get(f"{NAMES}/white@open")) == "invalid-input"
    assert slug_of(client.put(f"{NAMES}/white/aliases/open", json={"version": 1})) == (
        "invalid-input"
    )
    assert slug_of(client.put(f"{NAMES}/white/aliases/7", json={"version": 1})) == "invalid-input"
    assert slug_of(client.delete(f"{NAMES}/white@prod")) == "invalid-input"


def test_versions_of_aliases(client: TestClient) -> None:
    for version in (0, -1, 2**63, 2**53 + 1, 1.5, "1", None, [1], True):
        response = post_alias(client, version)
        assert slug_of(response) == "invalid-input"
        assert paths_of(response) == ["version"]


def post_alias(client: TestClient, version: object):  # type: ignore[no-untyped-def]
    return client.put(f"{NAMES}/white/aliases/canary", json={"version": version})


def test_queries(client: TestClient) -> None:
    for query in ("limit=0", "limit=-1", "limit=x", "limit=1.5", f"cursor={'x' * 300}"):
        assert slug_of(client.get(f"{NAMES}?{query}")) == "invalid-input"
    for cursor in ("x", "-1", "1.5", "9" * 100, "٣", " 1"):
        response = client.get(f"{NAMES}/white/versions", params={"cursor": cursor})
        assert slug_of(response) == "invalid-input"
    assert slug_of(post(client, f"{NAMES}?dry_run={MARKER}", {"name": "n"})) == "invalid-input"


def test_headers(client: TestClient) -> None:
    body = {"from": "fit", "fit": {"x": ROWS}}
    for key in ("", "a b", "x" * 256, "é".encode(), "a\tb"):
        response = client.post(
            f"{NAMES}/white/versions", json=body, headers={"idempotency-key": key}
        )
        assert slug_of(response) == "invalid-input"
        response = client.post(
            f"{NAMES}/white/observations",
            json={"fit": {"x": ROWS}},
            headers={"idempotency-key": key},
        )
        assert paths_of(response) == ["Idempotency-Key"]
    response = client.put(
        f"{NAMES}/white/aliases/prod", json={"version": 1}, headers={"if-none-match": '"abc"'}
    )
    assert paths_of(response) == ["If-None-Match"]


def test_descriptions_and_tags_that_are_too_long(client: TestClient) -> None:
    for member, value in (
        ("description", "x" * 10_001),
        ("description", 5),
        ("tags", ["a"] * 101),
        ("tags", "a"),
        ("tags", [5]),
        ("tags", ["x" * 201]),
        ("tags", [None]),
    ):
        response = post(client, NAMES, {"name": "new", "method": "min_max", member: value})
        assert slug_of(response) == "invalid-input"
        assert paths_of(response)[0].split(".")[0] == member


def _scatter(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {"n": 4, "mean": [0.0, 0.0], "scatter": [[1.0, 0.5], [0.5, 1.0]]}
    members |= changes
    return {"scatter": {name: value for name, value in members.items() if value is not ...}}


def _quantiles(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {
        "n": [3],
        "offsets": [0, 2],
        "values": [1.0, 2.0],
        "counts": [1, 2],
    }
    members |= changes
    return {"quantiles": {name: value for name, value in members.items() if value is not ...}}


def _lse(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {
        "n": 3,
        "beta": 20.0,
        "item_lse": [1.0, 2.0],
        "item_ids": ["a", "b"],
    }
    members |= changes
    return {"log_sum_exp": {name: value for name, value in members.items() if value is not ...}}


def _extrema(**changes: object) -> dict[str, object]:
    members: dict[str, object] = {"n": [2], "min": [0.0], "max": [1.0]}
    return {"extrema": {**members, **changes}}


STATISTICS = {
    "negative n": ("white", _scatter(n=-4), "scatter.n"),
    "n of halves": ("white", _scatter(n=4.5), "scatter.n"),
    "no n for a merge": ("white", _scatter(n=None), "scatter.n"),
    "true n": ("white", _scatter(n=True), "scatter.n"),
    "n in digits": ("white", _scatter(n="4"), "scatter.n"),
    "n of a list": ("white", _scatter(n=[4]), "scatter.n"),
    "n of 2**62": ("white", _scatter(n=2**62), "scatter.n"),
    "n of 0 with a scatter": ("white", _scatter(n=0), "scatter.n"),
    "n of 1 with a scatter": ("white", _scatter(n=1), "scatter.n"),
    "indefinite": ("white", _scatter(scatter=[[1.0, 2.0], [2.0, 1.0]]), "scatter.scatter"),
    "a negative variance": ("white", _scatter(scatter=[[-1.0, 0], [0, 1.0]]), "scatter.scatter"),
    "asymmetric": ("white", _scatter(scatter=[[1.0, 0.5], [0.4, 1.0]]), "scatter.scatter[0][1]"),
    "not square": ("white", _scatter(scatter=[[1.0, 0.5, 0], [0.5, 1, 0]]), "scatter.scatter"),
    "flat": ("white", _scatter(scatter=[1.0, 0.5, 0.5, 1.0]), "scatter.scatter"),
    "ragged": ("white", _scatter(scatter=[[1.0, 0.5], [0.5]]), "scatter.scatter"),
    "a mean of another length": ("white", _scatter(mean=[0.0] * 3), "scatter.scatter"),
    "null in a mean": ("white", _scatter(mean=[0.0, None]), "scatter.mean[1]"),
    "text in a mean": ("white", _scatter(mean=[0.0, MARKER]), "scatter.mean[1]"),
    "beyond 1e140": ("white", _scatter(scatter=[[1e300, 0], [0, 1.0]]), "scatter.scatter"),
    "no mean": ("white", _scatter(mean=...), "scatter"),
    "no scatter": ("white", _scatter(scatter=...), "scatter"),
    "a member more": ("white", _scatter(extra=MARKER), "scatter.extra"),
    "a list of members": ("white", {"scatter": [MARKER]}, "scatter"),
    "null for a statistic": ("white", {"scatter": None}, "scatter"),
    "another statistic": ("white", {"extrema": {"n": [1], "min": [0], "max": [1]}}, "extrema"),
    "a statistic misspelt": ("white", {"scater": {}}, "scater"),
    "a statistic more": ("white", {**_scatter(), "moments": {}}, "moments"),
    "no statistic": ("white", {}, ""),
    "unsorted quantiles": ("percent", _quantiles(values=[2.0, 1.0]), "quantiles.values"),
    "quantiles twice": ("percent", _quantiles(values=[1.0, 1.0]), "quantiles.values"),
    "counts of another length": ("percent", _quantiles(counts=[3]), "quantiles.counts"),
    "counts of 0": ("percent", _quantiles(counts=[0, 3]), "quantiles.counts"),
    "counts below 0": ("percent", _quantiles(counts=[-1, 4]), "quantiles.counts"),
    "counts of another sum": ("percent", _quantiles(counts=[1, 1]), "quantiles.n[0]"),
    "offsets of another end": ("percent", _quantiles(offsets=[0, 3]), "quantiles.offsets"),
    "quantiles of null": ("percent", _quantiles(values=[1.0, None]), "quantiles.values"),
    "no offsets": ("percent", _quantiles(offsets=...), "quantiles"),
    "negative bank rows": ("hubs", _lse(n=-3), "log_sum_exp.n"),
    "too few ids": ("hubs", _lse(item_ids=["a"]), "log_sum_exp.item_ids"),
    "ids twice": ("hubs", _lse(item_ids=[MARKER, MARKER]), "log_sum_exp.item_ids"),
    "beta 0": ("hubs", _lse(beta=0.0), "log_sum_exp.beta"),
    "no beta": ("hubs", _lse(beta=...), "log_sum_exp"),
    "lse of null": ("hubs", _lse(item_lse=[None, 1.0]), "log_sum_exp.item_lse"),
    "columns of another length": ("extrema", _extrema(max=[1.0, 2.0]), "extrema.max"),
    "min above max": ("extrema", _extrema(min=[2.0]), "extrema.min"),
    "n below 0": ("extrema", _extrema(n=[-1]), "extrema.n"),
}
KEPT_BY = {
    "white": {"method": "whitening"},
    "percent": {"method": "percentile", "params": {"scope": "fitted"}},
    "hubs": {"method": "inverted_softmax", "params": {"beta": 20.0}},
    "extrema": {"method": "min_max", "params": {"scope": "fitted"}},
}


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_that_cannot_be(client: TestClient, name: str) -> None:
    held, statistics, path = STATISTICS[name]
    place = f"statistics.{path}".rstrip(".")
    asked = [
        ("/v1/transform", {**KEPT_BY[held], "input": {}}),
        (NAMES, {"name": "new", **KEPT_BY[held]}),
        (f"{NAMES}?dry_run=true", {"name": "new", **KEPT_BY[held]}),
    ]
    if held != "extrema":
        asked += [
            (f"{NAMES}/{held}/versions", {"from": "statistics"}),
            (f"{NAMES}/{held}/versions", {"from": "merge", "refs": [f"{held}@1"]}),
            (f"{NAMES}/{held}/observations", {}),
        ]
    for route, body in asked:
        response = post(client, route, {**body, "statistics": statistics})
        assert response.status_code == 422, (route, response.content)
        assert paths_of(response)[0].startswith(place), route


def test_statistics_of_another_beta(client: TestClient) -> None:
    for route, body in (
        (NAMES, {"name": "new", **KEPT_BY["hubs"]}),
        (f"{NAMES}/hubs/versions", {"from": "statistics"}),
        (f"{NAMES}/hubs/versions", {"from": "merge", "refs": ["hubs@1"]}),
        (f"{NAMES}/hubs/observations", {}),
    ):
        response = post(client, route, {**body, "statistics": _lse(beta=5.0)})
        assert slug_of(response) == "incompatible-statistics"
        assert paths_of(response) == ["statistics.log_sum_exp.beta"]


def test_merges_of_what_does_not_merge(client: TestClient) -> None:
    for name, body in (
        ("white", {"refs": ["white@1", "white2@1"]}),
        ("white", {"refs": ["white@1", "percent@1"]}),
        ("white", {"refs": ["white@1", "hubs@open"]}),
        ("white2", {"refs": ["white2@1", "opened@open"]}),
        ("hubs", {"refs": ["hubs@1", "hubs5@1"]}),
        ("white", {"refs": ["white@1"], "statistics": _scatter()}),
        ("white", {"refs": ["white@1"], "minus": ["white2@1"]}),
        ("white", {"refs": ["white@1"], "minus": ["hubs@1"]}),
        ("white", {"refs": ["query@1"]}),
    ):
        response = post(client, f"{NAMES}/{name}/versions", {"from": "merge", **body})
        assert slug_of(response) == "incompatible-statistics", response.content


def test_merges_that_say_nothing(client: TestClient) -> None:
    for body, path in (
        ({}, "refs"),
        ({"refs": []}, "refs"),
        ({"minus": ["white@1"]}, "refs"),
        ({"refs": "white@1"}, "refs"),
        ({"refs": [5]}, "refs.0"),
        ({"refs": [{"ref": "white@1"}]}, "refs.0"),
        ({"refs": ["white@1"], "fit": {"x": ROWS}}, "fit"),
        ({"refs": ["white@1"], "minus": ["white@1"]}, "minus"),
    ):
        response = post(client, f"{NAMES}/white/versions", {"from": "merge", **body})
        assert response.status_code == 422, body
        assert paths_of(response)[0] == path


def test_versions_from_what_is_not_there(client: TestClient) -> None:
    for name, body, slug in (
        ("white", {"from": "fit"}, "invalid-input"),
        ("white", {"from": "statistics"}, "invalid-input"),
        ("white", {"from": "observations"}, "not-enough-data"),
        ("white", {"from": MARKER}, "invalid-input"),
        ("white", {"from": None}, "invalid-input"),
        ("white", {"from": "fit", "fit": {"x": ROWS}, "statistics": _scatter()}, "invalid-input"),
        ("white", {"from": "params", "refs": ["white@1"]}, "invalid-input"),
        ("white", {"from": "params", "params": {"eps": -1}}, "invalid-params"),
        ("white", {"from": "params", "params": {"epss": 1}}, "invalid-params"),
        ("white", {"from": "weights", "weights": {"W": [[1.0]]}}, "unsupported-operation"),
        ("opened", {"from": "params", "params": {"eps": 1.0}}, "conflict"),
        ("hubs", {"from": "params", "params": {"beta": 5.0}}, "conflict"),
        ("query", {"from": "fit", "fit": {"scores": SCORES}}, "conflict"),
        ("query", {"from": "observations"}, "conflict"),
    ):
        response = post(client, f"{NAMES}/{name}/versions", body)
        assert slug_of(response) == slug, (body, response.content)


def test_observations_that_do_not_fit_those_before(client: TestClient) -> None:
    for name, body, statuses in (
        ("opened", {"fit": {"x": [[1.0, 2.0]]}}, (409,)),
        ("opened", {"statistics": _scatter()}, (409,)),
        ("opened", {"fit": {"scores": SCORES}}, (422,)),
        ("opened", {"fit": {"x": ROWS}, "params": {"nan_policy": MARKER}}, (422,)),
        ("opened", {"fit": {"x": ROWS}, "params": {"pre": "l2"}}, (409,)),
        ("opened", {"fit": {"x": ROWS}, "statistics": _scatter()}, (422,)),
        ("opened", {}, (422,)),
        ("opened", {"weights": {}}, (422,)),
        ("opened", {"statistics": {"scatter": {"cov": [[1.0]], "mean": [0.0]}}}, (409, 422)),
        ("hubs", {"fit": {"bank_sims": [[0.5, 0.2]], "gallery_ids": ["a", "z"]}}, (409,)),
        (
            "hubs",
            {"fit": HUBS["fit"], "params": {"beta": 5.0}},
            (409,),
        ),
        ("query", {"fit": {"scores": SCORES}}, (409,)),
    ):
        response = post(client, f"{NAMES}/{name}/observations", body)
        assert response.status_code in statuses, (body, response.content)
        read_problem(response)


def test_a_version_file_with_a_flipped_byte(client: TestClient) -> None:
    for name in ("white", "percent", "hubs", "query"):
        content = client.get(f"{NAMES}/{name}/export").content
        for place in range(0, len(content), 7):
            flipped = bytearray(content)
            flipped[place] ^= 1 << place % 8
            response = post(
                client, f"{NAMES}/import?name=new", bytes(flipped), media_type=SAFETENSORS
            )
            assert slug_of(response) == "corrupt-version", (name, place)
        for cut in (content[:-1], content + b"\0", content[: len(content) // 2], b""):
            response = post(client, f"{NAMES}/import?name=new", cut, media_type=SAFETENSORS)
            assert slug_of(response) == "corrupt-version"


def test_a_stored_file_with_a_flipped_byte_is_503_until_it_is_mended(serve: Serve) -> None:
    own = serve(version_cache_bytes=0)
    create(own, "n", WHITENING)
    exported = own.get(f"{NAMES}/n/export").content
    hash = str(look(own, "/n")["hash"])
    folder = own.app.state.context.settings.data / "versions" / hash[:2]  # type: ignore[attr-defined]
    file = folder / f"{hash}.safetensors"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    file.write_bytes(bytes(content))
    for verb, path, body in (
        ("GET", "/statistics", None),
        ("GET", "/fitted", None),
        ("GET", "/export", None),
        ("POST", "/transform", {"input": {"x": ROWS}}),
        ("POST", "/versions", {"from": "params", "params": {"eps_rel": 2.0}}),
    ):
        assert slug_of(own.request(verb, f"{NAMES}/n{path}", json=body)) == "damaged-version"
    assert own.get(f"{NAMES}/n").status_code == 200
    file.unlink()
    assert slug_of(own.get(f"{NAMES}/n/export")) == "damaged-version"
    mended = own.post(
        f"{NAMES}/import?name=again", content=exported, headers={"content-type": SAFETENSORS}
    )
    assert mended.json()["hash"] == hash
    assert own.get(f"{NAMES}/n/export").content == exported
