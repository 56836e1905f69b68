"""Media types that are not read or cannot be answered."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.problem import slug_of
from tests.api.routes import Route
from tests.api.samples import JSON

NOT_READ = [
    "text/plain",
    "text/json",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin-1",
    "application/jsonp",
    "json",
    ";",
]
# Read where ranked lists are fused.
RANKED = ("text/plain", "multipart/form-data")


@pytest.mark.parametrize("media_type", [None, "", *NOT_READ])
def test_report_16_another_media_type(
    client: TestClient, route: Route, media_type: str | None
) -> None:
    ranked = route.path.endswith("/fuse") and str(media_type).startswith(RANKED)
    slug = "unparseable" if ranked else "unsupported-media-type"
    assert slug_of(route.send(client, route.works, media_type)) == slug


def test_accept_that_allows_nothing(client: TestClient, route: Route) -> None:
    for accept in ("text/html", "image/*", "application/json;q=0", "x"):
        assert slug_of(route.send(client, route.works, accept=accept)) == "not-acceptable"


def test_json_of_every_spelling_of_its_media_type_is_read(client: TestClient, route: Route) -> None:
    for media_type in ("Application/JSON", 'application/json; charset="UTF-8"', f"{JSON} ; x=y"):
        assert slug_of(route.send(client, b"{", media_type)) == "unparseable"
