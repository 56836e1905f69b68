"""The stored normalizer of the benchmarks: whitening of 768 dims to 256."""

from __future__ import annotations

import json

from safetensors.numpy import save

from benchmarks.connection import Connection, request
from benchmarks.rows import COMPONENTS, rows
from benchmarks.server import Server

NAME = "bench"
TRANSFORM = f"/v1/normalizers/{NAME}/transform"
NPY = "application/x-npy"
JSON = "application/json"
ARROW = "application/vnd.apache.arrow.stream"
SAFETENSORS = "application/vnd.safetensors"
FIT_ROWS = 4000


def fit(server: Server, key: str = "") -> None:
    """Fit the normalizer and store it."""
    members = {"name": NAME, "method": "whitening", "params": {"n_components": COMPONENTS}}
    body = save({"fit.x": rows(FIT_ROWS)}, metadata={"json": json.dumps(members)})
    with Connection(server.port) as connection:
        connection.ask(request("/v1/normalizers", body, SAFETENSORS, key=key))
