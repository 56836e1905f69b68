"""Quantile transform: a stored distribution function, piecewise linear between its quantiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Field,
    Fields,
    Fitted,
    Notice,
    Options,
    Statistic,
    Statistics,
    Traits,
    floats,
    like,
    lists,
    notice,
    optional,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import FitError
from normalizers.kernels import ecdf
from normalizers.normalizer import Normalizer
from normalizers.scores.base.score_method import InfPolicy, NanPolicy
from normalizers.scores.lists.base.constant_rule import no_spread
from normalizers.scores.lists.base.scoped import require_one_column
from normalizers.scores.lists.base.shares_back import BEYOND_HELP, SharesBeyond, within_unit
from normalizers.statistics import Quantiles

# Shares beyond it, and one minus it, have the normal quantile of it: about -5.2 and 5.2.
SMALLEST_SHARE = 1e-7 - float(np.spacing(1.0))
ROWS, LISTS = ("x", "y"), ("scores", "values")


def _columns_of(rows: str, help: str) -> Field:
    return floats(f"{rows} d", flat="column", leading=True, help=help)


class QuantileTransform(Normalizer):
    """Map each column, or scores, by the distribution function of a stored sample.

    The function is linear between the quantiles ``Q`` at `n_quantiles` evenly spaced
    probabilities; a value at which it jumps gets the middle of the jump. ``output: uniform``
    gives shares 0..1, ``output: normal`` their normal quantiles, at most about 5.2 in size. A fit
    takes rows ``x`` of columns, or ``scores``, which are one column; where lower values are better
    shares count from above.

    Notes
    -----
    Values at or below the lowest quantile give 0, then those at or above the highest 1: a column
    without spread gives 0 up to its constant and 1 above. Values beyond them are flagged
    ``out_of_range``, and their share stands in the report. Missing values follow `nan_policy`;
    they are never counted. Ties keep equal values, and the map is monotone. More quantiles than
    values are cut to their number, with a warning. There is no hidden subsampling: a fit is exact
    up to `quantiles_exact_limit` distinct values a column, beyond it a sketch with a proved error.

    The inverse is exact between the quantiles; what lies at an end comes back as the end and is
    flagged ``clipped``, as are shares beyond 0..1 unless `out_of_bounds` says otherwise.
    Cost O(n log n) a column for a fit, O(m log q) for a transform.

    References
    ----------
    ``sklearn.preprocessing.QuantileTransformer`` with ``subsample=None``.

    Examples
    --------
    >>> from normalizers import QuantileTransform
    >>> method = QuantileTransform(n_quantiles=3).fit([0.0, 1.0, 10.0])
    >>> method.transform([-5.0, 0.5, 1.0, 5.5]).tolist()
    [0.0, 0.25, 0.5, 0.75]
    """

    name = "quantile_transform"
    family = "scores"
    kinds = ("fitted",)
    aliases = {"quantile": {}, "channel_quantile": {}}
    presets = {"sklearn": {"n_quantiles": 1000, "output": "uniform"}}
    traits = Traits(monotone=True)
    ascending = ("references", "quantiles")
    example = Example(
        params={"n_quantiles": 5},
        fit={"x": [[12.7, 1.0], [9.3, 2.0], [8.0, 0.5], [3.2, 4.0], [0.4, 3.0]]},
        input={"x": [[9.3, 2.5], [14.1, 0.0]]},
    )
    fits = Fields(
        (("x",), ("scores",)),
        x=optional(_columns_of("n", "rows of columns; a flat list is one column")),
        scores=optional(lists(help="sample of scores; lists are pooled")),
    )

    n_quantiles: int | None = param(
        default=None,
        default_value=1000,
        affects="solution",
        ge=1,
        help="quantiles that are kept, at evenly spaced probabilities",
    )
    output: Literal["uniform", "normal"] | None = param(
        default=None,
        default_value="uniform",
        affects="answer",
        help="shares of the sample below, or their normal quantiles",
    )
    higher_is_better: bool | None = param(
        default=None, default_value=True, affects="answer", help="whether shares count from below"
    )
    nan_policy: NanPolicy | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing value: refused, left out and missing in its place, or passed on",
    )
    inf_policy: InfPolicy | None = param(
        default=None,
        default_value="as_nan",
        affects="answer",
        help="an infinite value: as a missing one, or refused",
    )
    out_of_bounds: SharesBeyond | None = param(
        default=None, default_value="clip", affects="answer", help=BEYOND_HELP
    )
    quantiles_exact_limit: int | None = param(
        default=None,
        default_value=Quantiles.EXACT_LIMIT,
        affects="statistics",
        ge=1,
        help="distinct values that a column keeps; more are sketched",
    )

    @property
    def takes(self) -> Fields:
        """Rows with the columns of the fit, or lists of scores where it was one column."""
        return Fields(
            (("x",), ("scores",)),
            x=optional(_columns_of("m", "rows of columns")),
            scores=optional(lists(help="one list, or ragged lists, of scores")),
        )

    @property
    def gives(self) -> Fields:
        """As many values as were sent: ``y`` for ``x``, ``values`` for ``scores``."""
        return Fields(
            (("y",), ("values",)),
            y=optional(like("x", _columns_of("m", "transformed rows"))),
            values=optional(like("scores", lists(help="transformed scores"))),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Transformed rows or scores."""
        return self.gives

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The distribution of each column."""
        return {"quantiles": Quantiles(self.quantiles_exact_limit or Quantiles.EXACT_LIMIT)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows, or the scores as rows of one column."""
        rows = batch.array("x") if "x" in batch else batch.ragged("scores").values[:, None]
        quantiles = cast(Quantiles, statistics["quantiles"])
        return statistics.replace(quantiles=quantiles.update(rows))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the probabilities and their quantiles in each column."""
        quantiles = cast(Quantiles, statistics["quantiles"])
        _require_observed(quantiles)
        counts = quantiles.observed[quantiles.observed > 0]
        # More quantiles than values would only repeat some of them.
        kept = min([unwrap(self.n_quantiles), *counts.tolist()])
        references = np.linspace(0.0, 1.0, kept)
        # Interpolation between equal values may fall by an ulp, and knots must not descend.
        found = np.maximum.accumulate(quantiles.quantile(references), axis=0)
        report: dict[str, object] = {"n_quantiles": kept}
        if quantiles.rank_error.any():
            report["rank_error"] = float(quantiles.rank_error.max())
        return Fitted(
            {"references": references, "quantiles": found},
            {"d": quantiles.width},
            report,
            (*_fewer(kept, unwrap(self.n_quantiles)), *_constant(quantiles)),
        )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the transformed rows or scores."""
        x = _columns(batch, ROWS[0], LISTS[0])
        quantiles = _of_width(fitted, x)
        values = np.empty(x.shape)
        for column, knots in enumerate(quantiles.T):
            values[:, column] = self._shares(fitted["references"], knots, x[:, column])
        if self.output == "normal":
            values = _normal_quantiles(values)
        answer = _formed(batch, values, ROWS[1], LISTS[1])
        beyond = (x < quantiles[0]) | (x > quantiles[-1])
        observed = int(np.count_nonzero(~np.isnan(x)))
        share = float(np.count_nonzero(beyond) / observed) if observed else 0.0
        answer = answer.flagged("out_of_range", _positions(batch, LISTS[0], beyond))
        answer = replace(answer, report={"out_of_range": share})
        return replace(answer, explain=_ends(quantiles)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows or scores that give these values."""
        shares = self._sent_shares(_columns(batch, ROWS[1], LISTS[1]))
        quantiles = _of_width(fitted, shares)
        x = np.empty(shares.shape)
        for column, knots in enumerate(quantiles.T):
            x[:, column] = ecdf.curve_quantile(fitted["references"], knots, shares[:, column])
        answer = _formed(batch, x, ROWS[0], LISTS[0])
        ends = (shares <= 0) | (shares >= 1)
        return answer.flagged("clipped", _positions(batch, LISTS[1], ends))

    def _shares(self, references: Array, knots: Array, x: Array) -> Array:
        """Return the shares of one column, from below or from above."""
        inside = ecdf.curve_share(references, knots, x)
        # As scikit-learn: an end that many values share gets 0 or 1, not the middle of its jump; of
        # one value alone, 0.
        share = np.where(x >= knots[-1], 1.0, inside)
        share = np.where(x <= knots[0], 0.0, share)
        return share if self.higher_is_better else 1.0 - share

    def _sent_shares(self, values: Array) -> Array:
        """Return shares from below of values that were sent."""
        shares = values
        if self.output == "normal":
            from scipy.special import ndtr

            inside = np.asarray(ndtr(values))
            # What the way there clipped to +-5.2 comes back as the ends.
            low, high = (_normal_quantiles(np.array([end]))[0] for end in (0.0, 1.0))
            shares = np.where(values <= low, 0.0, np.where(values >= high, 1.0, inside))
        else:
            shares = within_unit(values, unwrap(self.out_of_bounds), "input")
        return shares if self.higher_is_better else 1.0 - shares


def _columns(batch: Batch, rows: str, scores: str) -> Array:
    """Return what was sent as rows of columns."""
    return batch.array(rows) if rows in batch else batch.ragged(scores).values[:, None]


def _formed(batch: Batch, values: Array, rows: str, scores: str) -> Answer:
    """Return numbers as rows, or as the lists that were sent."""
    sent = next((value for value in batch.values() if isinstance(value, Ragged)), None)
    if sent is None:
        return Answer({rows: values})
    return Answer({scores: sent.with_values(values[:, 0])})


def _positions(batch: Batch, scores: str, where: Array) -> Array:
    """Return the flagged rows, or the flagged [list, position] of scores."""
    if scores in batch:
        return batch.ragged(scores).positions(np.flatnonzero(where[:, 0]))
    return np.flatnonzero(where.any(axis=1))


def _of_width(fitted: Fitted, x: Array) -> Array:
    """Return the quantiles, of one column where scores were sent."""
    quantiles = fitted["quantiles"]
    if x.shape[1] != quantiles.shape[1]:
        require_one_column(quantiles.shape[1])
    return quantiles


def _normal_quantiles(shares: Array) -> Array:
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(shares, SMALLEST_SHARE, 1 - SMALLEST_SHARE)))


def _fewer(kept: int, asked: int) -> tuple[Notice, ...]:
    if kept == asked:
        return ()
    message = f"{asked} quantiles were asked for, but only {kept} values are there"
    return (notice("n_quantiles_clamped", message, n_quantiles=kept),)


def _require_observed(quantiles: Quantiles) -> None:
    """Refuse a column without any value, of which there is no distribution."""
    empty = np.flatnonzero(quantiles.observed == 0).tolist() if quantiles.mergeable else []
    if empty:
        raise FitError(f"every value of column {empty[0]} is missing: leave the column out")


def _constant(quantiles: Quantiles) -> tuple[Notice, ...]:
    columns = np.flatnonzero(quantiles.constant).tolist()
    told = "a value is at most, or above, the one value of such a column"
    return no_spread(told, columns=columns) if columns else ()


def _ends(quantiles: Array) -> dict[str, object]:
    return {"lowest": quantiles[0].tolist(), "highest": quantiles[-1].tolist()}
