"""The Python API page and the links between methods are those of the code."""

from __future__ import annotations

import re

import normalizers
from docs.numpydoc import entries
from docs.reference import GROUPS, public_methods, reference
from docs.see_also import see_also
from docs.site import contents, hand_written
from normalizers import Normalizer, evaluation, testing
from normalizers.catalogue.catalogue import CATALOGUE

LINK = re.compile(r"\[(\w+)\]\((\w+)\.md\)")


def test_everything_that_is_exported_is_described() -> None:
    for package in (normalizers, evaluation, testing):
        named = {member.__name__ for member in GROUPS[package.__name__]}
        assert set(package.__all__) <= named, package.__name__


def test_signatures_tell_what_goes_in_and_comes_out() -> None:
    page = reference()
    assert "load(path: str | Path) -> Normalizer" in page
    assert "fit(x: object = None, y: object = None, **fields: object) -> Self" in page
    assert re.search(r"evaluate\(\n    asked: Sequence\[object\],\n.*?\) -> Evaluation", page, re.S)
    assert "version_: Version" in page


def test_what_people_call_of_a_normalizer_is_there_and_what_authors_write_is_not() -> None:
    named = {name for name, _ in public_methods(Normalizer)}
    assert named >= {
        "fit",
        "transform",
        "inverse_transform",
        "apply_to",
        "merge",
        "save",
        "report_",
    }
    assert not named & {"accumulate", "solve", "apply", "undo", "validated"}


def test_the_page_is_filled_in() -> None:
    assert reference() in hand_written(CATALOGUE)["python-api.md"]
    assert contents(CATALOGUE)["reference"]() == reference()


def test_what_a_docstring_names_is_linked() -> None:
    for cls in CATALOGUE.values():
        linked = LINK.findall(see_also(cls, CATALOGUE))
        assert all(name == page and name in CATALOGUE for name, page in linked)
    listed = see_also(CATALOGUE["csls"], CATALOGUE)
    assert listed.startswith("## See also\n\n- [nnn](nnn.md): The same mean")
    assert "[nicdm](nicdm.md)" in listed


def test_entries_may_have_several_names_and_texts_of_several_lines() -> None:
    section = "a, b : array\n    First\n    line.\nc"
    assert [*entries(section)] == [("a, b", "array", "First line."), ("c", "", "")]
