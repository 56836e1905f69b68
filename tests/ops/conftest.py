from __future__ import annotations

from tests.stores import bucket, postgresql_server, servers

__all__ = ["bucket", "postgresql_server", "servers"]
