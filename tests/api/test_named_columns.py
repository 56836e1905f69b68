"""A table with named columns as Arrow: its columns are the rows of the main field."""

from __future__ import annotations

import pandas
import pyarrow as pa
import pytest
from fastapi.testclient import TestClient

from tests.api.asking import ask
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import ARROW, JSON, NAMES, ROWS, WHITENING, create
from tests.api.streams import stream

AS_JSON = {"content-type": ARROW, "accept": JSON}
STORED = f"{NAMES}/n/transform"
FRAME = pandas.DataFrame(ROWS, columns=["width", "height", "depth"])


def _sent(frame: pandas.DataFrame) -> bytes:
    sink = pa.BufferOutputStream()
    table = pa.Table.from_pandas(frame)
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


@pytest.mark.parametrize("rows", [slice(None), slice(1, 4)])
def test_r23_named_columns_of_numbers_are_rows(client: TestClient, rows: slice) -> None:
    create(client, "n", WHITENING)
    expected = ask(client, {"input": {"x": ROWS[rows]}}, STORED)["output"]["y"]
    kept = FRAME[rows]
    for frame in (kept, kept.set_index(pandas.Index(range(len(kept)), name="key") * 7)):
        response = client.post(STORED, content=_sent(frame), headers=AS_JSON)
        assert response.status_code == 200, response.text
        assert response.json()["output"]["y"] == expected


def test_r23_the_names_are_those_of_the_fit(client: TestClient) -> None:
    path = f"{NAMES}?name=n&method=whitening&params=%7B%22eps_rel%22%3A1.0%7D"
    assert client.post(path, content=_sent(FRAME), headers=AS_JSON).status_code == 201
    same = client.post(STORED, content=_sent(FRAME), headers=AS_JSON)
    assert same.json()["output"]["y"] == ask(client, {"input": {"x": ROWS}}, STORED)["output"]["y"]
    for changed in (FRAME[["height", "width", "depth"]], FRAME.rename(columns={"depth": "z"})):
        for place in ("/transform", "/observations", "/drift"):
            response = client.post(f"{NAMES}/n{place}", content=_sent(changed), headers=AS_JSON)
            read_problem(response)
            assert "the columns are not those of the fit" in response.json()["detail"]
            assert paths_of(response)[0] in ("input.x", "fit.x")


def test_r23_columns_beside_side_fields(client: TestClient) -> None:
    rows = {"a": [1.0, 2.0, 5.0, 9.0], "groups": ["u", "u", "v", "v"]}
    body = {
        "method": "group_z_score",
        "fit": {"x": [[1.0], [2.0], [5.0], [9.0]], "groups": rows["groups"]},
    }
    create(client, "n", body)
    sent = stream({name: pa.array(column) for name, column in rows.items()})
    response = client.post(STORED, content=sent, headers=AS_JSON)
    given = {"x": body["fit"]["x"], "groups": rows["groups"]}  # type: ignore[index]
    assert response.json()["output"]["y"] == ask(client, {"input": given}, STORED)["output"]["y"]


def test_r23_a_column_of_text_is_refused_by_its_name(client: TestClient) -> None:
    create(client, "n", WHITENING)
    sent = stream({"a": pa.array([1.0]), "b": pa.array(["x"]), "c": pa.array([1.0])})
    response = client.post(STORED, content=sent, headers=AS_JSON)
    assert slug_of(response) == "dtype-error"
    assert paths_of(response) == ["input.b"]


def test_k7_columns_in_a_request_are_those_of_the_fit(client: TestClient) -> None:
    names = list(FRAME.columns)
    body = {**WHITENING, "fit": {**WHITENING["fit"], "columns": names}}  # type: ignore[dict-item]
    create(client, "n", body)
    same = ask(client, {"input": {"x": ROWS, "columns": names}}, STORED)
    assert same["output"]["y"] == ask(client, {"input": {"x": ROWS}}, STORED)["output"]["y"]
    turned = {"input": {"x": ROWS, "columns": names[::-1]}}
    response = client.post(STORED, json=turned)
    assert response.status_code == 422
    assert paths_of(response) == ["input.x"]
    # A table of Arrow has the same names.
    assert client.post(STORED, content=_sent(FRAME), headers=AS_JSON).status_code == 200


def test_some_columns_go_back_by_their_names(client: TestClient) -> None:
    fit = {"x": [[1.0, 10.0], [3.0, 30.0]], "columns": ["a", "b"]}
    body = {"name": "n", "method": "standardization", "fit": fit}
    assert client.post("/v1/normalizers", json=body).status_code == 201
    back = {"input": {"y": [[1.0], [-1.0]], "columns": ["b"]}}
    answered = client.post("/v1/normalizers/n/inverse", json=back).json()
    assert answered["output"]["x"] == [[30.0], [10.0]]
