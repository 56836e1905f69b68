from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from image import health, sbom
from tests.ops.server import serving


@pytest.mark.parametrize(
    "command, variable, port",
    [
        ("normd\0serve", "", 8000),
        ("normd\0serve", "9000", 9000),
        ("normd\0serve\0--port\x009001", "9000", 9001),
        ("normd\0serve\0--port=9002\0--host=::", "", 9002),
        ("normd\0serve\0--export-port\x009003", "", 8000),
    ],
)
def test_the_health_check_follows_the_port(
    monkeypatch: pytest.MonkeyPatch, command: str, variable: str, port: int
) -> None:
    monkeypatch.setenv("NORMD_PORT", variable)
    assert health.port_of(command) == port


def test_a_service_is_healthy_until_it_ends(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        assert health.is_ready(server.port, encrypted=False)
        assert not health.is_ready(server.port, encrypted=True)
    assert not health.is_ready(server.port, encrypted=False)


def test_the_bill_of_materials_names_what_is_installed(tmp_path: Path) -> None:
    file = tmp_path / "sbom.json"
    subprocess.run([sys.executable, sbom.__file__, file], check=True)
    bill = json.loads(file.read_text())
    assert (bill["bomFormat"], bill["version"]) == ("CycloneDX", 1)
    found = {part["name"]: part["purl"] for part in bill["components"]}
    assert list(found) == sorted(found)
    assert found["numpy"].startswith("pkg:pypi/numpy@")
    assert {"normd", "fastapi", "pydantic-core"} <= set(found)
