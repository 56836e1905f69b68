"""Files through a backend into an output, block by block."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from normalizers.contract.answer import Answer
from normd.cli.errors import Misuse
from normd.cli.files.piece import Piece
from normd.cli.files.writer import Writer
from normd.cli.io.backend import Backend
from normd.cli.io.output_columns import INTO, check_into, list_names, new_names, passthrough
from normd.cli.io.reading import Block, relocated_rows
from normd.cli.io.series import STATE, Asked, plain_output
from normd.wire.field_specs import FieldSpecs


@dataclass
class Summary:
    """What all answers said together.

    Parameters
    ----------
    rows : int
        Rows that were answered.
    blocks : int
        Requests that it took.
    flags : dict
        By name: positions in the whole input.
    warnings : list
        Each once.
    last : Answer, optional
        The last answer.
    carried : object, optional
        The state to go on from; by series where a column tells them.
    series : sequence of str, optional
        What the series are called, in the order of the answer.
    """

    rows: int = 0
    blocks: int = 0
    flags: dict[str, list[list[int]]] = field(default_factory=dict)
    warnings: list[Mapping[str, object]] = field(default_factory=list)
    last: Answer | None = None
    carried: object | None = None
    series: Sequence[str] | None = None

    def add(self, answer: Answer, start: int, of_columns: Collection[str] = ()) -> None:
        """Add the answer to a block that starts at this row, list or window.

        Columns that are flagged, `of_columns`, are those of every block.
        """
        for name, places in answer.flags.items():
            found = np.array(places, dtype=np.int64, copy=True)
            if found.size and name not in of_columns:
                found[(..., 0) if found.ndim > 1 else ...] += start
            known = self.flags.setdefault(name, [])
            rows = found.tolist()
            known.extend(rows if name not in of_columns else [n for n in rows if n not in known])
        for noted in answer.warnings:
            if noted.as_dict() not in self.warnings:
                self.warnings.append(noted.as_dict())
        self.last = answer
        self.blocks += 1

    def document(self) -> dict[str, object]:
        """Return it as one JSON document."""
        last = self.last
        served = {name: getattr(last, name, None) for name in ("method", "name", "version", "hash")}
        found: dict[str, object] = {
            **{name: value for name, value in served.items() if value},
            "rows": self.rows,
            **({"series": list(self.series)} if self.series is not None else {}),
            "flags": self.flags,
            "warnings": self.warnings,
        }
        if last is not None:
            found["effective_params"] = last.effective_params
        if last is not None and self.blocks == 1:
            found |= {
                name: value
                for name, value in (("report", last.report), ("explain", last.explain))
                if value is not None
            } | dict(last.extra)
        return found


class BlockTransform:
    """Blocks through a backend.

    Parameters
    ----------
    backend : Backend
        What answers.
    options : mapping
        What each request asks for.
    carries : bool
        Whether the state of the answer is wanted.
    into : str, optional
        Name of a new column for the main output; the columns it is made of stay.
    """

    def __init__(
        self,
        backend: Backend,
        options: Mapping[str, object],
        *,
        carries: bool = False,
        into: str | None = None,
    ) -> None:
        self.backend, self.options, self.carries, self.into = backend, options, carries, into
        self.summary = Summary()
        self._keeps_names = keeps_names(backend.takes, backend.gives)

    def pieces(self, blocks: Iterator[Block], advance: Callable[[int], None]) -> Iterator[Piece]:
        """Yield what each block is answered."""
        start = 0
        for block in blocks:
            with relocated_rows(start):
                output = self._output(block, start)
            self.summary.rows += block.rows
            start += _length(next(iter(output.values())))
            yield self._piece(block, output)
            advance(block.rows)

    def write(
        self, blocks: Iterator[Block], writer: Writer, advance: Callable[[int], None]
    ) -> None:
        """Write what each block is answered."""
        for piece in self.pieces(blocks, advance):
            writer.add(piece)
        writer.finish()

    def _output(self, block: Block, start: int) -> dict[str, object]:
        """Return what a block is answered, and note what the answer carries."""
        if block.groups is not None:
            asked = Asked(self.backend, self.options, block.groups, carries=self.carries)
            answers, output = asked.answers(block.values)
            for place, answer in enumerate(answers):
                self.summary.add(answer, start + place, self.backend.column_flags)
            self.summary.series = block.groups.names
        else:
            answer = self.backend.answer(block.values, self.options)
            self.summary.add(answer, start, self.backend.column_flags)
            output = {name: plain_output(value) for name, value in answer.output.items()}
        self.summary.carried = output.get(STATE)
        if self.carries and self.summary.carried is None:
            raise Misuse("--state: this answer carries no state to the next call")
        return output

    def _piece(self, block: Block, output: Mapping[str, object]) -> Piece:
        """Return what is to be written; columns stand beside an answer of as many rows only."""
        main = next(iter(output.values()))
        names, kept = self._names(block, output), block.kept
        if self.into is not None:
            check_into(self.into, block)
            name = next(iter(output))
            names[name] = new_names(self.into, names.get(name, ()), main)
            kept = passthrough(block, output)
        if block.groups is not None and block.groups.has_rows_of(main):
            return Piece(output, kept, names, flat=True, order=block.order, groups=block.groups)
        if block.grouped and isinstance(main, list) and sum(map(len, main)) == block.rows:
            return Piece(output, kept, names, flat=True, order=block.order)
        if not block.grouped and _length(main) == block.rows:
            listed = list_names(block, output, self.into)
            return Piece(output, kept, names, order=block.order, listed=listed, into=self.into)
        if self.into is not None:
            raise Misuse(f"{INTO} {self.into}: the answer has not one value for each row")
        return Piece(output)

    def _names(self, block: Block, output: Mapping[str, object]) -> dict[str, Sequence[str]]:
        """Return the names of output columns that the input has."""
        main = next(iter(output))
        same = {name: found for name, found in block.columns.items() if name in output}
        if self._keeps_names or (block.groups is not None and main not in same):
            return {**same, main: block.names}
        return same


def keeps_names(takes: FieldSpecs, gives: FieldSpecs) -> bool:
    """Return whether the columns of the main output are those of the main input."""
    return bool(takes and gives) and takes.main.axes == gives.main.axes


def _length(value: object) -> int:
    if isinstance(value, np.ndarray):
        return len(value) if value.ndim else 1
    return len(value) if isinstance(value, Sequence) else 0


def concatenate(outputs: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the outputs of several blocks as one."""
    if len(outputs) == 1:
        return dict(outputs[0])
    return {name: _joined([output[name] for output in outputs]) for name in outputs[0]}


def _joined(parts: Sequence[object]) -> object:
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if len(arrays) == len(parts):
        return np.concatenate(arrays)
    return [item for part in parts if isinstance(part, list) for item in part]
