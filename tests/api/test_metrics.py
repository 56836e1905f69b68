"""What an operator sees: metrics, a line a request, a line a change."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.observability.tracing import ENDPOINTS, Tracing, tracers
from app.settings import Settings
from tests.api.samples import NAMES, PERCENTILE, create

MIN_MAX = {"method": "min_max", "input": {"scores": [1.0, 2.0]}}


def test_a_request_is_counted_with_its_route_verb_and_outcome(client: TestClient) -> None:
    client.post("/v1/transform", json=MIN_MAX)
    client.post("/v1/transform", json={"method": "none"})
    text = client.get("/metrics").text
    labels = 'route="/v1/transform",status="{}",verb="POST"'
    assert f"normd_requests_total{{{labels.format('2xx')}}} 1.0" in text
    assert f"normd_requests_total{{{labels.format('4xx')}}} 1.0" in text
    assert 'normd_request_seconds_count{route="/v1/transform",verb="POST"} 2.0' in text
    assert re.search(r'normd_received_bytes_total\{route="/v1/transform",verb="POST"\} [1-9]', text)


def test_names_and_paths_of_clients_are_no_labels(client: TestClient) -> None:
    for number in range(300):
        client.get(f"/wp-admin/{number}")
        client.get(f"{NAMES}/name{number}")
        client.request(f"VERB{number}", "/v1/transform")
    text = client.get("/metrics").text
    assert "name1" not in text
    assert "wp-admin" not in text
    assert len(re.findall("^normd_requests_total", text, re.M)) < 20


def test_every_answer_says_how_long_it_took(client: TestClient) -> None:
    answer = client.post("/v1/transform", json=MIN_MAX)
    assert re.fullmatch(r"app;dur=[0-9.]+", answer.headers["server-timing"])


def test_a_line_of_a_request_is_one_json_object(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    create(client, "n", PERCENTILE)
    with caplog.at_level(logging.INFO, "normd.requests"):
        body = {"input": {"scores": [1.0]}}
        client.post(f"{NAMES}/n/transform", json=body, headers={"x-request-id": "me-1"})
    (line,) = [r.message for r in caplog.records if r.name == "normd.requests"]
    told = json.loads(line)
    assert (told["request_id"], told["route"]) == ("me-1", "/v1/normalizers/{ref}/transform")
    assert (told["name"], told["version"], told["status"]) == ("n", "1", 200)
    assert "\n" not in line


def test_changes_are_told_and_reads_are_not(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "normd.audit"):
        create(client, "n", PERCENTILE)
        client.get(f"{NAMES}/n")
        client.put(f"{NAMES}/n/aliases/prod", json={"version": 1})
        client.put(f"{NAMES}/n/aliases/prod", json={"version": 9})
    told = [json.loads(r.message) for r in caplog.records if r.name == "normd.audit"]
    assert [(line["verb"], line["status"]) for line in told] == [("POST", 201), ("PUT", 201)]


def test_a_change_is_told_with_the_hashes_before_and_after(tmp_path: Path) -> None:
    """Also where the log is no JSON: an operator names the file."""
    file = tmp_path / "audit.jsonl"
    with TestClient(create_app(Settings(data=tmp_path / "data", audit_log=file))) as client:
        create(client, "n", PERCENTILE)
        first = client.get(f"{NAMES}/n").json()["hash"]
        made = client.post(f"{NAMES}/n/versions", json={"from": "fit", "fit": {"scores": [1, 9]}})
        second = made.json()["hash"]
        for version in (1, 2):
            client.put(f"{NAMES}/n/aliases/prod", json={"version": version})
        client.delete(f"{NAMES}/n/aliases/prod")
        client.delete(f"{NAMES}/n@1")
        client.delete(f"{NAMES}/n")
    told = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["path"], line["before"], line.get("after", "")) for line in told] == [
        (NAMES, [], first),
        (f"{NAMES}/n/versions", [], second),
        (f"{NAMES}/n/aliases/prod", [], first),
        (f"{NAMES}/n/aliases/prod", [first], second),
        (f"{NAMES}/n/aliases/prod", [second], ""),
        (f"{NAMES}/n@1", [first], ""),
        (f"{NAMES}/n", [second], ""),
    ]
    assert all(line["request_id"] for line in told)
    file.rename(tmp_path / "audit.1.jsonl")
    with TestClient(create_app(Settings(data=tmp_path / "data", audit_log=file))) as client:
        create(client, "m", PERCENTILE)
    assert len(file.read_text().splitlines()) == 1


def test_a_request_is_a_span_of_what_it_is_a_part_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr("app.main.tracers", lambda _: (Tracing(provider),))
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    with TestClient(create_app(Settings(data=tmp_path / "data"))) as client:
        create(client, "n", PERCENTILE)
        exporter.clear()
        client.post(
            f"{NAMES}/n/transform",
            json={"input": {"scores": [1.0]}},
            headers={"traceparent": f"00-{trace}-{parent}-01"},
        )
        client.get(f"{NAMES}/nobody", headers={"traceparent": "nonsense"})
    part, alone = exporter.get_finished_spans()
    assert part.name == "POST /v1/normalizers/{ref}/transform"
    assert part.context.trace_id == int(trace, 16)
    assert part.parent is not None
    assert part.parent.span_id == int(parent, 16)
    assert part.attributes is not None
    assert (part.attributes["normd.name"], part.attributes["normd.version"]) == ("n", "1")
    assert part.end_time is not None
    assert part.start_time is not None
    assert part.end_time > part.start_time
    assert (alone.parent, alone.name) == (None, "GET /v1/normalizers/{ref}")


def test_without_an_end_point_no_spans_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENDPOINTS:
        monkeypatch.delenv(name, raising=False)
    assert tracers("normd") == ()
    monkeypatch.setenv(ENDPOINTS[0], "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert tracers("normd") == ()


def test_a_shifted_sample_raises_the_drift_of_a_watched_name(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", watch_drift="watched, other")
    with TestClient(create_app(settings)) as client:
        drift, metrics = client.app.state.context.drift, client.app.state.metrics  # type: ignore[attr-defined]

        def told(name: str, scores: list[float]) -> dict[str, float]:
            answer = client.post(f"{NAMES}/{name}/transform", json={"input": {"scores": scores}})
            assert answer.is_success
            drift.compare(metrics.tell_drift)
            found = re.findall(
                r'normd_drift_(\w+)\{name="watched",version="1"\} (\S+)',
                client.get("/metrics").text,
            )
            return {key: float(value) for key, value in found}

        for name in ("watched", "alone"):
            create(client, name, PERCENTILE)
        assert told("alone", [1000.0]) == {}
        like = PERCENTILE["fit"]["scores"]
        before = told("watched", like)
        assert before == {"ks": 0.0, "out_of_range": 0.0}
        after = told("watched", [1000.0] * 3 * len(like))
        assert after["ks"] > 0.5
        assert after["out_of_range"] == 0.75
