"""The client of Triton calls a normalizer as a model, over a real connection."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import numpy as np
import pytest
import tritonclient.http as triton
from tritonclient.utils import InferenceServerException

from normalizers import MinMax, Whitening
from tests.ops.server import serving

ROWS = np.random.default_rng(5).standard_normal((60, 8)).astype(np.float32)
ROWS_OF_TIME = {"layout": "NT"}
RUNS = {"bm25": ["d1", "d2", "d3"], "dense": ["d3", "d4"]}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("inference") / "data"
    with serving(folder) as server:
        with httpx.Client(base_url=server.url) as client:
            for body in (
                {"name": "white", "method": "whitening", "fit": {"x": ROWS.tolist()}},
                {"name": "scores", "method": "min_max", "fit": {"scores": [0.0, 5.0, 10.0]}},
                {"name": "hybrid", "method": "rrf"},
                {"name": "changes", "method": "difference"},
            ):
                assert client.post("/v1/normalizers", json=body).status_code == 201
        yield server.url


@pytest.fixture
def client(url: str) -> Iterator[triton.InferenceServerClient]:
    client = triton.InferenceServerClient(url.removeprefix("http://"))
    yield client
    client.close()


def _tensor(name: str, array: np.ndarray, datatype: str, *, binary: bool = True):
    tensor = triton.InferInput(name, list(array.shape), datatype)
    tensor.set_data_from_numpy(array, binary_data=binary)
    return tensor


def test_server_and_models_say_that_they_are_ready(client: triton.InferenceServerClient) -> None:
    assert client.is_server_live()
    assert client.is_server_ready()
    assert client.is_model_ready("white")
    assert client.is_model_ready("white", "1")
    assert not client.is_model_ready("black")
    assert "binary_tensor_data" in client.get_server_metadata()["extensions"]


def test_metadata_tell_the_tensors_of_a_version(client: triton.InferenceServerClient) -> None:
    told = client.get_model_metadata("white")
    assert told["versions"] == ["1"]
    assert told["inputs"] == [{"name": "x", "datatype": "FP32", "shape": [-1, 8]}]
    assert told["outputs"] == [{"name": "y", "datatype": "FP32", "shape": [-1, 8]}]


@pytest.mark.parametrize("binary", [True, False])
def test_rows_come_back_as_the_library_transforms_them(
    client: triton.InferenceServerClient, binary: bool
) -> None:
    wanted = triton.InferRequestedOutput("y", binary_data=binary)
    answer = client.infer(
        "white", [_tensor("x", ROWS, "FP32", binary=binary)], outputs=[wanted], request_id="r1"
    )
    expected = Whitening().fit(ROWS).transform(ROWS)
    assert answer.as_numpy("y").dtype == np.float32
    assert np.array_equal(answer.as_numpy("y"), expected)
    assert answer.get_response()["id"] == "r1"
    assert answer.get_response()["model_version"] == "1"


def test_compressed_requests_and_answers(client: triton.InferenceServerClient) -> None:
    answer = client.infer(
        "white",
        [_tensor("x", ROWS, "FP32")],
        request_compression_algorithm="gzip",
        response_compression_algorithm="gzip",
    )
    assert np.array_equal(answer.as_numpy("y"), Whitening().fit(ROWS).transform(ROWS))


def test_ragged_lists_have_their_offsets_beside_them(client: triton.InferenceServerClient) -> None:
    scores, offsets = np.array([1.0, 2.0, 9.0]), np.array([0, 2, 3])
    answer = client.infer(
        "scores", [_tensor("scores", scores, "FP64"), _tensor("offsets", offsets, "INT64")]
    )
    expected = MinMax().fit([0.0, 5.0, 10.0]).transform([[1.0, 2.0], [9.0]])
    assert np.array_equal(answer.as_numpy("values"), np.concatenate(expected))
    assert answer.as_numpy("offsets").tolist() == [0, 2, 3]


def test_runs_are_fused_by_their_names(client: triton.InferenceServerClient) -> None:
    tensors = []
    for index, (name, ids) in enumerate(RUNS.items()):
        tensors += [
            _tensor(f"runs.{index}.name", np.array(name, dtype=object), "BYTES"),
            _tensor(f"runs.{index}.ids", np.array(ids, dtype=object), "BYTES"),
        ]
    answer = client.infer("hybrid", tensors)
    ids = [text.decode() for text in answer.as_numpy("ids").tolist()]
    assert ids[0] == "d3"
    assert sorted(ids) == ["d1", "d2", "d3", "d4"]


def test_carried_state_goes_out_and_in_as_tensors(client: triton.InferenceServerClient) -> None:
    series = np.arange(8.0).reshape(1, 8) ** 2
    at_once = client.infer("changes", [_tensor("x", series, "FP64")], parameters=ROWS_OF_TIME)
    first = client.infer("changes", [_tensor("x", series[:, :4], "FP64")], parameters=ROWS_OF_TIME)
    state = [
        _tensor(shown["name"], first.as_numpy(shown["name"]), shown["datatype"])
        for shown in first.get_response()["outputs"]
        if shown["name"].startswith("state.")
    ]
    tensors = [_tensor("x", series[:, 4:], "FP64"), *state]
    rest = client.infer("changes", tensors, parameters=ROWS_OF_TIME).as_numpy("y")
    assert np.array_equal(
        np.hstack([first.as_numpy("y"), rest]), at_once.as_numpy("y"), equal_nan=True
    )


def test_the_way_back_is_a_parameter(client: triton.InferenceServerClient) -> None:
    there = client.infer("white", [_tensor("x", ROWS, "FP32")]).as_numpy("y")
    back = client.infer("white", [_tensor("y", there, "FP32")], parameters={"inverse": True})
    assert np.allclose(back.as_numpy("x"), ROWS, atol=1e-4)


def test_flags_stand_in_the_parameters_of_the_answer(client: triton.InferenceServerClient) -> None:
    answer = client.infer("scores", [_tensor("scores", np.array([1.0, 99.0]), "FP64")])
    assert json.loads(answer.get_response()["parameters"]["flags"])


@pytest.mark.parametrize(
    "name, tensor, said",
    [
        ("black", _tensor("x", ROWS, "FP32"), "there is no normalizer 'black'"),
        ("white", _tensor("z", ROWS, "FP32"), "unknown field 'z'"),
        ("white", _tensor("x", ROWS[:, :3], "FP32"), "8"),
    ],
)
def test_errors_are_told_as_the_client_reads_them(
    client: triton.InferenceServerClient, name: str, tensor: object, said: str
) -> None:
    with pytest.raises(InferenceServerException, match=said):
        client.infer(name, [tensor])
