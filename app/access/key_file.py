"""The file of keys: read anew when it changes, so that keys change without a restart."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.access.keys import Key, digest_of, find_key, new_secret
from app.access.scopes import SCOPES

PEPPER_NAME = "pepper"
PEPPER_BYTES = 32
# Only the owner reads what tells keys.
MODE = 0o600


class KeyFileError(ValueError):
    """The file of keys cannot be used; says which and why."""


class KeyFile:
    """The keys of a deployment.

    Parameters
    ----------
    path : Path
        The file, JSON. Where there is none, no key is needed; where there is one, none but its
        keys will do, also when it holds none.
    pepper : str, optional
        A secret that stands apart from the file. By default 32 random bytes in a file beside it,
        made with the first key.
    """

    def __init__(self, path: Path, pepper: str = "") -> None:
        self.path = path
        self._pepper = pepper.encode()
        self._mark: tuple[int, int, int] | None = None
        self._keys: tuple[Key, ...] = ()
        self._read_pepper = b""
        self._seed = secrets.token_bytes(PEPPER_BYTES)
        self._found: dict[bytes, Key] = {}

    def read(self) -> Sequence[Key] | None:
        """Return the keys there are now; None where there is no file, and none is needed.

        Raises
        ------
        KeyFileError
            The file cannot be read, or is no file of keys: nobody is let in by mistake. Or it was
            there and is gone: a data folder that is removed opens nothing.
        """
        mark = _mark(self.path)
        if mark is None:
            if self._mark is not None:
                raise KeyFileError(f"{self.path} is gone")
            return None
        if mark != self._mark:
            self._keys = tuple(_read(self.path))
            self._read_pepper = self._pepper or _bytes(self._pepper_path)
            self._mark = mark
            self._found = {}
        return self._keys

    def find(self, keys: Sequence[Key], secret: str) -> Key | None:
        """Return the one of these keys, as they were read, that was sent, or None.

        A key that was found is told by a faster digest from then on, under a seed that this
        process alone has; one that is unknown is compared with all each time.
        """
        if keys is not self._keys:
            return find_key(keys, secret, self._read_pepper)
        sent = hashlib.blake2b(secret.encode(), key=self._seed).digest()
        key = self._found.get(sent)
        if key is None:
            key = find_key(keys, secret, self._read_pepper)
            if key is not None:
                self._found[sent] = key
        return key

    def add(self, name: str, scopes: Sequence[str], created: str) -> str:
        """Keep a new key, and return it: it is told this once.

        Raises
        ------
        KeyFileError
            A scope is unknown, or the name is taken.
        """
        unknown = sorted(set(scopes) - set(SCOPES))
        if unknown or not scopes:
            raise KeyFileError(f"scopes are {', '.join(SCOPES)}; got {', '.join(unknown) or None}")
        keys = [*(self.read() or ())]
        if any(key.name == name for key in keys):
            raise KeyFileError(f"there is a key '{name}'; remove it first, or name another")
        secret = new_secret()
        digest = digest_of(secret, self._make_pepper())
        self._write([*keys, Key(name, frozenset(scopes), digest, created)])
        return secret

    def remove(self, name: str) -> None:
        """Forget a key; whoever sends it is refused from the next request on.

        Raises
        ------
        KeyFileError
            There is none of that name.
        """
        keys = self.read() or ()
        if all(key.name != name for key in keys):
            known = ", ".join(key.name for key in keys) or "none"
            raise KeyFileError(f"there is no key '{name}'; known: {known}")
        self._write([key for key in keys if key.name != name])

    @property
    def _pepper_path(self) -> Path:
        return self.path.with_name(PEPPER_NAME)

    def _make_pepper(self) -> bytes:
        if self._pepper:
            return self._pepper
        if not self._pepper_path.exists():
            _write_secret(self._pepper_path, secrets.token_hex(PEPPER_BYTES).encode())
        return _bytes(self._pepper_path)

    def _write(self, keys: Sequence[Key]) -> None:
        """Replace the file at once: who reads it meanwhile sees the old keys or the new ones."""
        tree = {"keys": [_as_json(key) for key in keys]}
        _write_secret(self.path, json.dumps(tree, indent=1).encode())


def _mark(path: Path) -> tuple[int, int, int] | None:
    """Return what changes with the file, None where there is none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}") from None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _read(path: Path) -> list[Key]:
    try:
        tree = json.loads(_bytes(path))
        return [_key(item) for item in tree["keys"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise KeyFileError(f"{path} is no file of keys; `normd keys add` writes one") from None


def _key(item: Mapping[str, object]) -> Key:
    scopes = item["scopes"]
    if not isinstance(scopes, list) or not set(scopes) <= set(SCOPES):
        raise ValueError("unknown scopes")
    return Key(
        str(item["name"]), frozenset(scopes), str(item["digest"]), str(item.get("created", ""))
    )


def _as_json(key: Key) -> dict[str, object]:
    scopes = [scope for scope in SCOPES if scope in key.scopes]
    return {"name": key.name, "scopes": scopes, "digest": key.digest, "created": key.created}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror}") from None


def _write_secret(path: Path, content: bytes) -> None:
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, MODE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise KeyFileError(f"{path} cannot be written: {error.strerror}") from None
