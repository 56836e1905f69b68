"""The application: settings and a catalogue in, an ASGI app out; nothing runs at import."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import anyio
from fastapi import Depends, FastAPI

from app.access.guard import Guard
from app.access.key_file import KeyFile
from app.api import (
    aliases,
    contents,
    evaluation,
    failures,
    inference,
    methods,
    normalizers,
    observations,
    operations,
    work,
)
from app.api.direct import BodyRoute, DirectRoutes
from app.api.openapi.document import document
from app.api.pages import routes as pages
from app.api.query import require_known_query
from app.middleware.admission import Admission, Admitted, Bounds
from app.middleware.body_limit import BodyLimit
from app.middleware.compression import add_compression
from app.middleware.cors import add_cors
from app.middleware.deadline import Deadline
from app.middleware.decompression import Decompression, Limits
from app.middleware.head import Head
from app.middleware.request_id import RequestId
from app.middleware.root_path import RootPath
from app.middleware.safe_headers import SafeHeaders
from app.middleware.startup import Startup
from app.observability.request_log import keep_audit, log_request
from app.observability.tracing import tracers
from app.observability.watch import Watch
from app.registry.errors import RegistryError
from app.server.drain import DRAIN
from app.service.context import open_context
from app.service.tidying import tidying
from app.settings import PREFIX, Settings, SettingsError, read_settings, unknown_variables, variable
from normalizers.catalogue import catalogue as built_in
from normalizers.catalogue.catalogue import Catalogue
from normalizers.messages import quoted, suggestion

if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig

    from app.access.rates import Rates

logger = logging.getLogger("normd")

TITLE = "normd"
# The framework's own would tell each request again beside `tracers`, and asks for it each time.
NO_TELEMETRY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False}
SUMMARY = "Scores, embeddings, metric values and time series made comparable."


def create_app(
    settings: Settings | None = None, catalogue: Catalogue | None = None, *, trusted: bool = False
) -> FastAPI:
    """Return the service.

    Parameters
    ----------
    settings : Settings, optional
        By default read from ``NORMD_`` variables of the environment; unusable ones are told when
        the application starts.
    catalogue : Catalogue, optional
        By default the built-in methods and those of installed packages.
    trusted : bool
        Whether whoever calls may do all, without a key: in the process that has the data folder.

    Returns
    -------
    FastAPI
        An ASGI application; the registry is opened when it starts.
    """
    chosen, unusable = _chosen(settings)
    known = built_in.CATALOGUE if catalogue is None else catalogue

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if unusable is not None:
            raise unusable
        if settings is None:
            _warn_of_unknown_variables()
        app.state.limiter = anyio.CapacityLimiter(chosen.worker_threads)
        app.state.context = await anyio.to_thread.run_sync(open_context, chosen, known)
        DRAIN.install(chosen.drain_seconds)
        with watching(app):
            async with tidying(app.state.context.registry):
                yield
        app.state.context.registry.close()

    app = FastAPI(
        title=TITLE,
        summary=SUMMARY,
        version="1",
        lifespan=lifespan,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        telemetry=NO_TELEMETRY,
    )
    modules = (
        work,
        evaluation,
        contents,
        observations,
        aliases,
        normalizers,
        methods,
        operations,
        inference,
    )
    routers = [*(module.router for module in modules), inference.work]
    for router in routers:
        direct = router.route_class is BodyRoute
        dependencies = [] if direct else [Depends(require_known_query)]
        app.include_router(router, dependencies=dependencies)
    # Pages follow links with queries of their own.
    app.include_router(pages.router)
    routes = [route for router in (*routers, pages.router) for route in router.routes]
    direct_routes = DirectRoutes(route for route in routes if isinstance(route, BodyRoute))
    app.router.routes.insert(0, direct_routes)
    failures.install(app, routes)
    limit = chosen.max_body_bytes
    app.add_middleware(Decompression, limits=_decoding(chosen))
    add_compression(app)
    admitted = Admitted()
    if not trusted:
        app.add_middleware(
            Admission, bounds=_bounds(chosen), refusal=failures.NoPlace(), admitted=admitted
        )
    app.add_middleware(Deadline, refusal=failures.NoTime())
    # Outside: a body above the limit is refused without waiting for a place.
    app.add_middleware(BodyLimit, limit=limit, refusal=failures.BodyTooLarge(limit))
    app.add_middleware(failures.UnhandledErrors)
    if not trusted:
        _add_guard(app, chosen)
        _add_watch(app, chosen, admitted)
    app.add_middleware(Head)
    app.add_middleware(SafeHeaders)
    app.add_middleware(RequestId)
    add_cors(app, chosen.origins)
    if chosen.root_path:
        app.add_middleware(RootPath, prefix=chosen.root_path)
    app.add_middleware(Startup, told=lambda error: _told(error, chosen))
    app.openapi = lambda: document(app, known, chosen.root_path)  # type: ignore[method-assign]
    return app


def _add_guard(app: FastAPI, settings: Settings) -> None:
    keys = KeyFile(settings.key_file, settings.pepper.get_secret_value())
    rates = _rates(settings.key_rate)
    app.add_middleware(Guard, keys=keys, refusal=failures.Denied(), rates=rates)


def _add_watch(app: FastAPI, settings: Settings, admitted: Admitted) -> None:
    # Inside: who works in this process needs no metrics, and nothing that counts them.
    from app.observability.metrics import Metrics

    metrics = Metrics(lambda: admitted.requests, lambda: admitted.waiting)
    app.state.metrics = metrics
    if settings.audit_log is not None:
        keep_audit(settings.audit_log)
    observers = (metrics.observe, log_request, *tracers(TITLE))
    app.add_middleware(Watch, observers=observers)


@contextmanager
def watching(app: FastAPI) -> Iterator[None]:
    """Compare live inputs with fits while the block runs, where the settings say so."""
    drift, metrics = app.state.context.drift, getattr(app.state, "metrics", None)
    if drift is None or metrics is None:
        yield
        return
    drift.start(metrics.tell_drift)
    try:
        yield
    finally:
        drift.end()


def _bounds(settings: Settings) -> Bounds:
    return Bounds(
        settings.max_requests,
        settings.max_bytes_in_work,
        settings.max_queue,
        settings.queue_seconds,
    )


def _rates(rate: str) -> Rates | None:
    # Inside: it loads a library that a service without rates does not need.
    if not rate:
        return None
    from app.access.rates import Rates

    return Rates(rate)


def _chosen(settings: Settings | None) -> tuple[Settings, SettingsError | None]:
    """Return the settings; unusable ones are the defaults, and what is wrong with them."""
    try:
        return settings or read_settings(), None
    except SettingsError as error:
        return Settings.model_construct(), error


def _told(error: Exception, settings: Settings) -> str | None:
    """Return what an operator is told of why the service cannot start."""
    if isinstance(error, SettingsError):
        return f"normd cannot start: {error}"
    if isinstance(error, RegistryError):
        return f"normd cannot start: {settings.place}: {error.message}"
    return None


def _warn_of_unknown_variables() -> None:
    for name in unknown_variables():
        meant = suggestion(name.removeprefix(PREFIX), Settings.model_fields)
        hint = f"; did you mean {variable(meant)}?" if meant else ""
        logger.warning("the variable %s sets nothing%s", quoted(name), hint)


def _decoding(settings: Settings) -> Limits:
    return Limits(
        settings.max_body_bytes,
        variable("max_body_bytes"),
        settings.max_compression_ratio,
        variable("max_compression_ratio"),
    )
