from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from normalizers import GroupZScore, InvertedSoftmax, Percentile, Whitening
from normalizers.pictures.contents import plots_of
from normalizers.pictures.plots import Distribution, EcdfPlot, GroupPlot, ScreePlot
from normd.cli.display.text_report import bars
from tests.cli.conftest import Run

PNG = b"\x89PNG"


@pytest.fixture
def stored(run: Run) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")


@pytest.mark.usefixtures("stored")
def test_a_report_is_text_with_bars(run: Run) -> None:
    done = run("report", "emb")
    assert done.text.startswith("emb  (whitening)\n")
    assert any("spectrum" in line and "▁" in line for line in done.text.splitlines())
    assert "warning: there are fewer than" not in done.out.decode()
    assert run("report", "emb", "--json").json["report"]["n"] == 30


@pytest.mark.usefixtures("stored")
def test_a_report_is_a_picture(run: Run) -> None:
    pytest.importorskip("matplotlib")
    done = run("report", "emb", "--plot", "emb.png", "--input", "x.npy")
    assert (done.code, done.err) == (0, "wrote emb.png\n")
    assert Path("emb.png").read_bytes().startswith(PNG)
    run("report", "emb", "--plot", "emb.svg")
    assert b"<svg" in Path("emb.svg").read_bytes()


@pytest.mark.usefixtures("stored")
def test_pictures_that_cannot_be_drawn(run: Run) -> None:
    ending = run("report", "emb", "--plot", "emb.txt")
    assert (ending.code, "a picture ends in .png" in ending.err) == (2, True)
    alone = run("report", "emb", "--input", "x.npy")
    assert (alone.code, "add --plot FILE.png" in alone.err) == (2, True)
    run("fit", "rrf", "--name", "fusion")
    nothing = run("report", "fusion", "--plot", "fusion.png")
    assert (nothing.code, "holds nothing to draw" in nothing.err) == (2, True)
    assert not Path("fusion.png").exists()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)
        missing = run("report", "emb", "--plot", "emb.png")
    assert (missing.code, "pip install 'normd[plot]'" in missing.err) == (2, True)


def test_panels_follow_from_what_a_version_holds() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(40, 3))
    fits = {
        ScreePlot: Whitening().fit(x),
        EcdfPlot: Percentile().fit(x[:, 0]),
        GroupPlot: GroupZScore().fit(x[:, 0], groups=["a", "b"] * 20),
        Distribution: InvertedSoftmax(beta=2.0).fit(x),
    }
    for kind, fit in fits.items():
        found = plots_of(fit.report_, fit.fitted_)
        assert {type(panel) for panel in found} == {kind}


def test_a_sample_is_drawn_as_the_share_at_or_below() -> None:
    fit = Percentile().fit([1.0, 2.0, 2.0, 4.0])
    (panel,) = plots_of(fit.report_, fit.fitted_)
    assert isinstance(panel, EcdfPlot)
    assert panel.values.tolist() == [1.0, 2.0, 4.0]
    assert panel.shares.tolist() == [0.25, 0.75, 1.0]


@pytest.mark.parametrize(
    "values, expected",
    [([1.0, 1.0], "▁▁"), ([0.0, 7.0], "▁█"), ([-1e308, 1e308], "▁█"), ([3.0], "▁")],
)
def test_bars(values: list[float], expected: str) -> None:
    assert bars(values) == expected


def test_long_rows_are_thinned_to_their_ends() -> None:
    drawn = bars([float(place) for place in range(1000)])
    assert (len(drawn), drawn[0], drawn[-1]) == (60, "▁", "█")
