"""What outlived its use is removed, and nothing else."""

from __future__ import annotations

import asyncio
import threading

import pytest
from sqlalchemy import func, select

from app.registry.registry import Registry
from app.registry.schema import keys
from app.registry.tidying import forget_keys
from app.service.tidying import tidying
from tests.unit.app.registry.samples import new_name, new_observation

DAYS = 30.0


def append(registry: Registry, key: str) -> bool:
    return registry.observations.append("a", new_observation(), key=key).created


def age(registry: Registry, key: str, created: str) -> None:
    with registry._database.write() as connection:
        connection.execute(keys.update().where(keys.c.key == key).values(created=created))


def count(registry: Registry) -> int:
    with registry._database.read() as connection:
        return connection.execute(select(func.count()).select_from(keys)).scalar_one()


def test_old_keys_are_forgotten_and_young_ones_kept(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.registry.tidying.KEYS_AT_ONCE", 2)
    registry.names.create(new_name())
    for number in range(5):
        assert append(registry, f"old{number}")
        age(registry, f"old{number}", "2020-01-01T00:00:00.000000+00:00")
    assert append(registry, "young")
    assert not append(registry, "old0")
    registry.tidy()
    assert count(registry) == 1
    assert not append(registry, "young")
    assert append(registry, "old0")


@pytest.mark.parametrize("clock", ["2099-01-01T00:00:00.000000+00:00", "1999-01-01T00:00:00+00:00"])
def test_a_clock_that_jumps_forgets_no_key_of_today(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    registry.names.create(new_name())
    assert append(registry, "today")
    monkeypatch.setattr("app.registry.tidying.now", lambda: clock)
    registry.tidy()
    assert not append(registry, "today")


def test_without_keys_there_is_nothing_to_forget(registry: Registry) -> None:
    assert forget_keys(registry._database, DAYS) == 0


def test_a_running_service_tidies_now_and_then(registry: Registry) -> None:
    done = threading.Event()
    tidy = registry.tidy

    def noticed() -> None:
        tidy()
        done.set()

    registry.tidy = noticed  # type: ignore[method-assign]

    async def serve() -> bool:
        async with tidying(registry, pause_seconds=0.01):
            return await asyncio.to_thread(done.wait, 60)

    assert asyncio.run(serve())
