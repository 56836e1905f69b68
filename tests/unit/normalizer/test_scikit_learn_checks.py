"""scikit-learn's own checks of an estimator, for every one that takes a table."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from normalizers import GroupZScore, Normalizer
from normalizers.catalogue.catalogue import built_in
from tests.unit.normalizer.samples import BANKS, OF_A_KIND

OWN_WORDS = "it is refused, but in this library's words"
EVERYWHERE = {
    "check_n_features_in_after_fitting": OWN_WORDS,
    "check_complex_data": OWN_WORDS,
    "check_dtype_object": f"{OWN_WORDS}, and by a ValueError",
    "check_estimators_empty_data_messages": f"{OWN_WORDS}; an empty gallery is one",
    "check_fit2d_predict1d": "a flat list is one row, column or list",
}
FLAT = {"check_fit1d": "a flat list is one row, column or list"}
ONE_ROW = {"check_fit2d_1sample": OWN_WORDS}
LISTS = {
    **FLAT,
    "check_n_features_in": "a row is a list of scores, of any length",
    "check_transformer_data_not_an_array": "nested lists may be ragged and come back as lists",
}
ANY_LENGTH = {"check_transformer_general": "a row is a list of scores, of any length"}
WITHOUT_FIT = {
    "check_n_features_in": "without a fit, no number of columns was seen",
    "check_estimator_sparse_tag": "without a fit, data are looked at when they are transformed",
    "check_estimators_nan_inf": "without a fit, data are looked at when they are transformed",
}
SERIES = {
    **FLAT,
    "check_estimator_sparse_tag": WITHOUT_FIT["check_estimator_sparse_tag"],
    "check_n_features_in": "a series has no number of columns that a fit saw",
}
CAUSAL = {
    "check_methods_sample_order_invariance": "a step depends on those before it",
    "check_methods_subset_invariance": "a step depends on those before it",
}
AMONG_OTHERS = {"check_methods_subset_invariance": "a row is ranked among the others"}
# By which facts of a method each table holds.
TABLES = {
    "everywhere": EVERYWHERE,
    "one row": FLAT | ONE_ROW,
    "lists": LISTS,
    "fitted lists": ANY_LENGTH,
    "without a fit": WITHOUT_FIT,
    "series": SERIES | ANY_LENGTH,
    "causal": CAUSAL,
    "among others": AMONG_OTHERS,
}


class InOneGroup(GroupZScore):
    """`group_z_score` for those who send no groups."""

    def fit(self, x: object = None, y: object = None, **fields: object) -> InOneGroup:
        """Fit with all rows in one group."""
        return super().fit(x, y, **_one_group(x))

    def partial_fit(self, x: object = None, y: object = None, **fields: object) -> InOneGroup:
        """Go on with all rows in one group."""
        return super().partial_fit(x, y, **_one_group(x))

    def transform(self, x: object = None, **fields: object) -> np.ndarray:
        """Transform with all rows in one group."""
        return super().transform(x, **_one_group(x))

    def fit_transform(self, x: object = None, y: object = None, **fields: object) -> np.ndarray:
        """Fit and transform with all rows in one group."""
        return self.fit(x, y).transform(x)

    def inverse_transform(self, y: object = None, **fields: object) -> np.ndarray:
        """Undo it with all rows in one group."""
        return super().inverse_transform(y, **_one_group(y))


def _one_group(x: object) -> dict[str, object]:
    rows = np.asarray(x)
    return {"groups": ["all"] * len(rows) if rows.ndim else []}


def _estimators() -> list[Normalizer]:
    """Return every method that takes a table and nothing beside it, as in its example."""
    methods = [
        cls(**cls.example.params)
        for cls in built_in()
        if cls.name not in OF_A_KIND and (cls.family != "hubness" or cls.name in BANKS)
    ]
    for method in methods:
        if _main_kind(method) == "series":
            method.set_options(layout="TC" if "causal" in method.kinds else "NT")
    whole = [InOneGroup() if isinstance(one, GroupZScore) else one for one in methods]
    return [method for method in whole if _takes_a_table_alone(method)]


def _takes_a_table_alone(method: Normalizer) -> bool:
    """Whether X and y are all it needs: no groups, no second part of a fit, no weights."""
    if isinstance(method, InOneGroup):
        return True
    beside = [
        name
        for fields in (method.fits, method.takes)
        for name, field in list(fields.items())[1:]
        if field.required and name != "labels"
    ]
    whole = method.weight_fields or method.fits.any_of or beside
    return bool(get_tags(method).input_tags.two_d_array) and not whole


def _main_kind(method: Normalizer) -> str:
    fields = method.fits or method.takes
    return fields[fields.main].kind


def _facts(method: Any) -> set[str]:
    kind = _main_kind(method)
    without_fit = {"without a fit"} if not method.fits else set()
    if kind == "series":
        causal = {"causal"} if "causal" in method.kinds else set()
        return {"everywhere", "series", "one row"} | causal | without_fit
    if kind == "lists":
        return {"everywhere", "lists", "one row"} | (without_fit or {"fitted lists"})
    among = set() if method.traits.batch_invariant else {"among others"}
    return {"everywhere", "one row"} | without_fit | among


CASES = _estimators()


@pytest.mark.filterwarnings("ignore:.*does not inherit from `sklearn.base.BaseEstimator`")
@pytest.mark.parametrize("method", CASES, ids=lambda method: method.name)
def test_r29_scikit_learn_checks_every_estimator_that_takes_a_table(method: Normalizer) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)  # one check needs a setting of SciPy
        results = check_estimator(method, on_fail=None)
    failed = {one["check_name"]: one["exception"] for one in results if one["status"] == "failed"}
    reasons = {check for fact in _facts(method) for check in TABLES[fact]}
    unknown = {name: error for name, error in failed.items() if name not in reasons}
    assert not unknown


@pytest.mark.filterwarnings("ignore:.*does not inherit from `sklearn.base.BaseEstimator`")
def test_r29_a_check_that_passes_everywhere_needs_no_reason() -> None:
    names = {
        "autorank",
        "percentile",
        "min_max",
        "window_z_score",
        "rolling_z_score",
        "yeo_johnson",
        "whitening",
        "unit_norm",
    }
    failed: set[str] = set()
    for method in (one for one in CASES if one.name in names):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SkipTestWarning)
            results = check_estimator(method, on_fail=None)
        failed |= {one["check_name"] for one in results if one["status"] == "failed"}
    assert {check for table in TABLES.values() for check in table} <= failed
