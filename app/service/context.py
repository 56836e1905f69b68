"""What every request works with: settings, catalogue, registry, versions, device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from app.registry.registry import Registry
from app.service.drift_watch import DriftWatch, drift_watch
from app.service.version_loader import VersionLoader
from app.settings import Settings
from normalizers.catalogue.catalogue import Catalogue
from normalizers.data.devices import CPU_DEVICE, Device, find_device
from normalizers.validation.limits import UNLIMITED, Limits


@dataclass(frozen=True)
class Context:
    """The parts of one running service."""

    settings: Settings
    catalogue: Catalogue
    registry: Registry
    versions: VersionLoader
    device: Device = CPU_DEVICE
    drift: DriftWatch | None = None

    @cached_property
    def input_limits(self) -> Limits:
        """How much a transform may take."""
        settings = self.settings
        return Limits(
            lists=settings.max_lists,
            rows=settings.max_rows,
            ids=settings.max_ids,
            values=settings.max_values,
        )

    @cached_property
    def fit_limits(self) -> Limits:
        """How much a fit may take."""
        return replace(self.input_limits, values=UNLIMITED, dims=self.settings.max_dims)


def open_context(settings: Settings, catalogue: Catalogue) -> Context:
    """Open the registry and return the parts of a service."""
    registry = Registry(settings)
    versions = VersionLoader(registry, catalogue, settings.version_cache_bytes)
    device = find_device(settings.device)
    return Context(settings, catalogue, registry, versions, device, drift_watch(settings))
