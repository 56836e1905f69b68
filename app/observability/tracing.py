"""A span of OpenTelemetry for each request, where the environment says where spans go."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.observability.exchange import Exchange

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

logger = logging.getLogger("normd")
# Where spans go: OpenTelemetry's own words, as are those for headers, names and sampling.
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
DISABLED = "OTEL_SDK_DISABLED"
PARENT = "traceparent"
SERVER_ERROR = 500
SECOND = 1_000_000_000


def tracers(service: str) -> tuple[Callable[[Exchange], None], ...]:
    """Return what makes a span of a request: nothing where no end point is given."""
    if os.environ.get(DISABLED) == "true" or not any(os.environ.get(name) for name in ENDPOINTS):
        return ()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        logger.warning("no spans are sent: pip install 'normd[otel]'")
        return ()
    named = os.environ.get("OTEL_SERVICE_NAME", service)
    provider = TracerProvider(resource=Resource.create({"service.name": named}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return (Tracing(provider),)


class Tracing:
    """Makes a span of each request when it has ended, so that nothing waits for it.

    Parameters
    ----------
    provider : TracerProvider
        What spans are given to.
    """

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._tracer = provider.get_tracer("normd")
        self._propagator = TraceContextTextMapPropagator()

    def __call__(self, exchange: Exchange) -> None:
        """Make the span of a request; no text of a client is in it but ids that were checked."""
        from opentelemetry.trace import SpanKind, Status, StatusCode

        ended = time.time_ns()
        span = self._tracer.start_span(
            f"{exchange.verb} {exchange.route}",
            context=self._propagator.extract({PARENT: exchange.traceparent}),
            kind=SpanKind.SERVER,
            start_time=ended - round(exchange.seconds * SECOND),
            attributes={
                "http.request.method": exchange.verb,
                "http.route": exchange.route,
                "http.response.status_code": exchange.status,
                "http.request.body.size": exchange.received,
                "http.response.body.size": exchange.sent,
                "normd.request_id": exchange.request_id,
                "normd.name": exchange.name,
                "normd.version": exchange.version,
            },
        )
        if exchange.status >= SERVER_ERROR:
            span.set_status(Status(StatusCode.ERROR))
        span.end(end_time=ended)
