"""One file through a worker: what is read, asked for, written and said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.cli.console import print_json, say
from app.cli.errors import Misuse
from app.cli.files.formats import STANDARD, Form
from app.cli.files.npy import row_count
from app.cli.files.sink import opened
from app.cli.files.source import Source
from app.cli.files.writer import writer
from app.cli.mapping import Choice
from app.cli.passage import Passage, together
from app.cli.progress import progress
from app.cli.reading import Reader
from app.cli.worker import Worker


@dataclass(frozen=True)
class Job:
    """What a call of transform or inverse asks for.

    Parameters
    ----------
    given : Source or None
        The file to read; None where other files hold every field.
    out : str
        Path of the output, or ``-``.
    form : str
        Form of the output.
    choice : Choice
        Which columns are which field.
    options : mapping
        What each request asks for.
    as_json, quiet : bool
        What is printed.
    """

    given: Source | None
    out: str
    form: Form
    choice: Choice
    options: Mapping[str, object]
    as_json: bool
    quiet: bool

    @property
    def is_whole(self) -> bool:
        """Whether the answer must be one, because its parts are asked for."""
        return bool(self.options.get("explain"))

    def run(self, worker: Worker) -> None:
        """Write the answer, and say what it carries."""
        layout = self.options.get("layout")
        reader = Reader(worker.takes, self.choice, None if layout is None else str(layout))
        if self.given is None and not reader.mapper.beside:
            raise Misuse("name a file to read, or - for standard input")
        passage = Passage(worker, self.options)
        given = [self.given] if self.given is not None else []
        total = row_count(self.given) if self.given is not None else None
        blocks = reader.blocks(given, cut=worker.row_by_row and not self.is_whole)
        with progress("rows", total, quiet=self.quiet) as advance:
            if self.as_json and self.out == STANDARD:
                pieces = list(passage.pieces(blocks, advance))
                outputs = [dict(piece.output) for piece in pieces]
                print_json({**passage.summary.document(), "output": together(outputs)})
                return
            with opened(self.out) as file:
                target = writer(self.form, file, self._delimiter)
                passage.write(blocks, target, advance)
        self._tell(passage, target.left_out)

    @property
    def _delimiter(self) -> str | None:
        return self.given.delimiter if self.given is not None else None

    def _tell(self, passage: Passage, left_out: set[str]) -> None:
        summary = passage.summary
        if self.as_json:
            document = {"file": self.out, **summary.document(), "left_out": sorted(left_out)}
            print_json(document)
        if self.quiet:
            return
        for noted in summary.warnings:
            say(f"warning: {noted['message']} ({noted['code']})")
        for name, places in sorted(summary.flags.items()):
            say(f"flag: {name}, {len(places)} of them; --json -o FILE lists where")
        if left_out:
            say(
                f"note: {self.form} has no room for {', '.join(sorted(left_out))}; .npz, .jsonl "
                "and .safetensors have"
            )
        if self.out != STANDARD:
            say(f"wrote {self.out}")
