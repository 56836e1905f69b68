"""What every request works with: settings, catalogue, registry, versions, device."""

from __future__ import annotations

from dataclasses import dataclass

from app.registry.registry import Registry
from app.service.version_loader import Versions
from app.settings import Settings
from normalizers.catalogue.catalogue import Catalogue
from normalizers.data.devices import HOST, Device, find_device


@dataclass(frozen=True)
class Context:
    """The parts of one running service."""

    settings: Settings
    catalogue: Catalogue
    registry: Registry
    versions: Versions
    device: Device = HOST


def open_context(settings: Settings, catalogue: Catalogue) -> Context:
    """Open the registry and return the parts of a service."""
    registry = Registry(settings)
    versions = Versions(registry, catalogue, settings.version_cache_bytes)
    return Context(settings, catalogue, registry, versions, find_device(settings.device))
