from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest

from normalizers import Revin, RollingZScore, WindowMaxAbs, WindowZScore
from tests.cli.conftest import Run
from tests.ops.server import Server

LONG = "id,time,value\nb,1,100\na,1,1\nb,2,200\na,2,2\nb,3,400\nc,1,7\na,3,4\nc,2,5\n"
SERIES = {"b": [100.0, 200.0, 400.0], "a": [1.0, 2.0, 4.0], "c": [7.0, 5.0]}
ROWS = [("b", 0), ("a", 0), ("b", 1), ("a", 1), ("b", 2), ("c", 0), ("a", 2), ("c", 1)]
VALUES = ("--columns", "value", "--list", "id")


def by_rows(parts: object) -> list[float]:
    named = dict(zip(SERIES, parts, strict=True))  # type: ignore[call-overload]
    return [named[label][step] for label, step in ROWS]


def read_column(text: str, name: str) -> list[float]:
    header, *lines = [line.split(",") for line in text.splitlines()]
    return [float(line[header.index(name)] or "nan") for line in lines]


@pytest.mark.parametrize("at", ["here", "url"])
@pytest.mark.parametrize(
    ("words", "method"),
    [
        (["window_z_score"], WindowZScore()),
        (["window_max_abs"], WindowMaxAbs()),
        (["rolling_z_score", "--window", "2"], RollingZScore(window=2)),
    ],
)
def test_r1_a_long_table_gives_what_python_gives_for_its_windows(
    run: Run, server: Server, at: str, words: list[str], method: WindowZScore
) -> None:
    Path("s.csv").write_text(LONG)
    expected = method.apply_to(x=[np.array(part) for part in SERIES.values()], layout="ragged")
    place = ("--url", server.url) if at == "url" else ()
    done = run("transform", *words, "s.csv", *VALUES, *place, "-q")
    assert done.code == 0, done.err
    assert done.text.startswith("id,time,value")
    assert [line.split(",")[0] for line in done.text.splitlines()[1:]] == [row[0] for row in ROWS]
    assert read_column(done.text, "time") == [step + 1 for _, step in ROWS]
    np.testing.assert_array_equal(read_column(done.text, "value"), by_rows(expected["y"]))
    Path("z.csv").write_bytes(done.out)
    back = run("inverse", *words, "z.csv", *VALUES, *place, "-q")
    assert back.text.splitlines()[0] == "id,time,value"
    found, true = np.array(read_column(back.text, "value")), by_rows(SERIES.values())
    there = ~np.isnan(read_column(done.text, "value"))
    np.testing.assert_allclose(found[there], np.array(true)[there])


def test_r1_each_series_has_a_state_of_its_own(run: Run) -> None:
    lines = LONG.splitlines(keepends=True)
    Path("s.csv").write_text(LONG)
    Path("first.csv").write_text("".join(lines[:5]))
    Path("second.csv").write_text("".join([lines[0], *lines[5:]]))
    call = ("transform", "rolling_z_score", "--window", "2")
    whole = run(*call, "s.csv", *VALUES, "-q").text
    parts = [
        run(*call, f"{name}.csv", *VALUES, "-q", "--state", "state.json").text
        for name in ("first", "second")
    ]
    assert whole == parts[0] + parts[1].partition("\n")[2]
    assert list(orjson.loads(Path("state.json").read_bytes())) == ["b", "a", "c"]


def test_r1_a_state_of_one_series_is_not_that_of_several(run: Run) -> None:
    Path("s.csv").write_text(LONG)
    call = ("transform", "rolling_z_score", "--window", "2", "s.csv", "--columns", "value")
    assert run(*call, "--state", "state.json", "-q").code == 0
    done = run(*call, "--list", "id", "--state", "state.json")
    assert done.code == 2
    assert "with --list it holds one a series" in done.err


def test_r1_the_way_back_has_no_state(run: Run) -> None:
    Path("z.csv").write_text("id,value,loc,scale\na,1,2,3\n")
    done = run("inverse", "window_z_score", "z.csv", *VALUES, "--state", "state.json")
    assert done.code == 2
    assert "--state: this carries no state from one call to the next" in done.err


def test_k14_ragged_series_carry_a_state_each(run: Run) -> None:
    Path("s.jsonl").write_text('{"x": [1, 2]}\n{"x": [3, 4, 5]}\n')
    Path("t.jsonl").write_text('{"x": [4]}\n{"x": [7]}\n')
    call = ("transform", "rolling_z_score", "--window", "2", "--layout", "ragged")
    first = run(*call, "s.jsonl", "--state", "state.json", "-q")
    assert first.code == 0, first.err
    assert orjson.loads(Path("state.json").read_bytes())["step"] == [2, 3]
    then = run(*call, "t.jsonl", "--state", "state.json", "-q")
    assert [orjson.loads(line)["y"] for line in then.text.splitlines()] == [[1.0], [1.0]]


CHANNELS = "id,bid,ask\nb,100,7\na,1,2\nb,200,9\na,2,6\nb,400,8\nc,3,3\n"
PADDED = [
    [[100.0, 7.0], [200.0, 9.0], [400.0, 8.0]],
    [[1.0, 2.0], [2.0, 6.0], [None, None]],
    [[3.0, 3.0], [None, None], [None, None]],
]
IN_ROWS = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (2, 0)]


@pytest.mark.parametrize("at", ["here", "url"])
def test_k8_series_of_several_channels_are_padded_and_led_back(
    run: Run, server: Server, at: str
) -> None:
    Path("s.csv").write_text(CHANNELS)
    place = ("--url", server.url) if at == "url" else ()
    done = run("transform", "window_z_score", "s.csv", "--list", "id", *place, "-q")
    assert done.code == 0, done.err
    expected = WindowZScore().transform(PADDED)
    for channel, name in enumerate(("bid", "ask")):
        wanted = [expected[series, step, channel] for series, step in IN_ROWS]
        np.testing.assert_array_equal(read_column(done.text, name), wanted)
    assert done.text.startswith("id,bid,ask,loc_0,loc_1,scale_0,scale_1\n")
    Path("z.csv").write_bytes(done.out)
    chosen = ("--columns", "bid,ask", "--list", "id")
    back = run("inverse", "window_z_score", "z.csv", *chosen, *place, "-q")
    assert back.code == 0, back.err
    assert back.text.splitlines()[0] == "id,bid,ask"
    np.testing.assert_allclose(read_column(back.text, "ask"), [7, 2, 9, 6, 8, 3])


def test_k8_what_is_padded_is_not_flagged_as_missing(run: Run) -> None:
    Path("s.csv").write_text(CHANNELS.replace("2,6", ",6"))
    call = ("transform", "window_z_score", "s.csv", "--columns", "bid,ask", "--list", "id")
    done = run(*call, "-o", "z.csv", "--json")
    assert done.json["flags"]["missing"] == [[1, 0]]


def test_k8_a_layer_of_dense_windows_takes_padded_series(run: Run) -> None:
    Path("s.csv").write_text(CHANNELS)
    Path("w.json").write_text('{"affine_weight": [2, 1], "affine_bias": [0, 1]}')
    run("fit", "revin", "--affine", "--weights", "w.json", "-o", "layer.safetensors")
    done = run("transform", "layer.safetensors", "s.csv", "--list", "id", "-q")
    assert done.code == 0, done.err
    layer = Revin(affine=True)
    layer.fit_weights({"affine_weight": [2.0, 1.0], "affine_bias": [0.0, 1.0]})
    expected = layer.transform(PADDED)
    wanted = [expected[series, step, 0] for series, step in IN_ROWS]
    np.testing.assert_array_equal(read_column(done.text, "bid"), wanted)


def test_k8_each_series_of_several_channels_has_a_state_of_its_own(run: Run) -> None:
    lines = CHANNELS.splitlines(keepends=True)
    Path("s.csv").write_text(CHANNELS)
    Path("first.csv").write_text("".join(lines[:4]))
    Path("second.csv").write_text("".join([lines[0], *lines[4:]]))
    call = ("transform", "rolling_z_score", "--window", "2")
    whole = run(*call, "s.csv", "--list", "id", "-q").text
    parts = [
        run(*call, f"{name}.csv", "--list", "id", "-q", "--state", "state.json").text
        for name in ("first", "second")
    ]
    assert whole == parts[0] + parts[1].partition("\n")[2]


def test_k14_the_way_back_goes_on_from_a_state_and_leaves_it(run: Run) -> None:
    Path("s.csv").write_text("value\n1\n4\n9\n")
    Path("f.csv").write_text("value\n7\n9\n")
    call = ("--columns", "value", "--state", "state.json", "-q")
    assert run("transform", "difference", "s.csv", *call).code == 0
    kept = Path("state.json").read_bytes()
    for words in ((), ("--json",)):
        back = run("inverse", "difference", "f.csv", *call, *words)
        assert back.code == 0, back.err
        assert "16.0" in back.text
        assert "25.0" in back.text
        assert Path("state.json").read_bytes() == kept
    without = run("inverse", "difference", "f.csv", "--columns", "value", "-q")
    assert without.code == 2
    assert "send the state that the transform returned" in without.err


def test_k14_the_way_back_goes_on_from_a_state_of_each_series(run: Run) -> None:
    Path("s.csv").write_text(LONG)
    Path("f.csv").write_text("id,value\nb,1\na,1\nb,1\n")
    assert run("transform", "difference", "s.csv", *VALUES, "--state", "st.json", "-q").code == 0
    back = run("inverse", "difference", "f.csv", *VALUES, "--state", "st.json", "-q")
    assert back.text == "id,value\nb,401.0\na,5.0\nb,402.0\n"


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_r1_other_forms_of_tables_hold_series_too(run: Run, form: str) -> None:
    Path("s.csv").write_text(LONG)
    labels, steps = [row[0] for row in ROWS], [row[1] for row in ROWS]
    if form == "parquet":
        arrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        table = arrow.table({"id": labels, "time": steps, "value": by_rows(SERIES.values())})
        parquet.write_table(table, "s.parquet")
    else:
        rows = zip(labels, steps, by_rows(SERIES.values()), strict=True)
        lines = [orjson.dumps({"id": a, "time": b, "value": c}) for a, b, c in rows]
        Path("s.jsonl").write_bytes(b"\n".join(lines))
    plain = run("transform", "window_z_score", "s.csv", *VALUES, "-q").text
    done = run("transform", "window_z_score", f"s.{form}", *VALUES, "-o", "z.jsonl", "-q")
    assert done.code == 0, done.err
    found = [orjson.loads(line) for line in Path("z.jsonl").read_bytes().splitlines()]
    assert [line["id"] for line in found] == labels
    assert [line["value"] for line in found] == read_column(plain, "value")


def test_r14_quantile_columns_go_back(run: Run) -> None:
    Path("q.csv").write_text(
        "id,time,q10,q50,loc,scale\nb,3,-1,0,10,2\na,3,3,0,1,1\nb,4,1,2,10,2\n"
    )
    done = run("inverse", "window_z_score", "q.csv", "--list", "id", "-q")
    assert done.text == "id,time,q10,q50\nb,3,8.0,10.0\na,3,4.0,1.0\nb,4,12.0,14.0\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["window_min_max", "--range", "[-1,1]"], "b,3,10.0,11.0,12.0\nb,4,12.0,12.5,13.0\n"),
        (["window_robust", "--scale", "mad"], "b,3,8.0,10.0,12.0\nb,4,12.0,13.0,14.0\n"),
        (["rolling_z_score", "--window", "3"], "b,3,8.0,10.0,12.0\nb,4,12.0,13.0,14.0\n"),
        (["ewm_z_score", "--alpha", "0.3"], "b,3,8.0,10.0,12.0\nb,4,12.0,13.0,14.0\n"),
    ],
)
def test_r14_quantile_columns_of_every_method_go_back(
    run: Run, words: list[str], expected: str
) -> None:
    Path("q.csv").write_text("id,time,q10,q50,q90,loc,scale\nb,3,-1,0,1,10,2\nb,4,1,1.5,2,10,2\n")
    done = run("inverse", *words, "q.csv", "--list", "id", "-q")
    assert done.text == "id,time,q10,q50,q90\n" + expected, done.err


def test_labels_of_steps_go_with_the_series_they_stand_beside(run: Run) -> None:
    Path("s.csv").write_text("id,day,value\na,d1,1\na,d1,3\nb,d1,5\na,d2,4\nb,d2,7\n")
    call = ("transform", "session_z_score", "--n-sessions", "1", "s.csv", "--field", "sessions=day")
    done = run(*call, *VALUES, "-q")
    assert done.code == 0, done.err
    found = read_column(done.text, "value")
    assert found == pytest.approx([np.nan, np.nan, np.nan, 2.0, 2.0], nan_ok=True)
    kept = run(*call, *VALUES, "-q", "--state", "state.json")
    assert kept.text == done.text
    alone = run(*call, "--columns", "value", "-q")
    assert read_column(alone.text, "value")[3] == pytest.approx((4 - 3) / np.std([1, 3, 5]))


def test_r14_quantile_columns_of_one_series_need_no_list(run: Run) -> None:
    Path("q.csv").write_text("time,q10,q50,loc,scale\n3,-1,0,10,2\n4,3,0,10,2\n")
    done = run("inverse", "window_z_score", "q.csv", "-q")
    assert done.text == "time,q10,q50\n3,8.0,10.0\n4,16.0,10.0\n"


def test_r14_a_location_that_changes_within_a_series_is_refused(run: Run) -> None:
    Path("q.csv").write_text("id,q10,loc,scale\na,-1,10,2\na,3,11,2\n")
    done = run("inverse", "window_z_score", "q.csv", "--list", "id")
    assert done.code == 2
    assert "the column 'loc' has several values in the rows of 'a'" in done.err


MASKED = "id,value,mask\nb,100,1\na,1,1\nb,200,1\na,2,1\nb,400,0\na,4,1\n"
BOTH = [{"method": "window_z_score"}, {"method": "window_max_abs"}]


@pytest.mark.parametrize("at", ["here", "url"])
@pytest.mark.parametrize("said", [(), ("--field", "mask=ok")])
def test_r1_a_mask_column_masks_each_series(
    run: Run, server: Server, at: str, said: tuple[str, ...]
) -> None:
    name = "ok" if said else "mask"
    Path("s.csv").write_text(MASKED.replace("mask", name))
    place = ("--url", server.url) if at == "url" else ()
    done = run("transform", "window_z_score", "s.csv", *VALUES, *said, *place, "-q")
    assert done.code == 0, done.err
    expected = WindowZScore().apply_to(
        x=[np.array([100.0, 200, 400]), np.array([1.0, 2, 4])],
        mask=[np.array([1.0, 1, 0]), np.array([1.0, 1, 1])],
        layout="ragged",
    )
    rows = [parts[step] for step in range(3) for parts in expected["y"]]
    np.testing.assert_array_equal(read_column(done.text, "value"), rows)
    assert np.isnan(rows[4])


@pytest.mark.parametrize("at", ["here", "url"])
def test_r1_a_pipeline_of_series_steps_takes_each_series_apart(
    run: Run, server: Server, at: str
) -> None:
    Path("s.csv").write_text(LONG)
    place = ("--url", server.url) if at == "url" else ()
    steps = f"steps={orjson.dumps(BOTH).decode()}"
    done = run("transform", "pipeline", "--param", steps, "s.csv", *VALUES, *place, "-q")
    assert done.code == 0, done.err
    assert done.text.startswith("id,time,value\n")
    ragged = {"layout": "ragged"}
    first = WindowZScore().apply_to(x=[np.array(part) for part in SERIES.values()], **ragged)
    second = WindowMaxAbs().apply_to(x=list(first["y"]), **ragged)
    np.testing.assert_array_equal(read_column(done.text, "value"), by_rows(second["y"]))


def test_r1_a_pipeline_has_no_state_to_carry_and_says_so(run: Run) -> None:
    Path("s.csv").write_text(LONG)
    steps = [{"method": "rolling_z_score", "params": {"window": 2}}, BOTH[1]]
    said = f"steps={orjson.dumps(steps).decode()}"
    done = run("transform", "pipeline", "--param", said, "s.csv", *VALUES, "--state", "st.json")
    assert done.code == 2
    assert "--state: this answer carries no state" in done.err
    assert not Path("st.json").exists()


def test_quantiles_of_later_steps_go_back_by_what_the_transform_wrote(run: Run) -> None:
    Path("long.csv").write_text(LONG)
    assert run("transform", "window_z_score", "long.csv", *VALUES, "-o", "z.csv", "-q").code == 0
    Path("q.csv").write_text("id,time,q10,q90\na,4,-1,1\nc,3,-1,1\na,5,-1,1\n")
    call = ("inverse", "window_z_score", "q.csv", "--list", "id", "--transformed", "z.csv", "-q")
    done = run(*call)
    assert done.text.splitlines()[0] == "id,time,q10,q90"
    spread = np.std(SERIES["a"])
    assert read_column(done.text, "q90") == pytest.approx([7 / 3 + spread, 7.0, 7 / 3 + spread])


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("inverse", "window_z_score", "q.csv", "--list", "id"), "q.csv has no id 'd'"),
        (("inverse", "window_z_score", "q.csv"), "--list"),
        (("transform", "window_z_score", "q.csv", "--list", "id"), "normd inverse"),
    ],
)
def test_what_the_transform_wrote_must_know_the_lists(
    run: Run, call: tuple[str, ...], told: str
) -> None:
    Path("long.csv").write_text(LONG)
    assert run("transform", "window_z_score", "long.csv", *VALUES, "-o", "z.csv", "-q").code == 0
    Path("q.csv").write_text("id,time,q10\nd,4,-1\n")
    done = run(*call, "--transformed", "z.csv", "-q")
    assert (done.code, told.replace("q.csv has", "z.csv has") in done.err) == (2, True), done.err


def test_a_forecast_alone_is_told_where_its_numbers_are(run: Run) -> None:
    Path("q.csv").write_text("id,time,q10\na,4,-1\n")
    done = run("inverse", "window_z_score", "q.csv", "--list", "id", "-q")
    assert "--transformed FILE" in done.err
