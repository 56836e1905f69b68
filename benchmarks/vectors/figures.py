"""Rank correlations and precisions of vectors, before and after each map."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np

from benchmarks.vectors.stsb import read as read_stsb
from normalizers import (
    AllButTheTop,
    Centering,
    GroupCentering,
    HadamardRotation,
    Quantization,
    Whitening,
)
from normalizers.data.arrays import Array
from normalizers.evaluation import evaluate

DATA = Path(__file__).parents[3] / "shared" / "data" / "embeddings"
LANGUAGES = ("en", "de", "es", "ru", "zh")
HALF = 250  # of the sentences of each language: the first half fits, the other is measured
# Signs are drawn, and one bit a dim depends on them.
SEEDS = range(12)
Map: TypeAlias = Callable[[Array, Array], Array]
FULL = {"eps": 0.0, "shrinkage": "none"}


def read(name: str) -> dict[str, Array]:
    """Return the arrays of a file, in float64 but for positions."""
    with np.load(DATA / f"{name}.npz", allow_pickle=False) as found:
        return {
            key: np.asarray(found[key], dtype=np.int64 if key in ("ia", "ib") else np.float64)
            for key in found.files
        }


def spearman(space: str, mapped: Map) -> float:
    """Return the rank correlation, times 100, of cosines with the scores of STS-B test pairs."""
    return correlation(_fit_rows(space), _test_rows(space), mapped)


def correlation(fit: Array, test: dict[str, Array], mapped: Map) -> float:
    """Return the rank correlation, times 100, of the pairs of `test` by a map fitted on `fit`."""
    told = evaluate(
        ["cosine_spearman"],
        vectors=mapped(fit, test["emb"]),
        pair_first=test["ia"],
        pair_second=test["ib"],
        pair_similarities=test["score"],
    )
    return 100 * told.results[0].value


@cache
def _fit_rows(space: str) -> Array:
    return read(f"{space}_stsb_fit")["emb"]


@cache
def _test_rows(space: str) -> dict[str, Array]:
    return read(f"{space}_stsb_test")


def mixed_precision(centred: Callable[[Array, list[str], Array, list[str]], Array]) -> float:
    """Return the mean average precision, times 100, of translations in one index of languages."""
    parts = read("e5_parallel")
    languages = [one for one in LANGUAGES for _ in range(HALF)]
    fit = np.vstack([parts[one][:HALF] for one in LANGUAGES])
    test = np.vstack([parts[one][HALF:] for one in LANGUAGES])
    sentences = [str(place) for _ in LANGUAGES for place in range(HALF)]
    y = centred(fit, languages, test, languages)
    return 100 * evaluate(["class_precision"], vectors=y, classes=sentences).results[0].value


def one_bit(mapped: Map) -> Map:
    """Return the map followed by one bit a dim, as numbers of -1 and 1."""

    def coded(fit: Array, test: Array) -> Array:
        packed = Quantization(precision="ubinary").transform(mapped(fit, test))
        bits = np.unpackbits(np.asarray(packed, dtype=np.uint8), axis=1)[:, : test.shape[1]]
        return 2.0 * bits - 1

    return coded


def _as_it_is(fit: Array, test: Array) -> Array:
    return test


def _whitened(**params: object) -> Map:
    return lambda fit, test: np.asarray(Whitening(**params).fit(fit).transform(test))


def _first(rows: int, **params: object) -> Map:
    return lambda fit, test: np.asarray(Whitening(**params).fit(fit[:rows]).transform(test))


def _centred(fit: Array, test: Array) -> Array:
    return np.asarray(Centering().fit(fit).transform(test))


def _turned(seed: int = 0) -> Map:
    rotation = HadamardRotation(seed=seed)
    return lambda fit, test: np.asarray(rotation.transform(_centred(fit, test)))


def _without_strongest(fit: Array, test: Array) -> Array:
    return np.asarray(AllButTheTop(n_remove=1).fit(fit).transform(test))


def _by_language(fit: Array, of_fit: list[str], test: Array, of_test: list[str]) -> Array:
    return np.asarray(GroupCentering().fit(fit, groups=of_fit).transform(test, groups=of_test))


MAPS: dict[str, Map] = {
    "raw": _as_it_is,
    "centred": _centred,
    "full": _whitened(**FULL),
    "eps_rel 1": _whitened(eps_rel=1.0, shrinkage="none"),
    "eps_rel 3": _whitened(eps_rel=3.0, shrinkage="none"),
    "eps_rel 10": _whitened(eps_rel=10.0, shrinkage="none"),
    "without the strongest direction": _without_strongest,
    "Ledoit-Wolf": _whitened(eps=0.0, shrinkage="ledoit_wolf"),
    "full, n = d": _first(384, **FULL),
    "OAS, n = d": _first(384, eps=0.0, shrinkage="oas"),
    "one bit, raw": one_bit(_as_it_is),
    "one bit, centred": one_bit(_centred),
    "one bit, centred, signed Hadamard": one_bit(_turned()),
}
MIXED: dict[str, Callable[[Array, list[str], Array, list[str]], Array]] = {
    "raw": lambda fit, of_fit, test, of_test: test,
    "centred": lambda fit, of_fit, test, of_test: _centred(fit, test),
    "centred by language": _by_language,
}


def figures(stsb: Path | None = None) -> dict[str, dict[str, float]]:
    """Return every figure by its space and map; those of E5 where its sentences are at hand."""
    spaces = {name: (_fit_rows(name), _test_rows(name)) for name in ("minilm", "wordavg")}
    if stsb is not None:
        held = read_stsb(stsb)
        spaces["e5"] = (
            held["fit"].astype(np.float64),
            {
                **held,
                "emb": held["emb"].astype(np.float64),
            },
        )
    found = {name: _of_space(*rows) for name, rows in spaces.items()}
    return {**found, "e5 mixed": {name: mixed_precision(one) for name, one in MIXED.items()}}


def _of_space(fit: Array, test: dict[str, Array]) -> dict[str, float]:
    found = {name: correlation(fit, test, mapped) for name, mapped in MAPS.items()}
    drawn = [correlation(fit, test, one_bit(_turned(seed))) for seed in SEEDS]
    ends = {"least": min(drawn), "mean": float(np.mean(drawn)), "most": max(drawn)}
    name = "one bit, centred, signed Hadamard"
    return {**found, **{f"{name}: {end} of {len(SEEDS)}": ends[end] for end in ends}}
