"""``normd keys``, and a service that asks for them."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run


def test_a_key_is_shown_once_and_listed_without_it(run: Run) -> None:
    secret = run("keys", "add", "ci", "--scopes", "transform,fit").text.strip()
    assert secret.startswith("normd_")
    listed = run("keys", "list", "--json")
    assert listed.json["items"][0]["scopes"] == ["fit", "transform"]  # type: ignore[index]
    assert secret not in listed.text
    assert run("keys", "remove", "ci").code == 0
    assert run("keys", "--json").json == {"items": []}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("add", "ci", "--scopes", "all"), "scopes are transform, fit, admin, metrics"),
        (("add",), "normd keys add NAME"),
        (("remove", "ci"), "there is no key 'ci'"),
        (("list", "ci"), "normd keys add NAME"),
    ],
)
def test_what_is_wrong_is_told(arguments: tuple[str, ...], told: str, run: Run) -> None:
    done = run("keys", *arguments)
    assert done.code != 0
    assert told in done.err


def test_a_name_is_given_once(run: Run) -> None:
    run("keys", "add", "ci")
    assert "there is a key 'ci'" in run("keys", "add", "ci").err


def test_an_address_that_others_reach_needs_keys(run: Run) -> None:
    done = run("serve", "--host", "0.0.0.0", "--port", "0")
    assert done.code != 0
    assert "normd keys add" in done.err
    assert "--insecure" in done.err
