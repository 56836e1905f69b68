from __future__ import annotations

import pytest

from normd.wire.codecs import (
    ARROW,
    JSON,
    NPY,
    SAFETENSORS,
    NotAcceptable,
    UnsupportedMediaType,
    codec_for_request,
    codecs_for_answer,
    negotiation,
)


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        " application/json ;x=y",
    ],
)
def test_json_is_read(content_type: str) -> None:
    assert codec_for_request(content_type) is JSON


def test_safetensors_is_read() -> None:
    assert codec_for_request("application/vnd.safetensors") is SAFETENSORS


@pytest.mark.parametrize(
    "content_type",
    [None, "", "text/plain", "application/octet-stream", "application/jsonx", "json", ";"],
)
def test_other_types_name_what_is_read(content_type: str | None) -> None:
    with pytest.raises(UnsupportedMediaType, match=r"application/vnd\.safetensors"):
        codec_for_request(content_type)


@pytest.mark.parametrize("charset", ["latin-1", "utf-16", ""])
def test_other_charsets_are_refused(charset: str) -> None:
    with pytest.raises(UnsupportedMediaType, match="utf-8"):
        codec_for_request(f"application/json; charset={charset}")


@pytest.mark.parametrize(
    "accept, of_json, of_safetensors",
    [
        (None, JSON, SAFETENSORS),
        ("", JSON, SAFETENSORS),
        ("*/*", JSON, SAFETENSORS),
        ("application/*", JSON, SAFETENSORS),
        ("application/json", JSON, JSON),
        ("application/vnd.safetensors", SAFETENSORS, SAFETENSORS),
        ("application/vnd.safetensors, */*", SAFETENSORS, SAFETENSORS),
        ("application/json;q=0.5, application/vnd.safetensors", SAFETENSORS, SAFETENSORS),
        ("application/json, application/vnd.safetensors;q=0.5", JSON, JSON),
        ("*/*, application/json;q=0", SAFETENSORS, SAFETENSORS),
        ("text/html, application/*;q=0.1", JSON, SAFETENSORS),
        ("application/json;q=x, application/vnd.safetensors;q=0.1", SAFETENSORS, SAFETENSORS),
    ],
)  # fmt: skip
def test_accept_is_obeyed(accept: str | None, of_json: object, of_safetensors: object) -> None:
    assert codecs_for_answer(accept, JSON)[0] is of_json
    assert codecs_for_answer(accept, SAFETENSORS)[0] is of_safetensors


@pytest.mark.parametrize("accept", ["text/html", "application/json;q=0", "*/*;q=0", "nonsense"])
def test_what_cannot_be_written_names_what_can(accept: str) -> None:
    with pytest.raises(NotAcceptable, match=r"application/json or application/vnd\.safetensors"):
        codecs_for_answer(accept, JSON)


def test_other_forms_follow_the_best_one() -> None:
    assert codecs_for_answer(None, NPY, arrays=True) == (NPY,)
    assert codecs_for_answer("*/*", NPY, arrays=True) == (NPY, JSON, SAFETENSORS, ARROW)
    assert codecs_for_answer("application/x-npy, application/json;q=0.2", arrays=True) == (
        NPY,
        JSON,
    )
    assert codecs_for_answer("*/*", NPY) == (JSON, SAFETENSORS, ARROW)


@pytest.mark.parametrize("there", [True, False])
def test_only_a_form_that_lacks_a_package_has_a_remedy(
    monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr(negotiation, "_is_there", lambda package: there)
    with pytest.raises(NotAcceptable) as error:
        codecs_for_answer("text/html", JSON)
    assert "x-npy" not in error.value.message
    assert ("pip install 'normd[arrow]'" in error.value.message) is not there
    assert error.value.message.count("pip install") == (not there)
