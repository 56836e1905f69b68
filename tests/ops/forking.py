"""A parent that has imported the service and forks it: starts in a fraction of a second.

Each line on standard input starts one service; its process id is written, then a line when it
has ended.
"""

from __future__ import annotations

import os
import sys

import uvicorn

from app.main import create_app


def main() -> None:
    port = int(sys.argv[1])
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            uvicorn.run(create_app(), host="127.0.0.1", port=port, log_level="warning")
            os._exit(0)
        print(child, flush=True)
        os.waitpid(child, 0)
        print("ended", flush=True)


if __name__ == "__main__":
    main()
