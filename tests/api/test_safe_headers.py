"""Every answer tells browsers to do no more with it than they were asked to."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.samples import NAMES


@pytest.mark.parametrize("path", ["/livez", NAMES, f"{NAMES}/nobody", "/no/such/path", "/metrics"])
def test_every_answer_has_headers_of_security(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "strict-transport-security" not in answer.headers


def test_a_page_keeps_the_policy_of_its_own(client: TestClient) -> None:
    answer = client.get("/", headers={"accept": "text/html"})
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert len(answer.headers.get_list("content-security-policy")) == 1
