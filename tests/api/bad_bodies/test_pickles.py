"""Pickles are never opened (report 5)."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import numpy as np
from fastapi.testclient import TestClient

from tests.api.problem import slug_of
from tests.api.routes import Route
from tests.api.samples import JSON, NAMES, SAFETENSORS


class _Canary:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.path,)


def test_report_5_pickles_are_never_opened(
    client: TestClient, route: Route, tmp_path: Path
) -> None:
    canary = tmp_path / "opened"
    pickled = pickle.dumps(_Canary(canary))
    npy = io.BytesIO()
    np.save(npy, np.array([_Canary(canary)], dtype=object), allow_pickle=True)
    for body in (pickled, npy.getvalue()):
        for media_type in (JSON, SAFETENSORS, "application/octet-stream", "application/x-npy"):
            assert route.send(client, body, media_type).status_code in (400, 415, 422)
        imported = client.post(
            f"{NAMES}/import?name=new", content=body, headers={"content-type": SAFETENSORS}
        )
        assert slug_of(imported) == "corrupt-version"
    assert not canary.exists()


def test_report_5_nothing_here_can_open_a_pickle() -> None:
    root = Path(__file__).parents[3]
    packages = ("app", "normd", "normalizers")
    for file in [file for name in packages for file in (root / name).rglob("*.py")]:
        text = file.read_text()
        for word in ("import pickle", "joblib.load", "allow_pickle=True", "np.load(", "marshal"):
            assert word not in text, (file, word)
