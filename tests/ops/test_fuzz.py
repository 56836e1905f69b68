"""Mutated examples of the OpenAPI document over all routes and forms, against a real server.

Every request follows from the seed and its number alone: ``asked(number)`` is the one that failed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import quote, urlencode

import pytest

from app.main import create_app
from app.settings import Settings
from tests.api.samples import ARROW, JSON, NPY, SAFETENSORS
from tests.effort import is_deep
from tests.ops.fuzzing.bodies import TEXT, bases, sent, written
from tests.ops.fuzzing.mutations import TEXTS, changed
from tests.ops.server import Server, serving

SEED = 20_261_201
REQUESTS, DEEP_REQUESTS = 2000, 50_000
# What a client waits; an answer to a body of some kilobytes is far sooner there.
LONGEST_SECONDS = 5.0
RENEWAL = 250
PROBLEM = "application/problem+json"
DOCUMENT = create_app(Settings()).openapi()
BASES = bases(DOCUMENT)
HELD = ("min_max", "whitening", "percentile", "group_z_score", "isotonic", "pipeline", "probfuse")
OPERATIONS = [
    (verb.upper(), path, operation)
    for path, verbs in DOCUMENT["paths"].items()
    for verb, operation in verbs.items()
]
READING = [found for found in OPERATIONS if "requestBody" in found[2]]
FORMS = (JSON, SAFETENSORS, ARROW, NPY)
ACCEPTED = (*FORMS, "*/*", "text/html", "application/json;q=0", "q", "")


class Asked(NamedTuple):
    """One request, and the statuses the document has for it."""

    verb: str
    path: str
    content: bytes
    headers: dict[str, str]
    documented: frozenset[int]


def asked(number: int) -> Asked:
    """Return the request of a number."""
    random = Random(f"{SEED}-{number}")
    verb, path, operation = random.choice(READING if random.random() < 0.85 else OPERATIONS)
    for name in ("ref", "name", "alias", "method", "slug"):
        path = path.replace(f"{{{name}}}", quote(_named(name, random), safe="", errors="replace"))
    headers = _headers(operation, random)
    content, queries = b"", _queries(operation, random)
    if "requestBody" in operation:
        form, content, query = _body(operation, random)
        queries += [query] if query else []
        content, encoding = sent(content, random)
        headers = {"content-type": form, **headers, **encoding}
    documented = frozenset(map(int, operation["responses"])) - {500}
    return Asked(verb, "?".join([path, *(["&".join(queries)] if queries else [])]), content,
                 headers, documented)  # fmt: skip


def _named(kind: str, random: Random) -> str:
    if random.random() < 0.1:
        return random.choice(TEXTS) or "-"
    name = random.choice(HELD)
    match kind:
        case "ref":
            return name + random.choice(("", "", "@1", "@prod", "@2", "@0", "@"))
        case "alias":
            return random.choice(("prod", "canary", "open"))
        case "slug":
            return random.choice(("conflict", "internal", "none"))
    return name


def _headers(operation: dict[str, object], random: Random) -> dict[str, str]:
    headers: dict[str, str] = {}
    if random.random() < 0.3:
        headers["accept"] = random.choice(ACCEPTED)
    if random.random() < 0.1:
        headers["idempotency-key"] = random.choice(("k", "k2", "x" * 300, " ", "\u00e9"))
    if random.random() < 0.1:
        name = random.choice(("if-match", "if-none-match"))
        headers[name] = random.choice(("*", '"a"', "a", 'W/"a"', '"a", "b"', ""))
    return headers


def _queries(operation: dict[str, object], random: Random) -> list[str]:
    known = [
        str(parameter["name"])
        for parameter in operation.get("parameters", [])  # type: ignore[attr-defined]
        if parameter["in"] == "query"
    ]
    if not known or random.random() < 0.3:
        return []
    values = ("new", "true", "1", "-1", "0", "x", "9" * 30, *TEXTS)
    return [urlencode({name: random.choice(values)}, errors="replace") for name in known]


def _body(operation: dict[str, object], random: Random) -> tuple[str, bytes, str]:
    tree = random.choice(BASES[str(operation["operationId"])])
    for _ in range(random.choice((0, 1, 1, 1, 2, 4))):
        tree = changed(tree, random)
    name = str(operation["operationId"])
    form = random.choice((*FORMS, JSON, JSON, JSON, JSON))
    if name == "import":
        form = SAFETENSORS
    elif name == "fuse" and random.random() < 0.1:
        form = TEXT
    content, query = written(tree, form, random)
    return (form if random.random() < 0.97 else random.choice((*FORMS, TEXT, "x"))), content, query


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("fuzz") / "data") as server:
        yield server


class _Client:
    """One connection that is kept, and opened anew when the server closes it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._opened = self._open()

    def _open(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.server.port, timeout=LONGEST_SECONDS)

    def ask(self, one: Asked) -> tuple[int, str, bytes]:
        """Return status, media type and body of an answer."""
        try:
            self._opened.request(one.verb, one.path, body=one.content, headers=one.headers)
            answer = self._opened.getresponse()
            content = answer.read()
        except (OSError, HTTPException):
            self.close()
            raise
        if answer.will_close:
            self.close()
        return answer.status, answer.headers.get("content-type", ""), content

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._opened.close()
        self._opened = self._open()


def _hold(client: _Client) -> None:
    for name in HELD:
        body = next(base for base in BASES["create"] if base["method"] == name)
        content = json.dumps(body).encode()
        client.ask(Asked("POST", "/v1/normalizers", content, {"content-type": JSON}, frozenset()))


def _fault(one: Asked, status: int, kind: str, content: bytes) -> str:
    """Return what is wrong with an answer; nothing for most."""
    if status >= 500 or status not in one.documented:
        return f"status {status}"
    if status < 400:
        return ""
    if kind != PROBLEM or not str(json.loads(content)["type"]).startswith("/problems/"):
        return f"status {status} is no problem"
    return ""


def test_no_request_fails_unexpectedly(server: Server) -> None:
    count = DEEP_REQUESTS if is_deep() else REQUESTS
    client, faults, statuses = _Client(server), [], Counter[int]()
    for number in range(count):
        if number % RENEWAL == 0:
            _hold(client)
        one = asked(number)
        try:
            status, kind, content = client.ask(one)
        except (OSError, HTTPException) as error:
            faults.append((number, f"no answer: {error!r}", one.verb, one.path))
            continue
        statuses[status] += 1
        fault = _fault(one, status, kind, content)
        if fault:
            faults.append((number, fault, one.verb, one.path))
    client.close()
    assert not faults, (len(faults), faults[:20])
    assert server._running.poll() is None
    assert "Traceback" not in Path(server.log).read_text()
    assert statuses[200] > count // 20, statuses
