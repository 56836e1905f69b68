"""Two workers on one data folder: each sees at once what the other wrote (reports 7 and 8)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.ops.server import Server, client_of, serving

NAMES = "/v1/normalizers"
MANY = 200
MOVES = 8
SCORES = [1.0, 2.0, 4.0]
BODY = {"method": "min_max", "params": {"scope": "fitted"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("workers") / "data", workers=2) as server:
        yield server


def _processor_ticks(server: Server) -> dict[int, int]:
    """Return the processor time each worker has used; only workers that serve use much."""
    parent = server._running.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    ticks = {}
    for child in map(int, children):
        words = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        ticks[child] = int(words[11]) + int(words[12])
    return ticks


def test_200_of_200_right_after_the_201(server: Server) -> None:
    has_proc = Path("/proc/self/task").is_dir()
    before = _processor_ticks(server) if has_proc else {}
    with client_of(server) as client:
        body = {"name": "a", **BODY, "fit": {"scores": SCORES}}
        hash = client.post(NAMES, json=body).raise_for_status().json()["hash"]
        for _ in range(MANY // 2):
            shown = client.get(f"{NAMES}/a")
            assert (shown.status_code, shown.json()["hash"]) == (200, hash)
            answer = client.post(f"{NAMES}/a/transform", json={"input": {"scores": [2.0]}})
            assert (answer.status_code, answer.headers["normd-hash"]) == (200, hash)
        assert client.post(NAMES, json=body).status_code == 200
    if has_proc:
        after = _processor_ticks(server)
        served = [pid for pid, ticks in after.items() if ticks > before.get(pid, ticks)]
        assert len(served) == 2, "one worker answered everything: the test shows nothing"


def test_a_new_version_is_seen_at_once(server: Server) -> None:
    with client_of(server) as client:
        client.post(NAMES, json={"name": "b", **BODY, "fit": {"scores": SCORES}})
        for number in range(2, 12):
            body = {"from": "fit", "fit": {"scores": [0.0, float(number)]}}
            made = client.post(f"{NAMES}/b/versions", json=body).raise_for_status().json()
            assert made["version"] == number
            for _ in range(MANY // 20):
                answer = client.post(
                    f"{NAMES}/b/transform", json={"input": {"scores": [1.0]}}
                ).json()
                assert (answer["version"], answer["hash"]) == (number, made["hash"])
                assert answer["output"]["values"] == [1.0 / number]


def test_after_an_alias_move_no_answer_mixes_old_and_new(server: Server) -> None:
    with client_of(server) as client:
        client.post(NAMES, json={"name": "c", **BODY, "fit": {"scores": [0.0, 1.0]}})
        client.post(
            f"{NAMES}/c/versions", json={"from": "fit", "fit": {"scores": [0.0, 2.0]}}
        ).raise_for_status()
        known = {number: client.get(f"{NAMES}/c@{number}").json()["hash"] for number in (1, 2)}
        client.put(f"{NAMES}/c/aliases/prod", json={"version": 1}).raise_for_status()
        stop = threading.Event()
        with ThreadPoolExecutor(2) as pool:
            watched = [pool.submit(_watch, server, known, stop) for _ in range(2)]
            try:
                for move in range(MOVES):
                    version = 2 - move % 2
                    sent = {"if-match": f'"{known[3 - version]}"'}
                    client.put(
                        f"{NAMES}/c/aliases/prod", json={"version": version}, headers=sent
                    ).raise_for_status()
                    for _ in range(MANY // MOVES):
                        assert _asked(client, known) == version
            finally:
                stop.set()
            assert {version for one in watched for version in one.result()} <= {1, 2}


def _watch(server: Server, known: dict[int, str], stop: threading.Event) -> set[int]:
    seen = set()
    with client_of(server) as client:
        while not stop.is_set():
            seen.add(_asked(client, known))
    return seen


def _asked(client, known: dict[int, str]) -> int:  # type: ignore[no-untyped-def]
    """Return which version answered, after making sure that all of the answer is of that one."""
    response = client.post(f"{NAMES}/c@prod/transform", json={"input": {"scores": [1.0]}})
    answer = response.raise_for_status().json()
    version: int = answer["version"]
    assert answer["hash"] == known[version] == response.headers["normd-hash"]
    assert response.headers["normd-version"] == str(version)
    assert response.headers["etag"] == f'"{known[version]}"'
    assert answer["output"]["values"] == [1.0 / version]
    return version


def test_report_8_many_writers_at_once_never_find_the_database_locked(server: Server) -> None:
    def create(number: int) -> list[int]:
        with client_of(server) as client:
            return [
                client.post(
                    NAMES, json={"name": f"w{number}-{i}", **BODY, "fit": {"scores": SCORES}}
                ).status_code
                for i in range(15)
            ]

    with ThreadPoolExecutor(4) as pool:
        statuses = [status for found in pool.map(create, range(4)) for status in found]
    assert statuses == [201] * 60
    with client_of(server) as client:
        listed = client.get(f"{NAMES}?limit=500").json()["items"]
    assert len([item for item in listed if item["name"].startswith("w")]) == 60


def test_one_of_many_equal_creations_makes_the_version(server: Server) -> None:
    def create(_: int) -> tuple[int, str]:
        with client_of(server) as client:
            body = {"name": "same", **BODY, "fit": {"scores": SCORES}}
            response = client.post(NAMES, json=body)
            return response.status_code, response.json()["hash"]

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(create, range(16)))
    assert sorted(status for status, _ in answers) == [200] * 15 + [201]
    assert len({hash for _, hash in answers}) == 1
    with client_of(server) as client:
        assert len(client.get(f"{NAMES}/same/versions").json()["items"]) == 1


def test_observations_of_both_workers_add_up(server: Server) -> None:
    def observe(number: int) -> None:
        with client_of(server) as client:
            for i in range(10):
                client.post(
                    f"{NAMES}/open/observations",
                    json={"fit": {"scores": [float(number * 10 + i)]}},
                    headers={"idempotency-key": f"k{number}-{i}"},
                ).raise_for_status()

    with client_of(server) as client:
        opening = {"method": "percentile", "params": {"scope": "fitted"}}
        client.post(NAMES, json={"name": "open", **opening}).raise_for_status()
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(observe, range(4)))
        found = client.get(f"{NAMES}/open/observations").json()["statistics"]["quantiles"]
    assert found["values"] == [float(value) for value in range(40)]
    assert set(found["counts"]) == {1}
