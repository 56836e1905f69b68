"""The stages of a Dockerfile, done in a folder that stands for the root of the image."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from image.dockerfile import Instruction, Stage, UnknownInstruction, assignments, expanded
from image.ignore import Ignore
from image.interpreter import Interpreter

PASSED_ON = re.compile(r"PIP_\w+|\w*(?:CERT|CA_BUNDLE)\w*|\w+_proxy|\w+_PROXY|HOME")
ROOT_USER = "0:0"
TEMPORARY = "/tmp"
# Of an absolute path within a text.
BEGINS = r"(?<![\w./}-])"
ENDS = r"(?:[/\s\"':,;\]]|$)"


@dataclass(frozen=True)
class Image:
    """What a container starts from, with every path in the folder that stands for the root."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = ROOT_USER
    ports: tuple[str, ...] = ()
    volumes: tuple[str, ...] = ()
    entrypoint: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    healthcheck: tuple[str, ...] = ()


class Build:
    """A build in `work`, of the files in `context`.

    The folder of the stage that is being built has the same path for all stages, so that what one
    stage wrote into a file is true in the next.
    """

    def __init__(self, context: Path, work: Path, python: Interpreter) -> None:
        self._context = context
        self._work = work
        self._root = work / "root"
        self._ignore = Ignore((context / ".dockerignore").read_text())
        self._done: dict[str, Image] = {}
        self._base = Image(self._root, self._first_environment(python))
        self._tops: tuple[str, ...] = ()

    def run(self, stages: Sequence[Stage]) -> Image:
        """Build every stage and return the image of the last."""
        self._tops = tuple(sorted(_tops(stages)))
        for stage in stages:
            image = self._built(stage)
            if stage is not stages[-1]:
                self._put_away(stage, image)
        return image

    def place(self, path: str, folder: str = "/") -> Path:
        """Return where a path of the image is here."""
        return self._root / str(PurePosixPath(folder, path)).lstrip("/")

    def here(self, text: str) -> str:
        """Return a text whose paths of the image are those here."""
        tops = "|".join(map(re.escape, self._tops))
        return re.sub(rf"{BEGINS}(?=/(?:{tops}){ENDS})", str(self._root), text)

    def _built(self, stage: Stage) -> Image:
        image = self._begun(stage.base)
        for instruction in stage.instructions:
            print(f"  {instruction}"[:100], flush=True)
            image = self._step(image, instruction)
        return image

    def _begun(self, base: str) -> Image:
        before = self._done.get(base)
        if before is None:
            self.place(TEMPORARY).mkdir(parents=True)
            return self._base
        shutil.copytree(before.root, self._root, symlinks=True)
        return replace(before, root=self._root)

    def _put_away(self, stage: Stage, image: Image) -> None:
        kept = self._work / f"stage-{len(self._done)}"
        self._root.rename(kept)
        self._done[stage.name or str(len(self._done))] = replace(image, root=kept)

    def _step(self, image: Image, instruction: Instruction) -> Image:
        match instruction.word:
            case "ARG":
                values = self._values(image, instruction)
                return replace(image, arguments={**image.arguments, **values})
            case "ENV":
                values = self._values(image, instruction)
                return replace(image, environment={**image.environment, **values})
            case "WORKDIR":
                self.place(instruction.rest, image.folder).mkdir(parents=True, exist_ok=True)
                return replace(image, folder=str(PurePosixPath(image.folder, instruction.rest)))
            case "COPY":
                self._copy(image, instruction)
            case "RUN":
                self._run(image, instruction.rest)
            case "USER":
                return replace(image, user=instruction.rest)
            case "EXPOSE":
                return replace(image, ports=tuple(instruction.words))
            case "VOLUME":
                return replace(image, volumes=tuple(instruction.words))
            case "ENTRYPOINT":
                return replace(image, entrypoint=self._listed(instruction))
            case "CMD":
                return replace(image, command=self._listed(instruction))
            case "HEALTHCHECK":
                command = Instruction("CMD", {}, instruction.rest.removeprefix("CMD").strip())
                return replace(image, healthcheck=self._listed(command))
        return image

    def _listed(self, instruction: Instruction) -> tuple[str, ...]:
        return tuple(map(self.here, instruction.listed))

    def _values(self, image: Image, instruction: Instruction) -> dict[str, str]:
        known = {**image.arguments, **image.environment}
        return {name: expanded(self.here(value), known) for name, value in assignments(instruction)}

    def _copy(self, image: Image, instruction: Instruction) -> None:
        *sources, target = instruction.words
        if "from" in instruction.flags:
            stage = self._done[instruction.flags["from"]]
            place = self.place(target, image.folder)
            for source in sources:
                shutil.copytree(stage.root / source.lstrip("/"), place, symlinks=True)
            return
        for source in sources:
            into = target.endswith("/") and (self._context / source).is_file()
            place = self.place(target, image.folder)
            self._copy_shown(source, place / Path(source).name if into else place)

    def _copy_shown(self, source: str, target: Path) -> None:
        names = list(self._ignore.shown(self._context, source))
        if not names:
            raise FileNotFoundError(f"COPY {source}: there is no such file in the build")
        for name in names:
            place = target / Path(name).relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self._context / name, place)

    def _run(self, image: Image, command: str) -> None:
        command = self.here(command)
        self._require_inside(command)
        subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.place(image.folder),
            env={**_passed_on(), **image.arguments, **image.environment},
            check=True,
        )

    def _require_inside(self, command: str) -> None:
        """Refuse a command that would reach this machine's own folders."""
        for path in re.finditer(rf"{BEGINS}/[^\s\"';]+", command):
            if not path[0].startswith(str(self._root)):
                raise UnknownInstruction(
                    f"RUN names {path[0]}, whose folder no WORKDIR, VOLUME or COPY names"
                )

    def _first_environment(self, python: Interpreter) -> dict[str, str]:
        programs = self._work / "bin"
        programs.mkdir()
        wrapper = programs / "python"
        wrapper.write_text(f'#!/bin/sh\nexec "{python.executable}" "$@"\n')
        wrapper.chmod(0o755)
        return {**python.environment, "PATH": f"{programs}:{os.defpath}"}


def _passed_on() -> dict[str, str]:
    """Return what installing needs to know of this machine: where packages and certificates are."""
    return {name: os.environ[name] for name in os.environ if PASSED_ON.fullmatch(name)}


def _tops(stages: Sequence[Stage]) -> set[str]:
    """Return the folders right below the root that a Dockerfile names."""
    paths = [TEMPORARY]
    for stage in stages:
        for instruction in stage.instructions:
            if instruction.word in ("WORKDIR", "VOLUME", "COPY"):
                paths += instruction.words
    return {PurePosixPath(path).parts[1] for path in paths if path.startswith("/")}
