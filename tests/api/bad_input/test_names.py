"""One rule for names, wherever a name is sent (report 6)."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Serve
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import NAMES, ROWS, SAFETENSORS, WHITENING, create, post

BAD_NAMES = [
    "",
    ".",
    "..",
    "../../etc/passwd",
    "a/b",
    "/etc",
    "a\\b",
    "a\r\nX-Evil: 1",
    "a\n",
    "a\x00b",
    "a b",
    "a#b",
    "a?b",
    "a%00b",
    "a@b",
    "-a",
    "_a",
    "é",
    "é",
    "Ａ",
    "١",
    "a\u2028",
    "\ufffd",
    "x" * 129,
    "x" * 300,
    "x" * 5000,
]
ODD_BUT_GOOD = ["CON", "a..b", "0", "x" * 128, "import", "a.", "NUL.safetensors"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_report_6_one_rule_for_names_in_bodies(client: TestClient, name: str) -> None:
    for query in ("", "?dry_run=true"):
        response = post(client, NAMES + query, {"name": name, **WHITENING})
        assert slug_of(response) == "invalid-input"
        assert paths_of(response) == ["name"]
    imported = client.post(
        f"{NAMES}/import",
        params={"name": name},
        content=client.get(f"{NAMES}/white/export").content,
        headers={"content-type": SAFETENSORS},
    )
    assert slug_of(imported) == "invalid-input"
    merged = post(client, f"{NAMES}/white/versions", {"from": "merge", "refs": [f"{name}@1"]})
    assert slug_of(merged) == "invalid-input"


def _encoded(name: str) -> str:
    return "".join(f"%{byte:02x}" for byte in name.encode())


@pytest.mark.parametrize("name", [name for name in BAD_NAMES if name])
def test_report_6_one_rule_for_names_in_paths(client: TestClient, name: str) -> None:
    quoted = _encoded(name)
    for verb, path, body in (
        ("GET", quoted, None),
        ("DELETE", quoted, None),
        ("GET", f"{quoted}/versions", None),
        ("GET", f"{quoted}/statistics", None),
        ("GET", f"{quoted}/export", None),
        ("GET", f"{quoted}/observations", None),
        ("DELETE", f"{quoted}/observations", None),
        ("GET", f"{quoted}/aliases", None),
        ("GET", f"white@{quoted}", None),
        ("PUT", f"{quoted}/aliases/prod", {"version": 1}),
        ("PUT", f"white/aliases/{quoted}", {"version": 1}),
        ("DELETE", f"white/aliases/{quoted}", None),
        ("POST", f"{quoted}/transform", {"input": {"x": ROWS}}),
        ("POST", f"{quoted}/versions", {"from": "fit", "fit": {"x": ROWS}}),
        ("POST", f"{quoted}/observations", {"fit": {"x": ROWS}}),
    ):
        response = client.request(verb, f"{NAMES}/{path}", json=body)
        problem = read_problem(response)
        assert response.status_code in (404, 405, 422), (verb, path)
        if "/" not in name and name != "a@b":
            assert response.status_code == 422 or "aliases" in path
        if len(name) > 2:
            assert name not in str(problem)


def test_report_6_odd_names_that_keep_the_rule_stay_in_the_folder(serve: Serve) -> None:
    own = serve()
    for name in ODD_BUT_GOOD:
        create(own, name, {"method": "min_max"})
        assert own.get(f"{NAMES}/{name}@1").json()["name"] == name
    folder = own.app.state.context.settings.data  # type: ignore[attr-defined]
    assert {path.name for path in folder.iterdir()} <= {
        "registry.db",
        "registry.db-wal",
        "registry.db-shm",
        "reserve",
        "versions",
    }
