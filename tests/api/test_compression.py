"""Compressed requests and answers: the same words, fewer bytes, and no bombs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator

import numpy as np
import pytest
import zstandard
from fastapi.testclient import TestClient

from tests.api.conftest import Serve
from tests.api.problem import Answered, read_problem, slug_of
from tests.api.samples import JSON, NAMES, NPY, WHITENING, create
from tests.api.streams import npy, read_npy

COMPRESS = {"gzip": gzip.compress, "zstd": zstandard.ZstdCompressor().compress}
UNPACK = {
    "gzip": gzip.decompress,
    "zstd": lambda content: zstandard.ZstdDecompressor().decompressobj().decompress(content),
}
BODY = json.dumps({"method": "min_max", "input": {"scores": [3, 1, 2] * 1000}}).encode()
IDENTITY = {"content-type": JSON, "accept-encoding": "identity"}
PATH = "/v1/transform"


def packed(coding: str, **more: str) -> dict[str, str]:
    return {**IDENTITY, "content-encoding": coding, **more}


@pytest.fixture(params=COMPRESS)
def coding(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_compressed_request_says_the_same(client: TestClient, coding: str) -> None:
    plain = client.post(PATH, content=BODY, headers=IDENTITY)
    content = COMPRESS[coding](BODY)

    def chunks() -> Iterator[bytes]:
        yield from (content[start : start + 7] for start in range(0, len(content), 7))

    for sent in (content, chunks()):
        response = client.post(PATH, content=sent, headers=packed(coding.upper()))
        assert (response.status_code, response.content) == (200, plain.content)


def test_an_answer_is_compressed_when_the_client_asks(client: TestClient, coding: str) -> None:
    plain = client.post(PATH, content=BODY, headers=IDENTITY)
    assert "content-encoding" not in plain.headers
    assert plain.headers["content-length"] == str(len(plain.content))
    answer, raw = _raw(client, PATH, BODY, {**IDENTITY, "accept-encoding": coding})
    assert answer.headers["content-encoding"] == coding
    assert "accept-encoding" in answer.headers["vary"].lower()
    assert len(raw) < len(plain.content) / 2
    assert answer.headers.get("content-length", str(len(raw))) == str(len(raw))
    assert UNPACK[coding](raw) == plain.content


def test_small_answers_and_problems_are_not_compressed(client: TestClient, coding: str) -> None:
    sent = {"content-type": JSON, "accept-encoding": coding}
    small = client.post(PATH, json={"method": "min_max", "input": {"scores": [1, 2]}}, headers=sent)
    wrong = client.post(PATH, content=b"{", headers=sent)
    assert "content-encoding" not in small.headers
    assert "content-encoding" not in wrong.headers
    assert slug_of(wrong) == "unparseable"


def test_one_array_is_compressed_both_ways(client: TestClient, coding: str) -> None:
    made = create(client, "n", WHITENING)
    rows = np.random.default_rng(2).integers(0, 9, (50_000, 3)) / 8
    headers = {"content-type": NPY, "content-encoding": coding, "accept-encoding": coding}
    response, raw = _raw(client, f"{NAMES}/n/transform", COMPRESS[coding](npy(rows)), headers)
    assert response.headers["content-encoding"] == coding
    assert response.headers["etag"] == f'"{made["hash"]}-npy-{coding}"'
    assert read_npy(UNPACK[coding](raw)).shape == rows.shape


def test_a_compressed_answer_has_a_strong_tag_of_its_own(client: TestClient, coding: str) -> None:
    made = create(client, "n", {**WHITENING, "description": "a" * 9_000})
    path = f"{NAMES}/n@1"
    tags = {
        name: client.get(path, headers={"accept-encoding": name}).headers["etag"]
        for name in ("identity", coding)
    }
    assert tags == {"identity": f'"{made["hash"]}"', coding: f'"{made["hash"]}-{coding}"'}
    for name, tag in tags.items():
        asked = {"accept-encoding": name, "if-none-match": f'"other", {tag}'}
        known = client.get(path, headers=asked)
        assert (known.status_code, known.headers["etag"]) == (304, tag)
        asked = {"accept-encoding": name, "if-match": tag}
        assert client.get(path, headers=asked).status_code == 200
        asked["if-match"] = f'"{"0" * 64}-{coding}"'
        assert client.get(path, headers=asked).status_code == 412


@pytest.mark.parametrize("named", ["br", "deflate", "gzip, gzip", "zstd, gzip", "x", "gzip;q=1"])
def test_other_codings_are_refused_by_name(client: TestClient, named: str) -> None:
    problem = read_problem(client.post(PATH, content=BODY, headers=packed(named)))
    assert problem["status"] == 415
    assert "send gzip or zstd" in str(problem["detail"])


def test_identity_is_no_coding(client: TestClient) -> None:
    for named in ("identity", "", "gzip, identity"):
        content = COMPRESS["gzip"](BODY) if "gzip" in named else BODY
        assert client.post(PATH, content=content, headers=packed(named)).status_code == 200


def test_what_is_cut_or_damaged_is_refused(client: TestClient, coding: str) -> None:
    content = COMPRESS[coding](BODY)
    for wrong in (content[:-1], content + b"junk", BODY, _flipped(content)):
        assert slug_of(client.post(PATH, content=wrong, headers=packed(coding))) == "unparseable"


def test_a_bomb_is_refused_by_the_setting_it_meets(serve: Serve, coding: str) -> None:
    own = serve(max_body_bytes=3_000_000)
    bomb = COMPRESS[coding](b" " * 2_000_000)
    by_ratio = read_problem(own.post(PATH, content=bomb, headers=packed(coding)))
    assert (by_ratio["limit"], by_ratio["setting"]) == (200, "NORMD_MAX_COMPRESSION_RATIO")
    noise = np.random.default_rng(1).integers(97, 123, 3_100_000, dtype=np.uint8).tobytes()
    by_size = read_problem(own.post(PATH, content=COMPRESS[coding](noise), headers=packed(coding)))
    assert (by_size["limit"], by_size["setting"]) == (3_000_000, "NORMD_MAX_BODY_BYTES")
    assert by_ratio["status"] == by_size["status"] == 413
    generous = serve(max_body_bytes=3_000_000, max_compression_ratio=10**6)
    assert slug_of(generous.post(PATH, content=bomb, headers=packed(coding))) == "unparseable"


def test_a_short_body_of_zeros_is_no_bomb(client: TestClient, coding: str) -> None:
    create(client, "n", {"method": "min_max"})
    headers = {"content-type": NPY, "content-encoding": coding, "accept": JSON}
    content = COMPRESS[coding](npy(np.zeros(100_000)))
    assert client.post(f"{NAMES}/n/transform", content=content, headers=headers).status_code == 200


def test_the_ratio_is_among_the_limits(client: TestClient) -> None:
    limit = client.get("/v1/limits").json()["limits"]["max_compression_ratio"]
    assert (limit["value"], limit["setting"]) == (200, "NORMD_MAX_COMPRESSION_RATIO")


def _flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1 :]


def _raw(
    client: TestClient, path: str, content: bytes, headers: dict[str, str]
) -> tuple[Answered, bytes]:
    with client.stream("POST", path, content=content, headers=headers) as answer:
        return answer, b"".join(answer.iter_raw())
