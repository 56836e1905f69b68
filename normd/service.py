"""The service in this process: the one place that imports it, and says so when it is not there.

The client and the command line need it for a data folder of their own and for ``normd serve``.
Everything here is asked for inside functions, so that neither loads what it does not use.
"""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from normalizers.errors import MissingDependency

if TYPE_CHECKING:
    from fastapi import FastAPI

    from app.access.key_file import KeyFile as KeyFile
    from app.registry.backup import Advance
    from app.registry.backup import Verdict as Verdict
    from app.settings import Settings as Settings
    from normalizers.catalogue.catalogue import Catalogue

logger = logging.getLogger("normd")

# What uvicorn calls in each worker.
APPLICATION = "normd.service:create_app"
# How it speaks to each client.
CONNECTION = "app.server.connection:BoundConnection"
JSON_LINES = "app.observability.json_lines.JsonLines"
# The status of a server that ends before it serves; a parent of several stops at it.
STARTUP_FAILURE = 3
# Library, client and service are installed side by side.
BESIDE = Path(__file__).resolve().parents[1]
RAISED = ("max_body_bytes", "max_values", "max_rows", "max_lists", "max_ids", "max_dims")


class Unusable(ValueError):
    """A data folder that the service cannot use."""


def require_service() -> None:
    """Refuse to go on where the service is not installed, or another package has its name.

    Raises
    ------
    MissingDependency
        What is missing, and what to do.
    """
    _require_own_package()
    try:
        import_module("app.main")
    except ModuleNotFoundError as error:
        raise MissingDependency(_not_installed(error.name)) from error


def create_app() -> FastAPI:
    """Return the service with the settings of the environment, for a server.

    A worker process looks for `app` anew. Where it finds another one it says so in one line and
    ends as servers know it: started again, it would fail again.
    """
    try:
        require_service()
    except MissingDependency as error:
        logger.error("normd cannot start: %s", error.message)
        raise SystemExit(STARTUP_FAILURE) from None
    from app.main import create_app

    return create_app()


def local_app(settings: Settings | None = None, catalogue: Catalogue | None = None) -> FastAPI:
    """Return the service with the limits raised that nobody set: here they protect nobody.

    Parameters
    ----------
    settings : Settings, optional
        By default read from ``NORMD_`` variables of the environment.
    catalogue : Catalogue, optional
        By default the built-in methods and those of installed packages.
    """
    require_service()
    from app.main import create_app
    from app.settings import read_settings

    chosen = settings or read_settings()
    raised = {name: sys.maxsize for name in RAISED if name not in chosen.model_fields_set}
    return create_app(chosen.model_copy(update=raised), catalogue, trusted=True)


def settings_of(data: Path | None) -> Settings:
    """Return the settings of the environment, or those of a data folder."""
    require_service()
    from app.settings import Settings, read_settings

    settings = read_settings()
    return settings if data is None else Settings(data=data)


def limits() -> Mapping[str, object]:
    """Return the limits of one request that a service of this environment would have."""
    require_service()
    from app.settings import read_settings

    return {name: limit["value"] for name, limit in read_settings().limits().items()}


def key_file(data: Path | None) -> KeyFile:
    """Return the keys that a service of this environment asks for."""
    require_service()
    from app.access.key_file import KeyFile

    settings = settings_of(data)
    return KeyFile(settings.key_file, settings.pepper.get_secret_value())


def prepare(data: Path | None) -> None:
    """Set the data folder of the services to come, and refuse one that cannot hold the registry.

    Raises
    ------
    MissingDependency
        The service is not installed.
    Unusable
        The folder cannot be used; the message says why.
    """
    require_service()
    from app.registry.errors import RegistryError
    from app.registry.registry import Registry
    from app.settings import read_settings, variable

    if data is not None:
        os.environ[variable("data")] = str(data.absolute())
    settings = read_settings()
    try:
        Registry(settings).close()
    except RegistryError as error:
        raise Unusable(
            f"{settings.place}: {error.message}; name another folder by --data"
        ) from None


def share_metrics() -> None:
    """Give the workers to come a folder in which each finds the metrics of the others."""
    from app.observability.metrics import FOLDER

    if FOLDER not in os.environ:
        folder = tempfile.mkdtemp(prefix="normd-metrics-")
        os.environ[FOLDER] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def backup(data: Path | None, target: Path, advance: Advance) -> Verdict:
    """Copy a data folder; see `app.registry.backup.backup`."""
    require_service()
    from app.registry import backup

    with _usable():
        return backup.backup(_folder_of(data), target, advance)


def restore(source: Path, data: Path | None, advance: Advance) -> Verdict:
    """Bring a copy back; see `app.registry.backup.restore`."""
    require_service()
    from app.registry import backup

    with _usable():
        return backup.restore(source, _folder_of(data), advance)


def verify(data: Path | None, advance: Advance) -> Verdict:
    """Read every version file; see `app.registry.backup.verify`."""
    require_service()
    from app.registry import backup, verification

    settings = settings_of(data)
    with _usable():
        if data is None and settings.is_on_servers:
            return verification.verify_stores(settings, advance)
        return backup.verify(settings.data, advance)


def _folder_of(data: Path | None) -> Path:
    """Return the data folder, unless the registry is elsewhere: that folder is not all of it."""
    settings = settings_of(data)
    if data is None and settings.is_on_servers:
        raise Unusable(
            "the registry is not in a folder: copy the database with pg_dump and then the bucket "
            "with the store's own tools; --data names a folder all the same"
        )
    return settings.data


@contextmanager
def _usable() -> Iterator[None]:
    from app.registry.errors import RegistryError

    try:
        yield
    except RegistryError as error:
        raise Unusable(error.message) from None


def is_unusable(error: BaseException) -> bool:
    """Return whether an error is of settings, keys or a folder that cannot be used.

    It loads nothing: what has not been loaded has raised nothing.
    """
    kinds = (("app.settings", "SettingsError"), ("app.access.key_file", "KeyFileError"))
    loaded = [(sys.modules.get(module), name) for module, name in kinds]
    own = [getattr(module, name) for module, name in loaded if module is not None]
    return isinstance(error, (Unusable, *own))


def _require_own_package() -> None:
    """Refuse an `app` that is not the service's; one that stands elsewhere is not even run."""
    found = find_spec("app")
    if found is None:
        raise MissingDependency(_not_installed(None))
    folders = [Path(folder) for folder in found.submodule_search_locations or ()]
    if BESIDE not in [folder.parent.resolve() for folder in folders]:
        raise _another(found.origin or next(map(str, folders), "an unknown place"))
    import app

    # Another distribution may have written its own package over the service's.
    if getattr(app, "SERVICE", None) != "normd":
        raise _another(str(app.__file__))


def _another(place: str) -> MissingDependency:
    return MissingDependency(
        f"another package named 'app' is found in the place of the service of normd, at {place}: "
        "start normd where that one is not on the path, give the service an environment of its "
        "own, or use its image"
    )


def _not_installed(missing: str | None) -> str:
    hint = f" ({missing} is missing)" if missing else ""
    return f"the service is not installed{hint}: pip install 'normd[service]'"
