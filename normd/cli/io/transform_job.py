"""One file through a backend: what is read, asked for, written and said."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from normd.cli.display.console import json_text, print_json, say, tell_warnings
from normd.cli.display.progress import Advance, progress
from normd.cli.errors import BadFile, Misuse
from normd.cli.files.formats import STANDARD, FileFormat
from normd.cli.files.npy import row_count
from normd.cli.files.sink import opened_table, write_whole
from normd.cli.files.source import Source
from normd.cli.files.writer import writer
from normd.cli.io.backend import Backend
from normd.cli.io.block_transform import BlockTransform, concatenate
from normd.cli.io.grouping import SERIES
from normd.cli.io.mapping import ColumnChoice
from normd.cli.io.reading import Block, Reader
from normd.cli.io.series import STATE, check_layout
from normd.cli.io.transformed import Transformed


@dataclass(frozen=True)
class TransformJob:
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
    state : str or None
        File of the carried state: read before, where it is there, and written after; the way
        back only reads it.
    as_json, quiet : bool
        What is printed.
    into : str, optional
        Name of a new column for the answer.
    transformed : str, optional
        The file that the transform wrote, whose numbers lead each list back.
    """

    given: Source | None
    out: str
    form: FileFormat
    choice: ColumnChoice
    options: Mapping[str, object]
    state: str | None
    as_json: bool
    quiet: bool
    into: str | None = None
    transformed: str | None = None

    def run(self, backend: Backend) -> None:
        """Write the answer, and say what it carries."""
        passage = BlockTransform(
            backend, self.options, carries=self.state is not None, into=self.into
        )
        total = row_count(self.given) if self.given is not None else None
        with progress("rows", total, quiet=self.quiet) as advance:
            blocks = self._blocks(backend)
            if self.as_json and self.out == STANDARD:
                self._print(passage, backend, blocks, advance)
                return
            with opened_table(self.out) as file:
                target = writer(self.form, file, self.given.delimiter if self.given else None)
                passage.write(blocks, target, advance)
        left_out = target.left_out - self._save_state(passage, backend)
        self._tell(passage, left_out)

    def _blocks(self, backend: Backend) -> Iterator[Block]:
        """Return the input; it is one block where the parts of the answer are asked for."""
        layout = self.options.get("layout")
        if backend.takes.fields and backend.takes.main.kind == SERIES:
            check_layout(self.choice.lists, layout)
        sides = None
        if self.transformed is not None:
            sides = Transformed.read(self.transformed, self.choice.lists, backend.takes)
        order = None if layout is None else str(layout)
        reader = Reader(backend.takes, self.choice, order, sides)
        if self.given is None and not reader.mapper.from_files:
            raise Misuse("name a file to read, or - for standard input")
        given = [] if self.given is None else [self.given]
        is_whole = bool(self.options.get("explain")) or self.state is not None
        for block in reader.blocks(given, cut=backend.row_by_row and not is_whole):
            block.values.update(self._carried(backend))
            yield block

    def _carried(self, backend: Backend) -> dict[str, object]:
        """Return the state that an earlier call left."""
        if self.state is None:
            return {}
        if STATE not in backend.takes.fields:
            raise Misuse("--state: this carries no state from one call to the next")
        if not os.path.exists(self.state):
            return {}
        try:
            with open(self.state, encoding="utf-8") as file:
                return {STATE: json.load(file)}
        except (OSError, ValueError):
            raise BadFile(self.state, "this is no file of a carried state, which is JSON") from None

    def _save_state(self, passage: BlockTransform, backend: Backend) -> set[str]:
        """Write the state that the next call goes on from; return what need not be told."""
        carried = passage.summary.carried
        if self.state is None or carried is None:
            return set()
        if backend.action == "inverse":
            # A forecast is no row of the series: the next one goes on from the same state.
            return {STATE}
        write_whole(self.state, json_text(carried).encode())
        return {STATE}

    def _print(
        self, passage: BlockTransform, backend: Backend, blocks: Iterator[Block], advance: Advance
    ) -> None:
        """Print the whole answer as one document."""
        pieces = list(passage.pieces(blocks, advance))
        self._save_state(passage, backend)
        outputs = concatenate([piece.output for piece in pieces])
        print_json({**passage.summary.document(), "output": outputs})

    def _tell(self, passage: BlockTransform, left_out: set[str]) -> None:
        summary = passage.summary
        if self.as_json:
            print_json({"file": self.out, **summary.document(), "left_out": sorted(left_out)})
        if self.quiet:
            return
        tell_warnings(summary.warnings)
        for name, places in sorted(summary.flags.items()):
            say(f"flag: {name}, {len(places)} of them; --json -o FILE lists where")
        if STATE in left_out:
            say("note: the state to go on from is not kept; --state FILE.json keeps it")
        if left_out - {STATE}:
            names = ", ".join(sorted(left_out - {STATE}))
            say(f"note: {self.form} has no room for {names}; .npz, .jsonl and .safetensors have")
        if self.out != STANDARD:
            say(f"wrote {self.out}")
