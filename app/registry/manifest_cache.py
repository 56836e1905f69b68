"""Manifests by reference, remembered until anything is committed."""

from __future__ import annotations

import threading

from app.registry.records import Manifest
from app.registry.references import Reference
from app.registry.watch import Watch

MOST = 4096


class ManifestCache:
    """What references meant when they were last looked up, as long as that is still true.

    Parameters
    ----------
    watch : Watch
        Tells whether the database changed.
    """

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._token = -1
        self._manifests: dict[Reference, Manifest] = {}
        self._lock = threading.Lock()

    def token(self) -> int:
        """Return the state of the database, to be asked for before something is looked up."""
        return self._watch.token()

    def get(self, reference: Reference, token: int) -> Manifest | None:
        """Return what `reference` means in the state `token`, None when that is not known."""
        with self._lock:
            return self._manifests.get(reference) if token == self._token else None

    def keep(self, reference: Reference, manifest: Manifest, token: int) -> None:
        """Remember what was looked up after `token` was asked for."""
        with self._lock:
            if token != self._token or len(self._manifests) >= MOST:
                self._token, self._manifests = token, {}
            self._manifests[reference] = manifest
