"""Every route that reads a body, with a body that works and a place in it for a number."""

from __future__ import annotations

from typing import NamedTuple

from fastapi.testclient import TestClient

from tests.api.problem import Answered
from tests.api.samples import JSON, NAMES, create

HERE = "@"


class Route(NamedTuple):
    """A route: ``@`` in its text stands where one number belongs, at `place`."""

    verb: str
    path: str
    text: str
    number: str
    place: str
    near: str
    missing: str

    @property
    def works(self) -> bytes:
        """The body with the number it needs."""
        return self.text.replace(HERE, self.number).encode()

    def with_value(self, value: bytes) -> bytes:
        """Return the body with `value` where the number belongs."""
        before, after = self.text.encode().split(HERE.encode())
        return before + value + after

    def send(
        self, client: TestClient, body: bytes, media_type: str | None = JSON, **headers: str
    ) -> Answered:
        """Send a body to the route."""
        sent = {**({"content-type": media_type} if media_type else {}), **headers}
        return client.request(self.verb, self.path, content=body, headers=sent)


ROUTES = {
    "transform": Route(
        "POST",
        "/v1/transform",
        '{"method": "min_max", "input": {"scores": [1.0, @]}}',
        "2.0",
        "input.scores[1]",
        "inptu",
        "input",
    ),
    "inverse": Route(
        "POST",
        "/v1/inverse",
        '{"method": "min_max", "input": {"values": [0.5, @], "loc": [1.0], "scale": [2.0]}}',
        "1.0",
        "input.values[1]",
        "methd",
        "method",
    ),
    "fuse": Route(
        "POST",
        "/v1/fuse",
        '{"method": "rrf", "runs": [{"ids": ["a", "b"], "scores": [2.0, @]}]}',
        "1.0",
        "runs[0].scores[1]",
        "explian",
        "explain",
    ),
    "create": Route(
        "POST",
        NAMES,
        '{"name": "new", "method": "percentile", "params": {"scope": "fitted"}, '
        '"fit": {"scores": [1.0, @]}}',
        "2.0",
        "fit.scores[1]",
        "descripton",
        "description",
    ),
    "dry_run": Route(
        "POST",
        f"{NAMES}?dry_run=true",
        '{"name": "new", "method": "whitening", "fit": {"x": [[1.0, 2.0], [3.0, @], [0.0, 5.0]]}}',
        "1.0",
        "fit.x[1][1]",
        "statistic",
        "statistics",
    ),
    "add_version": Route(
        "POST",
        f"{NAMES}/held/versions",
        '{"from": "fit", "fit": {"scores": [1.0, @]}}',
        "2.0",
        "fit.scores[1]",
        "form",
        "from",
    ),
    "observe": Route(
        "POST",
        f"{NAMES}/held/observations",
        '{"fit": {"scores": [1.0, @]}}',
        "2.0",
        "fit.scores[1]",
        "statisitcs",
        "statistics",
    ),
    "transform_stored": Route(
        "POST",
        f"{NAMES}/held@1/transform",
        '{"input": {"scores": [[1.0], [@]]}}',
        "2.0",
        "input.scores[1][0]",
        "option",
        "options",
    ),
    "inverse_stored": Route(
        "POST",
        f"{NAMES}/held/inverse",
        '{"input": {"values": [1.0, @]}}',
        "0.5",
        "input.values[1]",
        "inputs",
        "input",
    ),
    "evaluate": Route(
        "POST",
        "/v1/evaluate",
        '{"measures": ["auc"], "scores": [0.5, @], "labels": [1, 0]}',
        "0.25",
        "scores[1]",
        "measure",
        "measures",
    ),
    "drift": Route(
        "POST",
        f"{NAMES}/held@1/drift",
        '{"input": {"scores": [1.0, @]}}',
        "2.0",
        "input.scores[1]",
        "inputs",
        "input",
    ),
    "diagnose": Route(
        "POST",
        f"{NAMES}/hubs@1/diagnose",
        '{"input": {"sims": [[1.0, @]]}, "k": 1}',
        "0.5",
        "input.sims[0][1]",
        "inputs",
        "input",
    ),
    "put_alias": Route(
        "PUT", f"{NAMES}/held/aliases/prod", '{"version": @}', "1", "version", "verson", "version"
    ),
}


def hold(client: TestClient) -> None:
    """Create the names ``held`` and ``hubs`` that the routes of stored names use."""
    create(
        client,
        "hubs",
        {"method": "sinkhorn", "params": {"beta": 9.0}, "fit": {"bank_sims": [[1.0, 0.5]]}},
    )
    create(
        client,
        "held",
        {"method": "min_max", "params": {"scope": "fitted"}, "fit": {"scores": [1.0, 4.0, 9.0]}},
    )
