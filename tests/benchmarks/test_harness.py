"""The form of a run: the machine on top, one line a figure, its verdict as the last word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import __main__ as run
from benchmarks.figure import Effort, Figure, Goal, Measured, Unmeasurable
from benchmarks.figures import GROUPS
from benchmarks.pairs import alternate, typical

HALF = Measured(1.0, 2.0, 0.5, "ms")


def refused(effort: Effort) -> Measured:
    raise Unmeasurable("there is no such thing here")


FIGURES = {
    "first": (
        Figure("at-most", Goal(0.5), lambda effort: HALF),
        Figure("too-much", Goal(0.4), lambda effort: HALF),
        Figure("faster", Goal(2, faster=True), lambda effort: HALF),
        Figure("too-slow", Goal(2.1, faster=True), lambda effort: HALF),
    ),
    "second": (Figure("refused", Goal(1), refused),),
}
LINES = {
    "at-most": ["at-most", "1", "ms", "2", "ms", "0.50", "<=", "0.5", "reached"],
    "too-much": ["too-much", "1", "ms", "2", "ms", "0.50", "<=", "0.4", "missed"],
    "faster": ["faster", "1", "ms", "2", "ms", "2.00", ">=", "2", "reached"],
    "too-slow": ["too-slow", "1", "ms", "2", "ms", "2.00", ">=", "2.1", "missed"],
    "refused": ["refused", "-", "-", "-", "<=", "1", "missed"],
}


@pytest.fixture(autouse=True)
def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "GROUPS", FIGURES)


def table(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[list[str]]:
    """Return the words of the lines below the header."""
    run.main(arguments)
    _, _, lines = capsys.readouterr().out.partition("\n\n")
    assert lines.startswith("figure")
    return [line.split() for line in lines.splitlines()[1:]]


def test_every_figure_has_a_line_that_ends_in_its_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert table(capsys) == list(LINES.values())


def test_one_figure_or_one_group_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert table(capsys, "--only", "faster") == [LINES["faster"]]
    assert table(capsys, "--group", "second") == [LINES["refused"]]


def test_an_unknown_figure_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.main(["--only", "nothing"])
    assert "nothing" in capsys.readouterr().err


def test_the_machine_stands_on_top(capsys: pytest.CaptureFixture[str]) -> None:
    run.main(["--only", "at-most"])
    top = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    assert [line.split()[0] for line in top] == ["machine", "python", "blas", "versions"]
    assert "threads" in top[2]
    assert "numpy" in top[3]


def test_the_reason_of_a_figure_without_a_value_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    run.main(["--only", "refused"])
    assert capsys.readouterr().err == "refused: there is no such thing here\n"


def test_pairs_alternate_and_share_is_the_median_of_pairs() -> None:
    said: list[str] = []
    ours, reference = iter([9.0, 1.0, 4.0, 3.0]), iter([9.0, 2.0, 2.0, 3.0])

    def timer(name: str, values: Iterator[float]) -> float:
        said.append(name)
        return next(values)

    measured = alternate(lambda: timer("a", ours), lambda: timer("b", reference), 3)
    assert "".join(said) == "ab" + "ab" + "ba" + "ab"
    assert measured == Measured(3000.0, 2000.0, 1.0, "ms")


def test_typical_is_of_so_many() -> None:
    said: list[int] = []
    assert typical(lambda: said.append(1), 7) >= 0
    assert len(said) == 7


def test_a_quick_run_repeats_less_but_in_pairs() -> None:
    assert [Effort(quick).of(15) for quick in (False, True)] == [15, 3]
    assert Effort(quick=True).of(5) == 2


def test_names_of_figures_are_used_once() -> None:
    names = [figure.name for figures in GROUPS.values() for figure in figures]
    assert len(names) == len(set(names))
