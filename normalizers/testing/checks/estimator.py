"""The face that scikit-learn's users know; it works without inheriting."""

from __future__ import annotations

import numpy as np

from normalizers.errors import InvalidInput, InvalidParams
from normalizers.testing import samples
from normalizers.testing.capabilities import fitted, frame_like, of, streams
from normalizers.testing.cases import Case
from normalizers.testing.compare import assert_close, assert_identical
from normalizers.testing.refusals import raises

MERGE_BOUND = 1e-12


def check_clone_and_params(case: Case) -> None:
    """`clone`, `get_params` and `set_params` keep parameters as they were given."""
    from sklearn.base import clone

    estimator = case.estimator()
    twin = clone(estimator)
    assert twin is not estimator
    assert twin.get_params(deep=False) == estimator.get_params(deep=False)
    assert set(twin.get_params()) == set(case.cls.parameters)
    fresh = case.cls().set_params(**case.params)
    assert fresh.explicit_params == estimator.explicit_params
    with raises(InvalidParams):
        fresh.set_params(no_such_parameter=1)


def check_constructor_stores_what_it_is_given(case: Case) -> None:
    """The constructor validates nothing and copies nothing."""
    for name in case.cls.parameters:
        marker = object()
        assert getattr(case.cls(**{name: marker}), name) is marker


def check_fit_returns_self_and_forgets(case: Case) -> None:
    """`fit` returns the estimator; another fit leaves nothing of the first."""
    estimator = case.estimator()
    if not case.method.fittable and not case.is_learned:
        assert estimator.fit(case.given()[case.main]) is estimator
        assert_identical(estimator.apply_to(**case.given()).output, case.answer().output)
    if case.with_fit:
        assert estimator.fit(**case.fit_values(seed=1)) is estimator
        again = estimator.fit(**case.fit_values()).version_
        assert_identical(again.statistics.to_arrays(), case.version.statistics.to_arrays())


def check_main_field_is_positional(case: Case) -> None:
    """`transform(x, **others)` is `apply_to(**fields)`."""
    estimator = case.prepared()
    given = case.given()
    main = given.pop(case.main)
    if case.resolved_method.takes.main != case.main:
        return
    assert_identical(estimator.transform(main, **given), case.answer().output[case.output])


@of(fitted)
def check_fit_transform(case: Case) -> None:
    """`fit_transform` is `fit`, then `transform` of the same rows."""
    if case.fits.keys() != case.takes.keys() or case.resolved_method.fits.main != case.main:
        return
    values = case.fit_values()
    main = values.pop(case.main)
    both = case.estimator().fit_transform(main, **values)
    assert_identical(both, case.prepared().transform(main, **values))


@of(streams)
def check_partial_fit_goes_on_from_the_fit(case: Case) -> None:
    """`fit` of one part and `partial_fit` of the others is a fit of all."""
    values = case.fit_values()
    blocks = samples.blocks(case.fits, values, 3)
    # Each part of a fit begins one: a version needs them all.
    first = {name: value for block in blocks[::3] for name, value in block.items()}
    others = [block for index, block in enumerate(blocks) if index % 3]
    fitted_first = case.estimator().fit(**first)
    streamed = case.estimator().partial_fit(**first)
    for part in others:
        fitted_first.partial_fit(**part)
        streamed.partial_fit(**part)
    expected = case.version.statistics.to_arrays()
    for estimator in (fitted_first, streamed):
        assert_close(estimator.statistics_.to_arrays(), expected, MERGE_BOUND)
        assert estimator.version_.n == case.version.n
        assert estimator.__sklearn_is_fitted__()


@of(frame_like)
def check_works_in_a_pipeline(case: Case) -> None:
    """scikit-learn's own pipeline fits it, transforms with it and clones it."""
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline

    x = np.asarray(case.fit_values()[case.main] if case.with_fit else case.given()[case.main])
    pipeline = clone(make_pipeline(case.estimator(), case.estimator()))
    y = pipeline.fit(x).transform(x)
    assert len(y) == len(x)
    assert_identical(pipeline.fit_transform(x), y)
    assert np.isfinite(y).all()


@of(frame_like)
def check_set_output_pandas(case: Case) -> None:
    """Data frames go in and come out; other columns than those of the fit are refused."""
    import pandas

    values = case.fit_values() if case.with_fit else case.given()
    x = np.asarray(values[case.main])
    names = [f"column {index}" for index in range(x.shape[1])]
    frame = pandas.DataFrame(x, columns=names, index=[f"row {i}" for i in range(len(x))])
    estimator = case.estimator().fit(frame)
    assert_identical(estimator.transform(frame), estimator.transform(x))
    framed = estimator.set_output(transform="pandas").transform(frame)
    assert isinstance(framed, pandas.DataFrame)
    assert list(framed.columns) == list(estimator.get_feature_names_out())
    assert list(framed.index) == list(frame.index)
    assert list(estimator.feature_names_in_) == names
    with raises(InvalidInput, match="columns"):
        estimator.transform(frame.rename(columns={names[0]: "other"}))


def check_tags_are_known_to_sklearn(case: Case) -> None:
    """scikit-learn can ask whether it must be fitted."""
    from sklearn.utils import get_tags

    assert get_tags(case.estimator()).requires_fit is not case.method.stateless


@of(fitted)
def check_a_fit_is_made_of_attributes_by_name(case: Case) -> None:
    """Whoever keeps a fit by its attributes, as skops does, gets mappings from names to values."""
    _require_names(case.estimator().fit(**case.fit_values()), set())


def _require_names(value: object, seen: set[int]) -> None:
    if id(value) in seen or isinstance(value, (type, np.ndarray)):
        return
    seen.add(id(value))
    parts: object = value
    if type(value).__module__.startswith("normalizers."):
        parts = value.__getstate__()  # type: ignore[attr-defined]
        assert isinstance(parts, dict) or parts is None, type(value)
    if isinstance(parts, dict):
        assert all(isinstance(name, str) for name in parts), (type(value), list(parts)[:3])
        parts = list(parts.values())
    if isinstance(parts, (list, tuple)):
        for part in parts:
            _require_names(part, seen)
