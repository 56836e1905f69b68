"""What a key may be allowed to do, and what a request needs."""

from __future__ import annotations

TRANSFORM, FIT, ADMIN, METRICS = "transform", "fit", "admin", "metrics"
SCOPES = (TRANSFORM, FIT, ADMIN, METRICS)

# Whoever probes or reads the documentation has no key, and learns nothing of what is stored.
START = "/"
OPEN_PATHS = frozenset(
    {
        START,
        "/livez",
        "/readyz",
        "/docs",
        "/guide",
        "/openapi.json",
        "/problems",
        "/v2/health/live",
        "/v2/health/ready",
    }
)
OPEN_PREFIXES = ("/problems/", "/docs/", "/guide/", "/assets/")
METRICS_PATH = "/metrics"
READS = frozenset({"GET", "HEAD", "OPTIONS"})
CHANGES = frozenset({"PUT", "PATCH", "DELETE"})
# Last words of the paths that work with what is stored, and store nothing.
WORK = frozenset({"transform", "inverse", "fuse", "evaluate", "drift", "diagnose", "infer"})


def needed_scope(verb: str, path: str) -> str | None:
    """Return the scope that a request needs, None where anyone may ask.

    Reading and working needs `transform`; what adds names, versions and observations `fit`; what
    moves or removes something that is there `admin`. A path that is not known is no way around:
    it needs what its verb says.

    Examples
    --------
    >>> from app.access.scopes import needed_scope
    >>> needed_scope("POST", "/v1/normalizers/hubs@prod/transform")
    'transform'
    >>> needed_scope("DELETE", "/v1/normalizers/hubs")
    'admin'
    >>> needed_scope("GET", "/livez") is None
    True
    """
    if path in OPEN_PATHS or path.startswith(OPEN_PREFIXES):
        return None
    if path == METRICS_PATH:
        return METRICS
    if verb in READS:
        return TRANSFORM
    if verb in CHANGES:
        return ADMIN
    return TRANSFORM if path.rstrip("/").rpartition("/")[2] in WORK else FIT
