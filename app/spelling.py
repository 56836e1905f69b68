"""How settings are spelled: what is written otherwise is refused, with what would be right."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pydantic import SecretStr

from normalizers.data.devices import find_device

RATE = re.compile(r"[1-9][0-9]{0,8}/(second|minute|hour|day)")
DATABASE = re.compile(r"postgres(ql)?://[^\s/?]*(/|\?|$)")
BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9._-]+)*/?")
ROOT_PATH = re.compile(r"(/[A-Za-z0-9._-]+)+/?")
EVERY_ORIGIN = "*"
ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#@,*]+")


def make_absolute(path: Path) -> Path:
    """Return a path that does not depend on where the process stands."""
    return Path(os.path.abspath(path.expanduser()))


def make_absolute_if_given(path: Path | None) -> Path | None:
    """Return such a path where one was given."""
    return None if path is None else make_absolute(path)


def require_rate(text: str) -> str:
    """Refuse a rate that is none."""
    if text and not RATE.fullmatch(text):
        raise ValueError("a rate is written '100/second', '5000/minute' or '20000/hour'")
    return text


def require_path(path: str) -> str:
    """Refuse what is no path of a host, and return it without a slash at its end."""
    if path.strip("/") and not ROOT_PATH.fullmatch(path):
        raise ValueError("a path is written '/norm' or '/search/norm'")
    return path.rstrip("/")


def require_database(url: SecretStr) -> SecretStr:
    """Refuse what is no address of PostgreSQL, without telling the password in it."""
    if url.get_secret_value() and not DATABASE.match(url.get_secret_value()):
        raise ValueError("a database is written 'postgresql://user:password@host:5432/name'")
    return url


def require_bucket(url: str) -> str:
    """Refuse what is no bucket."""
    if url and not BUCKET.fullmatch(url):
        raise ValueError("a bucket is written 's3://bucket/prefix'")
    return url


def require_device(device: str) -> str:
    """Refuse a device that is not here, before a request asks for it."""
    find_device(device)
    return device


def split_origins(text: str) -> str:
    """Return origins with a comma between; each is a scheme, a host and perhaps a port."""
    found = [word for word in re.split(r"[\s,]+", text) if word]
    for origin in found:
        if origin != EVERY_ORIGIN and not ORIGIN.fullmatch(origin):
            raise ValueError(
                "origins are written 'https://example.org' or 'http://localhost:3000', without a "
                "path, with a comma between; '*' is every origin"
            )
    return ",".join(found)
