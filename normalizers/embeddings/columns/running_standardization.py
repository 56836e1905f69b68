"""Standardization by statistics that new data move, as an update policy says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.bases.carried_state import Binding, Carried, read_carried
from normalizers.bases.columns.scales import Measured
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    floats,
    param,
    state,
    unwrap,
)
from normalizers.contract.answer import Rendered
from normalizers.contract.exports import NPZ
from normalizers.data.arrays import Array
from normalizers.embeddings.base.update_policy import (
    UpdatePolicy,
    check_policy,
    decided_policy,
    running_rule,
)
from normalizers.embeddings.columns.standardization import Standardization
from normalizers.errors import InvalidInput
from normalizers.kernels.epsilon import EpsMode, effective_scale
from normalizers.kernels.loc_scale import restore, standardize
from normalizers.statistics import Moments, Quantiles, Running
from normalizers.statistics.drift_guard import DriftGuard

PEERS: Mapping[str, Mapping[str, object]] = {
    "batch_norm": {"update": "ema", "alpha": 0.1},
    "online_norm": {"update": "online"},
    "power_norm": {"update": "rms"},
}
ROWS = {"x": [[0.1, 1.0], [0.9, 0.3], [0.4, 0.5], [0.2, 0.1]]}
CLAMP = 5.0
ROW_EPS = 1e-5
LAYER_EPS = 1e-5


class RunningStandardization(UpdatePolicy, Standardization):
    r"""Standardize columns by statistics that new data move: y = (x - mean) / scale.

    `update` says how. ``merge`` pools all rows exactly, in any split and order. ``replace`` takes
    the newest rows alone, ``frozen`` refuses others after the first. ``ema`` moves mean and biased
    variance by alpha towards those of each batch, as batch normalization does in training; ``rms``
    does so with the mean square, and centres nothing. ``online`` standardizes every row by what
    stood before it, then moves: mean += (1 - a) d, var = a var + a (1 - a) d^2 with
    d = x - mean and `decay` a; its answer carries the state that the next request goes on from.

    Notes
    -----
    All but ``merge`` are fits in order: `partial_fit`, or a version from ``fit`` with ``after``,
    goes on from the one before, and two of them have no sum. What one request sends is one batch,
    unless `batch_size` cuts it; the last, shorter one counts as much. A `start` of
    ``first_batch`` sets the values by the first batch, ``bias_corrected`` divides the weights by
    their sum, ``stated`` begins at `initial_mean` and `initial_variance`. `second_moment`
    ``covariance`` counts how the mean moves too, and steps of one row then give what pandas calls
    the exponentially weighted covariance. `refuse_update` tells of, or leaves out, a batch whose
    mean squares are unlike those of the last four. ``online`` corrects nothing by default: after
    100 inputs of exactly 10 its output is still 2.93 with the decay 0.999; ``bias_corrected`` is
    the better start where no peer is to be met. Columns without spread have scale 1.
    Cost O(n d).

    See Also
    --------
    Standardization : one fit that does not move.

    References
    ----------
    Chan, Golub, LeVeque, 1983 (``merge``); Yuan et al.: RoTTA, 2023 (``ema``); Chiley et al.:
    Online normalization, 2019; Shen et al.: PowerNorm, 2020 (``rms``).

    Examples
    --------
    >>> from normalizers import RunningStandardization
    >>> method = RunningStandardization(update="ema", alpha=0.5).fit([[0.0], [2.0]])
    >>> method.partial_fit([[4.0], [6.0]]).fitted_["loc"].tolist()
    [3.0]
    """

    name = "running_standardization"
    kinds = ("fitted", "ordered", "causal")
    aliases = {"running_stats": {}, **PEERS}
    presets = PEERS
    examples = (
        Example(fit=ROWS, input={"x": [[0.5, 0.5]]}),
        Example(params={"update": "ema"}, fit=ROWS, input={"x": [[0.5, 0.5]]}, name="ema"),
        Example(params={"update": "rms"}, fit=ROWS, input={"x": [[0.5, 0.5]]}, name="rms"),
    )

    scope = None
    group_by = None
    unknown_group = None
    eps: float | None = param(
        default=None,
        resolves="1e-5 for online and rms, else 0",
        ge=0,
        affects="solution",
        help="a peer's epsilon",
    )
    eps_mode: EpsMode | None = param(
        default=None,
        resolves="add_var for online and rms, else none",
        affects="solution",
        help="where eps goes",
    )
    post: Literal["none", "clamp", "row_rms"] | None = param(
        default=None,
        default_value="none",
        affects="answer",
        help="values within -5..5 in the end, or rows of mean square 1",
    )

    @property
    def standard_eps_mode(self) -> EpsMode | None:
        """Where an epsilon goes that is named alone."""
        return "add_var" if self.update in ("online", "rms") else None

    def check(self, path: str) -> None:
        """Refuse what the policy has no use for."""
        check_policy(self, path)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide what the policy leaves open."""
        return {**super().defaults(statistics), **decided_policy(self, LAYER_EPS)}

    @property
    def takes(self) -> Fields:
        """Rows with the columns of the fit; for ``online`` the state that they go on from."""
        return super().takes.with_fields(state=state()) if self.online else super().takes

    @property
    def gives(self) -> Fields:
        """The rows mapped; for ``online`` what each was mapped by, and the state they left."""
        if not self.online:
            return super().gives
        each = {
            "loc": floats("m d", flat="either", leading=True, help="what was subtracted"),
            "scale": floats("m d", flat="either", leading=True, help="what divided"),
        }
        return super().gives.with_fields(**each, state=state(help="what to go on from"))

    @property
    def inverse_takes(self) -> Fields:
        """What the transform gave; after `post` there is no way back."""
        if self.post not in (None, "none"):
            return NO_FIELDS
        taken = {name: field for name, field in self.gives.items() if name != "state"}
        return Fields(**taken)

    @property
    def exports(self) -> tuple[str, ...]:
        """The arrays alone: what is done in the end, and to each row after another, is no map."""
        return (NPZ,)

    @property
    def statistic(self) -> Moments | Quantiles | Running:  # type: ignore[override]
        """Moments, or the values, of all rows; or what batches moved."""
        return Running(running_rule(self)) if self.moves else super().statistic

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """What batches move, and the guard of their updates."""
        if self.refuse_update in (None, "off"):
            return super().keeps
        return {**super().keeps, "drift_guard": DriftGuard(self.guard_warm_up or 1)}

    @property
    def least(self) -> int:
        """Values that a column needs; how many were seen is not known where batches move."""
        return 1 if self.moves else super().least

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows as the policy says."""
        if not self.moves:
            if self.update == "frozen" and not statistics.is_empty:
                raise InvalidInput(
                    "update 'frozen': what was fitted takes no further rows; fit anew", path="fit.x"
                )
            begun = Statistics(self.keeps) if self.update == "replace" else statistics
            return super().accumulate(begun, batch)
        if "drift_guard" not in statistics:
            return super().accumulate(statistics, batch)
        return self._guarded(statistics, batch.array("x"))

    def measured(self, seen: Moments | Quantiles | Running) -> Measured:
        """Return location and scale of each column."""
        if not isinstance(seen, Running):
            return super().measured(seen)
        centred = self.center == "mean" and self.update != "rms"
        loc = seen.mean if centred else np.zeros_like(seen.mean)
        if self.scale == "none":
            return Measured(loc)
        by_square = self.scale == "rms" or self.update == "rms"
        scale = np.sqrt(seen.mean_square if by_square else seen.variance)
        return Measured(loc, scale, seen.constant, is_spread=not by_square)

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the map of each column, and for ``online`` what its rows go on from."""
        fitted = super().solve(statistics)
        if not self.online:
            return fitted
        kept = cast(Running, statistics["running"])
        step = np.array([kept.step], dtype=np.int64)
        found = {"step": step, "mean": kept.mean, "variance": kept.second}
        return replace(fitted, arrays={**fitted.arrays, **found})

    def finish(self, y: Array) -> Array:
        """Return the values within bounds, or rows of mean square 1."""
        if self.post == "clamp":
            return np.clip(y, -CLAMP, CLAMP)
        if self.post == "row_rms":
            return np.asarray(y / np.sqrt(np.mean(y * y, axis=1, keepdims=True) + ROW_EPS))
        return y

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the mapped rows."""
        if not self.online:
            return super().apply(fitted, batch, options)
        x = batch.array("x")
        binding = self._binding(x.shape[1])
        left, moved = self._before(fitted, batch, binding).by_rows(x)
        spread = effective_scale(np.sqrt(moved.variances), unwrap(self.eps), unwrap(self.eps_mode))
        scale = np.where(spread == 0, 1.0, spread)
        output: dict[str, Rendered] = {
            "y": self.finish(standardize(x, moved.means, scale)),
            "loc": moved.means,
            "scale": scale,
            "state": Carried(
                np.array([left.step]), {"mean": left.mean[None], "variance": left.second[None]}
            ).members(binding),
        }
        return Answer(output)

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows behind mapped ones."""
        if not self.online:
            return super().undo(fitted, batch, options)
        return Answer({"x": restore(batch.array("y"), batch.array("loc"), batch.array("scale"))})

    def _before(self, fitted: Fitted, batch: Batch, binding: Binding) -> Running:
        """Return what the rows go on from: the state sent, the fit, or the start."""
        begun = Running(running_rule(self))
        sent = batch.state()
        if sent is not None:
            carried = read_carried(sent, binding, None)
            mean, variance = carried.arrays["mean"][0], carried.arrays["variance"][0]
            return replace(begun, step=int(carried.steps[0]), mean=mean, second=variance)
        if fitted.get("mean") is None:
            return begun.begun(binding.channels)
        step = int(fitted["step"][0])
        return replace(begun, step=step, mean=fitted["mean"], second=fitted["variance"])

    def _binding(self, columns: int) -> Binding:
        rule = running_rule(self)
        shaping = {"alpha": rule.alpha, "start": rule.start}
        arrays = {"mean": CarriedArray(), "variance": CarriedArray(least=0.0)}
        return Binding(self.name, shaping, 1, columns, arrays)

    def _guarded(self, statistics: Statistics, x: Array) -> Statistics:
        """Return what the batches left that the guard lets pass."""
        kept = cast(Running, statistics["running"])
        guard = cast(DriftGuard, statistics["drift_guard"])
        size = kept.rule.batch_size or max(1, len(x))
        for start in range(0, len(x), size):
            rows = x[start : start + size]
            seen = Moments().update(rows)
            after = guard.looked_at(seen.variance() + seen.mean * seen.mean)
            if self.refuse_update == "refuse" and after.is_unlike:
                guard = guard.skipping(after)
            else:
                guard, kept = after, kept.update(rows)
        return statistics.replace(running=kept, drift_guard=guard)
