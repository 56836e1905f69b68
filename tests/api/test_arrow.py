"""Columns in and out, whatever the types, batches and streams they come in."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from fastapi.testclient import TestClient

from normd.wire.codecs import negotiation
from tests.api.asking import ask
from tests.api.problem import read_problem, slug_of
from tests.api.samples import ARROW, JSON, NAMES, ROWS, RUNS, WHITENING, create
from tests.api.streams import read_streams, stream

SENT = {"content-type": ARROW}
AS_JSON = {**SENT, "accept": JSON}
STORED = f"{NAMES}/n/transform"
MATRIX = np.array(ROWS)
WIDTH = MATRIX.shape[1]
WAYS = {
    "list": {"x": pa.array(ROWS)},
    "large list": {"x": pa.array(ROWS, pa.large_list(pa.float64()))},
    "fixed size": {"x": pa.array(ROWS, pa.list_(pa.float64(), WIDTH))},
    "a path": {"input.x": pa.array(ROWS)},
    "a tensor": {"x": pa.FixedShapeTensorArray.from_numpy_ndarray(MATRIX)},
}


@pytest.fixture
def expected(client: TestClient) -> list[list[float]]:
    """Return the rows of the stored version ``n``."""
    create(client, "n", WHITENING)
    rows: list[list[float]] = ask(client, {"input": {"x": ROWS}}, STORED)["output"]["y"]
    return rows


@pytest.mark.parametrize("rows", [None, 1, 2])
@pytest.mark.parametrize("way", WAYS)
def test_lists_of_one_length_are_an_array(
    client: TestClient, expected: list[list[float]], way: str, rows: int | None
) -> None:
    response = client.post(STORED, content=stream(WAYS[way], rows=rows), headers=SENT)
    assert response.headers["content-type"] == ARROW
    tree, (table,) = read_streams(response.content)
    assert table["output.y"].type == pa.list_(pa.float64(), WIDTH)
    assert table["output.y"].to_pylist() == expected
    assert tree["method"] == "whitening"
    assert tree["output"] == {}


@pytest.mark.parametrize("kind", ["float16", "float32", "int8", "uint64"])
def test_numbers_of_any_type(client: TestClient, expected: object, kind: str) -> None:
    rows = (MATRIX * 10).astype(kind)
    column = pa.FixedSizeListArray.from_arrays(pa.array(rows.reshape(-1)), WIDTH)
    _, (table,) = read_streams(
        client.post(STORED, content=stream({"x": column}), headers=SENT).content
    )
    answered = table["output.y"].type.value_type
    assert answered == (pa.from_numpy_dtype(kind) if kind.startswith("float") else pa.float64())


def test_ragged_lists_and_what_is_missing(client: TestClient) -> None:
    body = {"method": "min_max", "params": {"nan_policy": "omit"}}
    scores = [[3.0, None, 2.0], [], [7.0, 5.0]]
    plain = ask(client, {**body, "input": {"scores": scores}})
    response = client.post("/v1/transform", content=stream({"scores": scores}, body), headers=SENT)
    tree, (first,) = read_streams(response.content)
    assert first.column_names == ["output.values", "output.loc", "output.scale"]
    values = first["output.values"].to_pylist()
    assert [[None if x != x else x for x in row] for row in values] == plain["output"]["values"]
    assert tree["flags"] == plain["flags"]
    assert first["output.loc"].combine_chunks().null_count == 0


def test_a_flat_column_is_one_list_and_lengths_are_grouped(client: TestClient) -> None:
    content = stream({"scores": [3.0, 1.0, 2.0]}, {"method": "min_max"})
    _, tables = read_streams(client.post("/v1/transform", content=content, headers=SENT).content)
    assert [table.column_names for table in tables] == [
        ["output.values"],
        ["output.loc", "output.scale"],
    ]


def test_parameters_stand_in_the_metadata_or_in_the_query(client: TestClient) -> None:
    columns = {"fit.x": ROWS, "input.x": ROWS}
    whole = ask(client, {**WHITENING, "input": {"x": ROWS}})
    for query, tree in (
        ("", {"method": "whitening", "params": {"eps_rel": 1.0}}),
        ("?eps_rel=1.0", {"method": "whitening"}),
        ("?method=whitening&params.eps_rel=1.0", None),
    ):
        path = f"/v1/transform{query}"
        assert client.post(path, content=stream(columns, tree), headers=AS_JSON).json() == whole


def test_texts_and_records_of_several_streams(client: TestClient) -> None:
    plain = ask(client, {"method": "rrf", "runs": RUNS}, "/v1/fuse")
    named = [{"name": run["name"]} for run in RUNS]
    texts = {
        "utf8": pa.utf8(),
        "large": pa.large_utf8(),
        "view": pa.string_view(),
        "dictionary": pa.dictionary(pa.int8(), pa.utf8()),
    }
    for kind in texts.values():
        runs = [
            {f"runs.{i}.ids": pa.array(run["ids"], kind), f"runs.{i}.scores": run["scores"]}
            for i, run in enumerate(RUNS)
        ]
        content = stream(runs[0], {"method": "rrf", "runs": named}) + stream(runs[1])
        assert client.post("/v1/fuse", content=content, headers=AS_JSON).json() == plain
    _, tables = read_streams(client.post("/v1/fuse", content=content, headers=SENT).content)
    told = {name: table[name].to_pylist() for table in tables for name in table.column_names}
    assert told["output.ids"] == plain["output"]["ids"]


def test_names_and_observations_take_columns_as_fit(client: TestClient) -> None:
    content = stream({"x": ROWS}, {"name": "n", "method": "whitening"})
    made = client.post(NAMES, content=content, headers=SENT)
    tree, (table,) = read_streams(made.content)
    assert (made.status_code, tree["n"], table.num_columns) == (201, len(ROWS), 0)
    seen = client.post(f"{NAMES}/n/observations", content=stream({"x": ROWS}), headers=AS_JSON)
    assert seen.json()["counted"] is True
    shown = client.get(f"{NAMES}/n/fitted", headers={"accept": ARROW})
    _, tables = read_streams(shown.content)
    assert {name for table in tables for name in table.column_names} >= {"fitted.W", "fitted.mean"}


def test_without_pyarrow_it_says_how_to_get_it(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(negotiation, "_is_there", lambda package: False)
    negotiation.codec_for_request.cache_clear()
    negotiation.codecs_for_answer.cache_clear()
    response = client.post("/v1/transform", content=stream({"x": ROWS}), headers=SENT)
    assert slug_of(response) == "unsupported-media-type"
    assert "pip install 'normd[arrow]'" in str(read_problem(response)["detail"])
    asked = client.get("/v1/methods", headers={"accept": ARROW})
    assert slug_of(asked) == "not-acceptable"
    assert "normd[arrow]" in str(read_problem(asked)["detail"])
