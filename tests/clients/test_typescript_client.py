"""A client of the types that openapi-typescript makes from the document calls the service."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.clients.tools import install, needs_generators, run, write_document
from tests.ops.server import serving

pytestmark = [
    needs_generators,
    pytest.mark.skipif(shutil.which("npm") is None, reason="Node and npm are not here"),
]

PACKAGES = ("openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9")
# A parameter that has a standard value need not be sent.
TYPES = ("-o", "schema.d.ts", "--default-non-nullable", "false")
OPTIONS = (
    "--strict",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
)
PROGRAM = """
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

type Media = "application/json" | "application/problem+json";

const client = createClient<paths, Media>({ baseUrl: process.argv[2] });
const transform = await client.POST("/v1/transform", {
  body: { method: "min_max", input: { scores: [1, 3, 2] } },
});
const create = await client.POST("/v1/normalizers", {
  body: { name: "n", method: "min_max", fit: { scores: [0, 10] } },
});
const fuse = await client.POST("/v1/fuse", {
  body: {
    method: "rrf",
    runs: [{ name: "a", ids: ["x", "y"], scores: [2, 1] }, { name: "b", ids: ["y"] }],
  },
});
const stored = await client.POST("/v1/normalizers/{ref}/transform", {
  params: { path: { ref: "n" } },
  body: { input: { scores: [5] } },
});
const missing = await client.GET("/v1/normalizers/{ref}", { params: { path: { ref: "none" } } });
console.log(JSON.stringify({
  transform: transform.data?.output.values,
  create: [create.data?.name, create.data?.version],
  fuse: fuse.data && "output" in fuse.data ? fuse.data.output.ids : null,
  transform_stored: stored.data?.output.values,
  problem: missing.error?.type,
}));
"""


def test_r26_a_generated_typescript_client_calls_the_service(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    install("npm", "install", "--no-audit", "--no-fund", *PACKAGES, folder=tmp_path)
    tools = tmp_path / "node_modules" / ".bin"
    document = write_document(tmp_path)
    run(tools / "openapi-typescript", document, *TYPES, folder=tmp_path)
    (tmp_path / "program.ts").write_text(PROGRAM)
    (tmp_path / "node.d.ts").write_text("declare const process: { argv: string[] };\n")
    run(tools / "tsc", *OPTIONS, "program.ts", "node.d.ts", folder=tmp_path)
    with serving(tmp_path / "data") as server:
        said = json.loads(run("node", "program.js", server.url, folder=tmp_path))
    assert said == {
        "transform": [0, 1, 0.5],
        "create": ["n", 1],
        "fuse": ["y", "x"],
        "transform_stored": [0.5],
        "problem": "/problems/not-found",
    }
