from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.settings import Settings
from normalizers.data.ragged import Ragged
from normalizers.errors import NonFiniteError
from normd.client import Client
from normd.client.errors import Refused, TooLarge
from normd.client.verbs import fusion

QUERIES = [f"q{place}" for place in range(7)]
IDS = [[f"d{place}", "x", "y"][: 1 + place % 3] for place in range(7)]
SCORES = [[3.0, 2.0, 1.0][: len(ids)] for ids in IDS]
NESTED = [{"name": "a", "ids": IDS, "scores": SCORES}, {"name": "b", "ids": IDS[::-1]}]
RAGGED = [
    {"name": "a", "ids": Ragged.of(IDS, object), "scores": Ragged.of(SCORES)},
    {"name": "b", "ids": Ragged.of(IDS[::-1], object)},
]
FLAT = [
    {
        **run,
        **{
            name: run[name].values.tolist()  # type: ignore[attr-defined]
            for name in ("ids", "scores")
            if name in run
        },
        "offsets": run["ids"].offsets.tolist(),  # type: ignore[attr-defined]
    }
    for run in RAGGED
]


@pytest.fixture
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    settings = Settings(data=tmp_path_factory.mktemp("data"))
    with Client.local(settings) as client:
        yield client


def lists(answer: object, name: str) -> list[list[object]]:
    return [part.tolist() for part in answer[name]]  # type: ignore[index]


@pytest.mark.parametrize("form", ["json", "safetensors", "arrow"])
@pytest.mark.parametrize("runs", [NESTED, RAGGED, FLAT])
def test_many_queries_as_columns(client: Client, runs: list[dict[str, object]], form: str) -> None:
    whole = client.fuse(NESTED, "rrf")
    answer = client.fuse(runs, "rrf", query_ids=QUERIES, form=form)  # type: ignore[arg-type]
    assert lists(answer, "ids") == lists(whole, "ids")
    assert lists(answer, "scores") == lists(whole, "scores")
    assert answer["query_ids"].tolist() == QUERIES
    assert answer.extra == whole.extra


@pytest.mark.parametrize("runs", [NESTED, RAGGED, FLAT])
@pytest.mark.parametrize("limits", [{"max_lists": 3}, {"max_ids": 5}])
def test_what_is_above_a_limit_goes_out_in_blocks(
    client: Client,
    runs: list[dict[str, object]],
    limits: dict[str, float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = client.fuse(NESTED, "rrf", options={"explain": True})
    asked = []
    monkeypatch.setattr("normd.client.columns.LARGE_BYTES", 0)
    client.session.limits = limits
    fused = fusion._fused

    def counted(*args: object) -> object:
        asked.append(args[3])
        return fused(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(fusion, "_fused", counted)
    answer = client.fuse(runs, "rrf", query_ids=QUERIES, options={"explain": True})
    assert len(asked) == 3
    for name in ("ids", "scores"):
        assert lists(answer, name) == lists(whole, name)
    assert answer["query_ids"].tolist() == QUERIES
    assert answer.extra == whole.extra
    assert answer.explain == whole.explain
    assert [noted.as_dict() for noted in answer.warnings] == [
        noted.as_dict() for noted in whole.warnings
    ]


def test_what_the_service_finds_too_large_is_cut_in_half(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("normd.client.columns.LARGE_BYTES", 0)
    with Client.local(Settings(data=tmp_path, max_lists=2)) as client:  # type: ignore[arg-type]
        client.session.limits = {}
        assert lists(client.fuse(NESTED, "rrf"), "ids")[2] == ["x", "d2", "d4", "y"]
    with Client.local(Settings(data=tmp_path, max_ids=1)) as client:  # type: ignore[arg-type]
        client.session.limits = {}
        with pytest.raises(TooLarge):
            client.fuse(NESTED, "rrf")


def test_queries_as_objects(client: Client) -> None:
    queries = [
        {"id": "q1", "runs": [{"name": "a", "ids": ["x", "y"], "scores": np.array([2.0, 1.0])}]},
        {"id": 2, "runs": [{"name": "b", "ids": ["z"], "scores": [1]}]},
    ]
    fused = client.fuse_queries(
        queries, "wsum", options={"explain": True}, weights={"a": 1, "b": 3}
    )
    assert [query.id for query in fused] == ["q1", "2"]
    assert fused["q1"].ids.tolist() == ["x", "y"]
    assert fused["2"].scores.tolist() == [3.0]
    assert fused["q1"].explain[0]["parts"][0]["contribution"] == 1.0  # type: ignore[index]
    assert fused.report == {"weights": [{"run": "a", "weight": 1.0}, {"run": "b", "weight": 3.0}]}
    assert [noted.code for noted in fused.warnings] == ["constant_list"]
    with pytest.raises(KeyError):
        fused["q3"]


@pytest.mark.parametrize("form", ["json", "safetensors", "arrow"])
def test_a_query_that_fails_is_told_or_refuses_all(client: Client, form: str) -> None:
    good = {"id": "good", "runs": [{"ids": ["a"], "scores": [1]}]}
    bad = {"id": "bad", "runs": [{"ids": ["a"], "scores": [None]}]}
    fused = client.fuse_queries([good, bad], "wsum", on_error="skip", form=form)  # type: ignore[arg-type]
    assert fused["good"].error is None
    assert fused["bad"].ids.tolist() == []
    error = fused["bad"].error
    assert isinstance(error, Refused)
    assert isinstance(error, NonFiniteError)
    with pytest.raises(NonFiniteError, match=r"queries\[1\]\.runs\[0\]\.scores\[0\]"):
        client.fuse_queries([good, bad], "wsum")
