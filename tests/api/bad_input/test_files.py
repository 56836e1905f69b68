"""Version files with a flipped byte, sent and stored."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from fastapi.testclient import TestClient
from safetensors.numpy import load

from tests.api.conftest import Serve
from tests.api.problem import slug_of
from tests.api.samples import NAMES, ROWS, SAFETENSORS, WHITENING, create, look, post
from tests.unit.versions.file.samples import forged


def test_a_version_file_with_a_flipped_byte(client: TestClient) -> None:
    for name in ("white", "percent", "hubs", "query"):
        content = client.get(f"{NAMES}/{name}/export").content
        for place in range(0, len(content), 7):
            flipped = bytearray(content)
            flipped[place] ^= 1 << place % 8
            response = post(
                client, f"{NAMES}/import?name=new", bytes(flipped), media_type=SAFETENSORS
            )
            assert slug_of(response) == "corrupt-version", (name, place)
        for cut in (content[:-1], content + b"\0", content[: len(content) // 2], b""):
            response = post(client, f"{NAMES}/import?name=new", cut, media_type=SAFETENSORS)
            assert slug_of(response) == "corrupt-version"


def test_a_version_file_whose_fit_is_not_that_of_its_statistics(client: TestClient) -> None:
    for name in ("white", "percent", "hubs"):
        content = client.get(f"{NAMES}/{name}/export").content
        tensors = load(content)
        for path in (path for path in tensors if path.startswith("fitted.")):
            changed = forged(content, {**tensors, path: np.zeros_like(tensors[path])})
            response = post(client, f"{NAMES}/import?name=new", changed, media_type=SAFETENSORS)
            assert slug_of(response) == "corrupt-version", (name, path)


MANIFESTS = {
    "a number": "5",
    "null": "null",
    "a list": "[1]",
    "a text": '"text"',
    "an infinity": '{"format":1e400}',
    "a number beyond float64": '{"format":1,"n":1e400}',
    "a number, not text": 5,
    "null, not text": None,
    "a list, not text": [1],
    "an object, not text": {"format": 1},
    "a deep list": "[" * 100_000,
    "a number of many digits": '{"format":' + "9" * 5000 + "}",
    "half a surrogate pair": '{"format":"\ud800"}',
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_r41_a_manifest_that_is_none_is_refused(client: TestClient, name: str) -> None:
    header = json.dumps({"__metadata__": {"manifest": MANIFESTS[name]}}).encode()
    content = struct.pack("<Q", len(header)) + header
    response = post(client, f"{NAMES}/import?name=new", content, media_type=SAFETENSORS)
    assert slug_of(response) == "corrupt-version"


def test_r45_a_copy_of_a_stored_version_is_that_version(serve: Serve) -> None:
    own = serve()
    create(own, "base", {"method": "percentile", "fit": {"scores": [1.0, 2.0, 4.0]}})
    steps = [{"ref": "base"}, "min_max"]
    create(own, "steps", {"method": "pipeline", "params": {"steps": steps}})
    content = own.get(f"{NAMES}/steps/export").content
    arrays = load(content)
    path = "fitted.steps.0.values"

    def imported(service: TestClient, values: np.ndarray, name: str):  # type: ignore[no-untyped-def]
        changed = forged(content, {**arrays, path: values})
        return post(service, f"{NAMES}/import?name={name}", changed, media_type=SAFETENSORS)

    assert imported(own, arrays[path], "same").status_code == 201
    for values in (arrays[path][::-1], arrays[path] * 2, np.nextafter(arrays[path], np.inf)):
        assert slug_of(imported(own, values, "other")) == "corrupt-version"
    own.delete(f"{NAMES}/base")
    assert slug_of(imported(own, arrays[path][::-1], "other")) == "corrupt-version"


def test_a_stored_file_with_a_flipped_byte_is_503_until_it_is_mended(serve: Serve) -> None:
    own = serve(version_cache_bytes=0)
    create(own, "n", WHITENING)
    exported = own.get(f"{NAMES}/n/export").content
    hash = str(look(own, "/n")["hash"])
    folder = own.app.state.context.settings.data / "versions" / hash[:2]  # type: ignore[attr-defined]
    file = folder / f"{hash}.safetensors"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 4
    file.write_bytes(bytes(content))
    for verb, path, body in (
        ("GET", "/statistics", None),
        ("GET", "/fitted", None),
        ("GET", "/export", None),
        ("POST", "/transform", {"input": {"x": ROWS}}),
        ("POST", "/versions", {"from": "params", "params": {"eps_rel": 2.0}}),
    ):
        assert slug_of(own.request(verb, f"{NAMES}/n{path}", json=body)) == "damaged-version"
    assert own.get(f"{NAMES}/n").status_code == 200
    file.unlink()
    assert slug_of(own.get(f"{NAMES}/n/export")) == "damaged-version"
    mended = own.post(
        f"{NAMES}/import?name=again", content=exported, headers={"content-type": SAFETENSORS}
    )
    assert mended.json()["hash"] == hash
    assert own.get(f"{NAMES}/n/export").content == exported
