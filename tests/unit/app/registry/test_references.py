from __future__ import annotations

import pytest

from app.registry.references import Reference, parse_alias, parse_name, parse_reference
from normalizers.errors import InvalidInput

WRONG_NAMES = [
    "",
    ".",
    "..",
    "../etc",
    "..%2f..%2fetc",
    "a/b",
    "a\\b",
    "a#b",
    "a b",
    "a\0b",
    "a\r\nb",
    "a\n",
    "_a",
    "-a",
    "\uff21",
    "\u00e9",
    "e\u0301",
    "\ufffd",
    "a" * 129,
    "a" * 300,
    "\u0661",
]


@pytest.mark.parametrize("name", ["a", "CON", "a..b", "0", "A-_.9", "a" * 128, "7"])
def test_names(name: str) -> None:
    assert parse_name(name) == name
    assert parse_reference(name) == Reference(name)


@pytest.mark.parametrize("name", WRONG_NAMES)
def test_what_is_no_name_is_refused_without_an_echo(name: str) -> None:
    for parse, text in (
        (parse_name, name),
        (parse_reference, name),
        (parse_reference, name + "@1"),
    ):
        with pytest.raises(InvalidInput, match="a name is 1 to 128") as error:
            parse(text)
        assert error.value.message.isprintable()


def test_references() -> None:
    assert parse_reference("a@7") == Reference("a", version=7)
    assert parse_reference("a@prod") == Reference("a", alias="prod")
    assert parse_reference("a@open").open
    assert not parse_reference("a@opened").open
    assert [str(parse_reference(text)) for text in ("a", "a@7", "a@p", "a@open")] == [
        "a",
        "a@7",
        "a@p",
        "a@open",
    ]


@pytest.mark.parametrize(
    "suffix", ["", "0", "07", "-1", "7a", "1" * 19, "@", "p@1", "_p", "p\n", "1.5", "\u0661"]
)
def test_what_is_no_reference_is_refused(suffix: str) -> None:
    with pytest.raises(InvalidInput, match="a reference is"):
        parse_reference(f"a@{suffix}")


@pytest.mark.parametrize("alias", ["open", "7", "7a", "", ".p", "p/q", "p\n", "p" * 129])
def test_what_is_no_alias_is_refused(alias: str) -> None:
    with pytest.raises(InvalidInput, match="an alias is"):
        parse_alias(alias)
