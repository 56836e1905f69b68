"""Live inputs of some versions, compared with their fits now and then beside the work."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from app.registry.records import VersionRecord
from app.registry.references import parse_name
from app.settings import Settings
from normalizers.data.batch import Batch
from normalizers.errors import NormalizerError
from normalizers.evaluation import LiveSample
from normalizers.versions.version import Version

# How often what came in is compared; to compare takes milliseconds.
PAUSE_SECONDS = 10.0
# Of each name, those asked for last: the one in use, its successor, a canary.
VERSIONS = 4
Told = Callable[[str, str, Mapping[str, float]], None]


@dataclass
class Live:
    """The inputs of one version, and whether some came since they were compared."""

    record: VersionRecord
    sample: LiveSample
    fresh: bool = True


class DriftWatch:
    """What came in for the versions of some names.

    Parameters
    ----------
    names : frozenset of str
        Whose versions are watched.
    pause_seconds : float
        Between two comparisons.
    """

    def __init__(self, names: frozenset[str], pause_seconds: float = PAUSE_SECONDS) -> None:
        self._names = names
        self._pause = pause_seconds
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def see(self, record: VersionRecord, version: Version, batch: Batch) -> None:
        """Keep some rows of an input; that one cannot be compared is no matter of its caller."""
        if record.name not in self._names or version.statistics.is_empty:
            return
        with self._lock, suppress(NormalizerError):
            live = self._live.setdefault(record.hash, Live(record, LiveSample(version)))
            live.sample.add(batch)
            live.fresh = True
            self._live.move_to_end(record.hash)
            while len(self._live) > VERSIONS * len(self._names):
                self._live.popitem(last=False)

    def start(self, told: Told) -> None:
        """Compare now and then, in a thread of its own, and tell each result."""
        self._thread = threading.Thread(
            target=self._run, args=(told,), name="normd-drift", daemon=True
        )
        self._thread.start()

    def compare(self, told: Told) -> None:
        """Compare what came in since the last time, while more comes."""
        with self._lock:
            fresh = [live for live in self._live.values() if live.fresh]
            copies = [(live.record, live.sample.copy()) for live in fresh]
            for live in fresh:
                live.fresh = False
        for record, sample in copies:
            with suppress(NormalizerError):
                told(record.name, str(record.number), sample.drift())

    def end(self) -> None:
        """Compare no more."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, told: Told) -> None:
        while not self._end.wait(self._pause):
            self.compare(told)


def drift_watch(settings: Settings) -> DriftWatch | None:
    """Return the watch of a service, None where nothing is watched."""
    words = [word.strip() for word in settings.watch_drift.split(",")]
    names = frozenset(parse_name(word) for word in words if word)
    return DriftWatch(names) if names else None
