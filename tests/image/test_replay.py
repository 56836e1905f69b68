"""The parts of the replay: instructions, stages, and what is found in an image."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from image import inspection
from image.build import Build
from image.dockerfile import Instruction, UnknownInstruction, read_stages
from image.interpreter import Interpreter

BOTH = """\
# A comment.
FROM python:3 AS first
ARG WORD=hello
ENV SAID=/kept/${WORD}
WORKDIR /made
COPY shown ./
RUN mkdir -p /kept \\
    # between
    && echo "${WORD}" > "${SAID}"

FROM first
COPY --from=first /kept /more
USER 7:0
ENTRYPOINT ["/more/run", "a b"]
"""


def written(folder: Path, text: str) -> Path:
    dockerfile = folder / "Dockerfile"
    dockerfile.write_text(text)
    return dockerfile


def test_stages_and_their_instructions(tmp_path: Path) -> None:
    first, second = read_stages(written(tmp_path, BOTH))
    assert (first.base, first.name) == ("python:3", "first")
    assert (second.base, second.name) == ("first", None)
    assert [step.word for step in first.instructions] == ["ARG", "ENV", "WORKDIR", "COPY", "RUN"]
    assert second.instructions[0] == Instruction("COPY", {"from": "first"}, "/kept /more")


@pytest.mark.parametrize("text", ["FROM a\nADD b c\n", "RUN true\n", 'FROM a\nSHELL ["sh"]\n'])
def test_what_is_not_known_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnknownInstruction):
        read_stages(written(tmp_path, text))


def test_shell_form_is_refused_where_exec_form_is_meant() -> None:
    with pytest.raises(UnknownInstruction):
        Instruction("CMD", {}, "normd serve").listed


def test_stages_are_done_below_the_folder(tmp_path: Path) -> None:
    context, work = tmp_path / "context", tmp_path / "work"
    (context / "shown").mkdir(parents=True)
    (context / "shown/file").write_text("x")
    (context / "shown/other").write_text("y")
    (context / ".dockerignore").write_text("shown/other\n")
    work.mkdir()
    build = Build(context, work, Interpreter(Path(sys.executable), {}))
    image = build.run(read_stages(written(tmp_path, BOTH)))
    assert (image.root / "kept/hello").read_text() == (image.root / "more/hello").read_text()
    assert sorted(path.name for path in (image.root / "made").iterdir()) == ["file"]
    assert image.environment["SAID"] == f"{image.root}/kept/hello"
    assert image.entrypoint == (f"{image.root}/more/run", "a b")
    assert (image.user, image.folder) == ("7:0", "/made")


def test_a_step_that_would_reach_this_machine_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".dockerignore").write_text("")
    build = Build(tmp_path, tmp_path, Interpreter(Path(sys.executable), {}))
    stages = read_stages(written(tmp_path, "FROM a\nRUN ls /nowhere/x\n"))
    with pytest.raises(UnknownInstruction, match="/nowhere/x"):
        build.run(stages)


def test_build_tools_caches_and_open_files_are_found(tmp_path: Path) -> None:
    for name in ("opt/bin/pip3.13", "opt/lib/site-packages/pip/main.py", "root/.cache/pip/x"):
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_text("")
        file.chmod(0o644)
    assert sorted(inspection.leftovers(tmp_path)) == [
        "opt/bin/pip3.13",
        "opt/lib/site-packages/pip",
        "root/.cache",
    ]
    kept = [tmp_path / "root"]
    before = inspection.state(tmp_path, kept)
    assert not list(inspection.writable(tmp_path, kept))
    (tmp_path / "root/.cache/pip/x").write_text("more")
    assert inspection.state(tmp_path, kept) == before
    (tmp_path / "opt/bin/pip3.13").write_text("more")
    assert inspection.state(tmp_path, kept) != before
    (tmp_path / "opt/bin/pip3.13").chmod(0o664)
    assert list(inspection.writable(tmp_path, kept)) == ["opt/bin/pip3.13"]
