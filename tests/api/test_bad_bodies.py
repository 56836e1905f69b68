"""Bodies that no route reads: no JSON, and JSON that is odd (reports 1, 2, 4, 5 and 16)."""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Serve
from tests.api.problem import MARKER, paths_of, read_problem, slug_of
from tests.api.routes import ROUTES, Route, hold
from tests.api.samples import JSON, NAMES, SAFETENSORS, post, stored, tensors

LEVELS = 100_000
DEEP = [b"[" * LEVELS, b'{"a":' * LEVELS, b"[" * LEVELS + b"]" * LEVELS, b'[{"a":' * LEVELS]

# Whatever a body is, these are no JSON text at all.
NO_JSON = {
    "empty": b"",
    "blank": b" \n ",
    "cut off": b'{"method": "min_max"',
    "trailing comma": b'{"method": "min_max",}',
    "two documents": b'{"method": "min_max"} {"method": "min_max"}',
    "a comment": b'{"method": "min_max"} // yes',
    "single quotes": b"{'method': 'min_max'}",
    "UTF-16": '{"method": "min_max"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + b'{"method": "min_max"}',
    "not UTF-8": b'{"method": "\xff\xfe"}',
    "a control character": b'{"method": "min\nmax"}',
    "a repeated key": b'{"method": "min_max", "method": "min_max"}',
    "a nested repeated key": b'{"a": [{"b": 1, "b": 2}]}',
    "a lone surrogate as a key": b'{"\\ud800": 1}',
    "5,000 digits": b'{"a": ' + b"1" * 5000 + b"}",
}
NO_OBJECT = {
    "null": b"null",
    "a list": b"[]",
    "a number": b"5",
    "a string": b'"text"',
    "true": b"true",
}

# At the place of one number: what is sent, and which problem it is.
NO_NUMBER = {
    "NaN": (b"NaN", "unparseable"),
    "Infinity": (b"Infinity", "unparseable"),
    "minus Infinity": (b"-Infinity", "unparseable"),
    "nan in words": (b"nan", "unparseable"),
    "a leading zero": (b"01", "unparseable"),
    "a plus": (b"+1", "unparseable"),
    "hexadecimal": (b"0x1", "unparseable"),
    "a lone surrogate": (b'"\\ud800"', "unparseable"),
    "1e400": (b"1e400", None),
    "minus 1e400": (b"-1e400", None),
    "400 digits": (b"1" * 400, None),
    "true": (b"true", None),
    "false": (b"false", None),
    "a string of digits": (b'"1"', None),
    "nan as a string": (b'"nan"', None),
    "a marker": (b'"' + MARKER.encode() + b'"', None),
    "an empty list": (b"[]", None),
    "a list": (b"[1.0]", None),
    "an empty object": (b"{}", None),
    "an object": (b'{"a": 1}', None),
    "base64 of two values": (
        b'{"dtype": "float64", "shape": [2], "base64": "AAAAAAAAAAAAAAAAAAAAAA=="}',
        None,
    ),
}
PLACED = {"NaN", "Infinity", "minus Infinity", "1e400", "minus 1e400", "400 digits", "true"} | {
    "a string of digits",
    "a marker",
    "a lone surrogate",
}

NOT_READ = [
    "text/plain",
    "text/json",
    "application/octet-stream",
    "application/x-npy",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin-1",
    "application/jsonp",
    "json",
    ";",
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    from app.main import create_app
    from app.settings import Settings

    settings = Settings(data=tmp_path_factory.mktemp("data"))
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        hold(client)
        yield client


@pytest.fixture(autouse=True)
def _nothing_is_stored(client: TestClient) -> Iterator[None]:
    before = stored(client)
    yield
    assert stored(client) == before


@pytest.fixture(params=ROUTES.values(), ids=ROUTES.keys())
def route(request: pytest.FixtureRequest) -> Route:
    found: Route = request.param
    return found


def test_the_bodies_work_until_they_are_spoiled(serve: Serve) -> None:
    own = serve()
    hold(own)
    for route in ROUTES.values():
        response = route.send(own, route.works)
        assert response.status_code in (200, 201), (route, response.content)


@pytest.mark.parametrize("body", NO_JSON.values(), ids=NO_JSON.keys())
def test_report_16_what_is_no_json_is_400(client: TestClient, route: Route, body: bytes) -> None:
    assert slug_of(route.send(client, body)) == "unparseable"


@pytest.mark.parametrize("body", NO_OBJECT.values(), ids=NO_OBJECT.keys())
def test_report_16_json_that_is_no_object(client: TestClient, route: Route, body: bytes) -> None:
    assert slug_of(route.send(client, body)) == "invalid-input"


@pytest.mark.parametrize("body", DEEP, ids=["lists", "objects", "closed", "both"])
def test_report_16_100_000_levels_of_nesting(client: TestClient, route: Route, body: bytes) -> None:
    assert slug_of(route.send(client, body)) == "unparseable"
    assert slug_of(route.send(client, route.with_value(body))) == "unparseable"


@pytest.mark.parametrize("name", NO_NUMBER)
def test_reports_1_and_2_what_is_no_number(client: TestClient, route: Route, name: str) -> None:
    value, slug = NO_NUMBER[name]
    response = route.send(client, route.with_value(value))
    problem = read_problem(response)
    assert response.status_code == (400 if slug == "unparseable" else 422)
    if name in PLACED:
        assert paths_of(response)[0] == route.place
        assert route.place in str(problem["detail"])


def test_a_null_where_it_has_no_meaning(client: TestClient, route: Route) -> None:
    text = route.text.replace("@", route.number)
    for member in ("method", "name", "input", "runs", "from", "version"):
        start = f'"{member}": '
        if start not in text:
            continue
        tail = text[text.index(start) + len(start) :]
        value = _value_at(tail)
        response = route.send(client, text.replace(start + value, start + "null").encode())
        assert response.status_code == 422
        assert paths_of(response)[0].split(".")[0].split("[")[0] == member


def _value_at(text: str) -> str:
    import json

    _, end = json.JSONDecoder().raw_decode(text)
    return text[:end]


def test_an_unknown_member_is_named_with_the_nearest(client: TestClient, route: Route) -> None:
    body = route.works.replace(b"{", f'{{"{route.near}": "{MARKER}", '.encode(), 1)
    response = route.send(client, body)
    assert response.status_code == 422
    assert paths_of(response) == [route.near]
    assert f"did you mean '{route.missing}'" in str(read_problem(response)["detail"])


def test_long_and_odd_names_of_members_stay_short(client: TestClient, route: Route) -> None:
    for name in ("x" * 100_000, "a\\r\\nb", "\\u0000", "\\u2028", "", "__class__", "é" * 5000):
        body = route.works.replace(b"{", f'{{"{name}": 1, '.encode(), 1)
        response = route.send(client, body)
        assert response.status_code == 422
        read_problem(response)


def test_an_empty_object_lacks_what_it_needs(client: TestClient, route: Route) -> None:
    response = route.send(client, b"{}")
    assert response.status_code == 422
    assert paths_of(response)


@pytest.mark.parametrize("media_type", [None, "", *NOT_READ])
def test_report_16_another_media_type(
    client: TestClient, route: Route, media_type: str | None
) -> None:
    assert slug_of(route.send(client, route.works, media_type)) == "unsupported-media-type"


def test_accept_that_allows_nothing(client: TestClient, route: Route) -> None:
    for accept in ("text/html", "image/*", "application/json;q=0", "x"):
        assert slug_of(route.send(client, route.works, accept=accept)) == "not-acceptable"


def test_json_of_every_spelling_of_its_media_type_is_read(client: TestClient, route: Route) -> None:
    for media_type in ("Application/JSON", 'application/json; charset="UTF-8"', f"{JSON} ; x=y"):
        assert slug_of(route.send(client, b"{", media_type)) == "unparseable"


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


class _Canary:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.path,)


def test_report_5_pickles_are_never_opened(
    client: TestClient, route: Route, tmp_path: Path
) -> None:
    canary = tmp_path / "opened"
    pickled = pickle.dumps(_Canary(canary))
    npy = io.BytesIO()
    np.save(npy, np.array([_Canary(canary)], dtype=object), allow_pickle=True)
    for body in (pickled, npy.getvalue()):
        for media_type in (JSON, SAFETENSORS, "application/octet-stream", "application/x-npy"):
            assert route.send(client, body, media_type).status_code in (400, 415, 422)
        imported = client.post(
            f"{NAMES}/import?name=new", content=body, headers={"content-type": SAFETENSORS}
        )
        assert slug_of(imported) == "corrupt-version"
    assert not canary.exists()


def test_report_5_nothing_here_can_open_a_pickle() -> None:
    root = Path(__file__).parents[2]
    for file in [*(root / "app").rglob("*.py"), *(root / "normalizers").rglob("*.py")]:
        text = file.read_text()
        for word in ("import pickle", "joblib.load", "allow_pickle=True", "np.load(", "marshal"):
            assert word not in text, (file, word)


FLOATS = np.array([1.0, 2.0]).tobytes()
META = {"json": '{"method": "min_max", "input": {}}'}
ENTRY = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}


def _file(header: object, content: bytes = FLOATS, length: int | None = None) -> bytes:
    import json

    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(raw) if length is None else length) + raw + content


def _scores(**changes: object) -> dict[str, object]:
    return {"__metadata__": META, "input.scores": {**ENTRY, **changes}}


LIES = {
    "too short": (b"abc", 400),
    "length beyond the body": (_file(_scores(), length=10**6), 400),
    "length of 2**63": (_file(_scores(), length=2**63), 400),
    "length inside the header": (_file(_scores(), length=10), 400),
    "length 0": (_file(_scores(), length=0), 400),
    "negative offsets": (_file(_scores(data_offsets=[-1, 15])), 400),
    "offsets backwards": (_file(_scores(data_offsets=[16, 0])), 400),
    "offsets beyond the body": (_file(_scores(data_offsets=[0, 32])), 400),
    "a gap": (_file(_scores(data_offsets=[8, 24]), FLOATS * 2), 400),
    "bytes left over": (_file(_scores(), FLOATS + b"x"), 400),
    "overlap": (_file({**_scores(), "input.other": ENTRY}), 400),
    "offsets that are floats": (_file(_scores(data_offsets=[0.0, 16])), 400),
    "three offsets": (_file(_scores(data_offsets=[0, 8, 16])), 400),
    "no offsets": (_file({"__metadata__": META, "input.scores": {"dtype": "F64"}}), 400),
    "an unknown type": (_file(_scores(dtype="F8")), 422),
    "a type not read": (_file(_scores(dtype="BF16", shape=[8])), 422),
    "a type that is a number": (_file(_scores(dtype=8)), 422),
    "another type of the same size": (_file(_scores(dtype="F32")), 400),
    "a huge shape": (_file(_scores(shape=[2**62, 2**62])), 400),
    "a shape that wraps around": (_file(_scores(shape=[2**61, 8])), 400),
    "a huge empty shape": (_file(_scores(shape=[0, 2**62], data_offsets=[0, 0]), b""), 422),
    "a negative shape": (_file(_scores(shape=[-2])), 422),
    "a shape of strings": (_file(_scores(shape=["2"])), 422),
    "a shape of booleans": (_file(_scores(shape=[True, 2])), 422),
    "100 dimensions": (_file(_scores(shape=[1] * 99 + [2])), 422),
    "a repeated key": (_file(b'{"input.scores": 1, "input.scores": 2}'), 400),
    "a deep header": (_file(b"[" * LEVELS), 400),
    "a header that is a list": (_file([]), 400),
    "metadata that are a list": (_file({**_scores(), "__metadata__": []}), 400),
    "other metadata": (_file({**_scores(), "__metadata__": {"format": "pt"}}), 400),
    "metadata of a number": (_file({**_scores(), "__metadata__": {"json": 5}}), 400),
    "metadata of no JSON": (_file({**_scores(), "__metadata__": {"json": MARKER}}), 400),
    "metadata of a list": (_file({**_scores(), "__metadata__": {"json": "[]"}}), 422),
    "a repeated key in the JSON": (
        _file({**_scores(), "__metadata__": {"json": '{"method": "a", "method": "b"}'}}),
        400,
    ),
    "NaN in the JSON": (
        _file({**_scores(), "__metadata__": {"json": '{"input": {"a": NaN}}'}}),
        400,
    ),
    "a tensor where a value stands": (
        _file(
            {
                **_scores(),
                "__metadata__": {"json": '{"method": "min_max", "input": {"scores": [1]}}'},
            }
        ),
        400,
    ),
    "a tensor inside a number": (
        _file({**_scores(), "__metadata__": {"json": '{"method": "min_max", "input": 5}'}}),
        400,
    ),
    "a wrong escape": (_file({"__metadata__": META, "input.sc~2": ENTRY}), 400),
    "a deep name": (_file({"__metadata__": META, ".".join("a" * 1000): ENTRY}), 400),
    "no name": (_file({"__metadata__": META, "": ENTRY}), 422),
    "an unknown field": (_file({"__metadata__": META, "input.score": ENTRY}), 422),
    "booleans of 2": (_file(_scores(dtype="BOOL", data_offsets=[0, 2]), b"\x00\x02"), 422),
    "booleans for numbers": (_file(_scores(dtype="BOOL", data_offsets=[0, 2]), b"\x00\x01"), 422),
}


@pytest.mark.parametrize("name", LIES)
def test_safetensors_whose_header_lies(client: TestClient, name: str) -> None:
    body, status = LIES[name]
    response = post(client, "/v1/transform", body, media_type=SAFETENSORS)
    read_problem(response)
    assert response.status_code == status
    imported = post(client, f"{NAMES}/import?name=new", body, media_type=SAFETENSORS)
    assert slug_of(imported) == "corrupt-version"


def test_report_1_nan_and_infinities_in_tensors_follow_the_policy(client: TestClient) -> None:
    for bad in (np.nan, np.inf, -np.inf):
        body = tensors({"method": "min_max"}, input__scores=[1.0, bad])
        response = post(client, "/v1/transform", body, media_type=SAFETENSORS)
        assert slug_of(response) == "non-finite"
        assert paths_of(response) == ["input.scores[1]"]
    body = tensors(
        {"method": "min_max", "params": {"nan_policy": "omit"}}, input__scores=[1.0, np.nan, 3.0]
    )
    response = client.post(
        "/v1/transform", content=body, headers={"content-type": SAFETENSORS, "accept": JSON}
    )
    assert response.json()["output"]["values"] == [0.0, None, 1.0]
    assert response.json()["flags"] == {"missing": [1]} or response.json()["flags"] == {
        "missing": [[0, 1]]
    }


BASE64 = {
    "a length that differs": ({"dtype": "float64", "shape": [2], "base64": "AAAA"}, "shape-error"),
    "another alphabet": ({"dtype": "float16", "shape": [1], "base64": "_-A="}, "invalid-input"),
    "an unknown type": ({"dtype": "complex64", "shape": [1], "base64": "AAAA"}, "dtype-error"),
    "objects": ({"dtype": "object", "shape": [1], "base64": "AAAA"}, "dtype-error"),
    "a huge shape": (
        {"dtype": "float64", "shape": [2**62, 2**62], "base64": "AAAA"},
        "shape-error",
    ),
    "a negative shape": ({"dtype": "float64", "shape": [-1], "base64": "AAAA"}, "shape-error"),
    "a shape of floats": ({"dtype": "float64", "shape": [0.5], "base64": "AAAA"}, "shape-error"),
    "no text": ({"dtype": "float64", "shape": [0], "base64": 5}, "invalid-input"),
    "one member more": ({"dtype": "float64", "shape": [0], "base64": "", "a": 1}, "dtype-error"),
    "one member less": ({"dtype": "float64", "shape": [0]}, "dtype-error"),
    "booleans": ({"dtype": "bool", "shape": [1], "base64": "AQ=="}, "dtype-error"),
    "NaN": ({"dtype": "float64", "shape": [1], "base64": "AAAAAAAA+H8="}, "non-finite"),
}


@pytest.mark.parametrize("name", BASE64)
def test_arrays_in_base64_are_checked(client: TestClient, name: str) -> None:
    array, slug = BASE64[name]
    response = post(client, "/v1/transform", {"method": "min_max", "input": {"scores": array}})
    assert slug_of(response) == slug
    assert paths_of(response)[0].startswith("input.scores")
