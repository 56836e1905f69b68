"""Checks that a method does not pass, each with the reason; one that passes may not stand here."""

from __future__ import annotations

EVERY = "*"
FIXED = "a fixed map of the score itself, which a change of unit changes"
TRAINED = "the layer's numbers are absolute, as they were trained"

# By method (or every one) and check.
SKIPS: dict[tuple[str, str], str] = {
    ("causal_patch_z_score", "answers_ignore_the_future"): "a patch sees to its end, and says so",
    ("causal_patch_z_score", "chunks_equal_one_request"): "chunks end with patches; tested there",
    ("log_euclidean_mean", "zero_units"): "the mean of no matrices is refused",
    ("choice_mass", "one_empty_list"): "a question needs two choices, and one without is refused",
    (
        "choice_scores",
        "one_row_fits_or_is_refused",
    ): "a fit of one choice knows no other one",
    ("milvus_map", "huge_and_tiny_magnitudes"): FIXED,
    ("milvus_map", "monotone"): "the similarity states the direction; tested for each of them",
    ("positive_map", "huge_and_tiny_magnitudes"): FIXED,
    ("reciprocal_rank", "inverse_round_trip"): "the way back knows ranks, not scores",
    ("bin.mlproject", "huge_and_tiny_magnitudes"): TRAINED,
    ("revin", "huge_and_tiny_magnitudes"): TRAINED,
    ("dain", "huge_and_tiny_magnitudes"): TRAINED,
    ("dish_ts", "huge_and_tiny_magnitudes"): TRAINED,
    ("dish_ts", "inverse_round_trip"): "it leads to the level of a forecast, not of the window",
    ("edain", "huge_and_tiny_magnitudes"): TRAINED,
    **dict.fromkeys(
        [(name, "huge_and_tiny_magnitudes") for name in ("log1p", "asinh", "yeo_johnson")], FIXED
    ),
    ("sigmoid", "huge_and_tiny_magnitudes"): FIXED,
    (
        "nsn",
        "stored_moments_refuse_what_they_cannot_hold",
    ): "its moments are those of unit rows, which rows of any size have",
    ("dual_softmax", "one_unit"): "one query has no others, and is refused",
    ("sinkhorn_assignment", "one_unit"): "one query has no others, and is refused",
    (
        "slice_z_score",
        "huge_and_tiny_magnitudes",
    ): "the epsilon of the layer is absolute",
    **dict.fromkeys(
        [
            ("llmtime_serialize", name)
            for name in ("inverse_round_trip", "inverse_equals_the_library_s")
        ],
        "its answer is text, and texts of samples are no numbers; tested in its own file",
    ),
    ("llmtime_serialize", "library_equals_api_npy"): "its answer is text, which npy cannot hold",
    ("pipeline", "golden_cases_exist"): "composition has no numbers of its own; its steps' have",
    ("column_transformer", "golden_cases_exist"): "as for pipeline: its steps' numbers are theirs",
}


def reason(method: str, check_name: str) -> str | None:
    """Return why a check is skipped for a method, or None."""
    return SKIPS.get((method, check_name)) or SKIPS.get((EVERY, check_name))
