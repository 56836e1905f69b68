"""A Dockerfile as instructions and stages; only what ours uses is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SETTINGS = frozenset({"ARG", "ENV", "LABEL", "WORKDIR", "USER", "VOLUME", "EXPOSE"})
WORK = frozenset({"FROM", "COPY", "RUN"})
PROCESSES = frozenset({"HEALTHCHECK", "ENTRYPOINT", "CMD"})
VARIABLE = re.compile(r"\$\{(\w+)\}")
FLAG = re.compile(r"--(\w[\w-]*)=(\S+)\s+")


class UnknownInstruction(ValueError):
    """An instruction or a form of one that is not understood here."""


@dataclass(frozen=True)
class Instruction:
    """One instruction: its word, its flags, the rest."""

    word: str
    flags: dict[str, str]
    rest: str

    def __str__(self) -> str:
        flags = "".join(f"--{name}={value} " for name, value in self.flags.items())
        return f"{self.word} {flags}{self.rest}"

    @property
    def words(self) -> list[str]:
        """The rest, as words."""
        return self.rest.split()

    @property
    def listed(self) -> list[str]:
        """The rest of an exec form, whose list is JSON."""
        if not self.rest.startswith("["):
            raise UnknownInstruction(f"not in exec form: {self}")
        return [str(word) for word in json.loads(self.rest)]


@dataclass
class Stage:
    """The instructions from one FROM to the next."""

    base: str
    name: str | None = None
    instructions: list[Instruction] = field(default_factory=list)


def read_stages(dockerfile: Path) -> list[Stage]:
    """Return the stages of a file."""
    stages: list[Stage] = []
    for instruction in _instructions(dockerfile.read_text()):
        if instruction.word == "FROM":
            stages.append(_begun(instruction))
        elif stages:
            stages[-1].instructions.append(instruction)
        else:
            raise UnknownInstruction(f"before the first FROM: {instruction}")
    return stages


def assignments(instruction: Instruction) -> Iterator[tuple[str, str]]:
    """Yield the names and values of ENV, ARG or LABEL."""
    for assigned in re.finditer(r"([\w.]+)=(\"[^\"]*\"|\S*)", instruction.rest):
        yield assigned[1], assigned[2].strip('"')


def expanded(text: str, environment: dict[str, str]) -> str:
    """Return a text with its variables in place."""
    return VARIABLE.sub(lambda found: environment.get(found[1], ""), text)


def external(stages: Sequence[Stage]) -> Iterator[str]:
    """Yield the images that are no stage of the file itself."""
    known = {stage.name for stage in stages}
    yield from (stage.base for stage in stages if stage.base not in known)


def _begun(instruction: Instruction) -> Stage:
    words = instruction.words
    return Stage(words[0], words[2] if len(words) > 2 else None)


def _instructions(text: str) -> Iterator[Instruction]:
    lines = [line for line in text.splitlines() if line.strip()]
    kept = [line for line in lines if not line.lstrip().startswith("#")]
    for line in "\n".join(kept).replace("\\\n", " ").splitlines():
        word, _, rest = line.partition(" ")
        if word not in SETTINGS | WORK | PROCESSES:
            raise UnknownInstruction(f"{word} is not replayed")
        yield _instruction(word, rest.strip())


def _instruction(word: str, rest: str) -> Instruction:
    flags = {}
    while flag := FLAG.match(rest):
        flags[flag[1]] = flag[2]
        rest = rest[flag.end() :]
    return Instruction(word, flags, rest.strip())
