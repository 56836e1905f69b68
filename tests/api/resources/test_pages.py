"""Lists of names, page by page."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.conftest import Serve
from tests.api.resources.statistics import SOME
from tests.api.samples import add, create, look


def test_names_come_in_pages_in_order(serve: Serve) -> None:
    own = serve(page_size=2, max_page_size=3)
    names = [f"n{number}" for number in range(7)]
    for name in reversed(names):
        create(own, name, {"method": "min_max"})
    for query, size in (("", 2), ("?limit=1", 1), ("?limit=3", 3), ("?limit=1000", 3)):
        page = look(own, query)
        assert [item["name"] for item in page["items"]] == names[:size]  # type: ignore[attr-defined]
    seen, cursor = [], ""
    while cursor is not None:
        page = look(own, f"?limit=3&cursor={cursor}")
        seen += [item["name"] for item in page["items"]]  # type: ignore[attr-defined]
        cursor = page["next"]  # type: ignore[assignment]
    assert seen == names


def test_a_list_shows_the_newest_version_and_open_names(client: TestClient) -> None:
    create(client, "a", SOME)
    add(client, "a", {"from": "params", "params": {"eps_rel": 2.0}})
    create(client, "b", {"method": "whitening"})
    items = look(client, "")["items"]
    assert [(i["name"], i["version"]) for i in items] == [("a", 2), ("b", None)]  # type: ignore[attr-defined]
