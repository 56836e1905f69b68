"""Series that a column tells apart: asked for together, or one by one where each has a state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from normalizers.contract.answer import Answer
from normalizers.data.ragged import Ragged
from normalizers.messages import quoted
from normd.cli.errors import Misuse
from normd.cli.io.backend import Backend
from normd.cli.io.grouping import SERIES_AXES, Groups, is_by_series, is_by_step
from normd.cli.io.padding import channels_of, series, windows

STATE = "state"
LAYOUT = "layout"
TOGETHER, ALONE = "ragged", "T"
WINDOWS, ALONE_IN_CHANNELS = "NTC", "TC"
Output = dict[str, object]


@dataclass(frozen=True)
class Asked:
    """What answers, for the series of one table.

    Parameters
    ----------
    backend : Backend
        What answers.
    options : mapping
        What each request asks for.
    groups : Groups
        The series.
    carries : bool
        Whether each series has a state that goes on.
    """

    backend: Backend
    options: Mapping[str, object]
    groups: Groups
    carries: bool

    def answers(self, values: Mapping[str, object]) -> tuple[list[Answer], Output]:
        """Return the answers in the order of the series, and their output by series."""
        main = self.backend.takes.main
        channels = channels_of(values.get(main.name))
        if channels > 1 and any(map(self._is_wide, values)):
            raise Misuse("columns of quantiles are of one channel: name its column by --columns")
        # What stands beside the steps of one series is not that of another.
        apart = self.carries or any(map(self._is_by_step, values))
        if not apart and (channels > 1 or (channels and not main.ragged)):
            options = {**self.options, LAYOUT: WINDOWS}
            answer = self.backend.answer(windows(values, channels), options)
            answer, cut = series(answer, self.groups.lengths)
            return [answer], cut
        if not apart and not any(map(self._is_wide, values)):
            answer = self.backend.answer(values, {**self.options, LAYOUT: TOGETHER})
            return [answer], {name: plain_output(value) for name, value in answer.output.items()}
        options = {**self.options, LAYOUT: ALONE if channels <= 1 else ALONE_IN_CHANNELS}
        found = [self.backend.answer(part, options) for part in self._parts(values)]
        output: Output = {
            name: self._joined([answer.output[name] for answer in found])
            for name in found[0].output
            if name != STATE
        }
        if STATE in found[0].output:
            new = zip(self.groups.names, (answer.output[STATE] for answer in found), strict=True)
            output[STATE] = {**_states(values), **dict(new)}
        return found, output

    def _is_wide(self, name: str) -> bool:
        return len(self.backend.takes.fields[name].axes) > SERIES_AXES

    def _is_by_step(self, name: str) -> bool:
        return is_by_step(self.backend.takes.fields[name], self.backend.takes.main)

    def _parts(self, values: Mapping[str, object]) -> Iterator[Output]:
        """Yield the fields of each series."""
        fields, states = self.backend.takes.fields, _states(values)
        for place, label in enumerate(self.groups.names):
            part: Output = {
                name: _part(value, place)
                if is_by_series(fields[name], self.backend.takes.main) or self._is_by_step(name)
                else value
                for name, value in values.items()
                if name != STATE
            }
            yield part | ({STATE: states[label]} if label in states else {})

    def _joined(self, parts: Sequence[object]) -> object:
        """Return lists of steps, or what each series has once: a number, or one a channel."""
        arrays = [np.asarray(part) for part in parts]
        if [array.shape[:1] for array in arrays] == [(length,) for length in self.groups.lengths]:
            return arrays
        once = np.stack([array.reshape(-1) for array in arrays])
        return once[:, 0] if once.shape[1] == 1 else once


def plain_output(value: object) -> object:
    """Return an output as it is written: ragged lists as a list of arrays."""
    return list(value) if isinstance(value, Ragged) else value


def check_layout(lists: str | None, layout: object) -> None:
    """Refuse an order of axes where a column tells the series."""
    if lists is not None and layout not in (None, TOGETHER):
        raise Misuse(f"--layout {layout}: leave it out; --list tells which series a row belongs to")


def _part(value: object, place: int) -> object:
    if isinstance(value, np.ndarray):
        return value[place : place + 1] if value.ndim == 1 else value[place][np.newaxis]
    return value[place] if isinstance(value, list) else value


def _states(values: Mapping[str, object]) -> Mapping[str, object]:
    """Return the carried states by series."""
    states = values.get(STATE, {})
    if not isinstance(states, Mapping):
        raise Misuse("--state: with --list the file holds an object with one state a series")
    for label, state in states.items():
        if not isinstance(state, Mapping):
            raise Misuse(
                f"--state: {quoted(str(label))} has no state in this file; with --list it holds "
                "one a series, and the file of a call without --list is another"
            )
    return states
