"""Version files in a bucket of S3, or of a store that speaks its language."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import S3Store

from app.registry.errors import Unavailable
from app.registry.files import ABANDONED_SECONDS, HASH, SUFFIX, place_of, require_hash

RETRIES = 2
# A retry that comes after the client has given up helps nobody.
RETRY_SECONDS = 10
# What a look at the bucket asks for: no version has this hash.
NOBODY = "0" * 64


class BucketFiles:
    """Files named by the SHA-256 of what they hold, under a prefix of a bucket.

    Credentials, region and end point are those of the environment (``AWS_ACCESS_KEY_ID``,
    ``AWS_SECRET_ACCESS_KEY``, ``AWS_REGION``, ``AWS_ENDPOINT_URL``).

    Parameters
    ----------
    url : str
        ``s3://bucket/prefix``.
    timeout_seconds : float
        Longest time of one request to the store.
    """

    def __init__(self, url: str, *, timeout_seconds: float) -> None:
        self._store = S3Store.from_url(
            url,
            client_options={
                "timeout": timedelta(seconds=timeout_seconds),
                # An operator who writes http:// means it.
                "allow_http": os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://"),
            },
            retry_config={
                "max_retries": RETRIES,
                "retry_timeout": timedelta(seconds=RETRY_SECONDS),
            },
        )

    def exists(self, hash: str) -> bool:
        """Return whether there is a file of `hash`."""
        with _translated():
            try:
                obstore.head(self._store, place_of(hash))
            except FileNotFoundError:
                return False
        return True

    def write(self, hash: str, content: bytes) -> None:
        """Keep `content`, which the store acknowledges when it is safe; mend a damaged file.

        Raises
        ------
        CorruptVersion
            When `content` does not have this hash.
        Unavailable
            When the store cannot be reached, or refuses.
        """
        require_hash(hash, content)
        with _translated():
            try:
                obstore.put(self._store, place_of(hash), content, mode="create")
            except AlreadyExistsError:
                if not self._holds(hash, content):
                    obstore.put(self._store, place_of(hash), content, mode="overwrite")

    def read(self, hash: str) -> bytes:
        """Return what the file of `hash` holds, unchanged since it was written.

        Raises
        ------
        FileNotFoundError
            When there is none.
        CorruptVersion
            When a byte of it changed.
        """
        with _translated():
            content = self._content(hash)
        require_hash(hash, content)
        return content

    def remove(self, hash: str) -> None:
        """Remove the file of `hash`, if there is one."""
        with _translated():
            obstore.delete(self._store, place_of(hash))

    def sweep(self) -> None:
        """Do nothing: an upload that breaks off leaves nothing."""

    def old_hashes(self) -> list[str]:
        """Return the hashes of the files that no living writer has just written."""
        oldest = datetime.now(UTC) - timedelta(seconds=ABANDONED_SECONDS)
        with _translated():
            found = [
                PurePosixPath(item["path"])
                for items in obstore.list(self._store)
                for item in items
                if item["last_modified"] < oldest
            ]
        return [path.stem for path in found if path.suffix == SUFFIX and HASH.fullmatch(path.stem)]

    def ready(self) -> str | None:
        """Return why no file can be written now, or None when the bucket answers."""
        try:
            self.exists(NOBODY)
        except Unavailable as error:
            return error.message
        return None

    def _holds(self, hash: str, content: bytes) -> bool:
        """Whether the file is whole; somebody may remove it in this very moment."""
        try:
            return self._content(hash) == content
        except FileNotFoundError:
            return False

    def _content(self, hash: str) -> bytes:
        return bytes(obstore.get(self._store, place_of(hash)).bytes())


@contextmanager
def _translated() -> Iterator[None]:
    """Say in our words what fails; the store's own may name hosts and accounts."""
    try:
        yield
    except FileNotFoundError:
        raise
    except PermissionError as error:
        raise Unavailable("the bucket of the version files refuses these credentials") from error
    except (BaseError, OSError) as error:
        raise Unavailable("the bucket of the version files cannot be reached") from error
