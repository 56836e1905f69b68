"""`normd` for the shell of a page: a parent that has imported everything forks for each call.

A page calls it many times, and most of what a call takes is its imports. Every call still is a
process with its own arguments, environment, folder, streams and exit code.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
READY = "ready"
# What commands import when they need it.
IMPORTED = ("app.main", "normd.cli.options.program", "normd.client", "uvicorn", "pandas", "pyarrow")
CALLER = """\
#!{python} -IS
import json, os, signal, socket, sys

with socket.socket(socket.AF_UNIX) as asked:
    asked.connect({path!r})
    call = {{"arguments": sys.argv[1:], "folder": os.getcwd(), "environment": dict(os.environ)}}
    socket.send_fds(asked, [json.dumps(call).encode() + b"\\n"], [0, 1, 2])
    answer = asked.makefile()
    process = int(answer.readline())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: os.kill(process, number))
    sys.exit(int(answer.readline()))
"""


@contextmanager
def commands() -> Iterator[Path]:
    """Return a folder with a `normd` while the parent of its calls runs."""
    # The path of a socket may have about 100 characters.
    folder = Path(tempfile.mkdtemp(prefix="normd-"))
    caller = folder / "normd"
    caller.write_text(CALLER.format(python=sys.executable, path=str(folder / "socket")))
    caller.chmod(0o755)
    command = [sys.executable, "-m", "tests.docs.forked", str(folder / "socket")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        try:
            assert parent.stdout is not None
            assert parent.stdout.readline().strip() == READY
            yield folder
        finally:
            parent.kill()
            shutil.rmtree(folder)


def main() -> None:
    """Import everything, and fork for each call."""
    for module in IMPORTED:
        importlib.import_module(module)
    importlib.import_module("normalizers.catalogue.catalogue").CATALOGUE.get("min_max")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(sys.argv[1])
        listening.listen()
        print(READY, flush=True)
        while True:
            called, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _serve(called)
            called.close()
            _wait_for_the_ended()


def _wait_for_the_ended() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _serve(called: socket.socket) -> None:
    """Run one call in this process, which ends with it."""
    code = 1
    try:
        code = _run(called)
    except BaseException:
        traceback.print_exc()
    finally:
        called.sendall(f"{code}\n".encode())
        os._exit(code)


def _run(called: socket.socket) -> int:
    from normd.cli import main as command_line

    content, streams, *_ = socket.recv_fds(called, 1 << 16, 3)
    while not content.endswith(b"\n"):
        content += called.recv(1 << 16)
    call = json.loads(content)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["environment"])
    sys.argv = ["normd", *call["arguments"]]
    called.sendall(f"{os.getpid()}\n".encode())
    code = command_line()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    main()
