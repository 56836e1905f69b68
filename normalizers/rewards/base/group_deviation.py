"""What divides the rewards of a group: its deviation, and a trainer's epsilon."""

from __future__ import annotations

from normalizers.contract.parameters import param
from normalizers.normalizer import Normalizer
from normalizers.rewards.base.advantages import EpsMode


class GroupDeviation(Normalizer):
    """Base of the rewards that are divided by a deviation within their group."""

    ddof: int | None = param(
        default=None, default_value=1, ge=0, affects="answer", help="variance = m2 / (n - ddof)"
    )
    eps: float | None = param(
        default=None, default_value=1e-4, ge=0, affects="answer", help="a trainer's epsilon"
    )
    eps_mode: EpsMode | None = param(
        default=None,
        default_value="add_std",
        affects="answer",
        help="where it goes: deviation + eps, or max(deviation, eps)",
    )
