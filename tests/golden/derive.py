"""The closed list of what an expectation derives from answers by a formula."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

import numpy as np

from normalizers.data.arrays import Array

Part: TypeAlias = Mapping[str, object]
Fused: TypeAlias = Mapping[str, Mapping[str, Sequence[object]]]


def gram(y: Array) -> Array:
    """Return Y Y^T."""
    return np.asarray(y @ y.T)


def cosine(y: Array) -> Array:
    """Return the cosines between rows."""
    return gram(_unit(y))


def negated(mean: Array) -> Array:
    """Return the bias that centring adds."""
    return -mean


def transposed(W: Array) -> Array:
    """Return the other form of a matrix: of rows for one of columns."""
    return W.T


def covariance(scatter: Array, n: float, ddof: float = 0) -> Array:
    """Return scatter / (n - ddof)."""
    return scatter / (n - ddof)


def reliability_covariance(scatter: Array, sum_w: float, sum_w2: float) -> Array:
    """Return scatter / (W1 - W2 / W1)."""
    return scatter / (sum_w - sum_w2 / sum_w)


def shrunk_covariance(scatter: Array, n: float, weight: float) -> Array:
    """Return (1 - a) C + a m I with C = scatter / n and m its mean variance."""
    plain = covariance(scatter, n)
    dims = len(plain)
    target = np.trace(plain) / dims * np.eye(dims)
    return np.asarray((1 - weight) * plain + weight * target)


def output_spectrum(W: Array, scatter: Array, n: float, ddof: float) -> Array:
    """Return the eigenvalues of W^T C W, the largest first."""
    return np.linalg.eigvalsh(W.T @ covariance(scatter, n, ddof) @ W)[::-1]


def output_variances(W: Array, scatter: Array, n: float, ddof: float) -> Array:
    """Return the diagonal of W^T C W."""
    return np.diagonal(W.T @ covariance(scatter, n, ddof) @ W)


def ranking(scores: Array) -> Array:
    """Return positions by score, highest first, ties to the lowest index."""
    return np.argsort(-scores, axis=-1, kind="stable")


def top1(scores: Array) -> Array:
    """Return the position of the best score, ties to the lowest index."""
    return ranking(scores)[..., 0]


def reranked(ids: Sequence[Sequence[object]], scores: Sequence[Sequence[float]]) -> object:
    """Return every list's ids by score, highest first, then by id as a string."""
    return [
        [
            name
            for _, name in sorted(
                zip(values, names, strict=True), key=lambda hit: (-hit[0], str(hit[1]))
            )
        ]
        for names, values in zip(ids, scores, strict=True)
    ]


def similarities(bank: Array, gallery: Array, rows: Array) -> Array:
    """Return the cosines of some rows of a bank with a gallery."""
    queries = bank[rows.astype(np.intp)]
    return np.asarray(_unit(queries) @ _unit(gallery).T)


def products(rows: Array, others: Array) -> Array:
    """Return the dot products of rows with other rows."""
    return np.asarray(rows @ others.T)


def ranking_of_products(rows: Array, others: Array) -> Array:
    """Return the positions of other rows by their dot products, the highest first."""
    return ranking(products(rows, np.asarray(others)))


def added(*values: Array) -> Array:
    """Return the sum of values."""
    return np.asarray(np.sum(values, axis=0))


def less(whole: Array, part: Array) -> Array:
    """Return what is left of a whole number of times, to the nearest one."""
    return np.asarray(np.round(whole - part))


def descending(values: Array) -> Array:
    """Return values with the largest of each row first."""
    return -np.sort(-values, axis=-1)


def distances(rows: Array, others: Array) -> Array:
    """Return the Euclidean distances of rows to other rows."""
    return np.asarray(np.linalg.norm(rows[:, None, :] - others[None, :, :], axis=2))


def nearest(rows: Array, others: Array, k: float) -> Array:
    """Return the positions of the k nearest of other rows, the nearest first."""
    return np.argsort(distances(rows, others), axis=1, kind="stable")[:, : int(k)]


def nearest_by_score(
    rows: Array, others: Array, k: float, scores: Sequence[Sequence[float]], best: float
) -> Array:
    """Return which of the k nearest have the best scores, the best first."""
    order = ranking(np.asarray(scores))[:, : int(best)]
    return np.take_along_axis(nearest(rows, others, k), order, axis=1)


def smallest(scores: Sequence[Sequence[float]], best: float) -> Array:
    """Return the smallest distances of each row, which are negated scores, in ascending order."""
    return np.sort(-np.asarray(scores), axis=1)[:, : int(best)]


def lowest(distances: Sequence[Sequence[float]], best: float) -> Array:
    """Return the smallest distances of each row, in ascending order."""
    return np.sort(np.asarray(distances), axis=1)[:, : int(best)]


def nearest_by_distance(
    rows: Array, others: Array, k: float, far: Sequence[Sequence[float]], best: float
) -> Array:
    """Return which of the k nearest have the smallest new distances, the nearest first."""
    return nearest_by_score(rows, others, k, -np.asarray(far), best)  # type: ignore[arg-type]


def flags_of(numbers: Array) -> list[bool]:
    """Return whether numbers are not 0."""
    return [bool(number) for number in numbers]


def places_of(numbers: Array) -> list[int]:
    """Return where numbers are not 0."""
    return [int(place) for place in np.flatnonzero(numbers)]


def in_rows(values: Array, columns: Array) -> Array:
    """Return the values of some columns of each row."""
    return np.take_along_axis(np.asarray(values), columns.astype(np.intp), axis=1)


def cosines(rows: Array, others: Array) -> Array:
    """Return the cosines of rows with other rows."""
    return products(_unit(rows), _unit(others))


def bias_of_rounds(sims: Array, temperature: float, rounds: float, bias: Array) -> Array:
    """Return biases with the constant that one round from u = 1/g leaves in them.

    -t ln(u) of one round on exp((s - 1) / t) has t ln(g^2 / b) more than the form with a prior.
    """
    rows, items = sims.shape
    return bias + (temperature * np.log(items**2 / rows) if rounds == 1 else 0.0)


def scores_of_rounds(sims: Array, temperature: float, rounds: float, scores: Array) -> Array:
    """Return scores less the constant of `bias_of_rounds`."""
    return -bias_of_rounds(sims, temperature, rounds, -scores)


def lses(parts: Sequence[Mapping[str, object]]) -> list[object]:
    """Return the log-sum-exp of the items of every part."""
    return [part["item_lse"] for part in parts]


def ratio(factor: float, value: float) -> float:
    """Return factor / value."""
    return factor / value


def level_ranges(by_group: Mapping[str, Sequence[float]]) -> Array:
    """Return the largest minus the smallest value over groups, at every level."""
    return np.asarray(np.ptp(list(by_group.values()), axis=0))


def common_size(matrix: Array) -> float:
    """Return the size that all entries have; NaN where they differ by more than rounding."""
    sizes = np.abs(matrix)
    return float(sizes.flat[0]) if np.ptp(sizes) < 1e-12 else np.nan


def orthogonality_error(matrix: Array) -> float:
    """Return the largest entry of M M^T - I."""
    return float(np.max(np.abs(matrix @ matrix.T - np.eye(len(matrix)))))


def width(matrix: Array) -> int:
    """Return how many columns there are."""
    return int(matrix.shape[1])


def without_warnings(warnings: Sequence[object]) -> bool:
    """Whether nothing was warned of."""
    return not len(warnings)


def identical(one: Array, other: Array) -> bool:
    """Whether both hold the same numbers."""
    return bool(np.array_equal(one, other))


def minus(value: Array, part: float) -> Array:
    """Return a value without a part of it."""
    return value - part


def squeezed(value: Array) -> Array:
    """Return the array without its axes of length 1."""
    return np.squeeze(value)


def squeezed_as(value: Array, expected: Array | float) -> Array:
    """Return the array in the expected shape where only axes of length 1 differ."""
    alike = np.squeeze(value).shape == np.squeeze(expected).shape
    return value.reshape(np.shape(expected)) if alike else value


def moment_summary(n: Array, mean: Array, m2: Array, ddof: float) -> dict[str, Array]:
    """Return count, mean and deviation of each column."""
    return {"n": n, "mean": mean, "std": np.sqrt(m2 / (n - ddof))}


def split_as(rows: Array, expected: object) -> object:
    """Return rows as they are, or cut into the series that are expected."""
    series = expected if isinstance(expected, list) else list(np.asarray(expected))
    if np.ndim(series[0]) < 2:
        return rows
    ends = np.cumsum([len(part) for part in series])
    return np.split(rows, ends[:-1])


def rows_by_group(rows: Array, groups: Mapping[str, Sequence[object]]) -> dict[str, Array]:
    """Return rows that stand one group after the other by the name of the group."""
    ends = np.cumsum([len(part) for part in groups.values()])
    return dict(zip(groups, np.split(rows, ends[:-1]), strict=True))


def rows_by_key(rows: Array, keys: Sequence[Sequence[str]]) -> dict[str, Array]:
    """Return one row a group by the one label of its key."""
    return {str(key[0]): row for key, row in zip(keys, rows, strict=True)}


def unpadded(value: Array, expected: Array | Sequence[Array]) -> Array | list[Array]:
    """Return windows as long as the expected ones, where those are of unequal length."""
    lengths = [len(part) for part in expected] if np.ndim(value) > 1 else []
    if len(set(lengths)) < 2:
        return value
    return [part[:length] for part, length in zip(value, lengths, strict=True)]


def pairs(loc: Array, scale: Array) -> Array:
    """Return one row [loc, scale] a series."""
    return np.stack([np.ravel(loc), np.ravel(scale)], axis=1)


def at(values: Array, positions: Array) -> Array:
    """Return the values at some positions of one series."""
    return np.ravel(values)[positions.astype(np.intp)]


def missing_count(values: Array) -> int:
    """Return how many values are missing."""
    return int(np.isnan(values).sum())


def dropped(values: Array, params: Mapping[str, object]) -> Array:
    """Return one series without the missing values it begins with, where a case drops them."""
    if not params.get("drop"):
        return values
    seen = ~np.isnan(np.ravel(values))
    return np.ravel(values)[int(np.argmax(seen)) :]


def constant_windows(flags: Mapping[str, Sequence[Sequence[int]]], loc: Array) -> Array:
    """Return booleans by window and channel, true where flagged as constant."""
    found = np.zeros((loc.shape[0], loc.shape[-1]), dtype=bool)
    for window, channel in flags.get("constant", []):
        found[window, channel] = True
    return found


def by_level(quantiles: Array, levels: Mapping[str, object]) -> dict[str, object]:
    """Return one squeezed array a level of the last axis."""
    return {level: np.squeeze(quantiles[..., index]) for index, level in enumerate(levels)}


def by_document(lists: Mapping[str, Mapping[str, float]], values: Sequence[object]) -> object:
    """Return values by query and document, in the order the lists were sent."""
    return {
        query: dict(zip(hits, numbers, strict=True))
        for (query, hits), numbers in zip(lists.items(), _lists(values), strict=True)
    }


def by_run(runs: Sequence[Mapping[str, object]], answered: Sequence[Part]) -> object:
    """Return values by query and document of every run, in the order the runs were sent."""
    return [
        {
            query: dict(zip(ids, values, strict=True))
            for query, ids, values in zip(run, _cut(part, "ids"), _cut(part, "scores"), strict=True)
        }
        for run, part in zip(runs, answered, strict=True)
    ]


def _cut(record: Part, name: str) -> list[list[object]]:
    """Return the lists of a record, which may be one flat array with offsets."""
    values = cast("Sequence[object]", record[name])
    if "offsets" not in record:
        return _lists(values)
    ends = np.asarray(record["offsets"], dtype=np.int64)
    return [list(values[start:stop]) for start, stop in itertools.pairwise(ends.tolist())]


def by_hit(lists: Sequence[Sequence[Sequence[object]]], values: Sequence[object]) -> object:
    """Return [id, value] pairs in the order the lists were sent."""
    return [
        [[hit[0], value] for hit, value in zip(hits, numbers, strict=True)]
        for hits, numbers in zip(lists, _lists(values), strict=True)
    ]


def by_group(sent: Mapping[str, Sequence[float]], values: Array) -> dict[str, list[float]]:
    """Return the values of rows sent group by group."""
    lengths = [len(rows) for rows in sent.values()]
    parts = np.split(np.asarray(values, dtype=np.float64), np.cumsum(lengths)[:-1])
    return {group: part.tolist() for group, part in zip(sent, parts, strict=True)}


def by_key(keys: Sequence[Sequence[str]], values: Array) -> dict[str, float]:
    """Return one number a group under the group's first key."""
    numbers = np.ravel(values).tolist()
    return {key[0]: number for key, number in zip(keys, numbers, strict=True)}


def shrunk_parameters(groups: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return mean, deviation and weight by the first key of each group."""
    return {
        cast("list[str]", group["keys"])[0]: {
            name: np.ravel(cast("list[float]", group[name])).tolist()[0]
            for name in ("mean", "std", "weight")
        }
        for group in groups
    }


def by_name(names: Sequence[str], values: Array) -> dict[str, float]:
    """Return one number a name."""
    return dict(zip(names, np.ravel(values).tolist(), strict=True))


def level_ranges_after(sent: Mapping[str, Sequence[float]], values: Array) -> Array:
    """Return the range over groups, at every level, of answers sent group by group."""
    return level_ranges(by_group(sent, values))


def fused_scores(answers: Mapping[str, Fused], expected: Mapping[str, object]) -> object:
    """Return fused scores by query and id, or of the one query where ids alone are expected."""
    by_query = {
        query: dict(zip(answer["output"]["ids"], answer["output"]["scores"], strict=True))
        for query, answer in answers.items()
    }
    return by_query if by_query.keys() == expected.keys() else next(iter(by_query.values()))


def contributions(explained: Sequence[Mapping[str, Sequence[Part]]]) -> object:
    """Return every document's contributions, one a run; what a run gives twice is added."""
    return {hit["id"]: _by_run(hit["parts"]) for hit in explained}


def normalized(explained: Sequence[Mapping[str, Sequence[Part]]]) -> object:
    """Return for every run the normalized score of each document it found."""
    runs: dict[object, dict[object, object]] = {}
    for hit in explained:
        for part in hit["parts"]:
            found = runs.setdefault(part["run"], {})
            if part["rank"] is not None:
                found[hit["id"]] = part["normalized"]
    return list(runs.values())


def each_only(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the one entry of each list, by its name."""
    return {name: only(list(entries)) for name, entries in values.items()}


def only(values: Sequence[float]) -> float:
    """Return the one value of a list."""
    (value,) = values
    return value


def _by_run(parts: Sequence[Part]) -> list[float]:
    sums: dict[object, float] = {}
    for part in parts:
        sums[part["run"]] = sums.get(part["run"], 0.0) + float(str(part["contribution"]))
    return list(sums.values())


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def _lists(values: Sequence[object] | Array) -> list[list[object]]:
    return [np.asarray(part, dtype=object).tolist() for part in values]


def first_column(values: Array) -> Array:
    """Return the first column of a matrix."""
    return values[:, 0]


def second_column(values: Array) -> Array:
    """Return the second column of a matrix."""
    return values[:, 1]


def mean_of_columns(values: Array) -> Array:
    """Return the mean of each row."""
    return values.mean(axis=1)
