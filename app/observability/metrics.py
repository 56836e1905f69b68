"""Metrics of a worker, or of all workers of one service, in Prometheus's text."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from app.observability.exchange import Exchange

# Where the workers of one service leave their numbers for each other; prometheus_client reads it.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
# From a small list answered from memory to a fit of many rows, in seconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120)
Counted = tuple[Counter, Histogram, Counter, Counter]
# Of the last rows of a version, in the column that differs most.
DRIFT = {
    "ks": "Largest distance of the live distribution from the fitted one.",
    "out_of_range": "Largest share of live values out of the fitted range.",
    "mean_shift": "Largest shift of the live mean, in fitted deviations.",
}


class Metrics:
    """What is counted; labels are routes, verbs and classes of status, never what a client says.

    Parameters
    ----------
    in_work, waiting : callable
        Return how many requests are in work, and wait, in this worker now.
    """

    def __init__(self, in_work: Callable[[], int], waiting: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        self._shared = FOLDER in os.environ
        self._known: dict[tuple[str, str, int], Counted] = {}
        of_route = ("route", "verb")
        self._requests = Counter(
            "normd_requests", "Requests that were answered.", (*of_route, "status"),
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "normd_request_seconds", "Time from the head of a request to the end of its answer.",
            of_route, buckets=BUCKETS, registry=self._registry,
        )  # fmt: skip
        self._received = Counter(
            "normd_received_bytes", "Bytes of bodies that came in.", of_route,
            registry=self._registry,
        )  # fmt: skip
        self._sent = Counter(
            "normd_sent_bytes", "Bytes of answers that went out.", of_route,
            registry=self._registry,
        )  # fmt: skip
        self._in_work = self._gauge("normd_requests_in_work", "Requests in work now.")
        self._waiting = self._gauge("normd_requests_waiting", "Requests that wait for a place.")
        self._drift = {
            key: Gauge(
                f"normd_drift_{key}", text, ("name", "version"), registry=self._registry,
                multiprocess_mode="livemax",
            )
            for key, text in DRIFT.items()
        }  # fmt: skip
        self._now = ((self._in_work, in_work), (self._waiting, waiting))

    def observe(self, exchange: Exchange) -> None:
        """Count one request."""
        key = exchange.route, exchange.verb, exchange.status
        counted = self._known.get(key)
        if counted is None:
            counted = self._known[key] = self._counted(exchange)
        requests, seconds, received, sent = counted
        requests.inc()
        seconds.observe(exchange.seconds)
        if exchange.received:
            received.inc(exchange.received)
        if exchange.sent:
            sent.inc(exchange.sent)
        if self._shared:
            # Whoever is asked tells the numbers of all workers as they were left.
            self._look()

    def tell_drift(self, name: str, version: str, found: Mapping[str, float]) -> None:
        """Keep how far the live inputs of a version are from its fit."""
        for key, value in found.items():
            self._drift[key].labels(name, version).set(value)

    def text(self) -> bytes:
        """Return all of them: those of every worker, where several share a folder."""
        self._look()
        if not self._shared:
            return generate_latest(self._registry)
        shared = CollectorRegistry()
        MultiProcessCollector(shared)  # type: ignore[no-untyped-call]
        return generate_latest(shared)

    def _look(self) -> None:
        for gauge, current in self._now:
            gauge.set(current())

    def _counted(self, exchange: Exchange) -> Counted:
        """Return what counts requests like this one: to find it costs more than to count."""
        of_route = exchange.route, exchange.verb
        return (
            self._requests.labels(*of_route, exchange.outcome),
            self._seconds.labels(*of_route),
            self._received.labels(*of_route),
            self._sent.labels(*of_route),
        )

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(name, text, registry=self._registry, multiprocess_mode="livesum")
