"""The same commands against a running service and in this process."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from normd.cli.exits import MEANINGS
from tests.cli.conftest import Done, Run
from tests.ops.server import Server

CLOCKS = ("created", "updated")
# What these tests store; other tests store in the same service.
STORED = ("same", "copy")


def without_clock(document: object) -> object:
    """Return a document without the times in it."""
    if isinstance(document, dict):
        return {
            name: without_clock(value) for name, value in document.items() if name not in CLOCKS
        }
    if isinstance(document, list):
        return [without_clock(item) for item in document]
    return document


def without_others(listed: dict[str, list[dict[str, object]]]) -> list[object]:
    """Return the names in a list that these tests stored, without times."""
    return [without_clock(item) for item in listed["items"] if item["name"] in STORED]


@pytest.fixture
def both(run: Run, server: Server) -> Iterator[object]:
    """Return a function that runs a command in both places and compares what they print."""

    def called(*arguments: object, json: bool = True) -> Done:
        extra = ["--json"] if json else []
        here = run(*arguments, *extra)
        there = run(*arguments, *extra, "--url", server.url)
        assert here.code == there.code == 0, (here.err, there.err)
        if json:
            assert without_clock(here.json) == without_clock(there.json)
        else:
            assert here.out == there.out
        return here

    yield called
    for name in STORED:
        run("alias", name, "prod", "--remove", "--url", server.url)
        run("delete", name, "--url", server.url)


def test_a_life_is_the_same_in_both_places(both: Run, run: Run, server: Server) -> None:
    both("methods")
    both("fit", "percentile", "scores.csv", "--columns", "score", "--name", "same")
    both("observe", "same", "scores.csv", "--columns", "score", "--key", "once")
    assert both("merge", "same", "same@1", "same@open").json["n"] == 8
    both("alias", "same", "prod", "2")
    both("alias", "same")
    both("show", "same@prod")
    both("versions", "same")
    names = run("list", "--json"), run("list", "--json", "--url", server.url)
    assert without_others(names[0].json) == without_others(names[1].json) != []
    both("report", "same@prod")
    call = ("transform", "same@prod", "scores.csv", "--columns", "score")
    assert both(*call, json=False).text.startswith("query,doc,score\na,d1,0.375\n")
    both("export", "same@1", "-o", "-", "-q", json=False)
    run("export", "same@1", "-o", "same.safetensors")
    assert both("import", "same.safetensors", "--name", "copy").json["from"] == "import"
    here = run("transform", "same.safetensors", "scores.csv", "--columns", "score")
    there = run("transform", "copy", "scores.csv", "--columns", "score", "--url", server.url)
    assert here.out == there.out
    both("delete", "copy")


def test_one_shot_work_is_the_same_in_both_places(both: Run) -> None:
    both("transform", "min_max", "scores.csv", "--columns", "score", "--list", "query", json=False)
    both("transform", "min_max", "scores.csv", "--columns", "score", "--explain")
    both("inverse", "zca", "x.npy", "--fit", "x.npy", "-o", "-", json=False)
    both("transform", "percentile", "scores.csv", "--columns", "score", "--fit", "scores.csv")
    both("transform", "zca", "x.npy", "--fit", "x.npy", "-o", "-", json=False)
    Path("run.csv").write_text("ids,scores\na,2\nb,1\n")
    both("fuse", "run.csv", "--method", "rrf", "--explain")


def test_the_environment_names_the_service(
    run: Run, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NORMD_URL", server.url)
    assert run("limits", "--json").json["limits"]["max_rows"] == 1_000_000
    assert run("list").code == 0
    assert not Path("data").exists()


@pytest.mark.parametrize("said", [["--data", "kept"], ["--data=kept"]])
def test_the_place_may_stand_before_the_command(run: Run, said: list[str]) -> None:
    done = run(*said, "fit", "rrf", "--name", "fusion")
    assert done.code == 0, done.err
    assert Path("kept").is_dir()
    assert run(*said, "show", "fusion", "--json").json["version"] == 1


def test_a_dead_service_is_told_with_its_address_and_a_remedy(run: Run) -> None:
    for arguments in (
        ["list"],
        ["fit", "whitening", "x.npy", "--name", "a"],
        ["transform", "emb", "x.npy"],
    ):
        done = run(*arguments, "--url", "http://127.0.0.1:9")
        assert (done.code, done.out) == (2, b"")
        assert "http://127.0.0.1:9/" in done.err
        assert "`normd serve` starts one" in done.err


def test_what_is_no_url_of_a_service_is_told(run: Run) -> None:
    done = run("list", "--url", "localhost:8000")
    assert (done.code, "Traceback" in done.err) == (2, False)


@pytest.fixture
def stranger() -> Iterator[str]:
    """Run a web server that is no normd service."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html>")

        def log_message(self, *arguments: object) -> None: ...

    served = http.server.HTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()
    thread.join()
    served.server_close()


def test_a_server_that_is_no_normd_is_told(run: Run, stranger: str) -> None:
    done = run("list", "--url", stranger)
    assert done.code == 2
    assert stranger in done.err


def test_a_file_is_not_served_by_a_service_elsewhere(run: Run, server: Server) -> None:
    run("fit", "whitening", "x.npy", "-o", "w.safetensors")
    done = run("transform", "w.safetensors", "x.npy", "--url", server.url)
    assert done.code == 2
    assert "store it first: normd import w.safetensors --name NAME" in done.err


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["show", "nothing"], 3),
        (["transform", "nothing", "x.npy"], 3),
        (["report", "emb@9"], 3),
        (["alias", "emb", "prod", "9"], 3),
        (["delete", "emb@1"], 3),
        (["observe", "nothing", "x.npy"], 3),
        (["export", "nothing", "-o", "e.safetensors"], 3),
        (["show", "a/b"], 2),
        (["export", "emb"], 2),
        (["alias", "emb", "prod"], 2),
        (["alias", "emb", "prod", "0"], 2),
        (["import", "x.npy", "--name", "file"], 2),
        (["transform", "./nothing", "x.npy"], 2),
        (["nothing"], 2),
        (["delete"], 2),
    ],
)
def test_exit_codes(run: Run, arguments: list[str], code: int) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")
    run("alias", "emb", "live", "1")
    done = run(*arguments)
    assert done.code == code
    assert code in MEANINGS
    assert done.err
    assert "Traceback" not in done.err


def test_settings_that_cannot_be_used(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMD_MAX_ROWS", "many")
    done = run("list")
    assert (done.code, "NORMD_MAX_ROWS" in done.err) == (2, True)


def test_a_failure_of_the_service_is_one(run: Run) -> None:
    run("fit", "whitening", "x.npy", "--name", "emb")
    for file in Path("data").rglob("*.safetensors"):
        file.chmod(0o600)
        file.write_bytes(b"damaged")
    done = run("export", "emb", "-o", "e.safetensors")
    assert done.code == 1
    assert "request " in done.err
    assert not Path("e.safetensors").exists()


def test_an_unexpected_failure_is_one_without_a_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("normd.cli.commands.names.print_versions", broken)
    done = run("list")
    assert (done.code, done.err) == (1, "normd: RuntimeError: broken\n")


def test_an_interruption_leaves_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("normd.cli.files.text_writers.DelimitedWriter.finish", interrupted)
    done = run("transform", "min_max", "scores.csv", "--columns", "score", "-o", "y.csv")
    assert done.code == 130
    assert not Path("y.csv").exists()
    assert not list(Path().glob(".*"))
