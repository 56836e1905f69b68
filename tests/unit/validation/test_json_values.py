"""Numbers read at once are admitted as the lists that were written."""

from __future__ import annotations

import json

import numpy as np
import pytest

from normalizers.contract.fields import Field, Fields
from normalizers.data.batch import Batch
from normalizers.data.json_numbers import ParsedNumbers
from normalizers.data.labels import Labels
from normalizers.data.ragged import Ragged
from normalizers.errors import NormalizerError
from normalizers.validation import validate
from normalizers.validation.numbers import number_array

TEXTS = (
    "[1, 2, 3]", "[0, 1, 1]", "[0, 2.5, 1e300]", "[-0.0, 0]", "[7]", "[1234567890123456, 1]",
    "[[1, 2], [3, 4]]", "[[0.5, 1], [1, 0]]", "[[1], [0]]", "[[1, 1, 0]]", "[[0, 3]]",
    "[[[1, 0], [0, 1]], [[1, 1], [0, 0]]]", "[[[1.5]], [[2]]]", "[[[[1]], [[2]]]]", "[[[[[1]]]]]",
    "[]", "[[], []]",
)  # fmt: skip
FIELDS = (
    Field("floats", ("n", "d"), flat="row"), Field("floats", ("n", "d"), flat="column"),
    Field("floats", ("n",)), Field("floats", ("n", "d"), native=True), Field("floats"),
    Field("integers", ("n",)), Field("integers", ("n", "d")), Field("lists", ("N",)),
    Field("series", ("n", "t", "c")), Field("series", ("n", "1", "c")),
    Field("series", ("n", "t", "c", "q")), Field("mask", ("n", "t", "c")),
    Field("labels", ("n", "j")), Field("ids", ("n",)), Field("id_lists", ("N",)), Field("state"),
    Field("records", members=Fields(scores=Field("lists", ("N",)))), Field("text"),
    Field("boolean"),
)  # fmt: skip
COMPANIONS: tuple[dict[str, str], ...] = (
    {}, {"offsets": "[0, 1, 3]"}, {"lengths": "[2, 1]"}, {"offsets": "[[0, 1]]"},
    {"lengths": "[1.5]"}, {"offsets": "[0, 3]", "lengths": "[3]"},
)  # fmt: skip
LAYOUTS = (None, "ragged", "NT", "TC", "NTC")


def written(text: str) -> ParsedNumbers:
    return ParsedNumbers(number_array(json.loads(text), "x"), memoryview(text.encode()))


def shown(value: object) -> object:
    if isinstance(value, np.ndarray):
        return (
            value.dtype.name,
            value.shape,
            value.tolist() if value.dtype == object else value.tobytes(),
        )
    if isinstance(value, Ragged):
        return shown(value.values), shown(value.offsets)
    if isinstance(value, Labels):
        return shown(value.keys), shown(value.codes)
    if isinstance(value, Batch):
        return {name: (shown(value[name]), value.form(name)) for name in value}, value.notices
    return [shown(item) for item in value] if isinstance(value, tuple) else value


def admitted(fields: Fields, values: dict[str, object], layout: str | None) -> object:
    try:
        return shown(validate(fields, values, path="input", layout=layout))
    except NormalizerError as error:
        return type(error), str(error), error.path


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: f"{field.kind}-{field.shape}")
@pytest.mark.parametrize("text", TEXTS)
def test_every_kind_of_field_reads_what_was_written(field: Field, text: str) -> None:
    fields = Fields(x=field)
    for layout in LAYOUTS:
        for companions in COMPANIONS:
            sent = {"x": text, **companions}
            lists = {name: json.loads(value) for name, value in sent.items()}
            expected = admitted(fields, lists, layout)
            for names in ({"x"}, set(sent)):
                some = {
                    name: written(sent[name]) if name in names else lists[name] for name in sent
                }
                assert admitted(fields, some, layout) == expected


def test_a_mask_beside_its_series() -> None:
    fields = Fields(x=Field("series", ("n", "t", "c")), m=Field("mask", ("n", "t", "c")))
    for x in TEXTS:
        for m in TEXTS:
            lists = {"x": json.loads(x), "m": json.loads(m)}
            expected = admitted(fields, lists, None)
            assert admitted(fields, {"x": written(x), "m": written(m)}, None) == expected


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(NormalizerError, match="unknown field 'y'"):
        validate(Fields(x=Field("floats", ("n",))), {"y": written("[1]")}, path="input")
