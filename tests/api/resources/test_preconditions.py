"""Conditional requests: 304 for what is there already, 412 for another version or form."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.problem import slug_of
from tests.api.resources.statistics import SOME
from tests.api.samples import ARROW, JSON, NAMES, NPY, ROWS, SAFETENSORS, create

SHOWN = ["n", "n@1/statistics", "n@1/fitted", "n@1/report", "n@1/export"]
FORMS = {JSON: "", SAFETENSORS: "-safetensors", ARROW: "-arrow"}


@pytest.mark.parametrize("path", SHOWN)
@pytest.mark.parametrize("written", ["{}", "W/{}", '"other", {}', "*", '"a,b" ,W/{},"c"'])
def test_r28_what_the_client_has_is_304(client: TestClient, path: str, written: str) -> None:
    create(client, "n", SOME)
    whole = client.get(f"{NAMES}/{path}")
    headers = {"if-none-match": written.replace("{}", whole.headers["etag"])}
    for verb in ("GET", "HEAD"):
        answer = client.request(verb, f"{NAMES}/{path}", headers=headers)
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == whole.headers["etag"]
        varies = set(whole.headers.get("vary", "").split(", ")) - {""}
        assert set(answer.headers["vary"].split(", ")) == varies | {"Accept-Encoding"}


@pytest.mark.parametrize("path", SHOWN)
def test_r28_what_the_client_lacks_is_sent(client: TestClient, path: str) -> None:
    create(client, "n", SOME)
    whole = client.get(f"{NAMES}/{path}")
    tag = whole.headers["etag"]
    for written in ('"other"', tag.strip('"'), f'{tag[:-1]}-npy"', '"a", "b"', ""):
        answer = client.get(f"{NAMES}/{path}", headers={"if-none-match": written})
        assert (answer.status_code, answer.content) == (200, whole.content)


@pytest.mark.parametrize("path", SHOWN)
def test_r28_if_match_of_a_get_compares_strongly(client: TestClient, path: str) -> None:
    create(client, "n", SOME)
    whole = client.get(f"{NAMES}/{path}")
    tag = whole.headers["etag"]
    for written in (tag, f'"other", {tag}', "*"):
        answer = client.get(f"{NAMES}/{path}", headers={"if-match": written})
        assert (answer.status_code, answer.content) == (200, whole.content)
    for written in (f"W/{tag}", '"other"', tag.strip('"'), ""):
        answer = client.get(f"{NAMES}/{path}", headers={"if-match": written})
        assert slug_of(answer) == "precondition-failed"
        assert answer.json()["actual"] == tag.strip('"')


def test_r28_every_form_has_a_tag_of_its_own(client: TestClient) -> None:
    hash = create(client, "n", SOME)["hash"]
    for media_type, suffix in FORMS.items():
        for path in ("n", "n@1/fitted"):
            answer = client.get(f"{NAMES}/{path}", headers={"accept": media_type})
            assert answer.headers["etag"] == f'"{hash}{suffix}"'
            assert "Accept" in answer.headers["vary"].split(", ")
    work = {"input": {"x": ROWS}}
    for media_type, suffix in {**FORMS, NPY: "-npy"}.items():
        headers = {"accept": media_type}
        answer = client.post(f"{NAMES}/n/transform", json=work, headers=headers)
        assert answer.headers["etag"] == f'"{hash}{suffix}"'
        assert "Accept" in answer.headers["vary"].split(", ")
    other = client.get(f"{NAMES}/n", headers={"accept": SAFETENSORS, "if-none-match": f'"{hash}"'})
    assert other.status_code == 200


def test_r28_an_alias_moves_where_a_list_holds_its_hash(client: TestClient) -> None:
    hash = create(client, "n", SOME)["hash"]
    path = f"{NAMES}/n/aliases/prod"
    client.put(path, json={"version": 1})
    right = (f'"{hash}"', f'"other", "{hash}"', f'"{hash}-npy"', "*", hash)
    for written in right:
        answer = client.put(path, json={"version": 1}, headers={"if-match": written})
        assert answer.status_code == 200, written
    for written in (f'W/"{hash}"', f'"other", W/"{hash}"', '"other"', "", '"*"'):
        answer = client.put(path, json={"version": 1}, headers={"if-match": written})
        assert slug_of(answer) == "precondition-failed", written
        removed = client.delete(path, headers={"if-match": written})
        assert slug_of(removed) == "precondition-failed", written
    lines = [("if-match", '"other"'), ("if-match", f'"{hash}"')]
    assert client.delete(path, headers=lines).status_code == 204


def test_r28_a_new_version_says_where_it_is(client: TestClient) -> None:
    create(client, "n", SOME)
    made = client.post(f"{NAMES}/n/versions", json={"from": "params"})
    assert (made.status_code, made.headers["location"]) == (201, f"{NAMES}/n@2")
    assert client.get(made.headers["location"]).json()["version"] == 2
    file = client.get(f"{NAMES}/n@1/export").content
    imported = client.post(
        f"{NAMES}/import?name=m", content=file, headers={"content-type": SAFETENSORS}
    )
    assert (imported.status_code, imported.headers["location"]) == (201, f"{NAMES}/m@1")


@pytest.mark.parametrize("action", ["transform", "inverse"])
def test_vectors_of_another_version_than_the_client_has_are_refused(
    client: TestClient, action: str
) -> None:
    create(client, "v", {"method": "centering", "fit": {"x": ROWS}})
    body = {"from": "fit", "fit": {"x": ROWS[:2]}}
    assert client.post(f"{NAMES}/v/versions", json=body).status_code == 201
    tags = [client.get(f"{NAMES}/v@{number}").headers["etag"] for number in (1, 2)]
    assert client.put(f"{NAMES}/v/aliases/prod", json={"version": 2}).status_code == 201
    sent = {"input": {"x" if action == "transform" else "y": ROWS}}
    for written, status in (
        (tags[1], 200),
        (f'{tags[0]}, {tags[1][:-1]}-npy"', 200),
        ("*", 200),
        (tags[0], 412),
        (f"W/{tags[1]}", 412),
    ):
        answer = client.post(f"{NAMES}/v@prod/{action}", json=sent, headers={"if-match": written})
        assert answer.status_code == status, written
    assert slug_of(answer) == "precondition-failed"
    assert answer.json()["actual"] == tags[1].strip('"')
    assert "this is version 2" in answer.json()["detail"]
