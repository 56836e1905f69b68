"""Manifests by reference, remembered until anything is committed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

from app.registry.records import Manifest
from app.registry.references import Reference

MOST = 4096


class ManifestCache:
    """What references meant when they were last looked up, as long as that is still true.

    Parameters
    ----------
    token : callable
        Returns what changes with the database; None where that is not known.
    """

    def __init__(self, token: Callable[[], Hashable | None]) -> None:
        self._ask = token
        self._token: Hashable | None = None
        self._manifests: dict[Reference, Manifest] = {}
        self._lock = threading.Lock()

    def token(self) -> Hashable | None:
        """Return the state of the database, to be asked for before something is looked up."""
        return self._ask()

    def get(self, reference: Reference, token: Hashable | None) -> Manifest | None:
        """Return what `reference` means in the state `token`, None when that is not known."""
        if token is None:
            return None
        with self._lock:
            return self._manifests.get(reference) if token == self._token else None

    def keep(self, reference: Reference, manifest: Manifest, token: Hashable | None) -> None:
        """Remember what was looked up after `token` was asked for."""
        if token is None:
            return
        with self._lock:
            if token != self._token or len(self._manifests) >= MOST:
                self._token, self._manifests = token, {}
            self._manifests[reference] = manifest
