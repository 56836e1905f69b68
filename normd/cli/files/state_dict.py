"""The weights of a trained layer in a file: a state dict as safetensors, or a JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePath

from safetensors import SafetensorError

from normalizers.errors import CorruptVersion, InvalidInput
from normalizers.versions.file import read_manifest
from normalizers.versions.weights import below
from normd.cli.errors import BadFile
from normd.cli.files.tensors import arrays_of

JSON, SAFETENSORS = ".json", ".safetensors"
WANTED = (
    "weights are read from a .safetensors file with the state dict of the layer "
    "(save_file of the safetensors package), or from .json"
)


def read_weights(path: str, prefix: str = "") -> Mapping[str, object]:
    """Return the arrays of a state dict by their names, those below a prefix alone.

    Raises
    ------
    BadFile
        A file of another kind, such as a pickle, or no name that begins with `prefix`.
    """
    ending = PurePath(path).suffix.lower()
    if ending not in (JSON, SAFETENSORS):
        raise BadFile(path, WANTED)
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise BadFile(path, f"this file cannot be read: {error.strerror}") from None
    found = _of_json(path, content) if ending == JSON else _of_tensors(path, content)
    try:
        return below(found, prefix) if prefix else found
    except InvalidInput as error:
        raise BadFile(path, f"--prefix {prefix}: {error.message}") from None


def _of_json(path: str, content: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        raise BadFile(path, "this is no JSON object of arrays by name") from None
    if not isinstance(found, dict):
        raise BadFile(path, "this is no JSON object of arrays by name")
    return found


def _of_tensors(path: str, content: bytes) -> Mapping[str, object]:
    if _is_version(content):
        raise BadFile(path, "this is a version file, not a state dict; normd import stores it")
    try:
        return arrays_of(content)
    except (SafetensorError, KeyError, ValueError, TypeError, AttributeError):
        raise BadFile(path, f"this is no whole safetensors file; {WANTED}") from None


def _is_version(content: bytes) -> bool:
    try:
        read_manifest(content)
    except CorruptVersion:
        return False
    return True
