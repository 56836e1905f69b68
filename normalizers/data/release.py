"""Which release of the distribution is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "normd"


def release() -> str:
    """Return the version of the installed distribution; "unknown" for a copy of the files."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
