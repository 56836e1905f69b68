"""Which parameters of bounds fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, cast

from normalizers.errors import InvalidParams

Bounds: TypeAlias = Literal["observed", "percentile", "fixed"]
EndMode: TypeAlias = Literal["clip", "extend", "ignore", "apply"]
PERCENT = 100.0
# Parameters that have a meaning with one kind of bounds only.
BELONGS_TO = {
    "lower": "fixed",
    "upper": "fixed",
    "lower_mode": "fixed",
    "upper_mode": "fixed",
    "quantile_range": "percentile",
    "quantiles_exact_limit": "percentile",
}


def check_bounds(
    bounds: Bounds | None, scope: str | None, given: Mapping[str, object], path: str
) -> None:
    """Refuse parameters of other bounds, and ends that cannot be ends."""
    for name, owner in BELONGS_TO.items():
        if name in given and bounds != owner:
            raise InvalidParams(f"'{name}' needs bounds: '{owner}'", path=f"{path}.{name}")
    if bounds == "fixed":
        _check_fixed(scope, given, path)
    if "quantile_range" in given:
        check_quantile_range(cast(Sequence[float], given["quantile_range"]), path)


def check_quantile_range(quantile_range: Sequence[float], path: str) -> None:
    """Refuse what is not two percentiles."""
    low, high = quantile_range
    if not 0 <= low < high <= PERCENT:
        raise InvalidParams(
            "quantile_range is two percentiles, 0 <= low < high <= 100",
            path=f"{path}.quantile_range",
        )


def _check_fixed(scope: str | None, given: Mapping[str, object], path: str) -> None:
    if scope == "fitted":
        raise InvalidParams("fixed bounds need no fit: leave out scope", path=f"{path}.scope")
    for end in ("lower", "upper"):
        if end not in given and given.get(f"{end}_mode") != "ignore":
            raise InvalidParams(f"bounds 'fixed' need '{end}'", path=f"{path}.{end}")
    lower, upper = (cast("float | None", given.get(end)) for end in ("lower", "upper"))
    if lower is not None and upper is not None and lower >= upper:
        raise InvalidParams("lower must be below upper", path=f"{path}.lower")
