"""Running standardization: policies, order, the state of rows, the guard."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import RunningStandardization, Standardization
from normalizers.errors import (
    IncompatibleState,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    UnsupportedOperation,
)
from normalizers.normalizer import load

X = np.random.default_rng(8).normal(2.0, 3.0, size=(24, 3))


@pytest.mark.parametrize("sizes", [(24,), (1,) * 24, (5, 19), (7, 7, 10)])
def test_merged_batches_equal_one_fit(sizes: tuple[int, ...]) -> None:
    method = RunningStandardization(ddof=1)
    for part in np.split(X, np.cumsum(sizes)[:-1]):
        method.partial_fit(part)
    whole = Standardization(ddof=1).fit(X)
    for name in ("loc", "scale"):
        np.testing.assert_allclose(method.fitted_[name], whole.fitted_[name], rtol=1e-12)


def test_k13_an_ordered_fit_goes_on_from_the_one_before(tmp_path: Path) -> None:
    method = RunningStandardization(update="ema", alpha=0.5).fit(X[:8])
    method.partial_fit(X[8:16])
    method.save(tmp_path / "so-far.safetensors")
    again = load(tmp_path / "so-far.safetensors")
    again.partial_fit(X[16:])  # type: ignore[union-attr]
    method.partial_fit(X[16:])
    means = [X[start : start + 8].mean(axis=0) for start in (0, 8, 16)]
    expected = 0.25 * means[0] + 0.25 * means[1] + 0.5 * means[2]
    np.testing.assert_allclose(method.fitted_["loc"], expected, rtol=1e-14)
    np.testing.assert_array_equal(again.fitted_["loc"], method.fitted_["loc"])


def test_k13_two_ordered_fits_have_no_sum() -> None:
    first, other = (RunningStandardization(update="ema").fit(part) for part in (X[:9], X[9:]))
    with pytest.raises(IncompatibleStatistics, match="fitted in order with these parameters"):
        first.merge(other)


def test_what_is_replaced_or_frozen() -> None:
    newest = RunningStandardization(update="replace").fit(X[:9]).partial_fit(X[9:])
    np.testing.assert_allclose(newest.fitted_["loc"], X[9:].mean(axis=0), rtol=1e-14)
    frozen = RunningStandardization(update="frozen", scale="mad").fit(X[:9])
    with pytest.raises(InvalidInput, match="takes no further rows"):
        frozen.partial_fit(X[9:])


def test_the_mean_square_divides_and_nothing_is_centred() -> None:
    method = RunningStandardization(update="rms", decay=0.5).fit(X[:12]).partial_fit(X[12:])
    square = 0.5 * np.mean(X[:12] ** 2, axis=0) + 0.5 * np.mean(X[12:] ** 2, axis=0)
    np.testing.assert_allclose(method.transform(X), X / np.sqrt(square + 1e-5), rtol=1e-12)


def test_a_row_is_standardized_by_what_stood_before_it() -> None:
    method = RunningStandardization(update="online")
    outputs = method.transform(np.full((101, 1), 10.0))
    assert round(float(outputs[100, 0]), 2) == 2.93
    corrected = RunningStandardization(update="online", start="bias_corrected")
    assert abs(corrected.transform(np.full((101, 1), 10.0))[100, 0]) < 1e-9


def test_a_state_goes_on_and_belongs_to_what_made_it() -> None:
    method = RunningStandardization(update="online", decay=0.9)
    whole = method.apply_to(X)
    first = method.apply_to(X[:10])
    rest = method.apply_to(X[10:], state=first.output["state"])
    np.testing.assert_array_equal(rest.output["y"], whole.output["y"][10:])
    np.testing.assert_allclose(
        method.inverse_to(*[whole.output[n] for n in ("y",)], loc=whole.output["loc"],
                          scale=whole.output["scale"]).output["x"], X, rtol=1e-12
    )  # fmt: skip
    with pytest.raises(IncompatibleState, match="another alpha, start"):
        RunningStandardization(update="online").apply_to(X, state=first.output["state"])
    with pytest.raises(IncompatibleState, match="windows or channels"):
        method.apply_to(X[:, :2], state=first.output["state"])


def test_a_fit_in_order_is_what_rows_go_on_from() -> None:
    method = RunningStandardization(update="online", decay=0.9)
    whole = method.transform(X)
    fitted = RunningStandardization(update="online", decay=0.9).fit(X[:10])
    np.testing.assert_allclose(fitted.transform(X[10:]), whole[10:], rtol=1e-13)


def test_what_is_done_in_the_end() -> None:
    x = np.concatenate([X, np.full((1, 3), 1e6)])
    clamped = RunningStandardization(post="clamp").fit(X)
    assert clamped.transform(x)[-1].tolist() == [5.0, 5.0, 5.0]
    rows = RunningStandardization(post="row_rms").fit(X).transform(X)
    np.testing.assert_allclose(np.mean(rows**2, axis=1), 1.0, atol=1e-3)
    with pytest.raises(UnsupportedOperation):
        clamped.inverse_transform(X)


def test_a_batch_that_is_unlike_the_others_is_left_out() -> None:
    rng = np.random.default_rng(9)
    batches = [rng.normal(size=(50, 2)) for _ in range(12)]
    kept = {"update": "ema", "guard_warm_up": 8}
    methods = {
        word: RunningStandardization(refuse_update=word, **kept) for word in ("report", "refuse")
    }
    for word, method in methods.items():
        for batch in batches:
            method.partial_fit(batch)
        before, skipped = method.fitted_["scale"], _skipped(method)
        method.partial_fit(rng.normal(size=(50, 2)) * [1.0, 100.0])
        told = method.report_["statistics"]["drift_guard"]  # type: ignore[index]
        assert told["excess"][1] > 1
        moved = bool((method.fitted_["scale"] != before).any())
        left_out = _skipped(method) - skipped
        assert (left_out, moved) == ((1, False) if word == "refuse" else (0, True))


def _skipped(method: RunningStandardization) -> int:
    return int(method.report_["statistics"]["drift_guard"]["skipped"])  # type: ignore[index]


@pytest.mark.parametrize(
    ("params", "what"),
    [
        ({"alpha": 0.1}, "alpha belongs to update"),
        ({"update": "ema", "alpha": 0.1, "decay": 0.9}, "give one of alpha, decay, span"),
        ({"update": "ema", "scale": "mad"}, "needs the values"),
        ({"update": "ema", "initial_mean": 1.0}, "belongs to start 'stated'"),
        ({"update": "rms", "second_moment": "variance"}, "keeps mean_square"),
        ({"update": "online", "batch_size": 2}, "row by row"),
        ({"update": "ema", "batch_size": 1}, "a batch of one row has no variance"),
        ({"update": "ema", "weight_kind": "frequency"}, "not by weights of rows"),
        ({"refuse_update": "refuse"}, "keeps no order of batches"),
    ],
)
def test_what_a_policy_has_no_use_for_is_refused(params: dict[str, object], what: str) -> None:
    with pytest.raises(InvalidParams, match=what):
        RunningStandardization(**params).fit(X)


def test_spellings_of_one_weight_give_one_fit() -> None:
    spelled = [{"alpha": 0.2}, {"decay": 0.8}, {"span": 9.0}]
    found = [
        RunningStandardization(update="ema", **one).fit(X[:9]).partial_fit(X[9:]).fitted_["loc"]
        for one in spelled
    ]
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-14)
