"""Stored fusions at the client."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings
from normalizers.errors import InvalidParams
from normd.client import Client


def test_r30_a_stored_fusion_is_called_by_its_reference(tmp_path: Path) -> None:
    runs = [{"name": "a", "ids": ["x", "y"]}, {"name": "b", "ids": ["y", "z"]}]
    with Client.local(Settings(data=tmp_path)) as client:
        client.create("web", "rrf", params={"weights": {"a": 3, "b": 1}})
        client.alias("web", "prod", 1)
        expected = client.fuse(runs, "rrf", weights={"a": 3, "b": 1})
        fused = client.fuse(runs, "web@prod")
        assert fused["ids"].tolist() == expected["ids"].tolist()
        assert fused["scores"].tolist() == expected["scores"].tolist()
        queries = [{"id": "q", "runs": runs}]
        assert client.fuse_queries(queries, "web@1")["q"].ids.tolist() == fused["ids"].tolist()
        with pytest.raises(InvalidParams, match="its version says that"):
            client.fuse(runs, "web@prod", k=10)
