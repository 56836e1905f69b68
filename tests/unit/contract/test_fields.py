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


def test_k1_a_fit_names_the_rows_that_are_added_up_and_the_rest_goes_along() -> None:
    fits = Fields.in_parts(
        "b q",
        any_of=(("bank", "gallery"), ("queries", "gallery")),
        bank=optional(floats("b d")),
        queries=optional(floats("q d")),
        gallery=optional(floats("g d")),
    )
    assert fits.parts(["bank", "gallery"]) == ("b",)
    assert fits.parts(list(fits)) == ("b", "q")
    assert [fits.part_of(name, list(fits)) for name in fits] == ["b", "q", None]
    wider = fits.with_fields(groups=labels("b j"))
    assert (wider.any_of, wider.summed) == (fits.any_of, fits.summed)
    assert wider.part_of("groups", list(wider)) == "b"


def test_k1_without_a_declaration_the_rows_are_those_of_the_main_field() -> None:
    fits = Fields(x=floats("n d"), groups=labels("n j"), gallery=floats("g d"))
    assert fits.parts(list(fits)) == ("n",)
    assert [fits.part_of(name, list(fits)) for name in fits] == ["n", "n", None]


def test_an_output_takes_the_form_of_an_input() -> None:
    assert like("scores", lists()).like == "scores"
    assert lists().like is None
    assert state().required is False
    members = records(ids=id_lists()).members
    assert members is not None
    assert list(members) == ["ids"]
