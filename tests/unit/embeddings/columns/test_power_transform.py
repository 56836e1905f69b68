"""Powers that make columns most likely normal."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.preprocessing import PowerTransformer

from normalizers import PowerTransform
from normalizers.errors import FitError, InvalidInput

RANDOM = np.random.default_rng(3)
X = np.column_stack([RANDOM.gamma(2.0, size=80), RANDOM.lognormal(size=80), RANDOM.normal(size=80)])


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize(("variant", "columns"), [("yeo_johnson", 3), ("box_cox", 2)])
def test_it_equals_the_transformer_of_scikit_learn(
    variant: str, columns: int, standardize: bool
) -> None:
    x = X[:, :columns]
    peer = PowerTransformer(variant.replace("_", "-"), standardize=standardize).fit(x)
    method = PowerTransform(variant=variant, standardize=standardize).fit(x)
    np.testing.assert_allclose(method.fitted_["lambdas"], peer.lambdas_, atol=1e-4)
    np.testing.assert_allclose(method.transform(x), peer.transform(x), atol=1e-3)
    np.testing.assert_allclose(method.inverse_transform(method.transform(x)), x, rtol=1e-9)


def test_parts_merge_to_the_same_powers() -> None:
    whole = PowerTransform().fit(X)
    merged = PowerTransform().fit(X[50:]).merge(PowerTransform().fit(X[:50]))
    np.testing.assert_array_equal(merged.fitted_["lambdas"], whole.fitted_["lambdas"])


def test_a_column_of_one_value_takes_the_power_1() -> None:
    method = PowerTransform().fit(np.column_stack([X[:, 0], np.full(80, 3.0)]))
    assert method.fitted_["lambdas"][1] == 1.0
    answer = method.apply_to([[1.0, 4.0]])
    assert answer.output["y"][0, 1] == pytest.approx(1.0, rel=1e-14)
    assert answer.flags["constant"].tolist() == [1]


def test_box_cox_takes_positive_values_only() -> None:
    with pytest.raises(FitError, match="column 2 holds a value that is not above 0"):
        PowerTransform(variant="box_cox").fit(X)
    method = PowerTransform(variant="box_cox").fit(X[:, :2])
    with pytest.raises(InvalidInput, match="values above 0") as caught:
        method.transform([[1.0, 1.0], [1.0, 0.0]])
    assert caught.value.path == "input.x[1][1]"


def test_what_no_input_gives_is_missing_on_the_way_back() -> None:
    method = PowerTransform().fit(X[:, 1:2])
    assert method.fitted_["lambdas"][0] < 0
    back = method.inverse_to([[50.0], [0.0]])
    assert np.isnan(back.output["x"][0, 0])
    assert back.flags["out_of_range"].tolist() == [0]


def test_more_rows_than_are_kept_are_refused() -> None:
    with pytest.raises(FitError, match="sample_limit"):
        PowerTransform(sample_limit=10).fit(X)
