"""The face of the library: fit, go on, merge, save, load, and scikit-learn without inheriting."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from normalizers.embeddings import Whitening
from normalizers.errors import (
    CorruptVersion,
    DtypeError,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    MissingDependency,
    NormalizerError,
    NotFitted,
    ShapeError,
    UnsupportedOperation,
)
from normalizers.estimator import load
from normalizers.hubness import InvertedSoftmax
from normalizers.metrics import GroupZScore
from normalizers.scores import MinMax, Percentile, ReciprocalRankFusion
from normalizers.series import WindowZScore

ROWS = np.random.default_rng(0).normal(size=(30, 3))
FRAME = pd.DataFrame(ROWS, columns=["a", "b", "c"])


# Fit, and go on


def test_a_fit_forgets_an_earlier_one() -> None:
    whitening = Whitening().fit(ROWS)
    assert whitening.fit(ROWS[:10]) is whitening
    assert whitening.version_.n == 10
    assert Whitening().partial_fit(ROWS).fit(ROWS[:10]).version_.n == 10


def test_partial_fit_begins_and_goes_on() -> None:
    whole = Whitening().fit(ROWS)
    for begun in (Whitening().partial_fit(ROWS[:10]), Whitening().fit(ROWS[:10])):
        before = begun.version_
        begun.partial_fit(ROWS[10:])
        np.testing.assert_allclose(begun.transform(ROWS), whole.transform(ROWS), rtol=1e-9)
        assert (before.n, begun.version_.n) == (10, 30)
        assert begun.statistics_.n == 30


def test_partial_fit_keeps_what_the_first_fit_settled() -> None:
    bank = np.abs(ROWS)
    begun = InvertedSoftmax().fit(bank)
    beta = begun.version_.resolved["beta"]
    assert begun.partial_fit(bank).version_.resolved["beta"] == beta
    with pytest.raises(InvalidParams, match="fit once with auto"):
        InvertedSoftmax().partial_fit(bank)


def test_parameters_that_affect_the_solution_may_change_between_parts() -> None:
    begun = Whitening().partial_fit(ROWS[:10]).set_params(n_components=1).partial_fit(ROWS[10:])
    assert begun.transform(ROWS).shape == (30, 1)
    assert Whitening().fit(ROWS).set_params(n_components=1).transform(ROWS).shape == (30, 3)


@pytest.mark.parametrize(
    "begin",
    [
        lambda: Whitening().fit(ROWS),
        lambda: Whitening().partial_fit(ROWS),
        lambda: Whitening().fit(ROWS).partial_fit(ROWS),
    ],
)
def test_parameters_that_affect_the_statistics_may_not(begin: Callable[[], Whitening]) -> None:
    begun = begin().set_params(pre="l2")
    with pytest.raises(IncompatibleStatistics, match="'pre' is None here and 'l2' there"):
        begun.partial_fit(ROWS)
    pending = Whitening().partial_fit(ROWS).set_params(pre="l2")
    with pytest.raises(IncompatibleStatistics, match="'pre'"):
        pending.transform(ROWS)
    assert begun.fit(ROWS).version_.resolved["pre"] == "l2"


def test_a_part_of_another_width_is_refused_and_changes_nothing() -> None:
    begun = Whitening().fit(ROWS)
    with pytest.raises(IncompatibleStatistics, match="d is 3 here and 4 there"):
        begun.partial_fit(np.ones((2, 4)))
    assert begun.version_.n == 30


@pytest.mark.parametrize(
    "wrong", [[[1.0, 2.0], [3.0]], pd.DataFrame([["x", "y"]], columns=["p", "q"]), [[np.nan] * 3]]
)
def test_a_failed_fit_changes_nothing(wrong: object) -> None:
    whitening = Whitening().fit(FRAME)
    expected = whitening.transform(ROWS)
    with pytest.raises(InvalidInput):
        whitening.fit(wrong)
    np.testing.assert_array_equal(whitening.transform(ROWS), expected)
    assert whitening.feature_names_in_.tolist() == ["a", "b", "c"]


def test_a_fit_from_stored_statistics() -> None:
    fitted = Whitening().fit(ROWS)
    again = Whitening().fit_statistics(**fitted.statistics_.to_members())
    np.testing.assert_array_equal(again.transform(ROWS), fitted.transform(ROWS))
    ends = MinMax().fit_statistics(extrema={"n": 5, "min": 0.0, "max": 10.0})
    assert ends.transform([5.0]).tolist() == [0.5]
    with pytest.raises(InvalidInput, match="unknown statistic") as caught:
        Whitening().fit_statistics(moments={})
    assert caught.value.path == "statistics.moments"


def test_a_merge_is_a_fit_on_everything() -> None:
    parts = [Whitening().fit(ROWS[i : i + 10]) for i in range(0, 30, 10)]
    merged = parts[0].merge(*parts[1:])
    np.testing.assert_allclose(
        merged.transform(ROWS), Whitening().fit(ROWS).transform(ROWS), rtol=1e-9
    )
    assert [part.version_.n for part in parts] == [10, 10, 10]
    assert parts[0].merge().version_.n == 10


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (Whitening().fit(ROWS), MinMax().fit([1.0, 2.0])),
        (Whitening().fit(ROWS), Whitening(pre="l2").fit(ROWS)),
        (Whitening().fit(ROWS), Whitening().fit(ROWS[:, :2])),
        (Whitening().fit(FRAME), Whitening().fit(FRAME.rename(columns={"a": "z"}))),
        (MinMax().fit([1.0]), MinMax(bounds="percentile").fit([1.0])),
        (InvertedSoftmax(beta=1.0).fit(ROWS), InvertedSoftmax(beta=2.0).fit(ROWS)),
    ],
)
def test_what_does_not_merge_is_refused(mine: Whitening, theirs: Whitening) -> None:
    with pytest.raises(IncompatibleStatistics):
        mine.merge(theirs)


def test_stateless_methods_need_no_fit() -> None:
    runs = [{"ids": ["a", "b"]}]
    assert ReciprocalRankFusion().transform(runs).tolist() == ["a", "b"]
    assert ReciprocalRankFusion().fit().transform(runs).tolist() == ["a", "b"]
    assert MinMax(scope="query").fit([1.0, 2.0]).transform([5.0, 6.0]).tolist() == [0.0, 1.0]
    with pytest.raises(UnsupportedOperation, match="scope: 'fitted'"):
        MinMax(scope="query").partial_fit([1.0, 2.0])


# Transform and back


@pytest.mark.parametrize(
    "act",
    [
        lambda method: method.transform(ROWS),
        lambda method: method.inverse_transform(ROWS),
        lambda method: method.apply_to(ROWS),
        lambda method: method.merge(method),
        lambda method: method.save("nowhere"),
        lambda method: method.get_feature_names_out(),
        lambda method: method.version_,
        lambda method: method.fitted_,
        lambda method: method.statistics_,
        lambda method: method.report_,
    ],
)
def test_what_needs_a_fit_says_so(act: Callable[[Whitening], object]) -> None:
    with pytest.raises(NotFitted, match="this Whitening is not fitted; call fit first"):
        act(Whitening())


def test_fields_by_name_and_options() -> None:
    groups = GroupZScore().fit([1.0, 2.0, 3.0, 5.0], groups=list("aabb"))
    assert groups.transform([1.0], groups=["a"]).shape == (1,)
    assert groups.transform(x=[1.0], groups=["a"]).shape == (1,)
    answer = MinMax().apply_to([1.0, 1.0], explain=True)
    assert answer.flags["constant"].tolist() == [0]
    assert answer.explain is not None
    assert answer.effective_params["scope"] == "query"
    with pytest.raises(InvalidInput, match="the answer carries constant"):
        MinMax().transform([1.0, 1.0], strict=True)


@pytest.mark.parametrize(
    ("act", "place", "what"),
    [
        (lambda m: m.transform(), "input.x", "'x' is missing"),
        (lambda m: m.transform(ROWS, rows=1), "input.rows", "unknown field 'rows'"),
        (lambda m: m.transform(ROWS, explian=True), "input.explian", "unknown field"),
        (lambda m: m.transform(ROWS, top_k=1), "options.top_k", "no meaning for 'whitening'"),
        (lambda m: m.transform(ROWS, explain="yes"), "options.explain", "valid boolean"),
        (lambda m: m.transform(ROWS[:, :2]), "input.x", "has 2 for d, but the fit has 3"),
        (lambda m: m.inverse_transform(ROWS, y=ROWS), "", "multiple values"),
        (lambda m: m.inverse_transform(ROWS[:, :2]), "input.y", "has 2 for k"),
        (lambda m: m.fit(), "fit.x", "'x' is missing"),
        (lambda m: m.fit(ROWS, weights=[1]), "fit.weights", "unknown field"),
    ],
)
def test_misuse_is_named(act: Callable[[Whitening], object], place: str, what: str) -> None:
    with pytest.raises((NormalizerError, TypeError), match=what) as caught:
        act(Whitening().fit(ROWS))
    assert getattr(caught.value, "path", "") == place


def test_the_way_back_takes_what_the_transform_returned() -> None:
    series = np.random.default_rng(1).normal(size=(2, 6, 3))
    method = WindowZScore()
    answer = method.apply_to(series)
    back = method.inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(back, series, rtol=1e-12)


def test_fit_transform_passes_on_the_fields_of_both() -> None:
    x, groups = [1.0, 2.0, 3.0, 4.0], list("aabb")
    once = GroupZScore().fit_transform(x, groups=groups)
    twice = GroupZScore().fit(x, groups=groups).transform(x, groups=groups)
    assert once.tolist() == twice.tolist()
    np.testing.assert_array_equal(
        Whitening().fit_transform(ROWS, np.ones(30)), Whitening().fit(ROWS).transform(ROWS)
    )


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_output_has_the_dtype_of_the_input(dtype: type) -> None:
    assert Whitening().fit(ROWS).transform(ROWS.astype(dtype)).dtype == dtype
    assert MinMax().fit([0.0, 1.0]).transform(np.ones(2, dtype=dtype)).dtype == dtype


def test_an_output_beyond_float16_is_refused() -> None:
    ends = MinMax().fit([0.0, 1e-6])
    with pytest.raises(InvalidInput, match="too large for float16; send the input in a wider"):
        MinMax(clip=False).fit([0.0, 1e-6]).transform(np.array([60000.0], dtype=np.float16))
    assert ends.transform(np.array([60000.0], dtype=np.float16)).tolist() == [1.0]


def test_inputs_are_not_modified() -> None:
    rows, frame = ROWS.copy(), FRAME.copy()
    Whitening().fit(rows).transform(rows)
    Whitening().fit(frame).transform(frame)
    np.testing.assert_array_equal(rows, ROWS)
    pd.testing.assert_frame_equal(frame, FRAME)
    fitted = Whitening().fit(rows)
    expected = fitted.transform(ROWS)
    rows[:] = 0.0
    np.testing.assert_array_equal(fitted.transform(ROWS), expected)
    with pytest.raises(ValueError, match="read-only"):
        fitted.fitted_["W"][0, 0] = 1.0


# Columns and frames


def test_the_names_of_columns_are_kept() -> None:
    whitening = Whitening().fit(FRAME)
    assert whitening.feature_names_in_.tolist() == ["a", "b", "c"]
    assert whitening.get_feature_names_out().tolist() == ["a", "b", "c"]
    assert whitening.get_feature_names_out(["p", "q", "r"]).tolist() == ["p", "q", "r"]
    assert Whitening(n_components=2).fit(FRAME).get_feature_names_out().tolist() == [
        "whitening0",
        "whitening1",
    ]
    np.testing.assert_array_equal(whitening.transform(FRAME), whitening.transform(ROWS))


@pytest.mark.parametrize("x", [ROWS, pd.DataFrame(ROWS), ROWS.tolist()])
def test_without_names_there_are_none(x: object) -> None:
    whitening = Whitening().fit(x)
    assert not hasattr(whitening, "feature_names_in_")
    assert whitening.transform(FRAME).shape == (30, 3)


@pytest.mark.parametrize("columns", [["b", "a", "c"], ["a", "b", "z"]])
def test_columns_of_other_names_are_refused(columns: list[str]) -> None:
    other = pd.DataFrame(ROWS, columns=columns)
    for begun in (Whitening().fit(FRAME), Whitening().partial_fit(FRAME)):
        with pytest.raises(InvalidInput, match="are not those of the fit") as caught:
            begun.transform(other)
        assert caught.value.path == "input.x"
        with pytest.raises(InvalidInput, match="are not those of the fit") as caught:
            begun.partial_fit(other)
        assert caught.value.path == "fit.x"
        assert begun.version_.n == 30


def test_set_output_pandas() -> None:
    frame = FRAME.set_index(pd.Index(range(100, 130)))
    whitening = Whitening().set_output(transform="pandas").fit(frame)
    found = whitening.transform(frame)
    assert isinstance(found, pd.DataFrame)
    assert (list(found.columns), list(found.index)) == (["a", "b", "c"], list(frame.index))
    np.testing.assert_array_equal(found, Whitening().fit(ROWS).transform(ROWS))
    assert list(whitening.transform(ROWS[:2]).index) == [0, 1]  # type: ignore[attr-defined]
    assert whitening.set_output() is whitening
    assert isinstance(whitening.transform(ROWS), pd.DataFrame)
    assert isinstance(whitening.set_output(transform="default").transform(ROWS), np.ndarray)


@pytest.mark.parametrize(
    "act",
    [
        lambda: MinMax().set_output(transform="pandas").transform([1.0, 2.0]),
        lambda: MinMax().set_output(transform="pandas").transform([[1.0, 2.0], [3.0]]),
        lambda: WindowZScore().set_output(transform="pandas").transform(np.ones((2, 3, 4))),
    ],
)
def test_an_output_that_is_no_table_is_no_frame(act: Callable[[], object]) -> None:
    with pytest.raises(InvalidInput, match="no table of rows and columns"):
        act()


def test_an_unknown_kind_of_frame_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'default', 'pandas' or 'polars'"):
        Whitening().set_output(transform="spark")


def test_a_kind_of_frame_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingDependency, match="needs polars: pip install polars"):
        Whitening().set_output(transform="polars").fit(ROWS).transform(ROWS)


# Save, load, copy


def test_a_saved_normalizer_comes_back_fitted(tmp_path: Path) -> None:
    path = tmp_path / "whitening.safetensors"
    fitted = Whitening(n_components=2).fit(FRAME)
    digest = fitted.save(path)
    again = load(str(path))
    assert type(again) is Whitening
    assert again.get_params() == fitted.get_params()
    assert again.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(again.transform(FRAME), fitted.transform(FRAME))
    assert again.save(tmp_path / "again.safetensors") == digest
    assert again.partial_fit(FRAME).version_.n == 60
    assert again.merge(fitted).version_.n == 90


def test_another_process_loads_and_gives_the_same_numbers(tmp_path: Path) -> None:
    path = tmp_path / "ends.safetensors"
    MinMax().fit([0.0, 3.0]).save(path)
    script = (
        "import sys\n"
        "from normalizers.estimator import load\n"
        f"print(load({str(path)!r}).transform([1.0]).tolist())\n"
        "assert 'sklearn' not in sys.modules and 'pandas' not in sys.modules\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == str(MinMax().fit([0.0, 3.0]).transform([1.0]).tolist())


def test_what_is_no_version_does_not_load(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"no version")
    with pytest.raises(CorruptVersion):
        load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.safetensors")


def test_copies_and_pickles_are_fitted() -> None:
    fitted = Whitening().fit(FRAME)
    for twin in (copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted))):
        np.testing.assert_array_equal(twin.transform(FRAME), fitted.transform(FRAME))


# scikit-learn


def test_clone_gives_one_that_is_not_fitted() -> None:
    twin = clone(Whitening(n_components=2).fit(ROWS))
    assert twin.get_params()["n_components"] == 2
    with pytest.raises(NotFitted):
        twin.transform(ROWS)


def test_check_is_fitted() -> None:
    check_is_fitted(Whitening().fit(ROWS))
    check_is_fitted(Whitening().partial_fit(ROWS))
    check_is_fitted(MinMax())
    with pytest.raises(NotFittedError):
        check_is_fitted(Whitening())
    assert not Whitening().is_fitted
    assert Whitening().fit(ROWS).is_fitted


def test_a_pipeline_of_scikit_learn() -> None:
    chain = make_pipeline(StandardScaler(), Whitening(), Whitening(n_components=2))
    assert chain.fit(ROWS).transform(ROWS).shape == (30, 2)
    one = make_pipeline(StandardScaler(), Whitening()).fit(ROWS)
    np.testing.assert_allclose(one.inverse_transform(one.transform(ROWS)), ROWS, atol=1e-12)
    named = make_pipeline(StandardScaler(), Whitening()).set_output(transform="pandas").fit(FRAME)
    assert list(named.transform(FRAME).columns) == ["a", "b", "c"]
    assert named.get_feature_names_out().tolist() == ["a", "b", "c"]
    named.set_params(whitening__n_components=1)
    assert named.fit(FRAME).transform(FRAME).shape == (30, 1)


def test_columns_and_unions_of_scikit_learn() -> None:
    columns = ColumnTransformer([("white", Whitening(), ["a", "b"])])
    assert columns.fit(FRAME).transform(FRAME).shape == (30, 2)
    union = FeatureUnion([("zca", Whitening()), ("pca", Whitening(variant="pca"))])
    assert union.fit(ROWS).transform(ROWS).shape == (30, 6)


def test_tags_say_whether_a_fit_is_needed() -> None:
    assert Whitening().__sklearn_tags__().requires_fit  # type: ignore[attr-defined]
    assert not Percentile(scope="query").__sklearn_tags__().requires_fit  # type: ignore[attr-defined]


def test_errors_are_value_errors() -> None:
    for error in (DtypeError, ShapeError, NotFitted, InvalidParams):
        assert issubclass(error, ValueError)
