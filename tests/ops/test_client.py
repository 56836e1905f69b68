"""The Python client against the service as a process of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import numpy as np
import pytest

from normalizers import Percentile, Whitening
from normalizers.testing.compare import assert_identical
from normd.client import AsyncClient, Client
from normd.client.errors import Unreachable
from tests.ops.server import Server, serving

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(400, 6)).astype(np.float32)
SMALL_BODY, FEW_ROWS = 200_000, 10_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("client") / "data"
    with serving(folder, max_body_bytes=SMALL_BODY, max_rows=FEW_ROWS) as started:
        yield started


@pytest.mark.parametrize("compress", [None, "zstd"])
def test_a_round_trip(server: Server, compress, tmp_path: Path) -> None:
    name = f"vectors-{compress}"
    expected = Whitening(n_components=3).fit(X)
    with Client(server.url, compress=compress) as client:
        made = client.fit(name, "whitening", X, params={"n_components": 3})
        assert made["version"] == 1
        y = client.transform(name, X)
        assert_identical(y, expected.transform(X))
        assert client.inverse(name, y).shape == X.shape
        client.alias(name, "prod", 1)
        file = tmp_path / "version.safetensors"
        assert client.save(f"{name}@prod", file) == made["hash"]
        assert client.import_(f"{name}-again", file)["hash"] == made["hash"]
        runs = [{"ids": ["a", "b"]}, {"ids": ["b"]}]
        assert client.fuse(runs, "rrf")["ids"].tolist() == ["b", "a"]


def test_large_work_goes_out_in_blocks(server: Server) -> None:
    scores = RANDOM.normal(size=60_000).round(3)
    with Client(server.url) as client:
        made = client.fit("many", "percentile", scores)
        assert made["n"] == len(scores)
        lists = scores.reshape(300, 200)
        progress: list[int] = []
        found = client.transform("many", lists, progress=lambda done, _: progress.append(done))
    assert len(progress) > 1
    assert_identical(found, Percentile().fit(scores).transform(lists))


def test_many_tasks_share_one_client(server: Server) -> None:
    async def run() -> list[np.ndarray]:
        found: list[np.ndarray] = []

        async def ask(client: AsyncClient, scale: float) -> None:
            found.append(await client.transform("min_max", np.array([0.0, scale, 2 * scale])))

        async with AsyncClient(server.url) as client, anyio.create_task_group() as group:
            for scale in range(1, 20):
                group.start_soon(ask, client, float(scale))
        return found

    answers = anyio.run(run)
    assert len(answers) == 19
    assert all(answer.tolist() == [0.0, 0.5, 1.0] for answer in answers)


def test_a_service_that_comes_back_is_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server, Client(server.url, retries=20) as client:
        client.fit("a", "percentile", [1.0, 2.0])
        server.kill()
        with Client(server.url, retries=0) as hasty, pytest.raises(Unreachable):
            hasty.show("a")
        back = threading.Thread(target=lambda: (time.sleep(0.2), server.start()))
        back.start()
        assert client.observe("a", [3.0])["counted"] is True
        back.join()
        assert client.merge("a", ["a@1", "a@open"])["n"] == 3
