"""The example of a method as a curl command, and the answers that the service gives to it."""

from __future__ import annotations

import shlex

from app.api.openapi.examples import examples_of
from docs.asking import Ask
from docs.markdown import fence, joined, readable
from normalizers.catalogue.catalogue import Catalogue

ADDRESS = "http://127.0.0.1:8000"
# Where a method's example is asked: the first of these that takes it.
PATHS = {"fuse": "/v1/fuse", "transform": "/v1/transform"}


def example_blocks(name: str, catalogue: Catalogue, ask: Ask) -> str:
    """Return the request of a method's example and its answer."""
    path, body = request_of(name, catalogue)
    return joined(fence("bash", curl(path, body)), fence("json", readable(ask("POST", path, body))))


def statistics_block(name: str, catalogue: Catalogue, ask: Ask) -> str:
    """Return the statistics that the fit of a method's example keeps; nothing without one."""
    body = examples_of("create", catalogue).get(name, {}).get("value", {})
    if "fit" not in body:
        return ""
    ask("POST", "/v1/normalizers", body)
    stored = ask("GET", f"/v1/normalizers/{body['name']}/statistics", None)
    members = stored["statistics"] if isinstance(stored, dict) else stored
    return joined(
        "Those of the example, as they are read and posted:", fence("json", readable(members))
    )


def request_of(name: str, catalogue: Catalogue) -> tuple[str, object]:
    """Return the path and the body that a method's example is asked with."""
    for operation, path in PATHS.items():
        examples = examples_of(operation, catalogue)
        if name in examples:
            return path, examples[name]["value"]
    raise ValueError(f"'{name}' declares no example")


def curl(path: str, body: object) -> str:
    """Return the command line of a post."""
    sent = shlex.quote(readable(body))
    return f"curl -s {ADDRESS}{path} -H 'content-type: application/json' \\\n  -d {sent}"
