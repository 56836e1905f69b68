"""``normd serve``."""

from __future__ import annotations

import signal
import socket
import ssl
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from normd import service
from normd.cli.errors import Misuse
from normd.cli.options.arguments import Data
from normd.cli.options.dynamic import simple_command

if TYPE_CHECKING:
    from normd.service import Settings


class LogForm(StrEnum):
    """How the log is written."""

    TEXT = "text"
    JSON = "json"


def json_logs(level: str) -> dict[str, Any]:
    """Return a log of one JSON object a line: requests, changes, and what goes wrong."""
    written = {"handlers": ["out"], "propagate": False}
    quiet = {"handlers": [], "propagate": False, "level": "CRITICAL"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": service.JSON_LINES}},
        "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "json"}},
        "loggers": {
            "normd": {**written, "level": level.upper()},
            "normd.requests": {**written, "level": "INFO"},
            "normd.audit": {**written, "level": "INFO"},
            "uvicorn.error": {**written, "level": level.upper()},
            # Its lines have no id, no time and no size.
            "uvicorn.access": quiet,
        },
    }


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(serve)


def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", envvar="NORMD_HOST", help="address to listen at")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", envvar="NORMD_PORT", min=0, max=65535, help="its port")
    ] = 8000,
    workers: Annotated[
        int,
        typer.Option("--workers", envvar="WEB_CONCURRENCY", min=1, help="processes that serve"),
    ] = 1,
    log_level: Annotated[
        str, typer.Option("--log-level", metavar="LEVEL", help="critical, error, warning, info")
    ] = "info",
    log: Annotated[
        LogForm,
        typer.Option(
            "--log", envvar="NORMD_LOG", metavar="text|json", help="json: a line for each request"
        ),
    ] = LogForm.TEXT,
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure",
            envvar="NORMD_INSECURE",
            help="let others than this machine call without keys",
        ),
    ] = False,
    data: Data = None,
) -> None:
    """Run the service until it is interrupted. Its settings are NORMD_ variables."""
    service.require_service()
    import uvicorn
    from uvicorn.config import LOGGING_CONFIG

    settings = service.settings_of(data)
    _require_keys(host, data, insecure=insecure)
    tls = _tls(settings)
    _require_free(host, port)
    service.prepare(data)
    typer.echo(f"normd keeps its data in {settings.data}", err=True)
    url = f"{'https' if tls else 'http'}://{host}:{port}"
    typer.echo(f"API: {url}  documentation: {url}/docs", err=True)
    if workers > 1:
        service.share_metrics()
    # uvicorn hands the signal that ended it on to whoever listened before.
    signal.signal(signal.SIGTERM, _ended)
    uvicorn.run(
        service.APPLICATION,
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level=log_level,
        http=service.CONNECTION,
        log_config=json_logs(log_level) if log is LogForm.JSON else LOGGING_CONFIG,
        **tls,
    )


def _ended(number: int, frame: FrameType | None) -> None:
    """Being asked to end is no failure."""
    raise SystemExit(0)


def _tls(settings: Settings) -> dict[str, Any]:
    """Return what uvicorn needs to speak TLS, nothing where no certificate is set."""
    certificate, key, callers = settings.tls_certificate, settings.tls_key, settings.tls_client_ca
    if certificate is None or key is None:
        return {}
    try:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if callers is not None:
            context.load_verify_locations(callers)
    except OSError as error:
        reason = error.strerror or getattr(error, "reason", None) or "it is no PEM"
        raise Misuse(
            f"NORMD_TLS_CERTIFICATE, NORMD_TLS_KEY or NORMD_TLS_CLIENT_CA cannot be used: {reason}"
        ) from None
    named = {"ssl_certfile": str(certificate), "ssl_keyfile": str(key)}
    if callers is None:
        return named
    return {**named, "ssl_ca_certs": str(callers), "ssl_cert_reqs": ssl.CERT_REQUIRED}


def _require_keys(host: str, data: Path | None, *, insecure: bool) -> None:
    """Refuse an address that others reach, where nobody needs a key."""
    if insecure or _is_loopback(host) or service.key_file(data).read() is not None:
        return
    raise Misuse(
        f"others may reach {host}, and nobody needs a key: make one with `normd keys add NAME "
        "--scopes transform,fit,admin`, or say --insecure where something else keeps others out"
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _require_free(host: str, port: int) -> None:
    """Refuse an address that another process listens at, or that this machine does not have."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            raise Misuse(
                f"{host}:{port} cannot be listened at ({error.strerror}); choose another --port "
                "or --host"
            ) from None
