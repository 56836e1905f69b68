"""Keys as they are made, kept and recognized: nobody can read a key from what is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

PREFIX = "normd_"
SECRET_BYTES = 32


@dataclass(frozen=True)
class Key:
    """What is kept of a key.

    Parameters
    ----------
    name : str
        Whose it is; it stands in logs, and is no secret.
    scopes : frozenset of str
        What it may do.
    digest : str
        HMAC-SHA256 of the key under the pepper of the deployment, in hexadecimal digits.
    created : str
        When it was made.
    """

    name: str
    scopes: frozenset[str]
    digest: str
    created: str = ""


def new_secret() -> str:
    """Return a key of 256 random bits, which is told once and kept nowhere.

    Examples
    --------
    >>> from app.access.keys import new_secret
    >>> new_secret().startswith("normd_")
    True
    """
    return PREFIX + secrets.token_urlsafe(SECRET_BYTES)


def digest_of(secret: str, pepper: bytes) -> str:
    """Return what is kept of a key.

    A key is random, so that a fast digest cannot be searched; the pepper keeps a stolen file from
    being compared with keys of another deployment.
    """
    return hmac.digest(pepper, secret.encode(), hashlib.sha256).hex()


def find_key(keys: Iterable[Key], secret: str, pepper: bytes) -> Key | None:
    """Return the key that `secret` is, or None.

    All are compared, each in constant time, so that the time says neither which nor how nearly.
    """
    digest = digest_of(secret, pepper)
    found = [key for key in keys if hmac.compare_digest(key.digest, digest)]
    return found[0] if found else None
