"""Arrow streams that are cut, damaged, too large behind their bytes, or of types not read."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Serve
from tests.api.problem import MARKER, paths_of, read_problem
from tests.api.samples import ARROW, post
from tests.api.streams import stream

PATH = "/v1/transform"
TREE = {"method": "min_max"}
WHOLE = stream({"scores": [1.0, 2.0, 3.0]}, TREE)
END = 8
SEED = 5
DAMAGED = 300


def _scores(values: object, kind: pa.DataType | None = None) -> bytes:
    return stream({"scores": pa.array(values, kind)}, TREE)


def _wrong_text() -> bytes:
    column = pa.array([b"a", b"\xff"]).view(pa.utf8())
    return stream({"scores": column}, TREE)


LIES = {
    "nothing": (b"", 400),
    "garbage": (MARKER.encode() * 9, 400),
    "no end": (WHOLE[:-END], 400),
    "cut in a batch": (WHOLE[: len(WHOLE) // 2], 400),
    "cut in the end": (WHOLE[:-1], 400),
    "an end alone": (WHOLE[-END:], 400),
    "bytes left over": (WHOLE + b"x", 400),
    "a huge message": (b"\xff\xff\xff\xff\xff\xff\xff\x7f" + WHOLE, 400),
    "a file in place of a stream": (b"ARROW1\0\0" + WHOLE, 400),
    "streams of one column": (WHOLE + stream({"scores": [[1.0]]}), 400),
    "two columns of one name": (WHOLE + stream({"input.scores": [1.0]}), 400),
    "JSON in a later stream": (WHOLE + stream({"mask": [1.0]}, TREE), 400),
    "JSON that is none": (stream({"scores": [1.0]}, MARKER.encode()), 400),
    "JSON that is a list": (stream({"scores": [1.0]}, []), 422),
    "a value in JSON and a column": (stream({"scores": [1.0]}, {"input": {"scores": 1}}), 400),
    "a wrong escape": (stream({"input.sc~2": [1.0]}, TREE), 400),
    "a deep name": (stream({".".join("a" * 1000): [1.0]}, TREE), 400),
    "an unknown field": (stream({"score": [1.0]}, TREE), 422),
    "binary": (_scores([b"a"]), 422),
    "dates": (_scores([1], pa.timestamp("us")), 422),
    "decimals": (_scores([1], pa.decimal128(5)), 422),
    "structs": (_scores([{"a": 1}]), 422),
    "maps": (_scores([[("a", 1)]], pa.map_(pa.utf8(), pa.int8())), 422),
    "texts for numbers": (_scores(["a"]), 422),
    "a dictionary of texts for numbers": (_scores(pa.array(["a"]).dictionary_encode()), 422),
    "booleans for numbers": (_scores([True]), 422),
    "a dictionary of lists": (
        stream({"scores": pa.DictionaryArray.from_arrays([0], pa.array([[1.0]]))}, TREE),
        422,
    ),
    "null for a list": (_scores([[1.0], None]), 422),
    "no columns": (stream({}, TREE), 422),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_stream_that_lies(client: TestClient, lie: str) -> None:
    content, status = LIES[lie]
    assert read_problem(post(client, PATH, content, media_type=ARROW))["status"] == status


def test_the_row_is_named(client: TestClient) -> None:
    for content, path in (
        (_scores([[1.0], None]), "input.scores[1]"),
        (_scores([1.0, float("inf")]), "input.scores[1]"),
        (_wrong_text(), "input.scores[1]"),
        (
            stream(
                {"fit.x": [[1.0, 2.0], None], "input.x": [[1.0, 2.0]] * 2}, {"method": "whitening"}
            ),
            "fit.x[1]",
        ),
    ):
        assert paths_of(post(client, PATH, content, media_type=ARROW)) == [path]


def test_the_id_that_is_missing_is_named(client: TestClient) -> None:
    for ids in (pa.array([4, None, 6]), pa.array(["a", None, "c"]), pa.array([4, None, None])):
        content = stream({"runs.0.ids": ids, "runs.0.scores": [3.0, 2.0, 1.0]}, {"method": "rrf"})
        response = post(client, "/v1/fuse", content, media_type=ARROW)
        assert paths_of(response) == ["runs[0].ids[1]"]


def test_a_place_in_a_list_is_written_as_in_json(client: TestClient) -> None:
    for column in (pa.array([b"a", b"\xff"]).view(pa.utf8()), pa.array([[1], None])):
        content = stream({"runs.0.ids": column}, {"method": "rrf"})
        response = post(client, "/v1/fuse", content, media_type=ARROW)
        assert paths_of(response) == ["runs[0].ids[1]"]


def test_rows_of_unequal_length_are_no_matrix(client: TestClient) -> None:
    content = stream(
        {"input.x": [[1.0, 2.0], [3.0]], "fit.x": [[1.0, 2.0], [3.0, 5.0]]}, {"method": "whitening"}
    )
    problem = read_problem(post(client, PATH, content, media_type=ARROW))
    assert problem["detail"] == "input.x[1]: ragged: this row has 1 entries, the first one 2"


def test_compressed_buffers_are_refused(client: TestClient) -> None:
    for codec in ("lz4", "zstd"):
        options = pa.ipc.IpcWriteOptions(compression=codec)
        for column in (pa.array([0.0] * 1000), pa.array(["a"] * 1000).dictionary_encode()):
            content = stream({"scores": column}, TREE, options=options)
            problem = read_problem(post(client, PATH, content, media_type=ARROW))
            assert problem["status"] == 415
            assert "Content-Encoding" in str(problem["detail"])


def test_few_bytes_that_stand_for_many_values(serve: Serve) -> None:
    own = serve(max_values=1000)
    text = pa.array(["a" * 20_000])
    for column in (
        pa.nulls(10**9),
        pa.nulls(1001),
        pa.DictionaryArray.from_arrays(pa.array([0] * 900, pa.int16()), text),
        pa.array([[0.0] * 101] * 10),
    ):
        problem = read_problem(post(own, PATH, stream({"scores": column}, TREE), media_type=ARROW))
        assert (problem["limit"], problem["setting"]) == (1000, "NORMD_MAX_VALUES")


def test_damage_anywhere_is_no_fault_of_the_service(client: TestClient) -> None:
    rows = [[1.0, None], [2.0, 3.0]]
    content = stream(
        {"scores": rows, "ids": ["a", "b"], "d": pa.array(["a", None]).dictionary_encode()}, TREE
    )
    generator = random.Random(SEED)
    for _ in range(DAMAGED):
        damaged = bytearray(content)
        for _ in range(generator.choice((1, 2, 8))):
            damaged[generator.randrange(len(damaged))] = generator.choice((0, 1, 127, 128, 255))
        response = post(client, PATH, bytes(damaged), media_type=ARROW)
        assert response.status_code < 500, response.content
