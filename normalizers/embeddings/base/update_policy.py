"""How new rows move what was fitted: the words of update policies."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from annotated_types import Ge, Gt, Le, Lt

from normalizers.contract import param
from normalizers.contract.method import Kind
from normalizers.contract.spellings import Spelling, alpha_of_span, complement
from normalizers.errors import InvalidParams
from normalizers.normalizer import Normalizer
from normalizers.statistics.running import RunningRule, SecondMoment, Start

Update: TypeAlias = Literal["merge", "replace", "frozen", "ema", "online", "rms"]
Number: TypeAlias = Annotated[float, Ge(0)]
MOVING = ("ema", "online", "rms")
# What each policy's own layers use.
ALPHAS = {"ema": 0.05, "online": 0.001, "rms": 0.1}
OF_MOVING = (
    "alpha",
    "decay",
    "span",
    "batch_size",
    "start",
    "initial_mean",
    "initial_variance",
    "second_moment",
    "guard_warm_up",
)
STATED = ("initial_mean", "initial_variance")
OF_VALUES = ("mean_abs_dev", "mad")


class UpdatePolicy(Normalizer):
    """Mixed in before the base of a method whose statistics new data move."""

    update: Update | None = param(
        default=None,
        default_value="merge",
        affects="statistics",
        help="how new rows move what was fitted",
    )
    alpha: Annotated[float, Gt(0), Le(1)] | None = param(
        default=None,
        resolves="0.05 for ema, 0.001 for online, 0.1 for rms",
        affects="statistics",
        help="weight of the newest batch",
    )
    decay: Annotated[float, Ge(0), Lt(1)] | None = param(
        default=None,
        affects="statistics",
        spells=Spelling("alpha", complement),
        help="1 - alpha: what is left of what was before",
    )
    span: Annotated[float, Ge(1)] | None = param(
        default=None,
        affects="statistics",
        spells=Spelling("alpha", alpha_of_span),
        help="alpha = 2 / (span + 1)",
    )
    batch_size: int | None = param(
        default=None,
        resolves="all rows of a request; 1 for online",
        ge=1,
        affects="statistics",
        help="rows of one step",
    )
    start: Start | None = param(
        default=None,
        resolves="first_batch; stated for online",
        affects="statistics",
        help="how the first batch counts",
    )
    initial_mean: float | list[float] | None = param(
        default=None,
        resolves="0 for start 'stated'",
        affects="statistics",
        help="the mean before the first batch, of all columns or of each",
    )
    initial_variance: Number | list[Number] | None = param(
        default=None,
        resolves="1 for start 'stated'",
        affects="statistics",
        help="the second moment before the first batch, of all columns or of each",
    )
    second_moment: SecondMoment | None = param(
        default=None,
        resolves="variance; mean_square for rms",
        affects="statistics",
        help="what is kept beside the mean",
    )
    refuse_update: Literal["off", "report", "refuse"] | None = param(
        default=None,
        default_value="off",
        affects="statistics",
        help="what is done with a batch that is unlike the last ones",
    )
    guard_warm_up: int | None = param(
        default=None,
        resolves="4000 where updates may be refused",
        ge=1,
        affects="statistics",
        help="batches before any is refused",
    )

    @property
    def moves(self) -> bool:
        """Whether every batch moves what those before it left."""
        return self.update in MOVING

    @property
    def online(self) -> bool:
        """Whether a row is standardized by what stood before it."""
        return self.update == "online"

    @property
    def acts_as(self) -> tuple[Kind, ...]:
        """Fitted; in order unless rows are pooled; causal where rows are steps."""
        if self.update in (None, "merge"):
            return ("fitted",)
        return ("fitted", "ordered", "causal") if self.online else ("fitted", "ordered")

    @property
    def stateless(self) -> bool:
        """Whether it begins by itself."""
        return self.online


def check_policy(policy: UpdatePolicy, path: str) -> None:
    """Refuse parameters that the policy has no use for."""
    update, scale = policy.update or "merge", getattr(policy, "scale", None)
    for name in OF_MOVING:
        if getattr(policy, name) is not None and update not in MOVING:
            raise InvalidParams(
                f"{name} belongs to update 'ema', 'online' or 'rms', not '{update}'",
                path=f"{path}.{name}",
            )
    if getattr(policy, "weight_kind", None) not in (None, "none") and update in MOVING:
        raise InvalidParams(
            f"update '{update}' moves by batches, not by weights of rows",
            path=f"{path}.weight_kind",
        )
    if policy.refuse_update not in (None, "off") and update not in MOVING:
        raise InvalidParams(
            f"update '{update}' keeps no order of batches that one could be refused in",
            path=f"{path}.refuse_update",
        )
    if scale in OF_VALUES and update not in ("replace", "frozen"):
        raise InvalidParams(
            f"scale '{scale}' needs the values: update 'replace' or 'frozen'",
            path=f"{path}.scale",
        )
    for name in STATED:
        if getattr(policy, name) is not None and _start(policy) != "stated":
            raise InvalidParams(f"{name} belongs to start 'stated'", path=f"{path}.{name}")
    _check_second_moment(policy, update, path)


def decided_policy(policy: UpdatePolicy, layer_eps: float) -> dict[str, object]:
    """Return the parameters that follow from the policy where they are not given."""
    if policy.update in ("online", "rms"):
        eps: dict[str, object] = {"eps": layer_eps, "eps_mode": "add_var"}
        if getattr(policy, "eps", None) == 0:
            eps["eps_mode"] = "none"
    else:
        eps = {"eps": 0.0, "eps_mode": "none"}
    if policy.update not in MOVING:
        return eps
    decided: dict[str, object] = {
        "start": _start(policy),
        "second_moment": policy.second_moment or _kept(policy),
    }
    if policy.decay is None and policy.span is None:
        decided["alpha"] = ALPHAS[str(policy.update)]
    if policy.update == "online":
        decided["batch_size"] = 1
    if _start(policy) == "stated":
        decided |= {"initial_mean": 0.0, "initial_variance": 1.0}
    if policy.refuse_update not in (None, "off"):
        decided["guard_warm_up"] = 4000
    return {**eps, **decided}


def running_rule(policy: UpdatePolicy) -> RunningRule:
    """Return how a batch moves what is kept."""
    kept = policy.second_moment or _kept(policy)
    return RunningRule(
        policy.update or "ema",
        _alpha(policy),
        kept,
        _start(policy),
        _numbers(policy.initial_mean, 0.0),
        _numbers(policy.initial_variance, 1.0),
        with_moves=policy.update == "online",
        batch_size=1 if policy.update == "online" else policy.batch_size,
    )


def _check_second_moment(policy: UpdatePolicy, update: str, path: str) -> None:
    implied = {"online": "variance", "rms": "mean_square"}.get(update)
    if implied is not None and policy.second_moment not in (None, implied):
        raise InvalidParams(
            f"update '{update}' keeps {implied}, not {policy.second_moment}",
            path=f"{path}.second_moment",
        )
    if update == "online" and policy.batch_size not in (None, 1):
        raise InvalidParams("update 'online' goes row by row", path=f"{path}.batch_size")
    if update == "ema" and policy.batch_size == 1 and policy.second_moment in (None, "variance"):
        raise InvalidParams(
            "a batch of one row has no variance: second_moment 'covariance' counts how the mean "
            "moves, 'mean_square' needs no spread",
            path=f"{path}.second_moment",
        )


def _start(policy: UpdatePolicy) -> Start:
    return policy.start or ("stated" if policy.update == "online" else "first_batch")


def _kept(policy: UpdatePolicy) -> SecondMoment:
    return "mean_square" if policy.update == "rms" else "variance"


def _alpha(policy: UpdatePolicy) -> float:
    alpha = policy.in_one_spelling().alpha
    return alpha if alpha is not None else ALPHAS.get(str(policy.update), 0.05)


def _numbers(value: float | list[float] | None, standard: float) -> tuple[float, ...]:
    if isinstance(value, list):
        return tuple(map(float, value))
    return (standard if value is None else value,)
