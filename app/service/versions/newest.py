"""The newest state of a name: its method as given, and what its statistics were kept with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.registry.errors import Conflict
from app.registry.records import Manifest
from app.registry.references import Reference, parse_name
from app.service.context import Context
from normalizers.contract.method import Method
from normalizers.contract.parameters import merge_params
from normalizers.contract.resolution import given_statistics_params, params_affecting
from normalizers.versions.version import Version


@dataclass(frozen=True)
class CurrentState:
    """A name as it is now; an open name has no version."""

    manifest: Manifest
    method: Method
    version: Version | None

    @property
    def name(self) -> str:
        """The name."""
        return self.manifest.name.name

    @property
    def generation(self) -> int:
        """Which creation of the name this is."""
        return self.manifest.name.generation

    @property
    def resolved_method(self) -> Method:
        """The method as the newest version resolved it; of an open name, as it was given."""
        return self.version.resolved_method if self.version is not None else self.method

    @property
    def settled(self) -> dict[str, object]:
        """The values of the parameters that affect the statistics."""
        if self.version is not None:
            return params_affecting(self.version.resolved_method, "statistics")
        return {}


def newest(context: Context, name: str) -> CurrentState:
    """Return the newest state of a name."""
    manifest = context.registry.versions.get(Reference(parse_name(name)))
    if manifest.version is None:
        method = context.versions.create(manifest.name.method, manifest.name.given, stored=True)
        return CurrentState(manifest, method, None)
    version = context.versions.load(manifest.version)
    return CurrentState(manifest, version.method, version)


def with_changes(
    context: Context, state: CurrentState, patch: Mapping[str, object] | None, *, refit: bool
) -> Method:
    """Return the method with changes to its given parameters.

    A value of null takes a parameter back. What affects the statistics changes only with a refit.

    Raises
    ------
    Conflict
        When a change needs other statistics.
    """
    if not patch:
        return state.method
    kept = {
        name: value for name, value in state.method.explicit_params.items() if name not in patch
    }
    changes = {name: value for name, value in patch.items() if value is not None}
    cls = type(state.method)
    method = context.versions.create(cls.name, merge_params(cls, kept, changes))
    if not refit:
        _require_same_statistics(state, method)
    return method


def _require_same_statistics(state: CurrentState, method: Method) -> None:
    before, after = given_statistics_params(state.method), given_statistics_params(method)
    changed = [
        name
        for name in sorted(before.keys() | after.keys())
        if before.get(name) != after.get(name) and after.get(name) != state.settled.get(name)
    ]
    if changed and state.resolved_method.weight_fields:
        raise Conflict(
            f"{', '.join(changed)} decides which weights there are",
            hint="send from: 'weights' with those that belong to it",
        )
    if changed:
        raise Conflict(
            f"{', '.join(changed)} decides which statistics are kept",
            hint="send from: 'fit' with the data",
        )
