"""``normd.toml``: what the variables of the environment would say, kept with a project."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from normd.cli.errors import BadFile

FILE_NAME, FILE_VARIABLE = "normd.toml", "NORMD_CONFIG"
PREFIX = "NORMD_"
# Values that are paths stand beside the file that names them.
PATHS = frozenset({"data", "key_file", "tls_certificate", "tls_key", "tls_client_ca"})


def find_config() -> Path | None:
    """Return the file that ``NORMD_CONFIG`` names, or the nearest one from this folder upwards."""
    named = os.environ.get(FILE_VARIABLE)
    if named:
        return Path(named)
    here = Path.cwd()
    return next(
        (file for one in (here, *here.parents) if (file := one / FILE_NAME).is_file()), None
    )


def read_config(file: Path) -> dict[str, str]:
    """Return what a file says, as variables of the environment.

    Raises
    ------
    BadFile
        The file cannot be read, is no TOML, or holds a table.
    """
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(str(file), f"it cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(str(file), f"it is no TOML: {error}") from None
    return {f"{PREFIX}{name.upper()}": _text(file, name, value) for name, value in found.items()}


@contextmanager
def configured() -> Iterator[None]:
    """Let the file say what the environment does not, while a command runs."""
    file = find_config()
    told: Mapping[str, str] = {} if file is None else read_config(file)
    added = {name: value for name, value in told.items() if not os.environ.get(name)}
    before = {name: os.environ.get(name) for name in added}
    os.environ.update(added)
    try:
        yield
    finally:
        for name, value in before.items():
            if os.environ.get(name) != added[name]:
                continue  # the command has set it for processes to come
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _text(file: Path, name: str, value: object) -> str:
    if isinstance(value, Mapping):
        raise BadFile(str(file), f"{name} is a table; write one line for each setting: data = ...")
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    if name in PATHS:
        return str((file.parent / Path(str(value)).expanduser()).absolute())
    return str(value)
