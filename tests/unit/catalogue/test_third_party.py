"""Methods of installed packages: found by their entry points, checked, left out with a warning."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from normalizers.catalogue import catalogue
from normalizers.catalogue.third_party import ENTRY_POINTS, third_party

METHOD = """
from normalizers import Normalizer
class Doubled(Normalizer):
    name = "{name}"
    family = "{family}"
    kinds = {kinds}
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that installs a package of one module with one entry point."""

    def installed(package: str, source: str, target: str = "Doubled") -> None:
        described = tmp_path / f"{package}-0.1.dist-info"
        described.mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1\n"
        (described / "METADATA").write_text(metadata)
        entry = f"[{ENTRY_POINTS}]\nsample = {package}:{target}\n"
        (described / "entry_points.txt").write_text(entry)
        (tmp_path / f"{package}.py").write_text(source)
        monkeypatch.delitem(sys.modules, package, raising=False)

    monkeypatch.syspath_prepend(tmp_path)
    return installed


def method(name: str = "doubled", family: str = "metrics", kinds: str = '("fitted",)') -> str:
    return METHOD.format(name=name, family=family, kinds=kinds)


def test_methods_of_installed_packages_are_found(install) -> None:
    install("third_good", method())
    assert [cls.name for _, cls in third_party()] == ["doubled"]


@pytest.mark.parametrize(
    ("package", "source", "told"),
    [
        ("third_broken", "1 / 0", "ZeroDivisionError"),
        ("third_empty", "", "no attribute 'Doubled'"),
        ("third_number", "Doubled = 3", "derived from normalizers.Normalizer"),
        ("third_kind", method(kinds='("fited",)'), "'fited'.*'fitted'"),
        ("third_text", method(kinds='"fitted"'), "a tuple"),
        ("third_family", method(family="mine"), "'mine'.*known: embeddings"),
        ("third_nameless", method(name=""), "not empty"),
        ("third_taken", method(name="min_max"), "names two methods"),
    ],
)
def test_r19_a_broken_package_is_named_and_the_rest_goes_on(
    install, package: str, source: str, told: str
) -> None:
    install(package, source)
    install("third_other", method(name="tripled"))
    with pytest.warns(RuntimeWarning, match=f"package '{package}', entry point 'sample = .*{told}"):
        found = catalogue.installed()
    assert {"tripled", "min_max"} <= set(found)
    assert "doubled" not in found
