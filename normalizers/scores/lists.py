"""What every normalizer of score lists shares: its fields, its scope, its constants."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Self, TypeAlias, cast

import numpy as np

from normalizers.answer import Answer
from normalizers.arrays import Array
from normalizers.batch import Batch
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.fields import Fields, lists
from normalizers.normalizer import Normalizer
from normalizers.on_constant import NAMED_CONSTANTS, OnConstant
from normalizers.parameters import param
from normalizers.ragged import Ragged
from normalizers.statistics import Statistics
from normalizers.statistics.stacking import Stackable

Scope: TypeAlias = Literal["query", "fitted", "list", "frozen"]
OnConstantList: TypeAlias = Literal[OnConstant, "one_if_positive"]
NanPolicy: TypeAlias = Literal["reject", "omit", "propagate", "last"]
InfPolicy: TypeAlias = Literal["as_nan", "reject"]
# The methods whose statistics are by group, window or column have a prefix in their names.
PREFIXES = {"group": "group", "window": "window", "channel": "channel", "column": "channel"}
SCOPE_ALIASES = {"list": "query", "frozen": "fitted"}


class ListNormalizer(Normalizer):
    """Base of the methods that turn lists of scores into comparable values.

    A scope that is not named is ``fitted`` when there is a fit, else ``query``.
    """

    family = "scores"

    scope: Scope | None = param(
        default=None,
        resolves="fitted when there is a fit, else query",
        affects="statistics",
        help="whose statistics: of the one list sent (query), or stored ones (fitted)",
    )
    higher_is_better: bool | None = param(
        default=None, standard=True, affects="answer", help="direction of the scores"
    )
    nan_policy: NanPolicy | None = param(
        default=None,
        standard="reject",
        affects="answer",
        help="a missing score: refused, left out and missing in its place, or passed on",
    )
    inf_policy: InfPolicy | None = param(
        default=None,
        standard="as_nan",
        affects="answer",
        help="an infinite score: as a missing one, or refused",
    )

    def validated(self, path: str = "params") -> Self:
        """Return a checked copy with the scope by its canonical word.

        Raises
        ------
        InvalidParams
            For the scope of another kind of statistics, naming the method that has it.
        """
        if isinstance(self.scope, str) and self.scope in PREFIXES:
            raise InvalidParams(
                f"the scope of '{self.name}' is 'query' or 'fitted'; statistics by "
                f"'{self.scope}' are those of '{PREFIXES[self.scope]}_{self.name}'",
                path=f"{path}.scope",
            )
        checked = super().validated(path)
        return checked.with_values({"scope": checked.named_scope})

    @property
    def named_scope(self) -> str | None:
        """The scope by its canonical word, None when it was not named."""
        return SCOPE_ALIASES.get(self.scope or "", self.scope)

    @property
    def is_fitted_scope(self) -> bool:
        """Whether the resolved scope is ``fitted``."""
        return self.named_scope == "fitted"

    @property
    def stateless(self) -> bool:
        """Whether it can be applied without a fit: unless ``fitted`` is named."""
        return not self.is_fitted_scope

    @property
    def fittable(self) -> bool:
        """Whether it can be fitted: unless ``query`` is named."""
        return self.named_scope != "query"

    @property
    def fits(self) -> Fields:
        """A sample of scores; lists are pooled."""
        return Fields(scores=lists(help="sample of scores; lists are pooled"))

    @property
    def takes(self) -> Fields:
        """Lists of scores."""
        return Fields(scores=lists(help="one list, or ragged lists, of scores"))

    def resolve(self, statistics: Statistics | None) -> dict[str, object]:
        """A scope that is not named follows from whether there is a fit."""
        scope = self.named_scope or ("query" if statistics is None else "fitted")
        return {"scope": scope}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the scores to every statistic as rows of one column."""
        rows = batch.ragged("scores").values[:, None]
        return statistics.replace(
            **{name: cast(Stackable, kept).update(rows) for name, kept in statistics.items()}
        )

    def flag_lists(self, answer: Answer, **flags: Array) -> Answer:
        """Return the answer with flags by list, each given as a boolean per list."""
        for name, where in flags.items():
            answer = answer.flagged(name, np.flatnonzero(where))
        return answer

    def flag_scores(self, answer: Answer, scores: Ragged, **flags: Array) -> Answer:
        """Return the answer with flags by [list, position], each a boolean per score."""
        for name, where in flags.items():
            answer = answer.flagged(name, scores.positions(np.flatnonzero(where)))
        return answer

    def flag_out_of_range(
        self, answer: Answer, scores: Ragged, lower: float, upper: float
    ) -> Answer:
        """Flag the scores beyond a stored sample, and report their share of the observed ones."""
        beyond = (scores.values < lower) | (scores.values > upper)
        observed = int(np.count_nonzero(~np.isnan(scores.values)))
        share = float(np.count_nonzero(beyond) / observed) if observed else 0.0
        flagged = self.flag_scores(answer, scores, out_of_range=beyond)
        return replace(flagged, report={"out_of_range": share})


def require_one_column(columns: int) -> None:
    """Refuse posted statistics of several columns: scores are one."""
    if columns != 1:
        raise InvalidInput(
            f"scores are one column, but these statistics have {columns}", path="statistics"
        )


def constant_answer(
    scores: Array, centred: Array, on_constant: str, constant_value: float, method: str
) -> Array:
    """Return what scores without any spread give.

    Parameters
    ----------
    scores, centred : array of shape (N,)
        The scores of lists without spread, and the same minus their lower end.
    on_constant : str
        ``value``, ``keep``, ``scale_one``, ``error``, ``one_if_positive``, ``zero`` or ``half``.
    constant_value : float
        The number for ``value``.
    method : str
        Named in the message of ``error``.
    """
    match on_constant:
        case "keep":
            return scores
        case "scale_one":
            return centred
        case "one_if_positive":
            return np.where(scores > 0, 1.0, 0.0)
        case "error" if len(scores):
            raise InvalidParams(
                f"'{method}' met scores without any spread, and on_constant is 'error'",
                path="params.on_constant",
            )
        case _:
            return np.full(len(scores), NAMED_CONSTANTS.get(on_constant, constant_value))
