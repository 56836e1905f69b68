"""A method as the catalogue shows it; the documentation and OpenAPI are made from the same."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import TypeVar

from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.fields import Field, Fields
from normalizers.contract.fit_options import COMMON_FIT_OPTIONS
from normalizers.contract.method import Method
from normalizers.contract.parameter_models import parameter_model
from normalizers.contract.parameters import Parameterized
from normalizers.contract.resolution import is_invertible
from normalizers.contract.weight_variants import weight_variants
from normalizers.runtime.apply import options_of
from normalizers.versions.manifest import params_json
from normd.wire.field_specs import FieldSpecs, read_fields

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


Declaring = TypeVar("Declaring", bound=Parameterized)
Made = TypeVar("Made")


def once_a_class(make: Callable[[type[Declaring]], Made]) -> Callable[[type[Declaring]], Made]:
    """Return what makes something of a class once, as a class does not change.

    What is made is shared by all who ask for it: it is copied before a change.
    """
    kept: dict[type, Made] = {}

    @wraps(make)
    def find_or_make(cls: type[Declaring]) -> Made:
        if cls not in kept:
            kept[cls] = make(cls)
        return kept[cls]

    return find_or_make


@once_a_class
def describe(cls: type[Method]) -> Mapping[str, object]:
    """Return what a client can know of a method."""
    method = cls()
    sections = docstring_sections(cls)
    return {
        "name": cls.name,
        "family": cls.family,
        "summary": sections["summary"],
        "description": sections["description"],
        "notes": sections.get("Notes", ""),
        "references": sections.get("References", ""),
        "aliases": {alias: dict(implied) for alias, implied in cls.aliases.items()},
        "presets": {preset: dict(values) for preset, values in cls.presets.items()},
        "fit_presets": sorted(cls.shipped),
        "parameters": parameter_schema(cls),
        "affects": {name: declared.affects for name, declared in cls.parameters.items()},
        "exclusive": [list(group) for group in cls.exclusive],
        **facts(method),
        "kinds": list(cls.kinds),
        "varies": _varies(cls),
        "weights": [
            {"params": dict(params), "fields": describe_fields(fields)}
            for params, fields in weight_variants(cls)
        ],
        "example": {
            "params": dict(cls.example.params),
            "fit": dict(cls.example.fit) if cls.example.fit is not None else None,
            "weights": dict(cls.example.weights) if cls.example.weights is not None else None,
            "input": dict(cls.example.input),
        },
    }


def facts(method: Method) -> dict[str, object]:
    """Return what parameters may change of a method, as it stands: fields, kinds, capabilities."""
    traits = method.traits
    return {
        "kinds": list(method.acts_as),
        "fits": describe_fields(method.fits),
        "fits_one_of": [list(names) for names in method.fits.one_of],
        "fits_any_of": [list(names) for names in method.fits.any_of],
        "fits_summed": list(method.fits.summed),
        "takes": describe_fields(method.takes),
        "takes_one_of": [list(names) for names in method.takes.one_of],
        "gives": describe_fields(method.gives),
        "returns": describe_fields(method.inverse_takes),
        "diagnoses": describe_fields(method.diagnoses),
        "diagnoses_one_of": [list(names) for names in method.diagnoses.one_of],
        "statistics": list(method.keeps),
        "fit_options": sorted({*COMMON_FIT_OPTIONS, *traits.fit_options}) if method.fits else [],
        "options": sorted(options_of(method)),
        "exports": list(method.exports),
        "capabilities": {
            "stateless": method.stateless,
            "fittable": method.fittable,
            "invertible": is_invertible(method),
            "streams": method.streams,
            "monotone": traits.monotone,
            "batch_invariant": traits.batch_invariant,
            "column_flags": sorted(traits.column_flags),
            "devices": list(traits.devices),
        },
    }


def describe_resolved(method: Method) -> dict[str, object]:
    """Return what a client can know of a method with the parameters that it has."""
    return {
        **describe(type(method)),
        **facts(method),
        "params": params_json(method, method.explicit_params),
        "varies": False,
    }


def _varies(cls: type[Method]) -> bool:
    """Whether parameters may change facts: those of it, or fields that its own file declares."""
    own = [vars(cls).get(name) for name in ("fits", "takes", "gives", "inverse_takes")]
    traits = inspect.getattr_static(cls, "traits")
    return any(isinstance(said, property) for said in (traits, *own)) or (
        cls.acts_as is not Method.acts_as
    )


class Descriptions(Mapping[str, Mapping[str, object]]):
    """The methods of a catalogue by every spelling; each is described when it is asked for.

    Parameters
    ----------
    catalogue : Catalogue
        What is described.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def __getitem__(self, spelling: str) -> Mapping[str, object]:
        return describe(self._catalogue[self._catalogue.spellings[spelling]])

    def __iter__(self) -> Iterator[str]:
        return iter(self._catalogue.spellings)

    def __len__(self) -> int:
        return len(self._catalogue.spellings)


def field_specs(fields: Fields) -> FieldSpecs:
    """Return fields of the library as a catalogue describes them."""
    return FieldSpecs(
        read_fields(describe_fields(fields)), fields.one_of, fields.any_of, fields.summed
    )


def describe_fields(fields: Fields) -> dict[str, object]:
    """Return declared fields: kind, symbolic shape, what a flat value means, help."""
    return {name: _field(field) for name, field in fields.items()}


@once_a_class
def parameter_schema(cls: type[Parameterized]) -> Mapping[str, object]:
    """Return the JSON Schema of a method's parameters, with their standard values."""
    schema = parameter_model(cls).model_json_schema()
    properties = schema.get("properties", {})
    for name, declared in cls.parameters.items():
        described = properties[name]
        described.pop("default", None)
        described["x-affects"] = declared.affects
        if declared.standard is not None:
            described["default"] = declared.standard
        if declared.resolves:
            described["x-resolves"] = declared.resolves
    return schema


def docstring_sections(cls: type) -> dict[str, str]:
    """Return summary, description and numpydoc sections of a class.

    Its notes are followed by those of its bases: what a family shares is written once. A base that
    is a method itself speaks of itself.
    """
    sections = sections_of(cls.__doc__)
    shared_by = [base for base in cls.__mro__[1:] if not base.__dict__.get("name")]
    notes = [sections_of(base.__dict__.get("__doc__")).get("Notes") for base in (cls, *shared_by)]
    if shared := [note for note in notes if note]:
        sections["Notes"] = "\n\n".join(shared)
    return sections


def sections_of(docstring: str | None) -> dict[str, str]:
    """Return summary, description and numpydoc sections of a docstring."""
    text = inspect.cleandoc(docstring or "")
    parts = SECTION.split(text)
    summary, _, description = parts[0].strip().partition("\n")
    sections = {"summary": summary.strip(), "description": description.strip()}
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        sections[title] = body.strip()
    return sections


def _field(field: Field) -> dict[str, object]:
    described: dict[str, object] = {
        "kind": field.kind,
        "shape": field.shape_text,
        "required": field.required,
        "help": field.help,
    }
    if field.flat is not None:
        described["flat"] = field.flat
    if field.leading:
        described["leading"] = True
    if field.kind == "series" and not field.ragged:
        described["ragged"] = False
    if field.members is not None:
        described["members"] = describe_fields(field.members)
    return described
