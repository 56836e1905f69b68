"""Cases in the catalogue's own words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.golden.__main__ import main
from tests.golden.case import NATIVE, Case, MalformedCase, load
from tests.golden.client import Service, serving
from tests.golden.runner import run


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving() as running:
        yield running


def native(expected: Mapping[str, object], compare: str = "exact", **sent: object) -> Case:
    given: dict[str, object] = {"scores": [[3.0, 1.0, 2.0], [5.0]], **sent}
    return Case(NATIVE, "made-up", "min_max", {}, {}, given, expected, 1e-9, 0.0, compare)


def test_outputs_and_paths_into_the_answer_are_compared(service: Service) -> None:
    right = {"values": [[1.0, 0.0, 0.5], [1.0]], "output.loc": [1.0, 5.0], "flags.constant": [1]}
    assert run(native(right), service).state == "passed"
    assert run(native({**right, "flags.constant": [0]}), service).state == "failed"
    assert run(native({"values": [[1.0, 0.0, 0.4], [1.0]]}), service).state == "failed"


def test_no_flags_can_be_expected(service: Service) -> None:
    assert run(native({"flags": {"constant": [1]}}), service).state == "passed"
    flagged = run(native({"flags": {}}), service)
    assert flagged.state == "failed"
    assert "constant" in flagged.detail
    assert run(native({"flags": {}}, scores=[1.0, 2.0]), service).state == "passed"


def test_the_way_back_and_options_are_part_of_a_case(service: Service) -> None:
    undone = native({"inverse.scores": [[3.0, 1.0, 2.0], [5.0]]}, options={"explain": True})
    assert run(undone, service).state == "passed"


def test_a_refusal_can_be_expected(service: Service) -> None:
    refused = native({"error": "invalid-input"}, "error", scors=[1.0])
    assert run(refused, service).state == "passed"
    assert run(native({"error": "invalid-input"}, "error"), service).state == "failed"


RECORD: dict[str, object] = {
    "id": "zeros",
    "method": "window_max_abs",
    "params": {},
    "fit": None,
    "input": {"x": [0.0, 0.0]},
    "expected": {"y": [0, 0]},
    "rtol": 0,
    "atol": 0,
    "source": "by hand",
}


def written(folder: Path, records: object) -> Path:
    file = folder / "window_max_abs.json"
    file.write_text(json.dumps(records))
    return file


def test_a_file_anywhere_is_run_when_it_is_said_to_be_native(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(written(tmp_path, [RECORD]))
    assert main(["--native", file]) == 0
    assert "1 passed" in capsys.readouterr().out
    assert main([file]) == 1


@pytest.mark.parametrize("key", sorted(RECORD))
def test_a_case_that_lacks_a_key_is_named_with_its_file(tmp_path: Path, key: str) -> None:
    file = written(tmp_path, [RECORD, {name: RECORD[name] for name in RECORD if name != key}])
    with pytest.raises(MalformedCase) as caught:
        load(file, native=True)
    name = 1 if key == "id" else "zeros"
    assert str(caught.value) == f"{file}: case {name!r}: it lacks {key}"


@pytest.mark.parametrize(
    "records, what",
    [
        ([{**RECORD, "expect": {}}], "case 'zeros': it has expect, but a case is made of id, "),
        ([{**RECORD, "params": []}], "case 'zeros': a golden case holds objects here"),
        ([{**RECORD, "rtol": "small"}], "case 'zeros': could not convert"),
        (["zeros"], "case 0: a golden case holds objects here"),
        ({"zeros": RECORD}, "a golden file holds a list of cases"),
    ],
)
def test_what_a_case_cannot_be_is_told(tmp_path: Path, records: object, what: str) -> None:
    file = written(tmp_path, records)
    with pytest.raises(MalformedCase) as caught:
        load(file, native=True)
    assert f"{file}: {what}" in str(caught.value)


def test_the_command_tells_what_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "torn.json"
    file.write_text("[{")
    for unreadable in (file, tmp_path / "absent.json"):
        with pytest.raises(SystemExit):
            main(["--native", str(unreadable)])
        assert unreadable.name in capsys.readouterr().err
