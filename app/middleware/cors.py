"""Calls from pages of other origins (CORS), where an operator allows them."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware

METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
# What a page may read of an answer, beside what every page may.
TOLD = (
    "Accept",
    "Accept-Encoding",
    "Allow",
    "Content-Disposition",
    "ETag",
    "Location",
    "Normd-Flags",
    "Normd-Hash",
    "Normd-Name",
    "Normd-Version",
    "Normd-Warnings",
    "Retry-After",
    "X-Request-Id",
)


def add_cors(app: Starlette, origins: Sequence[str]) -> None:
    """Let pages of these origins call; without any, nothing is added."""
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=METHODS,
            allow_headers=["*"],
            expose_headers=TOLD,
        )
