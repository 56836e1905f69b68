"""Causal methods: any chunking gives the same bits, and a state belongs to what made it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from normalizers.errors import IncompatibleState, NormalizerError
from normalizers.testing.capabilities import carries_state, causal, of
from normalizers.testing.cases import Case
from normalizers.testing.compare import assert_identical
from normalizers.testing.refusals import raises

TIME = 1
CHUNKS = ((1,) * 9, (4, 5), (8, 1), (2, 0, 3, 4))
STATE = "state"


@of(carries_state)
def check_chunks_equal_one_request(case: Case) -> None:
    """Every chunking, the state carried through JSON, gives the bits of one request."""
    whole = case.answer().output
    for lengths in CHUNKS:
        outputs, state = [], None
        for stop, length in zip(np.cumsum(lengths), lengths, strict=True):
            given = _steps(case, int(stop) - length, int(stop))
            given |= {STATE: state} if state is not None else {}
            answer = case.answer(given).output
            outputs.append(answer)
            state = _through_json(answer[STATE])
        for name in whole.keys() - {STATE}:
            joined = np.concatenate([np.asarray(output[name]) for output in outputs], axis=TIME)
            assert_identical(joined, whole[name], f"{name} in {lengths}")
        assert_identical(state, _through_json(whole[STATE]))


@of(causal)
def check_answers_ignore_the_future(case: Case) -> None:
    """What later rows hold changes no earlier answer."""
    whole = case.answer().output[case.output]
    rows = _rows(case)
    for length in range(1, rows.shape[TIME]):
        changed = rows.copy()
        changed[:, length:] = 1e6
        output = case.answer({**case.given(), case.main: changed}).output[case.output]
        assert_identical(np.asarray(output)[:, :length], np.asarray(whole)[:, :length])


@of(carries_state)
def check_state_is_bound_to_what_made_it(case: Case) -> None:
    """Another number of windows or channels, another step, or a spoilt state is refused."""
    rows = _rows(case)
    state = case.answer().output[STATE]
    assert isinstance(state, Mapping)
    for other in (rows[:1], rows[..., :1]):
        with raises(IncompatibleState):
            case.answer({**case.given(), case.main: other, STATE: state})
    for spoilt in ({}, {**state, "more": 1}, *_without_each(state), *_broken(state)):
        with raises(NormalizerError):
            case.answer({**case.given(), STATE: spoilt})
    if "start_step" in case.resolved_method.traits.options:
        with raises(IncompatibleState):
            case.answer({**case.given(), STATE: state}, start_step=rows.shape[TIME] + 1)
        case.answer({**case.given(), STATE: state}, start_step=rows.shape[TIME])


@of(carries_state)
def check_a_state_is_not_used_up(case: Case) -> None:
    """The same state and rows give the same answer again: a retry is safe."""
    state = case.answer().output[STATE]
    given = {**case.given(), STATE: state}
    assert_identical(case.answer(given).output, case.answer(given).output)


def _steps(case: Case, start: int, stop: int) -> dict[str, object]:
    """Return what stands at some steps: rows, and a label for each."""
    given: dict[str, object] = {}
    for name, value in case.given().items():
        along = case.takes[name].shape[:1] == ("t",)
        array = np.asarray(value, dtype=object if along else None)
        given[name] = array[start:stop] if along else array[:, start:stop]
    return given


def _rows(case: Case) -> np.ndarray:
    return np.asarray(case.given()[case.main])


def _through_json(state: object) -> object:
    def plain(node: object) -> object:
        if isinstance(node, np.ndarray):
            return plain(node.tolist())
        if isinstance(node, Mapping):
            return {key: plain(child) for key, child in node.items()}
        if isinstance(node, list):
            return [plain(child) for child in node]
        return None if isinstance(node, float) and np.isnan(node) else node

    return json.loads(json.dumps(plain(state), allow_nan=False))


def _without_each(state: Mapping[str, object]) -> list[dict[str, object]]:
    return [{key: state[key] for key in state if key != left_out} for left_out in state]


def _broken(state: Mapping[str, object]) -> list[dict[str, object]]:
    """Return the state with each member replaced by nonsense of another type."""
    return [{**state, name: "nonsense"} for name in state]
