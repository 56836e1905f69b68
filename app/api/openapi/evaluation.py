"""Schemas of what evaluations take, and of what they and comparisons with a fit answer."""

from __future__ import annotations

from app.api.openapi.field_schema import COMPANIONS, field_schema
from app.api.openapi.schema import (
    COUNT,
    HASH,
    NAME,
    NUMBER,
    OBJECT,
    TEXT,
    Schema,
    at_most_one_of,
    list_of,
    object_of,
    or_array,
    or_null,
)
from app.service.requests.evaluation_body import declared
from normalizers.evaluation.table import evidences, members

NUMBERS: Schema = {
    "description": "one number, or one a column",
    **or_array({"anyOf": [{"type": "number"}, {"type": "null"}]}),
}
MAYBE: Schema = or_null({"type": "number"})
INTERVAL = object_of(
    "lower upper",
    "ends between which the stated share of the resamples lies",
    lower=MAYBE,
    upper=MAYBE,
)
RUN: Schema = {
    "anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}],
    "description": "name or place of the run",
}
COMPARISON = object_of(
    "run value difference interval p p_holm differs",
    "the value of the baseline, and the value minus it with the interval of that",
    run=RUN,
    value=MAYBE,
    difference=MAYBE,
    interval=INTERVAL,
    p={**MAYBE, "description": "how often resamples differ the other way, from both sides"},
    p_holm={**MAYBE, "description": "corrected for all differences of the request (Holm)"},
    differs={"type": "boolean", "description": "whether p_holm is below 1 - confidence"},
)
RESULT = object_of(
    "measure params value higher_is_better n undefined",
    "what one measure says of one run; null with the reason where it is not defined",
    measure=TEXT,
    params=OBJECT,
    run=RUN,
    value=MAYBE,
    higher_is_better={"type": "boolean"},
    n={**COUNT, "description": "queries or rows with a value"},
    undefined={**COUNT, "description": "queries without one"},
    reason=TEXT,
    details={**OBJECT, "description": "a table beside the value, as the measure has one"},
    base_value={
        **MAYBE,
        "description": "what a guess by the share of positives reaches; of hubs, random lists",
    },
    interval=INTERVAL,
    baseline=COMPARISON,
    per_query=list_of(MAYBE),
)
EVALUATION = object_of(
    "results counts warnings",
    "what all measures say",
    results=list_of(RESULT),
    counts=OBJECT,
    warnings=list_of({**OBJECT, "required": ["code", "message"]}),
    query_ids=list_of(TEXT),
    bootstrap=OBJECT,
    threshold_curves=list_of(OBJECT),
    reliability=list_of(OBJECT),
)
DRIFT = object_of(
    "name version hash method n n_fitted missing distribution range moments verdict",
    "a live sample beside a fit; a part that the statistics do not know is null with the reason",
    name=NAME,
    version=NUMBER,
    hash=HASH,
    method=TEXT,
    n=COUNT,
    n_fitted=COUNT,
    missing={**COUNT, "description": "rows with a missing value"},
    groups=list_of(or_array(TEXT)),
    groups_absent=COUNT,
    rows_of_unknown_groups=COUNT,
    verdict=object_of(
        "drifted size shift ks out_of_range chance text",
        "whether the sample moved by more than chance, and by enough to matter",
        drifted={"type": "boolean"},
        size={"type": "string", "enum": ["none", "small", "large"]},
        shift={**MAYBE, "description": "of the middle, in fitted spreads"},
        ks=MAYBE,
        out_of_range=MAYBE,
        chance={"type": "number", "description": "a distance that chance alone seldom exceeds"},
        cause={
            "type": "string",
            "enum": ["model", "traffic", "none"],
            "description": "what a canary says of it",
        },
        text=TEXT,
    ),
    canary=object_of(
        "n changed largest id missing model_changed",
        "rows that the fit kept, as they come now",
        n={**COUNT, "description": "rows whose ids the fit kept"},
        changed=COUNT,
        largest={"type": "number", "description": "change, in spreads of its column"},
        id={**TEXT, "description": "of the row that changed most"},
        missing=list_of(TEXT),
        model_changed={"type": "boolean"},
    ),
    distribution=or_null(
        object_of(
            "ks p fitted live shift",
            "the largest distance of both distribution functions, and quantiles",
            ks=NUMBERS,
            p=list_of({"type": "number"}),
            fitted=NUMBERS,
            live=NUMBERS,
            shift=NUMBERS,
        )
    ),
    range=or_null(
        object_of(
            "fitted_min fitted_max live_min live_max out_of_range",
            "ends of both samples, and the live share beyond the fitted ones",
            fitted_min=NUMBERS,
            fitted_max=NUMBERS,
            live_min=NUMBERS,
            live_max=NUMBERS,
            out_of_range=NUMBERS,
        )
    ),
    moments=or_null(
        object_of(
            "fitted_mean live_mean shift fitted_std live_std ratio",
            "means, their shift in fitted deviations, deviations and their ratio",
            fitted_mean=NUMBERS,
            live_mean=NUMBERS,
            shift=NUMBERS,
            fitted_std=NUMBERS,
            live_std=NUMBERS,
            ratio=NUMBERS,
        )
    ),
    reasons={"type": "object", "additionalProperties": TEXT},
)

BEFORE_AFTER = object_of(
    "before after random",
    "a measure of hubs by the scores sent, by the corrected ones, and of random lists",
    before=MAYBE,
    after=MAYBE,
    random=MAYBE,
)
DIAGNOSIS = object_of(
    "name version hash method n items k tie_share measures agreement live_agreement verdict",
    "hubs among the nearest items of live queries before and after a correction",
    name=NAME,
    version=NUMBER,
    hash=HASH,
    method=TEXT,
    n={**COUNT, "description": "live queries"},
    items=COUNT,
    k=COUNT,
    tie_share={"type": "number", "description": "queries whose last place was decided by a tie"},
    measures={"type": "object", "additionalProperties": BEFORE_AFTER},
    agreement={**MAYBE, "description": "correlation of the bias with that of live queries"},
    live_agreement={**MAYBE, "description": "that of two halves of the live queries"},
    verdict=object_of(
        "hubs helps harms bank text",
        "whether the correction helps",
        hubs={"type": "boolean", "description": "more than in random lists"},
        helps={"type": "boolean"},
        harms={"type": "boolean"},
        bank={"type": "string", "enum": ["agrees", "differs", "unknown"]},
        text=TEXT,
    ),
    reasons={"type": "object", "additionalProperties": TEXT},
    warnings=list_of({**OBJECT, "required": ["code", "message"]}),
)


def with_evidence(schema: Schema) -> Schema:
    """Return the schema of the body with the evidence as its kinds declare its members."""
    made = {name: _member(name, schema["properties"][name]) for name in members()}
    mains = list(dict.fromkeys(name for kind in evidences() for name in kind.mains))
    whole = {**schema, "properties": {**schema["properties"], **made}}
    return at_most_one_of(at_most_one_of(whole, mains), COMPANIONS)


def _member(name: str, plain: Schema) -> Schema:
    """Return the schema of a member, which kinds of evidence may declare differently."""
    shapes: list[Schema] = []
    for field in declared(name):
        shape = {key: said for key, said in field_schema(field).items() if key != "description"}
        if shape not in shapes:
            shapes.append(shape)
    about: Schema = {key: plain[key] for key in ("description", "default") if key in plain}
    return {"anyOf": [*shapes, {"type": "null"}], **about} if shapes else plain
