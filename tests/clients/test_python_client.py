"""A client made by openapi-python-client from the document calls the service."""

from __future__ import annotations

import json
import sys
import venv
from pathlib import Path

import pytest

from tests.clients.tools import install, needs_generators, run, write_document
from tests.ops.server import serving

pytestmark = needs_generators

GENERATOR = "openapi-python-client==0.29.1"
PROGRAM = """
import json
import sys
from io import BytesIO

from normd_client import Client
from normd_client.api.contents import export, import_
from normd_client.api.normalizers import create
from normd_client.api.work import fuse, transform, transform_stored
from normd_client.models import (
    MinMaxCreate,
    MinMaxTransform,
    Problem,
    RrfFuse,
    TransformStoredJsonStoredWorkBody,
)
from normd_client.types import File

client = Client(base_url=sys.argv[1])
one_shot = {"method": "min_max", "input": {"scores": [1.0, 3.0, 2.0]}}
named = {"name": "n", "method": "min_max", "fit": {"scores": [0.0, 10.0]}}
runs = [{"name": "a", "ids": ["x", "y"], "scores": [2.0, 1.0]}, {"name": "b", "ids": ["y"]}]
stored = TransformStoredJsonStoredWorkBody.from_dict({"input": {"scores": [5.0, None]}})


def transformed(body):
    return transform.sync(client=client, body=MinMaxTransform.from_dict(body)).to_dict()


def file_of(name):
    return BytesIO(export.sync_detailed(name, client=client).content)


created = create.sync(client=client, body=MinMaxCreate.from_dict(named))
imported = import_.sync(client=client, name="m", body=File(file_of("n@1")))
missing = transform_stored.sync("none", client=client, body=stored)
assert isinstance(missing, Problem), missing
print(json.dumps({
    "transform": transformed(one_shot)["output"]["values"],
    "create": [created.to_dict()["name"], created.to_dict()["version"]],
    "import": imported.to_dict()["hash"] == created.to_dict()["hash"],
    "fuse": fuse.sync(
        client=client, body=RrfFuse.from_dict({"method": "rrf", "runs": runs})
    ).to_dict()["output"]["ids"],
    "transform_stored": transform_stored.sync(
        "n", client=client,
        body=TransformStoredJsonStoredWorkBody.from_dict({"input": {"scores": [5.0]}}),
    ).to_dict()["output"]["values"],
    "problem": missing.to_dict()["type"],
}))
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with the generator."""
    folder = tmp_path_factory.mktemp("generator")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    install(python, "-m", "pip", "install", "--quiet", GENERATOR, folder=folder)
    return python


def test_r26_a_generated_python_client_calls_the_service(python: Path, tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("post_hooks: []\n")
    made = run(
        python.with_name("openapi-python-client"),
        *("generate", "--path", write_document(tmp_path), "--meta", "none"),
        *("--output-path", tmp_path / "normd_client", "--config", tmp_path / "config.yml"),
        folder=tmp_path,
    )
    assert "will not be generated" not in made
    lost = [line for line in made.splitlines() if line.startswith("Cannot parse response")]
    # What is no JSON has no type there; the bytes of its answer are there all the same.
    assert all("Unsupported content_type application/vnd.safetensors" in line for line in lost)
    (tmp_path / "program.py").write_text(PROGRAM)
    with serving(tmp_path / "data") as server:
        said = json.loads(run(python, "program.py", server.url, folder=tmp_path))
    assert said == {
        "transform": [0.0, 1.0, 0.5],
        "create": ["n", 1],
        "import": True,
        "fuse": ["y", "x"],
        "transform_stored": [0.5],
        "problem": "/problems/not-found",
    }
    assert sys.prefix not in str(python)
