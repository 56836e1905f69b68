"""The defaults of `sinkhorn` on sets that they were not chosen by.

Parallel sentences in five languages (each ordered pair of languages is a search), the queries and
abstracts of Cranfield, where an item answers many queries or none, and handwritten digits, where
the best item is right if it is the same digit.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import NamedTuple, TypeAlias

import numpy as np

from benchmarks.hubs.collection import DATA
from normalizers import InvertedSoftmax, Nnn, Sinkhorn
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer

LANGUAGES = ("en", "de", "es", "ru", "zh")
HALF = 250
FACTORS = (0.8, 1.6, 2.5, 3.3, 5.0)
PRIORS = (0.0, 0.03, 0.1, 0.3, 1.0)
FACTOR, PRIOR = 2.5, 0.1
DIGIT_BANK, DIGIT_ITEMS = 600, 600


class Search(NamedTuple):
    """Scores of live queries and of a bank, and which items are right for each live query."""

    sims: Array
    bank_sims: Array
    right: Array


Corrected: TypeAlias = Callable[[Search], Array]


def sentences() -> list[Search]:
    """Return a search for each ordered pair of languages: the bank is the first half."""
    with np.load(DATA.parent / "embeddings" / "e5_parallel.npz", allow_pickle=False) as found:
        parts = {name: _of_length_1(found[name].astype(np.float64)) for name in LANGUAGES}
    right = np.eye(HALF, dtype=bool)
    return [
        Search(parts[mine][HALF:] @ items.T, parts[mine][:HALF] @ items.T, right)
        for mine, theirs in permutations(LANGUAGES, 2)
        for items in (parts[theirs][HALF:],)
    ]


def abstracts() -> list[Search]:
    """Return the search of Cranfield: the bank are the queries that others learn from."""
    folder = DATA.parent / "scores"
    with np.load(folder / "cranfield_embeddings.npz", allow_pickle=False) as found:
        sims = np.asarray(found["queries"].astype(np.float64) @ found["docs"].T)
        places = {str(name): place for place, name in enumerate(found["query_ids"].tolist())}
        items = {str(name): place for place, name in enumerate(found["doc_ids"].tolist())}
    right = np.zeros(sims.shape, dtype=bool)
    with (folder / "cranfield_qrels.tsv").open() as file:
        for query, item, grade in csv.reader(file, delimiter="\t"):
            if query in places and item in items:
                right[places[query], items[item]] = float(grade) > 0
    names = json.loads((folder / "cranfield_split.json").read_text())["train"]
    bank = [places[name] for name in names]
    live = np.setdiff1d(np.arange(len(sims)), bank)
    return [Search(sims[live], sims[bank], right[live])]


def digits() -> list[Search]:
    """Return the search of handwritten digits among others, by cosine."""
    from sklearn.datasets import load_digits

    pictures, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(labels))
    rows, labels = _of_length_1(pictures[order]), labels[order]
    bank, items = slice(0, DIGIT_BANK), slice(DIGIT_BANK, DIGIT_BANK + DIGIT_ITEMS)
    live = slice(DIGIT_BANK + DIGIT_ITEMS, None)
    right = labels[live][:, None] == labels[items][None, :]
    return [Search(rows[live] @ rows[items].T, rows[bank] @ rows[items].T, right)]


SEARCHES = {"sentences": sentences, "abstracts": abstracts, "digits": digits}


def firsts(searches: list[Search], corrected: Corrected) -> Array:
    """Return for every live query whether its best item is right."""
    found = []
    for one in searches:
        scores = corrected(one)
        best = np.argmax(scores, axis=1)
        found.append(one.right[np.arange(len(best)), best])
    return np.concatenate(found)


def rows() -> Iterator[tuple[str, object]]:
    """Yield every setting of every set: right firsts in percent, and how many were won and lost."""
    for name, read in SEARCHES.items():
        searches = read()
        raw = firsts(searches, lambda one: one.sims)
        yield f"{name}: raw", {"right": round(100 * float(raw.mean()), 2), "queries": len(raw)}
        for setting, corrected in settings().items():
            now = firsts(searches, corrected)
            yield (
                f"{name}: {setting}",
                {
                    "right": round(100 * float(now.mean()), 2),
                    "won": int(np.count_nonzero(now & ~raw)),
                    "lost": int(np.count_nonzero(raw & ~now)),
                },
            )


def settings() -> Mapping[str, Corrected]:
    """Return the corrections that are compared: factors, priors, and other methods."""
    found = {f"factor {factor:g}, prior {PRIOR:g}": _sinkhorn(factor, PRIOR) for factor in FACTORS}
    found |= {f"factor {FACTOR:g}, prior {prior:g}": _sinkhorn(FACTOR, prior) for prior in PRIORS}
    found["10 rounds"] = _fitted(Sinkhorn(iterations=10))
    found["nnn"] = _fitted(Nnn())
    found["inverted_softmax"] = _fitted(InvertedSoftmax())
    return found


def _sinkhorn(factor: float, prior: float) -> Corrected:
    def corrected(one: Search) -> Array:
        beta = factor / float(np.mean(np.std(one.bank_sims, axis=1)))
        return np.asarray(Sinkhorn(beta=beta, prior=prior).fit(one.bank_sims).transform(one.sims))

    return corrected


def _fitted(method: Normalizer) -> Corrected:
    return lambda one: np.asarray(method.fit(one.bank_sims).transform(one.sims))


def _of_length_1(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
