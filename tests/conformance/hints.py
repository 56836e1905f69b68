"""What a check cannot read off a method of this project."""

from __future__ import annotations

import numpy as np

from normalizers.testing.hint import Hint

# Labels of calibrators are 0 or 1.
LABELLED = Hint(kinds={"labels": 2})

# Two values are enough to search among.
FEW_WEIGHTS = Hint(params={}, fit={"grid": [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]})
FEW_VALUES = Hint(params={}, fit={"grid": [0.3, 0.8]})

# The weights of their examples name the runs of the examples.
WEIGHTED = (
    "rrf", "wsum", "wmnz", "mixed", "w_bordafuse", "w_condorcet", "arithmetic_mean",
    "geometric_mean", "harmonic_mean", "log_odds",
)  # fmt: skip

# Distances are above 0.
DISTANCES = Hint(
    also=frozenset({"gallery_ids"}),
    positive=frozenset({"bank_sims", "sims", "candidate_scores"}),
)

HINTS = {
    **dict.fromkeys(("local_scaling", "nicdm", "mutual_proximity", "hnn"), DISTANCES),
    # Counts are those of whole scores.
    "link_equipercentile": Hint(whole=frozenset({"x", "reference"})),
    # Accuracies below a half have no way back.
    "accuracy_curve": Hint(params={"metric": "comet22"}, shares=frozenset({"deltas"})),
    # A rating has a rater and an item.
    "rater_effects": Hint(sizes={"j": 2}),
    # Random scores have no plateau; sizes are above 0.
    "plateau_align": Hint(
        params={"no_plateau": "max", "variant": "difference"}, positive=frozenset({"sizes"})
    ),
    # One label a row in the samples.
    "group_ratio": Hint(params={}),
    "choice_mass": Hint(log_shares=frozenset({"loglikelihoods"}), portions=frozenset({"probs"})),
    # The choices of the samples have many names.
    "choice_scores.stored": Hint(
        shares=frozenset({"probs"}),
        fit={
            "baseline_loglikelihoods": -1.0 - np.arange(20.0) / 8,
            "choice_ids": np.array([str(k) for k in range(20)], dtype=object),
        },
    ),
    "choice_scores": Hint(also=frozenset({"texts"}), shares=frozenset({"probs"})),
    "choice_scores.pmi": Hint(
        also=frozenset({"baseline_loglikelihoods"}), shares=frozenset({"probs"})
    ),
    "truncated_softmax": Hint(log_shares=frozenset({"scores"})),
    "beta_rewards": Hint(shares=frozenset({"rewards"})),
    "standardization.weighted": Hint(
        params={"weight_kind": "reliability"}, positive=frozenset({"sample_weights"})
    ),
    # Parts of a bank from embeddings merge by the ids of the gallery.
    "inverted_softmax": Hint(also=frozenset({"gallery_ids"})),
    "beta_calibration": Hint(kinds={"labels": 2}, shares=frozenset({"probabilities"})),
    "isotonic": LABELLED,
    "logistic": LABELLED,
    "platt": LABELLED,
    "temperature_scaling": LABELLED,
    # A gamma distribution is fitted on positive scores only.
    "gamma_cdf": Hint(shares=frozenset({"scores"})),
    # A return is that of positive values.
    "log_return": Hint(shares=frozenset({"x"})),
    **dict.fromkeys(WEIGHTED, Hint(params={})),
    **dict.fromkeys(("log", "sqrt", "logit", "box_cox"), Hint(shares=frozenset({"x"}))),
    "log_euclidean_mean": Hint(symmetric=frozenset({"kernels"})),
    **dict.fromkeys(("wsum", "wmnz", "mixed", "w_bordafuse", "w_condorcet"), FEW_WEIGHTS),
    **dict.fromkeys(("rrf", "gmnz", "logn_isr", "rbc"), FEW_VALUES),
    "convex": Hint(params={}, sizes={"runs": 2}, fit={"grid": [0.3, 0.8]}),
    "pipeline": Hint(opened={"steps": [{"method": "min_max", "params": {"scope": "fitted"}}]}),
    # By default equal scores have the ranks of their places.
    "rank": Hint(params={"ties": "min"}),
    "reciprocal_rank": Hint(params={"ties": "min"}),
    # Samples hold negative scores: what is clamped does not come back.
    "tmm": Hint(params={"theoretical_min": 0.0, "clip": False}),
    # There is none for 3 dims.
    "hadamard_rotation": Hint(sizes={"d": 4}),
    "isotropic_standardization": Hint(
        sizes={"d": 4}, rotation_free=frozenset({"isotropic_standardization", "phi_s"})
    ),
    "whitening": Hint(rotation_free=frozenset({"pca_whitening", "bert_whitening"})),
}
