"""Metrics of several workers are those of the service, and no client makes them grow."""

from __future__ import annotations

import re
from pathlib import Path

from tests.ops.server import client_of, serving

MIN_MAX = {"method": "min_max", "input": {"scores": [1.0, 2.0]}}
COUNT = re.compile(r"normd_requests_total\{([^}]*)\} ([0-9.]+)")


def _counts(text: str, route: str) -> float:
    return sum(float(n) for labels, n in COUNT.findall(text) if f'route="{route}"' in labels)


def test_two_workers_count_every_request_once(tmp_path: Path) -> None:
    with serving(tmp_path / "data", 2) as server, client_of(server) as client:
        for _ in range(60):
            assert client.post("/v1/transform", json=MIN_MAX).is_success
        for _ in range(5):
            assert _counts(client.get("/metrics").text, "/v1/transform") == 60
