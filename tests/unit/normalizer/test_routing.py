"""Side fields and options in scikit-learn's pipelines; tags."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from normalizers import (
    GroupZScore,
    Isotonic,
    MinMax,
    Normalizer,
    Pipeline,
    Platt,
    RollingZScore,
    Whitening,
    WindowZScore,
)
from normalizers.catalogue.catalogue import built_in
from normalizers.errors import DtypeError, InvalidInput, InvalidParams
from tests.unit.normalizer.samples import BANKS, FRAME, OF_A_KIND, ROWS

GROUPS = np.array(["a", "b", "c"] * 10)
SCORES = np.array([1.0, 2.0, 2.0, 3.0])
LABELS = np.array([0, 0, 1, 1])


def _routed() -> GroupZScore:
    return GroupZScore().set_fit_request(groups=True).set_transform_request(groups=True)


def test_r16_groups_reach_a_method_in_a_pipeline() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        chain = clone(make_pipeline(_routed()))
        right = GroupZScore().fit(ROWS, groups=GROUPS).transform(ROWS, groups=GROUPS)
        np.testing.assert_array_equal(chain.fit_transform(ROWS, groups=GROUPS), right)
        fitted = chain.fit(ROWS, groups=GROUPS)
        np.testing.assert_array_equal(fitted.transform(ROWS, groups=GROUPS), right)
        model = make_pipeline(StandardScaler(), _routed(), LinearRegression())
        model.fit(ROWS, ROWS[:, 0], groups=GROUPS)
        assert model.predict(ROWS, groups=GROUPS).shape == (30,)


def test_r16_a_field_that_nobody_chose_is_refused_by_the_pipeline() -> None:
    with (
        sklearn.config_context(enable_metadata_routing=True),
        pytest.raises(ValueError, match="groups"),
    ):
        make_pipeline(GroupZScore(), StandardScaler()).fit(ROWS, groups=GROUPS)


def test_r16_requests_name_fields_of_the_call() -> None:
    routing = GroupZScore().set_fit_request(groups="language").get_metadata_routing()
    assert routing.fit.requests == {"groups": "language", "qualities": None}
    assert "labels" not in Platt().get_metadata_routing().fit.requests
    with pytest.raises(InvalidInput, match="it takes groups, qualities"):
        GroupZScore().set_fit_request(group=True)
    with pytest.raises(InvalidInput, match="it takes none"):
        MinMax().set_fit_request(x=True)


def test_r16_a_series_stands_in_a_pipeline_of_tables() -> None:
    window = WindowZScore().set_options(layout="NT")
    right = WindowZScore().transform(ROWS, layout="NT")
    np.testing.assert_array_equal(clone(make_pipeline(window)).fit_transform(ROWS), right)
    np.testing.assert_array_equal(window.transform(ROWS.T, layout="TC"), right.T)
    np.testing.assert_array_equal(WindowZScore().fit_transform(ROWS, layout="NT"), right)
    answer = window.apply_to(ROWS)
    back = window.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(back, ROWS, atol=1e-12)
    with pytest.raises(InvalidParams, match="unknown option 'layot'"):
        window.set_options(layot="NT")
    with pytest.raises(InvalidInput, match="layout"):
        window.set_options(layout=None).transform(ROWS)


def test_r16_a_column_of_scores_is_one_score_a_row() -> None:
    right = Platt().fit(SCORES, LABELS)
    column = Platt().fit(SCORES[:, None], LABELS[:, None])
    np.testing.assert_array_equal(column.transform(SCORES[:, None])[:, 0], right.transform(SCORES))
    one = FRAME[["a"]]
    labels = (one["a"] > 0).tolist()
    framed = make_pipeline(Isotonic().set_output(transform="pandas")).fit(one, labels)
    assert framed.transform(one).shape == (30, 1)


@pytest.mark.parametrize("cls", list(built_in()), ids=lambda cls: cls.name)
def test_r16_every_method_of_rows_stands_in_a_pipeline(cls: type[Normalizer]) -> None:
    method = cls(**cls.example.params)
    fields = method.fits or method.takes
    rows = np.abs(ROWS) / 10 + 0.1
    main = fields[fields.main]
    special = cls.name in OF_A_KIND - {"gamma_cdf", "box_cox"}
    special |= cls.family == "hubness" and cls.name not in BANKS
    if method.weight_fields or fields.any_of or "step_max" in fields or special:
        return  # weights from elsewhere, a fit of two parts, side fields, numbers of a kind
    if main.kind == "series":
        method.set_options(layout="NT")
    elif "labels" in fields:
        rows = rows[:, :1]
    elif not get_tags(method).input_tags.two_d_array or "groups" in fields:
        return  # ranked runs, kernels, side fields
    assert len(make_pipeline(method).fit(rows, [0, 1] * 15).transform(rows)) == 30


def test_r29_choices_outlive_a_clone_and_copies() -> None:
    chosen = WindowZScore().set_options(layout="NT").set_output(transform="pandas")
    for twin in (clone(chosen), copy.deepcopy(chosen), pickle.loads(pickle.dumps(chosen))):
        assert list(twin.transform(FRAME).index) == list(FRAME.index)
        assert twin.transform(FRAME).shape == (30, 3)


@pytest.mark.parametrize("params", [{}, {"nan_policy": "omit"}, {"nan_policy": "propagate"}])
def test_r29_the_tag_of_missing_values_follows_the_policy(params: dict[str, str]) -> None:
    assert get_tags(Whitening(**params)).input_tags.allow_nan is bool(params)
    chain = Pipeline(steps=[Whitening(**params), Whitening()])
    assert get_tags(chain).input_tags.allow_nan is bool(params)


def test_r29_tags_say_what_the_data_are() -> None:
    assert get_tags(WindowZScore()).input_tags.allow_nan
    assert not get_tags(WindowZScore()).input_tags.two_d_array
    assert get_tags(WindowZScore()).input_tags.three_d_array
    table = RollingZScore(window=3).set_options(layout="TC")
    assert get_tags(table).input_tags.two_d_array
    assert get_tags(MinMax()).input_tags.two_d_array
    assert get_tags(Platt()).input_tags.one_d_array

    assert get_tags(Platt()).target_tags.required
    assert not get_tags(Whitening()).target_tags.required


def test_r29_sparse_data_are_refused_by_name() -> None:
    from scipy import sparse

    for kind in (sparse.csr_array, sparse.dok_matrix):
        with pytest.raises(DtypeError, match="sparse"):
            Whitening().fit(kind(ROWS))
