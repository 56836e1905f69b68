"""A client of the service: the verbs of the library, against a URL or in this process.

::

    from normd.client import Client

    with Client("http://127.0.0.1:8000") as client:
        client.fit("bm25", "percentile", scores)
        client.transform("bm25", [9.0, 5.2])
"""

from normalizers.data.release import release
from normd.client.async_client import AsyncClient
from normd.client.client import Client

__version__ = release()

__all__ = ["AsyncClient", "Client", "__version__"]
