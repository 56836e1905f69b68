"""Every method answers the same bits over the wire as in the library, in every form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import anyio
import pytest

from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.resolution import is_invertible
from normalizers.errors import UnsupportedOperation
from normalizers.testing.compare import assert_identical
from normd.client import AsyncClient, Client
from tests.conformance.cases import Case, cases_of

CASES = [pytest.param(case, id=case.name) for case in cases_of(CATALOGUE, CATALOGUE.values())]
FORMS = (None, "json", "safetensors", "arrow")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client.local(Settings(data=tmp_path_factory.mktemp("parity"))) as local:
        yield local


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", CASES)
def test_one_request_answers_what_the_library_does(case: Case, form, service: Client) -> None:
    answer = service.apply_to(case.cls.name, form=form, **_source(case), **case.given())
    expected = case.answer()
    assert_identical(dict(answer.output), dict(expected.output))
    assert_identical(dict(answer.flags), dict(expected.flags))
    assert answer.warnings == expected.warnings
    assert answer.method == case.cls.name


@pytest.mark.parametrize("case", CASES)
def test_transform_returns_the_main_output(case: Case, service: Client) -> None:
    given = case.given()
    main = given.pop(case.main)
    if case.main == case.resolved_method.takes.main:
        found = service.transform(case.cls.name, main, **_source(case), **given)
    else:
        found = service.transform(case.cls.name, **_source(case), **{case.main: main}, **given)
    assert_identical(found, case.answer().output[case.output])


@pytest.mark.parametrize("case", CASES)
def test_a_stored_version_answers_what_the_library_does(case: Case, service: Client) -> None:
    name = f"stored-{case.name}"
    made = service.create(name, case.cls.name, **_source(case))
    assert made["version"] == 1
    answer = service.apply_to(name, **case.given())
    assert_identical(dict(answer.output), dict(case.answer().output))
    assert (answer.name, answer.version, answer.hash) == (name, 1, made["hash"])


@pytest.mark.parametrize("case", CASES)
def test_the_way_back_is_the_library_s(case: Case, service: Client) -> None:
    back = case.returned(case.answer(), case.given())
    if not is_invertible(case.version.resolved_method):
        with pytest.raises(UnsupportedOperation):
            service.inverse(case.cls.name, **_source(case), **back)
        return
    expected = case.version.inverse(back).output[case.main]
    assert_identical(service.inverse(case.cls.name, **_source(case), **back), expected)


def test_the_awaiting_client_answers_the_same(tmp_path) -> None:
    anyio.run(partial(_awaited, Settings(data=tmp_path)))


async def _awaited(settings: Settings) -> None:
    async with AsyncClient.local(settings) as client:
        for case in cases_of(CATALOGUE, CATALOGUE.values()):
            answer = await client.apply_to(case.cls.name, **_source(case), **case.given())
            assert_identical(dict(answer.output), dict(case.answer().output))


def _source(case: Case) -> dict[str, object]:
    return {"params": case.params, **case.source}
