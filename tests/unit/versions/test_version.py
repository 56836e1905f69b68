"""A version: applied, inverted, described, never changed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from normalizers import MinMax, Whitening
from normalizers.contract.answer import Options
from normalizers.errors import InvalidInput, InvalidParams, UnsupportedOperation
from normalizers.versions import fitting
from normalizers.versions.file import from_bytes, to_bytes

ROWS = np.random.default_rng(0).normal(size=(20, 3))


def test_a_version_cannot_be_changed() -> None:
    version = fitting.fit(Whitening(), {"x": ROWS})
    with pytest.raises(FrozenInstanceError):
        version.columns = ("a",)  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        version.fitted["mean"][:] = 0.0


def test_given_and_resolved_parameters() -> None:
    version = fitting.fit(Whitening(n_components=2), {"x": ROWS})
    assert version.explicit_params == {"n_components": 2}
    assert version.resolved["variant"] == "pca"
    assert version.transform({"x": ROWS}).effective_params == version.resolved


def test_the_report_is_the_same_after_the_file() -> None:
    version = fitting.fit(Whitening(), {"x": ROWS})
    again = from_bytes(to_bytes(version))
    rows_only = {"average_cosine", "hub_skewness", "outputs", "row_lengths"}
    for name in version.report.keys() - rows_only:
        np.testing.assert_equal(again.report[name], version.report[name], err_msg=name)
    assert version.report["n"] == 20
    assert rows_only <= version.report.keys()


def test_transform_and_inverse_with_options() -> None:
    version = fitting.stateless(MinMax())
    answer = version.transform({"scores": [1.0, 3.0]}, Options(explain=True))
    assert answer.explain is not None
    values = {"values": answer["values"], "loc": answer["loc"], "scale": answer["scale"]}
    assert version.inverse(values)["scores"].tolist() == [1.0, 3.0]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("values", "options", "error", "place"),
    [
        ({"scores": "x"}, {}, InvalidInput, "input.scores"),
        ({"scores": [1.0]}, {"layout": "NTC"}, InvalidParams, "options.layout"),
        ({"scores": [1.0, 1.0]}, {"strict": True}, InvalidInput, "options.strict"),
    ],
)
def test_what_is_refused_names_its_place(
    values: dict[str, object],
    options: dict[str, object],
    error: type[InvalidInput],
    place: str,
) -> None:
    with pytest.raises(error) as caught:
        fitting.stateless(MinMax()).transform(values, Options.read(options))
    assert caught.value.path == place


def test_no_way_back_is_said() -> None:
    version = fitting.fit(Whitening(post="l2"), {"x": ROWS})
    with pytest.raises(UnsupportedOperation, match="'whitening' has no inverse with these"):
        version.inverse({"y": ROWS})


def test_an_answer_does_not_depend_on_neighbours_or_earlier_requests() -> None:
    version = fitting.fit(Whitening(), {"x": ROWS})
    whole = version.transform({"x": ROWS})["y"]
    for index, row in enumerate(ROWS[:5]):
        one = version.transform({"x": row})["y"]
        np.testing.assert_allclose(one, whole[index], rtol=1e-12)  # type: ignore[index]
