"""Columns, one array and compressed bodies carry the same bits as plain JSON."""

from __future__ import annotations

import gzip
import io
import json
from urllib.parse import urlencode

import numpy as np
import zstandard

from normalizers.testing.capabilities import anonymous, numeric_input, of
from normalizers.testing.samples import RAGGED_KINDS, Values
from normd.wire.codecs import DecodeLimits, arrow
from tests.conformance.cases import Case
from tests.conformance.checks.serving import (
    assert_same,
    described_by,
    listed,
    nested,
    request_of,
)
from tests.conformance.service import ARROW, JSON, NPY, Service

CODINGS = {"gzip": gzip.compress, "zstd": zstandard.ZstdCompressor().compress}


def check_library_equals_api_arrow(case: Case, service: Service) -> None:
    """Arrays and lists as columns."""
    content = arrow.encode_request(listed(request_of(case)))
    answered = service.bytes("POST", "/v1/transform", content, ARROW)
    tree = arrow.decode(answered, DecodeLimits(), "output").tree
    assert_same(case, case.answer(), tree)


@of(numeric_input, anonymous)
def check_library_equals_api_npy(case: Case, service: Service) -> None:
    """One array in; one array out, or a refusal that names those there are."""
    if case.main != case.resolved_method.takes.main:
        return
    values = _alone(case)
    expected = case.answer(values)
    path, query = _place(case, service)
    content = _file(values[case.main])
    answered = service.bytes("POST", f"{path}?{query}", content, {**NPY, "accept": JSON_ONLY})
    assert_same(case, expected, json.loads(answered))
    status, alone = service.ask_bytes("POST", f"{path}?{query}", content, NPY)
    if len(expected.output) > 1:
        assert status == 406
        assert all(f"'{name}'" in alone.decode() for name in expected.output)
    else:
        assert status == 200
        array = np.load(io.BytesIO(alone), allow_pickle=False)
        expected_array = np.asarray(expected.output[case.output])
        assert (array.dtype, array.tobytes()) == (expected_array.dtype, expected_array.tobytes())


def check_compressed_bodies_say_the_same(case: Case, service: Service) -> None:
    """Gzip and zstd, in and out."""
    content = json.dumps(nested(request_of(case))).encode()
    plain = service.bytes("POST", "/v1/transform", content, {**JSON, "accept-encoding": "identity"})
    for coding, compress in CODINGS.items():
        headers = {**JSON, "content-encoding": coding, "accept-encoding": coding}
        assert service.bytes("POST", "/v1/transform", compress(content), headers) == plain


JSON_ONLY = JSON["content-type"]


def _alone(case: Case) -> Values:
    """Return the main field alone, as one array."""
    value = case.given()[case.main]
    ragged = case.kind in RAGGED_KINDS
    return {case.main: value[0] if ragged else value}  # type: ignore[index]


def _place(case: Case, service: Service) -> tuple[str, str]:
    """Return where to send one array: to a stored version, if it needs a fit."""
    described = described_by(case)
    if not case.source:
        return "/v1/transform", urlencode({name: json.dumps(described[name]) for name in described})
    name = service.fresh_name(case.name)
    service.json("POST", "/v1/normalizers", {"name": name, **nested(described)})
    return f"/v1/normalizers/{name}/transform", ""


def _file(array: object) -> bytes:
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=False)
    return file.getvalue()
