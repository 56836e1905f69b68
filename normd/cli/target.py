"""Where the work is done: a service at a URL, or one in this process on a data folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from normalizers.errors import UnknownName
from normalizers.messages import did_you_mean, quoted

if TYPE_CHECKING:
    from normd.client import Client
    from normd.service import Settings

DATA_VARIABLE = "NORMD_DATA"
Description = Mapping[str, object]


@dataclass(frozen=True)
class Target:
    """Where the work is done.

    Parameters
    ----------
    url : str, optional
        URL of a running service.
    data : Path, optional
        Data folder of the service in this process, used without a URL.
    """

    url: str | None = None
    data: Path | None = None

    @contextmanager
    def client(self, *, writes: bool = False) -> Iterator[Client]:
        """Connect; a command that writes nothing creates no data folder.

        The same client speaks to both, so that the same code answers.
        """
        from normd.client import Client

        if self.url is not None:
            with Client(self.url) as client:
                yield client
            return
        with self._settings(writes=writes) as settings, Client.local(settings) as client:
            yield client

    @property
    def methods(self) -> Mapping[str, Description]:
        """Every method that works there, by name, as its catalogue describes it."""
        return _described(self.url)

    def method(self, word: str) -> Description:
        """Return a method by name or alias.

        Raises
        ------
        UnknownName
            With the nearest name.
        """
        found = self.find_method(word)
        if found is None:
            raise UnknownName(
                f"unknown method {quoted(word)}{did_you_mean(word, self._spelled)}; "
                "`normd methods` lists them"
            )
        return found

    def find_method(self, word: str) -> Description | None:
        """Return a method by name or alias, or None."""
        from normalizers.catalogue.catalogue import normalized

        return self._spelled.get(normalized(word))

    @property
    def _spelled(self) -> Mapping[str, Description]:
        """Every method by name and alias; here only those that are looked up are described."""
        from normalizers.catalogue.catalogue import CATALOGUE, normalized

        if self.url is None:
            from normd.wire.descriptions import Descriptions

            return Descriptions(CATALOGUE)
        found: dict[str, Description] = {}
        for name, description in self.methods.items():
            aliases = description.get("aliases")
            for spelling in (name, *(aliases if isinstance(aliases, Mapping) else ())):
                found[normalized(spelling)] = description
        return found

    @contextmanager
    def _settings(self, *, writes: bool) -> Iterator[Settings]:
        from normd.service import settings_of

        settings = settings_of(self.data)
        is_named = self.data is not None or bool(os.environ.get(DATA_VARIABLE))
        is_new = not (is_named or settings.is_on_servers or settings.data.exists())
        if writes or settings.data.exists():
            yield settings
            if is_new:
                _tell_new(settings)
            return
        with tempfile.TemporaryDirectory() as folder:
            yield settings.model_copy(update={"data": Path(folder) / settings.data.name})


def _tell_new(settings: Settings) -> None:
    """Tell that a registry was made where nobody named a folder."""
    from normd.cli.display.console import say

    say(
        f"note: a new registry is made in {settings.data}; --data, {DATA_VARIABLE} or data in "
        "normd.toml names another"
    )


@cache
def _described(url: str | None) -> Mapping[str, Description]:
    if url is None:
        from normalizers.catalogue.catalogue import CATALOGUE
        from normd.wire.descriptions import describe

        return {name: describe(cls) for name, cls in CATALOGUE.items()}
    with Target(url).client() as client:
        return {str(described["name"]): described for described in client.methods()}
