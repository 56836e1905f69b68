"""Whatever answers: a stored version, a method in one request, or a version file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from normd.cli.errors import Misuse
from normd.wire.field_specs import FieldSpecs

if TYPE_CHECKING:
    from normalizers.contract.answer import Answer
    from normalizers.contract.fields import Fields
    from normalizers.contract.method import Method as LibraryMethod
    from normalizers.versions.version import Version
    from normd.client import Client
    from normd.client.methods import Method

Action: TypeAlias = Literal["transform", "inverse"]
VERSION_FILE = ".safetensors"
DEVICE = "NORMD_DEVICE"


class Backend(Protocol):
    """Answers fields with an answer."""

    @property
    def action(self) -> Action:
        """The way forward or back."""

    @property
    def takes(self) -> FieldSpecs:
        """The fields of a request."""

    @property
    def gives(self) -> FieldSpecs:
        """The fields of an answer."""

    @property
    def row_by_row(self) -> bool:
        """Whether the answer for a row depends on no other row."""

    @property
    def column_flags(self) -> frozenset[str]:
        """Flags that name columns rather than rows."""

    def answer(self, values: Mapping[str, object], options: Mapping[str, object]) -> Answer:
        """Return the answer for fields by name."""


@dataclass
class ServiceBackend:
    """A stored version, or a method that is sent along.

    Parameters
    ----------
    client : Client
        Connected to the service that answers.
    method : Method
        The method behind it.
    action : str
        The way forward or back.
    ref : str, optional
        The stored version; after the first answer that one, wherever an alias moves meanwhile.
    described : mapping
        What a request says of a method that is not stored: name, parameters, fit.
    """

    client: Client
    method: Method
    action: Action
    ref: str | None
    described: Mapping[str, object]

    @property
    def takes(self) -> FieldSpecs:
        """The fields of a request."""
        is_inverse = self.action == "inverse"
        return self.method.inverse_takes if is_inverse else self.method.takes

    @property
    def gives(self) -> FieldSpecs:
        """The fields of an answer."""
        return self.method.takes if self.action == "inverse" else self.method.gives

    @property
    def row_by_row(self) -> bool:
        """Whether the answer for a row depends on no other row."""
        # A fit in the request would be repeated with every block.
        return self.described.get("fit") is None and self.method.row_by_row

    @property
    def column_flags(self) -> frozenset[str]:
        """Flags that name columns rather than rows."""
        return self.method.column_flags

    def answer(self, values: Mapping[str, object], options: Mapping[str, object]) -> Answer:
        """Return what the service answers."""
        from normd.client.flows import run
        from normd.client.transform_call import TransformCall, answer_request

        work = TransformCall(self.method, self.ref, self.described)
        request = work.request(self.action, None, values, options)
        found = run(answer_request(self.client.session, work, request), self.client.perform)
        # The blocks of a file are parts of one answer.
        self.ref = work.by_version_of(found).ref
        return found


@dataclass(frozen=True)
class LibraryBackend:
    """A version file, or a method in this call, which the library alone serves.

    Parameters
    ----------
    version : Version
        What answers.
    action : str
        The way forward or back.
    name : str, optional
        The method, where that is what was asked for.
    """

    version: Version
    action: Action
    name: str | None = None

    @property
    def takes(self) -> FieldSpecs:
        """The fields of a request."""
        method = self.version.resolved_method
        return _specs(method.inverse_takes if self.action == "inverse" else method.takes)

    @property
    def gives(self) -> FieldSpecs:
        """The fields of an answer."""
        method = self.version.resolved_method
        return _specs(method.takes if self.action == "inverse" else method.gives)

    @property
    def row_by_row(self) -> bool:
        """Whether the answer for a row depends on no other row."""
        return self.version.resolved_method.row_by_row

    @property
    def column_flags(self) -> frozenset[str]:
        """Flags that name columns rather than rows."""
        return self.version.resolved_method.traits.column_flags

    def answer(self, values: Mapping[str, object], options: Mapping[str, object]) -> Answer:
        """Return what the version answers."""
        from normalizers.contract.answer import Options

        chosen = Options.read(options)
        work = self.version.inverse if self.action == "inverse" else self.version.transform
        answer = work(values, chosen)
        if self.name is None:
            return answer
        from normd.client.answers import ServedAnswer

        # Said as a service says it.
        return ServedAnswer(**vars(answer), method=self.name)


def is_version_file(word: str) -> bool:
    """Return whether a reference is the path of a version file: names have no slash.

    Examples
    --------
    >>> from normd.cli.io.backend import is_version_file
    >>> is_version_file("bm25@prod"), is_version_file("./bm25.safetensors")
    (False, True)
    """
    return "/" in word or PurePath(word).suffix.lower() == VERSION_FILE


def read_version(path: str) -> Version:
    """Return the version in a file.

    Raises
    ------
    Misuse
        There is no file, or it holds no version.
    """
    from pathlib import Path

    from normalizers.errors import NormalizerError
    from normalizers.versions.file import read

    try:
        return read(Path(path))
    except OSError as error:
        raise Misuse(f"{path}: this version file cannot be read: {error.strerror}") from None
    except NormalizerError as error:
        raise Misuse(f"{path}: {error.message}") from None


def file_backend(path: str, action: Action) -> LibraryBackend:
    """Return what answers by a version file."""
    from normalizers.contract.resolution import is_invertible

    version = read_version(path)
    if action == "inverse" and not is_invertible(version.resolved_method):
        raise Misuse(f"{path}: '{version.method.name}' has no inverse with these parameters")
    return LibraryBackend(version, action)


def library_method(name: str, params: Mapping[str, object]) -> LibraryMethod | None:
    """Return a method that needs nothing but the library; None where it may name what is stored.

    What a parameter or a field refers to may be a version of a data folder. A device for all
    requests is preferred by the service, where a method can compute on it.
    """
    from normalizers.catalogue.catalogue import CATALOGUE

    if name not in CATALOGUE or os.environ.get(DEVICE):
        return None
    method = CATALOGUE.create(name, params)
    if any(method.parameters[given].references for given in method.explicit_params):
        return None
    checked = method.validated()
    return None if checked.fits.names_methods or checked.takes.names_methods else checked


def library_backend(
    method: LibraryMethod, action: Action, fit: Mapping[str, object] | None = None
) -> LibraryBackend:
    """Return what answers by a method of the library, fitted for this one time or not at all."""
    from normalizers.contract.resolution import is_invertible
    from normalizers.versions import fitting
    from normalizers.versions.shipped import shipped_version

    named = None if fit is None else shipped_version(method, fit)
    version = named or (fitting.stateless(method) if fit is None else fitting.fit(method, fit))
    if action == "inverse" and not is_invertible(version.resolved_method):
        raise Misuse(f"{method.name} has no inverse: nothing leads back from what it gives")
    return LibraryBackend(version, action, method.name)


def stored_backend(client: Client, ref: str, action: Action) -> ServiceBackend:
    """Return what answers by a stored version."""
    from normd.client.flows import run
    from normd.client.methods import method_behind

    method = run(method_behind(client.session, ref), client.perform)
    return _answering(ServiceBackend(client, method, action, ref, {}))


def method_backend(
    client: Client,
    name: str,
    action: Action,
    params: Mapping[str, object],
    fit: Mapping[str, object] | None = None,
) -> ServiceBackend:
    """Return what answers by a method, with parameters and a fit that each request carries."""
    from normd.client.flows import run
    from normd.client.methods import method_of
    from normd.client.sources import Source

    method = run(method_of(client.session, name, params), client.perform)
    described = {"method": name, **Source(params, fit).members(method)}
    return _answering(ServiceBackend(client, method, action, None, described))


def _answering(backend: ServiceBackend) -> ServiceBackend:
    """Return the backend; refuse the way back where there is none."""
    if backend.action == "inverse" and not len(backend.takes):
        word = backend.ref or backend.method.description["name"]
        raise Misuse(f"{word} has no inverse: nothing leads back from what it gives")
    return backend


def fit_fields(client: Client, name: str, params: Mapping[str, object]) -> FieldSpecs:
    """Return the fields that a method is fitted on."""
    from normd.client.flows import run
    from normd.client.methods import method_of

    return run(method_of(client.session, name, params), client.perform).fits


def observed_fields(client: Client, ref: str) -> FieldSpecs:
    """Return the fields that the method behind a stored name is fitted on."""
    from normd.client.flows import run
    from normd.client.methods import method_behind

    return run(method_behind(client.session, ref), client.perform).fits


def _specs(fields: Fields) -> FieldSpecs:
    from normd.wire.descriptions import field_specs

    return field_specs(fields)
