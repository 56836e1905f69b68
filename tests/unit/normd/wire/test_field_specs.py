"""Fields as a description declares them."""

from __future__ import annotations

from normalizers.catalogue.discovery import built_in
from normd.wire.descriptions import describe, field_specs
from normd.wire.field_specs import FieldSpec, FieldSpecs

STAGES = {"fits": "fits", "takes": "takes", "gives": "gives", "returns": "inverse_takes"}


def test_what_a_description_declares_is_what_the_library_declares() -> None:
    for cls in built_in():
        method, described = cls(), describe(cls)
        for stage, attribute in STAGES.items():
            declared = getattr(method, attribute)
            read = FieldSpecs.from_json(described, stage)
            assert read == field_specs(declared)
            assert list(read) == list(declared)
            for field, spec in zip(declared.values(), read.values(), strict=True):
                assert (spec.kind, spec.required, spec.flat) == (
                    field.kind,
                    field.required,
                    field.flat,
                )


def test_a_shape_is_read_as_its_axes() -> None:
    for shape, axes in {"(n, t, c)": ("n", "t", "c"), "(n,)": ("n",), "~(N)": ("N",)}.items():
        assert FieldSpec.from_json("x", {"kind": "floats", "shape": shape}).axes == axes


def test_a_record_knows_its_members() -> None:
    described = {"kind": "records", "members": {"ids": {"kind": "id_lists", "shape": "~(N)"}}}
    assert FieldSpec.from_json("runs", described).members["ids"].is_text
