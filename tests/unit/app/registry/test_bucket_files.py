"""Version files in a bucket: what differs from a folder."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from app.registry.errors import Unavailable
from app.registry.files import ABANDONED_SECONDS
from app.settings import SettingsError, read_settings
from normalizers.errors import CorruptVersion
from tests.stores import Servers

if TYPE_CHECKING:
    from app.registry.bucket_files import BucketFiles

CONTENT = b"content"
HASH = hashlib.sha256(CONTENT).hexdigest()


def files_at(url: str) -> BucketFiles:
    from app.registry.bucket_files import BucketFiles

    return BucketFiles(url, timeout_seconds=2)


def test_files_are_kept_below_the_prefix_and_no_other_is_touched(servers: Servers) -> None:
    ours, others = files_at(servers.blobs), files_at(f"{servers.blobs}-others")
    ours.write(HASH, CONTENT)
    assert (ours.read(HASH), ours.exists(HASH), others.exists(HASH)) == (CONTENT, True, False)
    with pytest.raises(FileNotFoundError):
        others.read(HASH)
    others.remove(HASH)
    assert ours.exists(HASH)
    ours.remove(HASH)
    ours.remove(HASH)
    assert not ours.exists(HASH)


def test_content_of_another_hash_is_not_kept(servers: Servers) -> None:
    with pytest.raises(CorruptVersion):
        files_at(servers.blobs).write(HASH, b"other")
    assert not files_at(servers.blobs).exists(HASH)


def test_only_files_that_nobody_just_wrote_are_old(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_at(servers.blobs)
    files.write(HASH, CONTENT)
    assert files.old_hashes() == []

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> Later:
            later = datetime.now(UTC) + timedelta(seconds=2 * ABANDONED_SECONDS)
            return cls.fromtimestamp(later.timestamp(), UTC)

    monkeypatch.setattr("app.registry.bucket_files.datetime", Later)
    assert files.old_hashes() == [HASH]


def test_a_store_that_is_not_there_is_unavailable(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    files = files_at(servers.blobs)
    for call in (
        lambda: files.write(HASH, CONTENT),
        lambda: files.read(HASH),
        lambda: files.exists(HASH),
        lambda: files.remove(HASH),
        files.old_hashes,
    ):
        with pytest.raises(Unavailable, match="cannot be reached"):
            call()
    assert files.ready() == "the bucket of the version files cannot be reached"


@pytest.mark.parametrize("url", ["file:///etc", "s3://", "s3://b/../c d", "bucket"])
def test_what_is_no_bucket_is_told(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("NORMD_BLOBS", url)
    with pytest.raises(SettingsError, match="NORMD_BLOBS: a bucket is written"):
        read_settings()
