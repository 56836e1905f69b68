"""Names of columns beside the main field."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas
import pytest

from normalizers.contract import Answer, Batch, Fields, Fitted, Options, floats
from normalizers.errors import InvalidInput, ShapeError
from normalizers.normalizer import Normalizer
from normalizers.pipeline.pipeline import Pipeline
from normalizers.validation import validate

ROWS = [[1.0, 2.0], [3.0, 4.0]]
FIELDS = Fields(x=floats("n c", flat="column"), w=floats("n"))


class Remembering(Normalizer):
    """Returns what it is given and remembers the names of its columns."""

    name = "remembering"
    family = "metrics"
    takes = Fields(x=floats("m c", flat="column"))
    gives = Fields(y=floats("m c", flat="column"))
    seen: Mapping[str, object] = {}

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        type(self).seen = {"columns": batch.columns}  # type: ignore[assignment]
        return Answer({"y": batch.array("x")})


def _named(names: object) -> Batch:
    return validate(FIELDS, {"x": ROWS, "w": [1.0, 2.0], "columns": names}, path="input")


def test_k7_names_stand_beside_the_main_field() -> None:
    assert _named(["comet", "chrf"]).columns == ("comet", "chrf")
    assert _named(np.array(["comet", "chrf"])).columns == ("comet", "chrf")
    assert _named(None).columns is None


def test_k7_names_are_one_a_column_and_distinct() -> None:
    with pytest.raises(ShapeError, match="3 names for the 2 columns of 'x'"):
        _named(["a", "b", "c"])
    with pytest.raises(InvalidInput, match="the name 'a' stands here twice") as caught:
        _named(["a", "a"])
    assert caught.value.path == "input.columns[1]"


def test_k7_names_are_no_field_where_the_main_one_has_no_columns() -> None:
    fields = Fields(w=floats("n"))
    with pytest.raises(InvalidInput, match="unknown field 'columns'"):
        validate(fields, {"w": [1.0], "columns": ["a"]}, path="input")


@pytest.mark.parametrize("wrap", [lambda method: method, lambda method: Pipeline(steps=[method])])
def test_k7_names_reach_apply_from_a_frame_and_from_a_request(wrap: object) -> None:
    method = wrap(Remembering())  # type: ignore[operator]
    method.transform(pandas.DataFrame(ROWS, columns=["comet", "chrf"]))
    assert Remembering.seen == {"columns": ("comet", "chrf")}
    method.transform(ROWS, columns=["a", "b"])
    assert Remembering.seen == {"columns": ("a", "b")}
    method.transform(ROWS)
    assert Remembering.seen == {"columns": None}


def test_k7_a_fit_remembers_them_and_other_ones_are_refused() -> None:
    from normalizers import GroupZScore

    fitted = GroupZScore().fit([*ROWS, *ROWS], groups=list("aabb"), columns=["u", "v"])
    assert fitted.version_.columns == ("u", "v")
    assert fitted.version_.read({"x": ROWS, "groups": ["a", "b"]}).columns == ("u", "v")
    with pytest.raises(InvalidInput, match="the columns are not those of the fit") as caught:
        fitted.transform(ROWS, groups=["a", "b"], columns=["v", "u"])
    assert caught.value.path == "input.x"
