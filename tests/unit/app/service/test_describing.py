"""Descriptions of methods, made once."""

from __future__ import annotations

from app.api.openapi.document import document
from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normd.wire.descriptions import Descriptions, describe


def test_a_method_is_described_once() -> None:
    assert describe(CATALOGUE["rrf"]) is describe(CATALOGUE["rrf"])


def test_descriptions_are_found_by_name_and_alias() -> None:
    described = Descriptions(CATALOGUE)
    assert set(described) == set(CATALOGUE.spellings)
    assert len(described) == len(CATALOGUE.spellings)
    for spelling, name in CATALOGUE.spellings.items():
        assert described[spelling]["name"] == name


def test_the_document_leaves_descriptions_as_they_are() -> None:
    described = {name: repr(describe(cls)) for name, cls in CATALOGUE.items()}
    document(create_app(Settings()), CATALOGUE)
    document(create_app(Settings()), CATALOGUE)
    assert {name: repr(describe(cls)) for name, cls in CATALOGUE.items()} == described
