"""What every normalizer shares that has a scope: statistics of the list itself, or stored ones."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast

import numpy as np

from normalizers.contract import Answer, Batch, Fields, Fitted, Method, Statistics, lists, param
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams, position_text
from normalizers.scores.base.flags import flag_out_of_range
from normalizers.scores.base.score_method import InfPolicy as InfPolicy
from normalizers.scores.base.score_method import NanPolicy as NanPolicy
from normalizers.scores.base.score_method import ScoreMethod
from normalizers.scores.lists.base.loc_scale_of_lists import loc_scale_fields
from normalizers.statistics.base.magnitude import STORABLE, unstorable
from normalizers.statistics.base.stacking import Stackable

Scope: TypeAlias = Literal["query", "fitted", "list", "frozen"]
# The methods whose statistics are by group, window or column have a prefix in their names.
PREFIXES = {"group": "group", "window": "window", "channel": "channel", "column": "channel"}
SCOPE_ALIASES = {"list": "query", "frozen": "fitted"}


def read_scope(method: Method, scope: object, path: str) -> object:
    """Return the canonical word for a scope.

    Raises
    ------
    InvalidParams
        For the scope of another kind of statistics, naming the method that has it.
    """
    if isinstance(scope, str) and scope in PREFIXES:
        raise InvalidParams(
            f"the scope of '{method.name}' is 'query' or 'fitted'; statistics by "
            f"'{scope}' are those of '{PREFIXES[scope]}_{method.name}'",
            path=path,
        )
    return SCOPE_ALIASES.get(scope, scope) if isinstance(scope, str) else scope


class ScopedScoreMethod(ScoreMethod):
    """Base of the methods that measure a list by itself or by a stored sample.

    A scope that is not named is ``fitted`` when there is a fit, else ``query``.
    """

    kinds = ("stateless", "fitted")

    scope: Scope | None = param(
        default=None,
        read=read_scope,
        fits_when=lambda scope: scope != "query",
        resolves="fitted when there is a fit, else query",
        affects="statistics",
        help="whose statistics: of the one list sent (query), or stored ones (fitted)",
    )

    @property
    def is_fitted_scope(self) -> bool:
        """Whether the resolved scope is ``fitted``."""
        return self.scope == "fitted"

    @property
    def stateless(self) -> bool:
        """Whether it can be applied without a fit: unless ``fitted`` is named."""
        return not self.is_fitted_scope

    @property
    def gives_loc_scale(self) -> bool:
        """Whether the answer carries a list's own ``loc`` and ``scale``; stored ones are known."""
        return not self.is_fitted_scope

    @property
    def fits(self) -> Fields:
        """A sample of scores; lists are pooled."""
        return Fields(scores=lists(help="sample of scores; lists are pooled"))

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """A scope that is not named follows from whether there is a fit."""
        scope = self.scope or ("query" if statistics is None else "fitted")
        return {**super().defaults(statistics), "scope": scope}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the scores to every statistic as rows of one column."""
        rows = batch.ragged("scores").values[:, None]
        return statistics.replace(
            **{name: cast(Stackable, kept).update(rows) for name, kept in statistics.items()}
        )

    def values_with_scale(self, values: str, loc: str, scale: str) -> Fields:
        """Return the field of the values, and those of what undoing needs where it is a list's."""
        fields = loc_scale_fields(values, loc, scale)
        return fields if self.gives_loc_scale else Fields(values=fields["values"])

    def flag_beyond(self, answer: Answer, fitted: Fitted, scores: Ragged) -> Answer:
        """Return the answer with the scores flagged that lie beyond a stored sample."""
        if "lower" not in fitted.arrays:
            return answer
        lower, upper = float(fitted["lower"]), float(fitted["upper"])
        return flag_out_of_range(answer, scores, lower, upper)


def require_storable_scores(batch: Batch) -> None:
    """Refuse the first score of a fit that second moments cannot hold, with its place."""
    scores = batch.ragged("scores")
    wrong = np.flatnonzero(unstorable(scores.values))
    if len(wrong):
        place = batch.form("scores").as_written(list(scores.position(int(wrong[0]))))
        raise InvalidInput(f"{STORABLE}, or zero", path="fit.scores" + position_text(place))


def require_one_column(columns: int) -> None:
    """Refuse posted statistics of several columns: scores are one."""
    if columns != 1:
        raise InvalidInput(
            f"scores are one column, but these statistics have {columns}", path="statistics"
        )
