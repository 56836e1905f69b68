"""Stored fusions at the client."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings
from normalizers.errors import InvalidParams
from normd.client import Client
from normd.client.calls import Call, Reply


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


def test_queries_of_one_answer_are_fused_by_one_version_while_an_alias_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {"ids": [["x", "y"]] * 9}
    runs = [{"name": "a", **many}, {"name": "b", "ids": [["y", "z"]] * 9}]
    with Client.local(Settings(data=tmp_path, max_lists=3)) as client:
        client.create("web", "rrf", params={"k": 1})
        client.add_version("web", "params", params={"k": 99})
        client.alias("web", "prod", 1)
        perform, sent = client.perform, list[Call]()

        def moving(call: Call) -> Reply:
            reply = perform(call)
            if call.path == "/v1/fuse" and not sent:
                sent.append(call)
                client.alias("web", "prod", 2)
            return reply

        monkeypatch.setattr(client, "perform", moving)
        monkeypatch.setattr("normd.client.columns.LARGE_BYTES", 0)
        fused = client.fuse(runs, "web@prod")
        assert len({tuple(scores.tolist()) for scores in fused["scores"]}) == 1
        assert fused.version == 1
