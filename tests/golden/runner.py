"""Runs golden cases and says of each whether it passed, failed or asks for what is not built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from tests.golden import compare, errors, unsupported
from tests.golden.answers import Answers, Reading
from tests.golden.case import NATIVE, Case
from tests.golden.client import Refused, Service
from tests.golden.request import Request, Unsupported
from tests.golden.tables import embeddings, hubness, metrics, native, scores, series
from tests.golden.tables.entry import Entry

TABLES: Mapping[str, Mapping[str, Entry]] = {
    "embeddings": embeddings.TABLE,
    "scores": scores.TABLE,
    "hubness": hubness.TABLE,
    "metrics": metrics.TABLE,
    "series": series.TABLE,
}


@dataclass(frozen=True)
class Outcome:
    """What became of one case."""

    case: Case
    state: Literal["passed", "failed", "unsupported"]
    detail: str = ""

    @property
    def line(self) -> str:
        """One line for a person."""
        return f"{self.case.id}  {self.detail}"


def placed(case: Case) -> Case:
    """Return a case of a file that names no area under the area that can run its method."""
    if case.area in {*TABLES, NATIVE}:
        return case
    homes = [replace(case, area=area) for area in TABLES]
    able = [home for home in homes if not missing(home)]
    known = [home for home in homes if unsupported.named(home)]
    return next(iter([*able, *known]), case)


def entry_of(case: Case) -> Entry:
    """Return the table's entry of a case; Unsupported when there is none."""
    if case.area == NATIVE:
        return native.entry(case)
    table = TABLES.get(case.area, {})
    if case.method not in table:
        raise Unsupported(f"method '{case.method}'")
    return table[case.method]


def missing(case: Case) -> str:
    """Return why a case cannot run, empty when it can; nothing is sent."""
    try:
        entry_of(case).request(case)
    except Unsupported as reason:
        return str(reason)
    return ""


def run(case: Case, service: Service) -> Outcome:
    """Run one case."""
    case = placed(case)
    reason = missing(case)
    if reason and unsupported.named(case):
        return Outcome(case, "unsupported", reason)
    if reason:
        return Outcome(case, "failed", f"{reason}: neither translated nor listed as unsupported")
    entry = entry_of(case)
    try:
        faults = _faults(entry, entry.request(case), service)
    except Refused as refusal:
        faults = f"refused with {refusal}"
    # An answer of an unforeseen form is a failure of this case, not the end of the run.
    except Exception as fault:
        faults = f"{type(fault).__name__}: {fault}"
    return Outcome(case, "failed", faults) if faults else Outcome(case, "passed")


def run_all(cases: Iterable[Case], service: Service) -> Iterator[Outcome]:
    """Run cases one after the other."""
    return (run(case, service) for case in cases)


def _faults(entry: Entry, request: Request, service: Service) -> str:
    case = request.case
    answers = entry.play(request, service)
    if case.compare == "error":
        return _refusal_fault(entry, str(case.expected["error"]), answers)
    tolerance = compare.Tolerance(case.rtol, case.atol)
    found = [
        compare.MODES[case.compare](_read(readings, answers), case.expected, tolerance)
        for readings in _passes(entry, case)
    ]
    return "; ".join(dict.fromkeys(fault for faults in found for fault in faults.values()))


def _passes(entry: Entry, case: Case) -> list[dict[str, Reading]]:
    """Return one set of readings for every way in which some entry is read."""
    ways = max(len(entry.readings[name]) for name in case.expected)
    return [
        {
            name: entry.readings[name][min(way, len(entry.readings[name]) - 1)]
            for name in case.expected
        }
        for way in range(ways)
    ]


def _read(readings: Mapping[str, Reading], answers: Answers) -> dict[str, object]:
    return {name: reading.of(answers) for name, reading in readings.items()}


def _refusal_fault(entry: Entry, word: str, answers: Answers) -> str:
    try:
        entry.readings["error"][0].of(answers)
    except Refused as refusal:
        return "" if errors.means(refusal.slug, word) else f"error: got {refusal}, expected {word}"
    return f"error: got an answer, expected {word}"
