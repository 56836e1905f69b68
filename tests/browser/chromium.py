"""A Chromium that a test drives, through the pipe of its debugging protocol."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--no-first-run",
    "--remote-debugging-pipe",
)
PATIENCE_SECONDS = 30
END = b"\0"
LEVELS = ("error", "warning")


def program() -> str | None:
    """Return the path of the browser; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One tab: what it asked for and what its console said while it was driven."""

    def __init__(self, process: subprocess.Popen[bytes], asks: int, answers: int) -> None:
        self.requests: list[str] = []
        self.faults: list[str] = []
        self._process = process
        self._asks = os.fdopen(asks, "wb", buffering=0)
        self._answers = os.fdopen(answers, "rb")
        self._queue: queue.Queue[dict[str, object]] = queue.Queue()
        self._number = 0
        self._session: str | None = None
        threading.Thread(target=self._read, daemon=True).start()
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = str(attached["sessionId"])
        for domain in ("Page", "Network", "Runtime", "Log"):
            self._ask(f"{domain}.enable")

    def open(self, address: str) -> None:
        """Go to an address, and wait until the page is loaded."""
        self._ask("Page.navigate", url=address)
        self.wait(f"document.readyState === 'complete' && location.href.startsWith({address!r})")

    def value(self, expression: str) -> object:
        """Return the value of a JavaScript expression, awaited."""
        told = self._ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression is true: each frame it is looked at anew."""
        look = (
            "new Promise((done, fail) => { const end = Date.now() + %d; const look = () => "
            "(%s) ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20); look() })"
        )
        assert self.value(look % (PATIENCE_SECONDS * 1000, expression)), expression

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self._ask("Input.insertText", text=text)

    def _ask(self, method: str, **params: object) -> dict:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        self._asks.write(json.dumps(message).encode() + END)
        while True:
            told = self._queue.get(timeout=PATIENCE_SECONDS + 10)
            if told.get("id") == self._number:
                assert "error" not in told, told
                return told["result"]  # type: ignore[return-value]
            self._note(told)

    def _note(self, told: dict) -> None:
        method, params = told.get("method"), told.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Network.loadingFailed" and not params.get("canceled"):
            self.faults.append(f"not loaded: {params['errorText']}")
        elif method == "Runtime.exceptionThrown":
            self.faults.append(str(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in LEVELS:
            self.faults.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in LEVELS:
            self.faults.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    def _read(self) -> None:
        content = b""
        while True:
            read = os.read(self._answers.fileno(), 1 << 16)
            if not read:
                return
            *messages, content = (content + read).split(END)
            for message in messages:
                self._queue.put(json.loads(message))


@contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """Start a browser with a profile of its own, and give its page."""
    found = program()
    assert found is not None
    asked, asks = os.pipe()
    answers, answered = os.pipe()
    # The protocol is spoken on the streams 3 and 4 of the browser.
    script = f'exec "$0" "$@" 3<&{asked} 4>&{answered}'
    command = ["bash", "-c", script, found, *FLAGS, f"--user-data-dir={folder}"]
    with subprocess.Popen(
        command, pass_fds=(asked, answered), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        os.close(asked)
        os.close(answered)
        try:
            yield Page(process, asks, answers)
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)
