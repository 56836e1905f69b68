"""Requests that must be answered."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi.testclient import TestClient


def ask(client: TestClient, body: Mapping[str, object], path: str = "/v1/transform"):  # type: ignore[no-untyped-def]
    response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    return response.json()


def ask_scores(client: TestClient, given: Mapping[str, object], **params: object):  # type: ignore[no-untyped-def]
    return ask(client, {"method": "min_max", "params": params, "input": given})
