"""References to versions as steps of a pipeline."""

from __future__ import annotations

from fastapi.testclient import TestClient

from normalizers.versions import file
from tests.api.resources.statistics import SOME
from tests.api.samples import NAMES, ROWS, add, create


def test_a_pipeline_with_a_reference_answers_as_its_steps(client: TestClient) -> None:
    create(client, "w", SOME)
    add(client, "w", {"from": "params", "params": {"eps_rel": 5.0}})
    client.put(f"{NAMES}/w/aliases/prod", json={"version": 1})
    for ref, alone in (("w@prod", "w@1"), ("w", "w@2"), ("w@2", "w@2")):
        once = client.post(
            "/v1/transform",
            json={
                "method": "pipeline",
                "params": {"steps": [{"ref": ref}]},
                "input": {"x": ROWS},
            },
        )
        assert once.status_code == 200, once.text
        direct = client.post(f"{NAMES}/{alone}/transform", json={"input": {"x": ROWS}})
        assert once.json()["output"]["y"] == direct.json()["output"]["y"]


def test_a_stored_pipeline_keeps_the_arrays_it_was_made_with(client: TestClient) -> None:
    create(client, "w", SOME)
    client.put(f"{NAMES}/w/aliases/prod", json={"version": 1})
    create(client, "p", {"method": "pipeline", "params": {"steps": [{"ref": "w@prod"}]}})
    ask = {"input": {"x": ROWS}}
    before = client.post(f"{NAMES}/p/transform", json=ask).json()["output"]
    add(client, "w", {"from": "params", "params": {"eps_rel": 5.0}})
    client.put(f"{NAMES}/w/aliases/prod", json={"version": 2})
    assert client.post(f"{NAMES}/p/transform", json=ask).json()["output"] == before
    client.delete(f"{NAMES}/w/aliases/prod")
    client.delete(f"{NAMES}/w")
    assert client.post(f"{NAMES}/p/transform", json=ask).json()["output"] == before
    exported = client.get(f"{NAMES}/p/export").content
    assert file.from_bytes(exported).transform({"x": ROWS})
