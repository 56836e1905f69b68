"""Calls from pages of other origins, by ``NORMD_CORS_ORIGINS``."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from app.settings import Settings, SettingsError, read_settings
from tests.api.conftest import Serve
from tests.api.samples import NAMES, WHITENING, create

PAGE = "https://page.example"
PREFLIGHT = {
    "origin": PAGE,
    "access-control-request-method": "PUT",
    "access-control-request-headers": "content-type, if-match",
}
BODY = {"method": "min_max", "input": {"scores": [1, 2]}}


def test_r31_no_origin_may_call_by_default(client: TestClient) -> None:
    assert Settings().origins == []
    assert client.options("/v1/transform", headers=PREFLIGHT).status_code == 405
    answer = client.post("/v1/transform", json=BODY, headers={"origin": PAGE})
    assert answer.status_code == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_r31_an_origin_of_the_setting_may_call(serve: Serve) -> None:
    own = serve(cors_origins=f"{PAGE}, http://localhost:3000")
    asked = own.options(f"{NAMES}/n/aliases/prod", headers=PREFLIGHT)
    assert asked.status_code == 200
    assert asked.headers["access-control-allow-origin"] == PAGE
    assert "PUT" in asked.headers["access-control-allow-methods"]
    assert "if-match" in asked.headers["access-control-allow-headers"].lower()
    create(own, "n", WHITENING)
    shown = own.get(f"{NAMES}/n", headers={"origin": PAGE})
    assert shown.headers["access-control-allow-origin"] == PAGE
    assert "Origin" in shown.headers["vary"]
    told = set(shown.headers["access-control-expose-headers"].split(", "))
    assert {"ETag", "Location", "Normd-Hash", "Retry-After"} <= told
    for status, path in ((404, f"{NAMES}/none"), (404, "/nowhere")):
        failed = own.get(path, headers={"origin": PAGE})
        assert failed.status_code == status
        assert failed.headers["access-control-allow-origin"] == PAGE


def test_r31_another_origin_may_not(serve: Serve) -> None:
    own = serve(cors_origins=PAGE)
    other = {"origin": "https://other.example"}
    assert own.options("/v1/transform", headers={**PREFLIGHT, **other}).status_code == 400
    answer = own.post("/v1/transform", json=BODY, headers=other)
    assert "access-control-allow-origin" not in answer.headers


def test_r31_every_origin_may_be_allowed(serve: Serve) -> None:
    own = serve(cors_origins="*")
    answer = own.post("/v1/transform", json=BODY, headers={"origin": PAGE})
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("text", ["page.example", "https://page.example/", "https://a b", "null"])
def test_r31_what_is_no_origin_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("NORMD_CORS_ORIGINS", text)
    with pytest.raises(SettingsError, match="NORMD_CORS_ORIGINS: origins are written"):
        read_settings()
