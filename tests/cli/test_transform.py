from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest

from app.settings import Settings
from normalizers import MinMax, Standardization, Whitening, WindowZScore
from normd.cli.files import npy as reading
from normd.cli.files.readers import whole
from normd.cli.files.source import source
from normd.cli.io.backend import stored_backend
from normd.client import Client
from tests.cli.conftest import Run

SCALED = "query,doc,score\na,d1,1.0\na,d2,0.0\nb,d1,1.0\nb,d3,0.0\n"
MATRIX_FORMS = ["npy", "npz", "csv", "tsv", "jsonl", "safetensors", "parquet"]


def stacked(path: str) -> np.ndarray:
    """Return the numbers of a file side by side."""
    columns = [np.asarray(column.numbers()) for column in whole(source(path)).columns.values()]
    return columns[0] if columns[0].ndim > 1 else np.stack(columns, axis=1)


@pytest.mark.parametrize("into", MATRIX_FORMS)
@pytest.mark.parametrize("of", MATRIX_FORMS)
def test_every_form_gives_the_same_numbers_in_every_form(run: Run, of: str, into: str) -> None:
    x = np.load("x.npy")
    assert run("fit", "whitening", "x.npy", "-o", "w.safetensors").code == 0
    assert run("transform", "w.safetensors", "x.npy", "-o", f"in.{of}").code == 0
    done = run("inverse", "w.safetensors", f"in.{of}", "-o", f"out.{into}", *columns(of))
    assert (done.code, done.err) == (0, f"wrote out.{into}\n")
    np.testing.assert_allclose(stacked(f"out.{into}"), x, rtol=1e-12)


def columns(form: str) -> list[str]:
    return ["--columns", "y_0,y_1,y_2"] if form in ("csv", "tsv", "parquet") else []


def test_the_output_is_that_of_the_library(run: Run) -> None:
    x = np.load("x.npy")
    run("transform", "whitening", "x.npy", "--fit", "x.npy", "--eps-rel", "1", "-o", "y.npy")
    assert np.array_equal(np.load("y.npy"), Whitening(eps_rel=1.0).fit(x).transform(x))


def test_float32_stays_float32(run: Run) -> None:
    np.save("single.npy", np.load("x.npy").astype(np.float32))
    run("fit", "whitening", "single.npy", "-o", "w.safetensors")
    run("transform", "w.safetensors", "single.npy", "-o", "y.npy")
    run("transform", "w.safetensors", "single.npy", "-o", "y.csv")
    assert np.load("y.npy").dtype == np.float32
    assert np.array_equal(stacked("y.csv").astype(np.float32), np.load("y.npy"))


@pytest.mark.parametrize("dtype", [">f8", "<f2", "i4", "u1", "?"])
def test_numbers_of_any_dtype_are_read(run: Run, dtype: str) -> None:
    np.save("odd.npy", np.array([3, 1, 0], dtype=dtype))
    done = run("transform", "min_max", "odd.npy", "-o", "y.npy")
    assert done.code == 0
    expected = MinMax().transform(np.load("odd.npy").astype(np.float64))
    np.testing.assert_allclose(np.load("y.npy"), expected)


def test_fortran_order_is_read(run: Run) -> None:
    np.save("f.npy", np.asfortranarray(np.load("x.npy")))
    for name in ("x", "f"):
        run("fit", "whitening", f"{name}.npy", "-o", f"{name}.safetensors")
    assert Path("x.safetensors").read_bytes() == Path("f.safetensors").read_bytes()


def test_a_column_tells_the_list_of_each_row(run: Run) -> None:
    done = run("transform", "min_max", "scores.csv", "--columns", "score", "--list", "query")
    assert (done.code, done.text) == (0, SCALED)
    assert "csv has no room for loc, scale; .npz" in done.err


def test_without_it_a_column_is_one_list(run: Run) -> None:
    done = run("transform", "min_max", "scores.csv", "--field", "scores=score", "-q")
    assert (done.text.splitlines()[1], done.err) == ("a,d1,0.5", "")


def test_lines_of_lists_are_lists_and_go_back(run: Run) -> None:
    given = b'{"id":"q1","scores":[3,1]}\n{"id":"q2","scores":[5,null]}\n'
    there = run(
        "transform", "min_max", "-", "--format", "jsonl", "--nan-policy", "omit", given=given
    )
    assert there.out == (
        b'{"id":"q1","values":[1.0,0.0],"loc":1.0,"scale":2.0}\n'
        b'{"id":"q2","values":[1.0,null],"loc":5.0,"scale":0.0}\n'
    )
    assert "flag: constant, 1 of them" in there.err
    assert "flag: missing, 1 of them" in there.err
    back = run(
        "inverse", "min_max", "-", "--format", "jsonl", "--nan-policy", "omit", given=there.out
    )
    assert [orjson.loads(line)["scores"] for line in back.out.splitlines()] == [[3, 1], [5, None]]


def test_columns_that_are_kept_keep_their_names(run: Run) -> None:
    run("fit", "group_z_score", "groups.csv", "--field", "groups=judge", "--name", "aligned")
    done = run("transform", "aligned", "groups.csv", "--field", "groups=judge")
    header, first, *_ = done.text.splitlines()
    assert header == "judge,bleu,comet"
    assert first.startswith("fr,-0.7071067811865")


def test_windows_and_their_sizes_go_back(run: Run) -> None:
    windows = np.random.default_rng(1).normal(size=(4, 6, 2))
    np.save("windows.npy", windows)
    run("transform", "window_z_score", "windows.npy", "-o", "z.npz")
    expected = WindowZScore().apply_to(windows)
    with np.load("z.npz") as found:
        assert all(np.array_equal(found[name], expected[name]) for name in ("y", "loc", "scale"))
    run("inverse", "window_z_score", "z.npz", "-o", "back.npy")
    np.testing.assert_allclose(np.load("back.npy"), windows)


def test_a_table_has_no_room_for_three_axes(run: Run) -> None:
    np.save("windows.npy", np.ones((4, 6, 2)))
    done = run("transform", "window_z_score", "windows.npy", "-o", "z.csv")
    assert done.code == 2
    assert "y has 3 axes and no table holds it; write .npy" in done.err


def test_state_goes_from_call_to_call(run: Run) -> None:
    steps = np.random.default_rng(2).normal(size=12)
    np.save("all.npy", steps)
    np.save("first.npy", steps[:7])
    np.save("second.npy", steps[7:])
    call = ("transform", "rolling_z_score", "--window", "3")
    assert run(*call, "all.npy", "-o", "all_z.npy").code == 0
    for part in ("first", "second"):
        done = run(*call, f"{part}.npy", "-o", f"{part}_z.npy", "--state", "state.json")
        assert done.code == 0, done.err
    parts = [np.load(f"{part}_z.npy") for part in ("first", "second")]
    assert np.array_equal(np.concatenate(parts), np.load("all_z.npy"), equal_nan=True)


def test_blocks_give_what_the_whole_gives(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("fit", "whitening", "x.npy", "-o", "w.safetensors")
    run("transform", "w.safetensors", "x.npy", "-o", "whole.npy")
    monkeypatch.setattr(reading, "BLOCK_VALUES", 12)
    for form in ("npy", "npz", "csv", "jsonl"):
        done = run("transform", "w.safetensors", "x.npy", "-o", f"blocks.{form}")
        assert done.code == 0
        assert np.array_equal(stacked(f"blocks.{form}"), np.load("whole.npy"))


def test_a_pipeline_in_a_file_goes_in_blocks_as_in_a_service(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = '["whitening", {"method": "whitening", "params": {"variant": "pca"}}]'
    done = run("fit", "pipeline", "x.npy", "--steps", steps, "-o", "p.safetensors")
    assert done.code == 0, done.err
    run("transform", "p.safetensors", "x.npy", "-o", "whole.npy")
    monkeypatch.setattr(reading, "BLOCK_VALUES", 12)
    assert run("transform", "p.safetensors", "x.npy", "-o", "blocks.npy").code == 0
    assert np.array_equal(np.load("blocks.npy"), np.load("whole.npy"))


def test_flags_of_blocks_are_places_in_the_whole(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    np.save("lists.npy", np.array([[1.0, 2.0], [3.0, 3.0], [5.0, 4.0], [7.0, 7.0]]))
    monkeypatch.setattr(reading, "BLOCK_VALUES", 2)
    done = run("transform", "min_max", "lists.npy", "--json", "-o", "y.npy")
    assert done.json["flags"] == {"constant": [1, 3]}
    assert done.json["rows"] == 4


def test_json_holds_the_whole_answer(run: Run) -> None:
    done = run("transform", "min_max", "scores.csv", "--columns", "score", "--json", "--explain")
    assert done.json["output"]["values"] == [0.5, 0.0, 1.0, 0.75]
    assert done.json["effective_params"]["scope"] == "query"
    assert "explain" in done.json


def test_parameters_of_every_type_reach_the_method(run: Run) -> None:
    done = run(
        "transform", "min_max", "scores.csv", "--columns", "score", "--json",
        "--bounds", "percentile", "--quantile-range", "10,90", "--no-higher-is-better",
        "--param", "clip=false",
    )  # fmt: skip
    used = done.json["effective_params"]
    assert used["quantile_range"] == [10, 90]
    assert used["higher_is_better"] is False
    assert used["clip"] is False


def test_an_alias_and_a_preset_bring_their_parameters(run: Run) -> None:
    for call in (["bert_whitening"], ["whitening", "--preset", "bert_whitening"]):
        done = run("transform", *call, "x.npy", "--fit", "x.npy", "--json")
        assert done.json["effective_params"]["post"] == "l2"


def test_nothing_is_written_over_an_input(run: Run) -> None:
    before = Path("x.npy").read_bytes()
    done = run("transform", "whitening", "x.npy", "--fit", "x.npy", "-o", "./x.npy")
    assert (done.code, "this is an input" in done.err) == (2, True)
    assert Path("x.npy").read_bytes() == before


def test_an_output_that_fails_half_way_leaves_the_old_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = np.load("x.npy")
    array[20, 1] = np.nan
    np.save("broken.npy", array)
    run("fit", "whitening", "x.npy", "-o", "w.safetensors")
    Path("y.csv").write_text("old")
    monkeypatch.setattr(reading, "BLOCK_VALUES", 12)
    done = run("transform", "w.safetensors", "broken.npy", "-o", "y.csv")
    assert done.code == 2
    assert "input.x[20]" in done.err
    assert Path("y.csv").read_text() == "old"
    assert not list(Path().glob(".*"))


def test_an_existing_output_is_replaced(run: Run) -> None:
    Path("y.csv").write_text("old")
    run("transform", "min_max", "scores.csv", "--columns", "score", "-o", "y.csv")
    assert Path("y.csv").read_text().startswith("query,doc,score\n")


def test_a_pipe_and_a_link_are_written_to_not_replaced(run: Run, folder: Path) -> None:
    Path("real.csv").write_text("old")
    Path("link.csv").symlink_to("real.csv")
    run("transform", "min_max", "scores.csv", "--columns", "score", "-o", "link.csv")
    assert Path("link.csv").is_symlink()
    assert Path("real.csv").read_text() != "old"
    done = run("transform", "min_max", "scores.csv", "--columns", "score", "-o", "/dev/null",
               "--output-format", "csv")  # fmt: skip
    assert done.code == 0
    assert not Path("/dev/null").is_file()


def test_a_method_that_needs_a_fit_says_what_a_word_may_mean(run: Run) -> None:
    done = run("transform", "zca", "x.npy")
    assert done.code == 2
    assert "needs a fit" in done.err
    assert "--fit FILE, or zca@1 for a stored name" in done.err


def test_ragged_arrays_with_offsets_go_in_and_out(run: Run) -> None:
    np.savez("lists.npz", scores=np.array([3.0, 1.0, 5.0]), offsets=np.array([0, 2, 3]))
    run("transform", "min_max", "lists.npz", "-o", "values.npz")
    with np.load("values.npz") as found:
        assert found["values"].tolist() == [1.0, 0.0, 1.0]
        assert found["offsets"].tolist() == [0, 2, 3]
    done = run("transform", "min_max", "lists.npz", "-o", "values.npy")
    assert (done.code, "write .npz" in done.err) == (2, True)


@pytest.mark.parametrize("word", ["percentile", "rrf", "stored"])
def test_the_way_back_is_refused_where_there_is_none(run: Run, word: str) -> None:
    run("fit", "whitening", "x.npy", "--post", "l2", "--name", "stored")
    done = run("inverse", word, "x.npy")
    assert done.code == 2
    assert f"normd: {word} has no inverse" in done.err


def test_k2_a_stored_fit_has_the_way_back_that_its_method_alone_has_not(run: Run) -> None:
    run("fit", "percentile", "scores.csv", "--columns", "score", "--name", "stored")
    np.save("shares.npy", [0.5])
    assert run("inverse", "stored", "shares.npy").code == 0


def test_a_device_for_all_requests_is_a_preference_here_too(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NORMD_DEVICE", "cpu")
    assert run("transform", "min_max", "scores.csv", "--columns", "score", "-q").code == 0
    monkeypatch.setenv("NORMD_DEVICE", "abacus")
    done = run("transform", "min_max", "scores.csv", "--columns", "score", "-q")
    assert (done.code, "NORMD_DEVICE" in done.err) == (2, True)


@pytest.mark.parametrize("of", ["npy", "npz"])
@pytest.mark.parametrize("into", ["npy", "npz"])
def test_k4_windows_in_arrays_come_back_as_windows(run: Run, of: str, into: str) -> None:
    windows = np.random.default_rng(1).normal(size=(4, 3, 2))
    np.save("windows.npy", windows)
    np.savez("windows.npz", x=windows)
    assert run("fit", "standardization", f"windows.{of}", "-o", "s.safetensors").code == 0
    done = run("transform", "s.safetensors", f"windows.{of}", "-o", f"y.{into}")
    assert (done.code, done.err) == (0, f"wrote y.{into}\n")
    found = np.load(f"y.{into}")
    y = found if into == "npy" else found["y"]
    assert np.array_equal(y, Standardization().fit(windows).transform(windows))


def test_blocks_of_a_file_are_all_of_one_version_while_an_alias_moves(tmp_path: Path) -> None:
    with Client.local(Settings(data=tmp_path)) as client:
        client.fit("v", "centering", [[1.0], [3.0]])
        client.add_version("v", "fit", fit=[[10.0], [30.0]])
        client.alias("v", "prod", 1)
        backend = stored_backend(client, "v@prod", "transform")
        found = []
        for number in (2, 1):
            found.append(backend.answer({"x": [[5.0]]}, {}).output["y"].tolist())
            client.alias("v", "prod", number)
        assert found == [[[3.0]], [[3.0]]]
