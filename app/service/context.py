"""What every request works with: settings, catalogue, registry, versions, device."""

from __future__ import annotations

from dataclasses import dataclass

from app.registry.registry import Registry
from app.service.version_loader import VersionLoader
from app.settings import Settings
from normalizers.catalogue.catalogue import Catalogue
from normalizers.data.devices import CPU_DEVICE, Device, find_device


@dataclass(frozen=True)
class Context:
    """The parts of one running service."""

    settings: Settings
    catalogue: Catalogue
    registry: Registry
    versions: VersionLoader
    device: Device = CPU_DEVICE


def open_context(settings: Settings, catalogue: Catalogue) -> Context:
    """Open the registry and return the parts of a service."""
    registry = Registry(settings)
    versions = VersionLoader(registry, catalogue, settings.version_cache_bytes)
    return Context(settings, catalogue, registry, versions, find_device(settings.device))
