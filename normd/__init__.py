"""What people type and import: the client, the command line, and the wire between.

``from normd import Client, AsyncClient``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from normd.client import AsyncClient as AsyncClient
    from normd.client import Client as Client

__all__ = ["AsyncClient", "Client"]


def __getattr__(name: str) -> object:
    """Return a client's class, or the version of the distribution, when it is first asked for.

    The service imports the wire alone, and `normd --help` none of the library.
    """
    if name == "__version__":
        from normalizers.data.release import release

        return release()
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from normd import client

    return getattr(client, name)
