"""What a picture shows, drawn by the command line and by the library."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.pictures.contents import plots_of, plots_of_evaluation
from normalizers.pictures.plots import (
    CurvePlot,
    Distribution,
    ReliabilityPlot,
    ScreePlot,
    TrialsPlot,
)
from normalizers.pictures.rows import GroupBoxes, SeriesPlot, group_plots, series_plots
from normd.cli.display.fused_parts import parts_plot
from tests.cli.conftest import Run

pytest.importorskip("matplotlib")
SEARCH = {
    "search": {
        "measure": "ndcg@10",
        "best": {"alpha": 0.5, "value": 0.6},
        "trials": [{"alpha": 1.0, "value": 0.4}, {"alpha": 0.5, "value": 0.6}],
    },
    "bootstrap": {"chosen": {"alpha": [0.25, 0.75]}},
}


def test_a_searched_weight_is_a_curve_with_its_interval() -> None:
    (plot,) = plots_of(SEARCH, {})
    assert isinstance(plot, CurvePlot)
    assert plot.x.tolist() == [0.5, 1.0]
    assert plot.curves["ndcg@10"].tolist() == [0.6, 0.4]
    assert (plot.chosen, plot.interval) == (0.5, (0.25, 0.75))


def test_trials_of_a_recommendation_are_drawn_with_the_choice() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(60, 4))
    fitted = Whitening().fit(x, recommend=True)
    plot = plots_of(fitted.report_, {})[0]
    assert isinstance(plot, TrialsPlot)
    told = fitted.report_["recommended"]
    assert isinstance(told, dict)
    assert plot.names[plot.chosen] == told["says"]
    assert plot.values.tolist() == [one["largest_variance"] for one in told["curve"]]


def test_a_report_declares_pictures_of_its_members() -> None:
    report = {
        "occurrence": {"counts": [1, 2, 9]},
        "k": [1, 2, 3],
        "pictures": [
            {"title": "hubs", "y": "occurrence.counts"},
            {"title": "by k", "x": "k", "y": "occurrence.counts"},
            {"title": "nothing", "y": "none"},
        ],
    }
    first, second = plots_of(report, {})
    assert (type(first), type(second)) == (Distribution, CurvePlot)


@pytest.mark.parametrize("form", ["png", "svg"])
def test_a_threshold_curve_and_reliability_are_drawn(run: Run, form: str) -> None:
    rows = [(place / 40, int(place % 3 == 0 or place > 25)) for place in range(41)]
    lines = ["probabilities,labels", *(f"{p},{label}" for p, label in rows)]
    Path("p.csv").write_text("\n".join(lines) + "\n")
    Path("s.csv").write_text("\n".join(lines).replace("probabilities", "scores") + "\n")
    curve = ("evaluate", "s.csv", "--threshold-curve", "--plot", f"s.{form}")
    done = run(*curve)
    assert done.code == 0, done.err
    assert "the best F1 is" in done.text
    found = run(*curve, "--json").json
    (plot,) = plots_of_evaluation(found)
    assert isinstance(plot, CurvePlot)
    assert plot.chosen == found["threshold_curves"][0]["best"]["threshold"]  # type: ignore[index]
    call = ("evaluate", "p.csv", "-m", "brier", "--reliability", "--plot", f"p.{form}", "--json")
    (diagram,) = plots_of_evaluation(run(*call).json)
    assert isinstance(diagram, ReliabilityPlot)
    assert all(Path(f"{name}.{form}").stat().st_size > 2000 for name in "sp")


def test_the_parts_of_fused_scores_are_drawn(run: Run) -> None:
    Path("a.run").write_text("q Q0 x 1 3 a\nq Q0 y 2 1 a\n")
    Path("b.run").write_text("q Q0 y 1 3 b\nq Q0 z 2 1 b\n")
    call = ("fuse", "--method", "combsum", "a.run", "b.run")
    done = run(*call, "--query", "q", "--plot", "parts.png", "--json")
    assert done.code == 0, done.err
    plot = parts_plot(done.json["explain"], "q")
    assert plot.ids[0] == done.json["output"]["ids"][0][0]  # type: ignore[index]
    assert sum(values[0] for values in plot.parts.values()) == pytest.approx(
        done.json["output"]["scores"][0][0]  # type: ignore[index]
    )
    assert Path("parts.png").read_bytes().startswith(b"\x89PNG")
    assert "add --query ID" in run(*call, "--plot", "parts.png").err


def test_a_report_draws_itself_in_python(folder: Path) -> None:
    fit = Whitening().fit(np.random.default_rng(0).normal(size=(40, 4)))
    figure = fit.report_.plot("spectrum.svg")
    assert figure.axes[0].get_title() == "spectrum"
    assert Path("spectrum.svg").read_bytes().startswith(b"<?xml")
    assert any(isinstance(plot, ScreePlot) for plot in plots_of(fit.report_, fit.fitted_))


def test_groups_are_boxes_before_and_after(run: Run) -> None:
    Path("rows.csv").write_text("lang,score\nde,1\nde,3\nja,50\nja,70\n")
    shared = ("--columns", "score", "--field", "groups=lang")
    assert run("fit", "group_z_score", "rows.csv", *shared, "--name", "aligned").code == 0
    drawn = run("report", "aligned", "--plot", "groups.svg", "--input", "rows.csv", *shared)
    assert drawn.code == 0, drawn.err
    picture = Path("groups.svg").read_text()
    assert "<svg" in picture
    before, after = group_plots(np.array([1.0, 3.0, 50.0]), np.zeros(3), ["de", "de", "ja"])
    assert isinstance(before, GroupBoxes)
    assert before.names == ["de", "ja"]
    assert [values.tolist() for values in before.values] == [[1.0, 3.0], [50.0]]
    assert after.title == "after"


def test_series_are_lines_before_and_after(run: Run) -> None:
    rows = "".join(f"{step},{value}\n" for step in (1, 2) for value in range(5))
    Path("series.csv").write_text("id,value\n" + rows)
    asked = ("--list", "id", "--columns", "value")
    assert run("fit", "channel_z_score", "series.csv", *asked, "--name", "z").code == 0
    drawn = run("report", "z", "--plot", "series.svg", "--input", "series.csv", *asked)
    assert drawn.code == 0, drawn.err
    before, _ = series_plots([np.arange(3.0), np.arange(4.0)], [np.zeros(3), np.zeros(4)])
    assert isinstance(before, SeriesPlot)
    assert [len(line) for line in before.lines] == [3, 4]
