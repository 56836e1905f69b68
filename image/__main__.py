"""Replay the Dockerfile without a container: ``python -m image``.

Its own instructions are done in a temporary folder that stands for the root of the image; then
its command runs as other users, is asked, and is ended.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from image import inspection, interpreter
from image.build import Build, Image
from image.container import Container, ReplayError, is_root
from image.dockerfile import external, read_stages

CONTEXT = Path(__file__).parents[1]
ANY_USER = 54321
READABLE = 0o755


def main() -> None:
    """Build, check, run twice."""
    os.umask(0o022)
    work = Path(tempfile.mkdtemp(prefix="normd-image-"))
    work.chmod(READABLE)
    try:
        image = _built(work)
        _inspect(image)
        # The second goes on with what the first has written.
        for user in (int(image.user.split(":")[0]), ANY_USER):
            _run(image, user)
    except ReplayError as error:
        sys.exit(f"the image does not hold: {error}")
    finally:
        shutil.rmtree(work)


def _built(work: Path) -> Image:
    stages = read_stages(CONTEXT / "Dockerfile")
    (base,) = external(stages)
    python = interpreter.find(base)
    print(f"building with Python {interpreter.version(python)} in place of {base}", flush=True)
    began = time.monotonic()
    image = Build(CONTEXT, work, interpreter.installed(python, work / "python")).run(stages)
    print(f"built in {time.monotonic() - began:.0f} s", flush=True)
    return image


def _inspect(image: Image) -> None:
    if left := list(inspection.leftovers(image.root)):
        raise ReplayError(f"build tools or caches are left: {', '.join(left)}")
    if open_to_all := list(inspection.writable(image.root, _kept(image))):
        raise ReplayError(f"not read-only: {', '.join(open_to_all)}")
    print("no build tools, no caches, nothing to write to but volumes and /tmp", flush=True)


def _run(image: Image, user: int) -> None:
    before = inspection.state(image.root, _kept(image))
    container = Container(image, user)
    with container.running() as process:
        healthy = container.wait_until_healthy()
        container.fit_and_transform()
        container.show_the_guide()
        ended = container.stop(process)
    if inspection.state(image.root, _kept(image)) != before:
        raise ReplayError("it writes outside of its volumes and /tmp")
    who = f"user {user}" if is_root() else "this user, since only root can become another"
    print(f"as {who}: healthy in {healthy:.1f} s, transforms, ends in {ended:.1f} s", flush=True)


def _kept(image: Image) -> list[Path]:
    return [image.root / path.lstrip("/") for path in (*image.volumes, "/tmp")]


if __name__ == "__main__":
    main()
