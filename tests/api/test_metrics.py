"""What an operator sees: metrics, a line a request, a line a change."""

from __future__ import annotations

import json
import logging
import re

import pytest
from fastapi.testclient import TestClient

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
