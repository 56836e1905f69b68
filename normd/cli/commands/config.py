"""``normd config``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from normd.cli.display.console import print_json, print_table, print_text
from normd.cli.options import arguments
from normd.cli.options.config_file import FILE_NAME, FILE_VARIABLE, PREFIX, find_config, read_config
from normd.cli.options.dynamic import URL_VARIABLE, simple_command

DATA_VARIABLE, DATA_FOLDER = "NORMD_DATA", "data"
# Parts of the names of what is shown to nobody.
SECRET = ("PEPPER", "SECRET", "PASSWORD", "TOKEN", "DATABASE_URL", "ACCESS_KEY", "API_KEY")


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(config)


def config(
    *, as_json: arguments.Json = False, url: arguments.Url = None, data: arguments.Data = None
) -> None:
    """Show where the work is done and every setting that is not the default, and who says so.

    An option wins over the environment, and that over normd.toml, which is looked for in this
    folder and those above it (NORMD_CONFIG names another).
    """
    file = find_config()
    rows = list(_rows(url, data, {} if file is None else read_config(file), file))
    if as_json:
        items = [{"name": name, "value": value, "from": origin} for name, value, origin in rows]
        print_json({"file": None if file is None else str(file), "items": items})
        return
    told = f"there is none; {FILE_NAME} or {FILE_VARIABLE} makes one" if file is None else str(file)
    print_text(f"file: {told}")
    print_table(("setting", "value", "from"), rows)


def _rows(
    url: str | None, data: Path | None, told: dict[str, str], file: Path | None
) -> Iterator[tuple[str, object, str]]:
    def origin(variable: str) -> str:
        # What stands in both was put into the environment by the file.
        by_file = file is not None and told.get(variable) == os.environ.get(variable)
        return str(file) if by_file else variable

    said = os.environ.get(URL_VARIABLE)
    yield "url", url, "--url" if url != said else origin(URL_VARIABLE) if url else "default"
    here = os.environ.get(DATA_VARIABLE)
    if data is not None:
        yield "data", str(data.absolute()), "--data"
    elif here:
        yield "data", str(Path(here).absolute()), origin(DATA_VARIABLE)
    else:
        yield "data", str(Path(DATA_FOLDER).absolute()), "default: this folder"
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in {URL_VARIABLE, DATA_VARIABLE, FILE_VARIABLE}:
            hidden = any(part in name for part in SECRET)
            value = "(set)" if hidden else os.environ[name]
            yield name.removeprefix(PREFIX).lower(), value, origin(name)
