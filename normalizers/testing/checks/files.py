"""A version as one file: what is read again is what was written."""

from __future__ import annotations

from normalizers.testing.cases import Case
from normalizers.testing.compare import assert_identical
from normalizers.versions.file import from_bytes, manifest, to_bytes


def check_save_load_bitwise(case: Case) -> None:
    """A stored version is the version: arrays, statistics, parameters, answers, bytes."""
    content = to_bytes(case.version)
    read = from_bytes(content, case.catalogue)
    assert to_bytes(read) == content
    assert_identical(dict(read.fitted.arrays), dict(case.version.fitted.arrays))
    assert_identical(read.statistics.to_arrays(), case.version.statistics.to_arrays())
    assert_identical(case.answer(version=read).output, case.answer().output)
    assert manifest(read) == manifest(case.version)


def check_saving_twice_gives_the_same_bytes(case: Case) -> None:
    """No clock, no random order: two fits, one file."""
    assert to_bytes(case.fitted_on()) == to_bytes(case.version)
