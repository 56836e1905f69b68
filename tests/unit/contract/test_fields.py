"""Declared fields."""

from __future__ import annotations

import pytest

from normalizers.contract.fields import (
    NO_FIELDS,
    Field,
    Fields,
    boolean,
    floats,
    id_lists,
    ids,
    integers,
    labels,
    like,
    lists,
    mask,
    optional,
    records,
    series,
    state,
    text,
)


@pytest.mark.parametrize(
    ("field", "kind", "shape_text"),
    [
        (floats("n d"), "floats", "(n, d)"),
        (floats("n"), "floats", "(n,)"),
        (floats(""), "floats", "()"),
        (integers("n"), "integers", "(n,)"),
        (lists(), "lists", "~(N)"),
        (id_lists(), "id_lists", "~(N)"),
        (series(), "series", "(n, t, c)"),
        (series("n 1 c"), "series", "(n, 1, c)"),
        (mask("n t c"), "mask", "(n, t, c)"),
        (labels("n j"), "labels", "(n, j)"),
        (ids("g"), "ids", "(g,)"),
    ],
)
def test_kinds_and_shapes(field: Field, kind: str, shape_text: str) -> None:
    assert (field.kind, field.shape_text) == (kind, shape_text)
    assert field.required
    assert not optional(field).required


def test_which_fields_hold_numbers_that_policies_apply_to() -> None:
    numeric = [floats("n"), lists(), series()]
    other = [integers("n"), labels("n"), ids("n"), id_lists(), state(), mask("n"), text()]
    assert all(field.numeric for field in numeric)
    assert not any(field.numeric for field in [*other, boolean(), records()])


def test_fields_are_an_ordered_mapping() -> None:
    fields = Fields(x=floats("n d"), groups=labels("n j"))
    assert (fields.main, list(fields), len(fields)) == ("x", ["x", "groups"], 2)
    assert repr(fields) == "Fields(x=floats, groups=labels)"
    wider = fields.with_fields(mask=mask("n d"), x=lists())
    assert list(wider) == ["x", "groups", "mask"]
    assert wider["x"].kind == "lists"
    assert fields["x"].kind == "floats"
    assert not NO_FIELDS


def test_offsets_stand_beside_ragged_fields_alone() -> None:
    assert Fields(scores=lists()).ragged
    assert Fields(ids=id_lists()).ragged
    assert Fields(x=series()).ragged
    assert not Fields(x=floats("n d"), groups=labels("n j")).ragged


def test_alternatives_stay_with_further_fields() -> None:
    fields = Fields((("a",), ("b",)), a=optional(floats("n")), b=optional(floats("n")))
    assert fields.with_fields(c=optional(floats("n"))).one_of == (("a",), ("b",))


def test_an_output_takes_the_form_of_an_input() -> None:
    assert like("scores", lists()).like == "scores"
    assert lists().like is None
    assert state().required is False
    members = records(ids=id_lists()).members
    assert members is not None
    assert list(members) == ["ids"]
