"""One array in, the rest in the query string; one array out, or a refusal with its remedy."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.asking import ask
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import ARROW, JSON, MORE_ROWS, NAMES, NPY, ROWS, WHITENING, create, look
from tests.api.streams import npy, read_npy

SENT = {"content-type": NPY}
AS_JSON = {**SENT, "accept": JSON}
STORED = f"{NAMES}/n/transform"


@pytest.fixture
def expected(client: TestClient) -> np.ndarray:
    """Return the rows of the stored version ``n``."""
    create(client, "n", WHITENING)
    return np.array(ask(client, {"input": {"x": ROWS}}, STORED)["output"]["y"])


def test_an_array_is_answered_by_an_array(client: TestClient, expected: np.ndarray) -> None:
    response = client.post(STORED, content=npy(ROWS), headers=SENT)
    assert response.headers["content-type"] == NPY
    assert response.headers["content-length"] == str(len(response.content))
    assert response.headers["etag"] == f'"{look(client, "/n")["hash"]}-npy"'
    assert read_npy(response.content).tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    "content",
    [
        npy(ROWS, (2, 0)),
        npy(ROWS, (3, 0)),
        npy(ROWS, order="F"),
        npy(ROWS, dtype=">f8"),
        npy(ROWS, dtype=">f8", order="F"),
    ],
    ids=["version 2", "version 3", "fortran", "big-endian", "both"],
)
def test_the_layout_of_a_file_changes_no_bit(
    client: TestClient, expected: np.ndarray, content: bytes
) -> None:
    answered = client.post(STORED, content=content, headers=SENT).content
    assert read_npy(answered).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint64", ">i4"])
def test_other_numbers_are_read(client: TestClient, expected: np.ndarray, dtype: str) -> None:
    rows = (np.array(ROWS) * 10).astype(dtype)
    answered = read_npy(client.post(STORED, content=npy(rows), headers=SENT).content)
    assert answered.dtype == (dtype if dtype.startswith("float") else "float64")
    plain = ask(client, {"input": {"x": rows.tolist()}}, STORED)["output"]["y"]
    np.testing.assert_allclose(answered, plain, rtol=1e-2, atol=1e-2)


def test_a_large_answer_comes_whole(client: TestClient, expected: np.ndarray) -> None:
    rows = np.tile(np.array(ROWS, dtype=np.float32), (20_000, 1))
    headers = {**SENT, "accept-encoding": "identity"}
    response = client.post(STORED, content=npy(rows), headers=headers)
    answered = read_npy(response.content)
    assert answered.shape == rows.shape
    assert np.array_equal(answered[: len(ROWS)], answered[-len(ROWS) :])
    assert response.headers["content-length"] == str(answered.nbytes + 128)


def test_the_query_says_what_json_would(client: TestClient) -> None:
    body = {"method": "min_max", "params": {"scope": "query"}, "options": {"explain": True}}
    whole = ask(client, {**body, "input": {"scores": [3, 1, 2]}})
    for query in (
        "method=min_max&scope=query&explain=true",
        'method=min_max&params.scope="query"&options.explain=true',
        'method="min_max"&params={"scope":"query"}&options={"explain":true}',
    ):
        response = client.post(f"/v1/transform?{query}", content=npy([3.0, 1, 2]), headers=AS_JSON)
        assert response.json() == whole


def test_names_versions_and_observations_take_an_array_as_fit(client: TestClient) -> None:
    made = client.post(
        f"{NAMES}?name=n&method=whitening&eps_rel=1.0", content=npy(ROWS), headers=SENT
    )
    assert made.status_code == 201
    assert made.headers["content-type"] == JSON
    create(client, "other", {**WHITENING, "name": "other"})
    assert look(client, "/n")["hash"] == look(client, "/other")["hash"]
    again = client.post(f"{NAMES}/n/versions?from=fit", content=npy(MORE_ROWS), headers=SENT)
    assert (again.status_code, again.json()["n"]) == (201, len(MORE_ROWS))
    seen = client.post(
        f"{NAMES}/n/observations", content=npy(ROWS), headers={**SENT, "accept": "*/*"}
    )
    assert seen.json() == {"name": "n", "counted": True}
    dry = client.post(
        f"{NAMES}?name=m&method=whitening&dry_run=true", content=npy(ROWS), headers=SENT
    )
    assert dry.json()["dry_run"] is True


def test_a_retry_in_another_form_is_the_same_request(client: TestClient) -> None:
    create(client, "n", WHITENING)
    key = {"idempotency-key": "k"}
    made = client.post(f"{NAMES}/n/versions", json={"from": "fit", "fit": {"x": ROWS}}, headers=key)
    path = f"{NAMES}/n/versions?from=fit"
    again = client.post(path, content=npy(ROWS), headers={**SENT, **key})
    assert (made.status_code, again.status_code) == (201, 200)
    assert again.json()["version"] == made.json()["version"]


def test_flags_are_counted_in_a_header(client: TestClient) -> None:
    create(
        client,
        "n",
        {
            "method": "percentile",
            "params": {"scope": "fitted", "nan_policy": "omit"},
            "fit": {"scores": [1, 2]},
        },
    )
    scores = [1.0, np.nan, 2.0, np.nan]
    plain = client.post(STORED, content=npy(scores), headers=AS_JSON)
    assert plain.status_code == 200, plain.text
    response = client.post(STORED, content=npy(scores), headers=SENT)
    counts = {name: len(places) for name, places in plain.json()["flags"].items()}
    assert counts
    assert response.headers["normd-flags"] == ", ".join(f"{k}={v}" for k, v in counts.items())
    assert "normd-flags" not in plain.headers


def test_more_than_one_array_is_named(client: TestClient) -> None:
    path = "/v1/transform?method=min_max"
    silent = {**SENT, "accept": ""}
    problem = read_problem(client.post(path, content=npy([1.0, 2.0]), headers=silent))
    assert problem["status"] == 406
    for word in ("'values'", "'loc'", "'scale'", JSON):
        assert word in str(problem["detail"])
    assert client.post(path, content=npy([1.0, 2.0]), headers=AS_JSON).status_code == 200


@pytest.mark.parametrize(
    "accept, answered",
    [
        ("*/*", JSON),
        (f"{NPY}, {ARROW};q=0.5", ARROW),
        (f"{NPY}, {JSON};q=0.1, application/vnd.safetensors;q=0.2", "application/vnd.safetensors"),
        (f"{NPY}, */*;q=0.1, {JSON};q=0", "application/vnd.safetensors"),
    ],
)
def test_the_best_form_that_can_carry_the_answer_is_taken(
    client: TestClient, accept: str, answered: str
) -> None:
    path = "/v1/transform?method=min_max"
    headers = {**SENT, "accept": accept}
    response = client.post(path, content=npy([1.0, 2.0]), headers=headers)
    assert (response.status_code, response.headers["content-type"]) == (200, answered)
    one = client.post(
        "/v1/transform?method=window_z_score", content=npy([1.0, 2.0]), headers=headers
    )
    assert one.status_code == 200


def test_npy_alone_carries_one_array(client: TestClient) -> None:
    for accept in (NPY, f"{NPY}, text/html"):
        response = client.post(
            "/v1/transform?method=min_max",
            content=npy([1.0, 2.0]),
            headers={**SENT, "accept": accept},
        )
        assert slug_of(response) == "not-acceptable"


def test_what_one_array_cannot_say_is_refused(client: TestClient) -> None:
    for path, words in {
        "/v1/fuse?method=rrf": "this request is more than one array",
        "/v1/inverse?method=min_max": "beside 'values', 'loc', 'scale' is needed",
    }.items():
        response = client.post(path, content=npy([1.0, 2.0]), headers=SENT)
        assert slug_of(response) == "unsupported-media-type"
        assert words in str(read_problem(response)["detail"])
        assert ARROW in str(read_problem(response)["detail"])
    create(client, "n", {"method": "min_max"})
    alias = client.put(f"{NAMES}/n/aliases/prod?version=1", content=npy([1.0]), headers=SENT)
    assert slug_of(alias) == "unsupported-media-type"
    told = client.post(
        f"{NAMES}?name=m&method=min_max", content=npy([1.0]), headers={**SENT, "accept": NPY}
    )
    assert slug_of(told) == "not-acceptable"
    assert client.get(f"{NAMES}/m").status_code == 404


@pytest.mark.parametrize(
    "query, path",
    [
        ("method=min_max&method=min_max", "query.method"),
        ("method=min_max&scop=query", "params.scop"),
        ("method=min_max&optoins.explain=true", "query.optoins.explain"),
        ("method=min_max&explain=1", "options.explain"),
        ("method=min_max&explian=true", "query.explian"),
        ("method=min_max&constant_value=1e400", "params.constant_value"),
        ("method=min_max&params.constant_value=1e400", "params.constant_value"),
        ('method=min_max&params={"constant_value":1e400}', "params.constant_value"),
    ],
)
def test_a_wrong_query_is_refused_by_its_place(client: TestClient, query: str, path: str) -> None:
    response = client.post(f"/v1/transform?{query}", content=npy([1.0]), headers=SENT)
    assert paths_of(response) == [path]


def test_a_value_stands_once(client: TestClient) -> None:
    for query in (
        "scope=query&params.scope=query",
        "input.scores=[1]",
        "params=3&params.scope=query",
    ):
        response = client.post(
            f"/v1/transform?method=min_max&{query}", content=npy([1.0]), headers=SENT
        )
        assert slug_of(response) == "unparseable", query


def test_a_misspelt_option_is_suggested(client: TestClient) -> None:
    path = "/v1/transform?method=min_max&explian=true"
    problem = read_problem(client.post(path, content=npy([1.0]), headers=SENT))
    assert "did you mean 'explain'?" in str(problem["detail"])


def test_what_is_text_needs_no_quotes(client: TestClient) -> None:
    for name in ("7", "true", "1e5", '"quoted"'):
        query = f"name={name}&method=whitening&eps_rel=1.0&description=12"
        made = client.post(f"{NAMES}?{query}", content=npy(ROWS), headers=SENT)
        assert made.status_code == 201, made.text
        assert (made.json()["name"], made.json()["description"]) == (name.strip('"'), "12")
    problem = read_problem(client.post("/v1/transform?method=3", content=npy([1.0]), headers=SENT))
    assert problem["status"] == 422
    assert "'3'" in str(problem["detail"])


def test_members_stand_in_the_query_beside_arrays_only(client: TestClient) -> None:
    response = client.post("/v1/transform?method=min_max", json={"input": {"scores": [1]}})
    assert paths_of(response) == ["query.method"]
    assert f"only beside {ARROW} and {NPY}" in str(read_problem(response)["detail"])
