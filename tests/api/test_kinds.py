"""Kinds of fields over the wire: positions and texts, and that no form of JSON spells infinity."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Field,
    Fields,
    Fitted,
    Options,
    floats,
    id_lists,
    ids,
    integer_lists,
    integers,
    labels,
    lists,
    optional,
    record,
    records,
    series,
    text,
    text_lists,
    texts,
)
from normalizers.contract.fields import boolean, mask, method, state
from normalizers.normalizer import Normalizer
from normd.client import Client
from tests.golden.forms import FORMS

KINDS: dict[str, Field] = {
    "floats": floats("m d"),
    "lists": lists(),
    "series": series(),
    "mask": mask("n t c"),
    "integers": integers("m"),
    "labels": labels("m"),
    "ids": ids("m"),
    "id_lists": id_lists(),
    "integer_lists": integer_lists(),
    "texts": texts("m"),
    "text_lists": text_lists(),
    "state": state(),
    "records": records(x=floats("k")),
    "record": record(x=floats("k")),
    "text": text(),
    "boolean": boolean(),
    "method": method(),
}
NESTED = {
    "floats": 2,
    "lists": 2,
    "series": 3,
    "mask": 3,
    "id_lists": 2,
    "integer_lists": 2,
    "text_lists": 2,
}
ALONE = {"text", "boolean", "method"}


class ToyKinds(Normalizer):
    """Take every kind of field, and give ones for it; or an infinity, which no answer holds."""

    name = "toy_kinds"
    family = "toy"
    kinds = ("stateless",)
    takes = Fields(x=floats("k"), **{f"a_{kind}": optional(KINDS[kind]) for kind in KINDS})
    gives = Fields(y=floats("k"), side=floats("k"))
    example = Example(input={"x": [1.0]})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return x, and its reciprocals beside it."""
        with np.errstate(divide="ignore"):
            return Answer({"y": batch.array("x"), "side": 1 / batch.array("x")})


class ToyChoices(Normalizer):
    """Lengths of the texts that a position points at."""

    name = "toy_choices"
    family = "toy"
    kinds = ("stateless",)
    takes = Fields(
        candidate_positions=integer_lists(help="positions of texts"), texts=texts("g", help="texts")
    )
    gives = Fields(
        lengths_of=lists(help="their lengths"), candidate_positions=integer_lists(help="positions")
    )
    example = Example(input={"candidate_positions": [[0]], "texts": [""]})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the length of each text."""
        positions = batch.ragged("candidate_positions")
        assert positions.values.dtype == np.int64
        lengths = np.array([len(one) for one in batch.array("texts")], dtype=np.float64)
        return Answer(
            {
                "lengths_of": positions.with_values(lengths[positions.values]),
                "candidate_positions": positions,
            }
        )


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data=tmp_path_factory.mktemp("kinds"))
    app = create_app(settings, CATALOGUE.with_methods(ToyKinds, ToyChoices))
    with TestClient(app) as client:
        yield client


CHOICES = {"candidate_positions": [[2, 0], [], [1, 2]], "texts": ["a", "", "Löwe"]}


@pytest.mark.parametrize("form", ["json", "safetensors", "arrow"])
def test_k9_positions_and_texts_pass_in_every_form(client: TestClient, form: str) -> None:
    body = {"method": "toy_choices", "input": CHOICES}
    known = FORMS[form]
    encoded = known.encode(body)
    assert encoded is not None
    headers = {"content-type": known.media_type, "accept": known.media_type}
    answered = client.post("/v1/transform", content=encoded[1], headers=headers)
    assert answered.status_code == 200, answered.text
    output = known.decode(answered.content, False)["output"]
    assert output["lengths_of"] == [[4.0, 1.0], [], [0.0, 4.0]]
    assert output["candidate_positions"] == CHOICES["candidate_positions"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"candidate_positions": [[0, 1.5]]}, "input.candidate_positions[0][1]"),
        ({"candidate_positions": [[0], [None]]}, "input.candidate_positions[1][0]"),
        ({"candidate_positions": [["a"]]}, "input.candidate_positions[0][0]"),
        ({"texts": ["a", None, "b"]}, "input.texts[1]"),
        ({"texts": ["a", 3, "b"]}, "input.texts[1]"),
        ({"texts": "abc"}, "input.texts"),
    ],
)
def test_k9_other_values_are_refused_with_their_place(
    client: TestClient, given: dict[str, object], path: str
) -> None:
    body = {"method": "toy_choices", "input": {**CHOICES, **given}}
    answered = client.post("/v1/transform", json=body)
    assert answered.status_code == 422
    assert answered.json()["errors"][0]["path"] == path


def test_k9_descriptions_and_openapi_know_the_kinds(client: TestClient) -> None:
    takes = client.get("/v1/methods/toy_choices").json()["takes"]
    assert {name: field["kind"] for name, field in takes.items()} == {
        "candidate_positions": "integer_lists",
        "texts": "texts",
    }
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    properties = schemas["toy_choices.transform"]["properties"]["input"]["properties"]
    assert properties["texts"]["items"] == {"type": "string"}
    assert "offsets" in properties


def test_k9_the_client_cuts_and_joins_positions(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    with Client.local(settings, CATALOGUE.with_methods(ToyChoices)) as local:
        answer = local.apply_to("toy_choices", **CHOICES)
    assert [part.tolist() for part in answer["candidate_positions"]] == [[2, 0], [], [1, 2]]


def spelled(kind: str, spelling: str) -> str:
    """Return a value of a kind with a spelling of infinity among its entries, as JSON text."""
    if kind in ALONE:
        return spelling
    if kind in ("state", "record"):
        return f'{{"x": [{spelling}]}}'
    if kind == "records":
        return f'[{{"x": [1, {spelling}]}}]'
    depth = NESTED.get(kind, 1)
    return "[" * depth + spelling + "]" * depth


def sent(client: TestClient, kind: str, spelling: str) -> httpx.Response:
    fields = f'{{"x": [1], "a_{kind}": {spelled(kind, spelling)}}}'
    body = f'{{"method": "toy_kinds", "input": {fields}}}'
    headers = {"content-type": "application/json"}
    return client.post("/v1/transform", content=body.encode(), headers=headers)


@pytest.mark.parametrize("spelling", ["Infinity", "-Infinity", "NaN", "1e999", "-1e999"])
@pytest.mark.parametrize("kind", KINDS)
def test_k10_no_number_of_json_is_infinite(client: TestClient, kind: str, spelling: str) -> None:
    answered = sent(client, kind, spelling)
    assert answered.status_code in (400, 422), answered.text


@pytest.mark.parametrize("spelling", ['"Infinity"', '"inf"', '"-inf"', '"NaN"', '"1e999"'])
@pytest.mark.parametrize(
    "kind",
    ["floats", "lists", "series", "mask", "integers", "integer_lists", "records", "record"],
)
def test_k10_no_text_is_a_number(client: TestClient, kind: str, spelling: str) -> None:
    answered = sent(client, kind, spelling)
    assert answered.status_code == 422, answered.text
    assert answered.json()["errors"][0]["path"].startswith(f"input.a_{kind}")


@pytest.mark.parametrize("kind", ["floats", "lists", "series", "mask", "integers", "integer_lists"])
def test_k10_no_array_within_json_holds_an_infinity(client: TestClient, kind: str) -> None:
    shape = [1] * NESTED.get(kind, 1)
    raw = base64.b64encode(np.full(shape, np.inf).tobytes()).decode()
    array = {"dtype": "float64", "shape": shape, "base64": raw}
    body = {"method": "toy_kinds", "input": {"x": [1.0], f"a_{kind}": array}}
    answered = client.post("/v1/transform", json=body)
    assert answered.status_code in (400, 422), answered.text


def test_k10_no_answer_holds_an_infinity(client: TestClient) -> None:
    body = {"method": "toy_kinds", "input": {"x": [0.0]}}
    answered = client.post("/v1/transform", json=body)
    assert answered.status_code == 422
    assert "no body can carry" in answered.json()["detail"]
    fine = client.post("/v1/transform", json={"method": "toy_kinds", "input": {"x": [2.0]}})
    assert json.loads(fine.content)["output"] == {"y": [2.0], "side": [0.5]}
