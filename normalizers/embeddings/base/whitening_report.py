"""The fit report of a whitening: numbers, softening in effect, advice, warnings."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.contract import Notice, notice
from normalizers.embeddings.base.regularized import RegularizedSpectrum
from normalizers.embeddings.base.spectrum import Spectrum, diagnostics, unbiased_isoscore
from normalizers.embeddings.base.verdict import Axis, verdict
from normalizers.embeddings.base.whitening_advice import FEW_ROWS_PER_DIM, Finding, advice

# Below them the unbiased participation ratio scatters too widely to be told.
FEWEST_ROWS_PER_DIM = 0.1
MINIMUM_ROWS = 4


def report(inversion: RegularizedSpectrum, k: int) -> dict[str, object]:
    """Return what the spectrum tells, what was inverted of it, and what to do."""
    spectrum = inversion.spectrum
    numbers = diagnostics(spectrum)
    finding = Finding(
        unbiased_isoscore(spectrum),
        spectrum.n is not None
        and spectrum.n >= max(MINIMUM_ROWS, FEWEST_ROWS_PER_DIM * spectrum.d),
        cast(float, numbers["mean_energy_fraction"]),
        spectrum.rows_per_dim,
        inversion.added > 0,
        spectrum.d - inversion.rank,
        len(spectrum.dead),
    )
    axis = Axis.of(spectrum)
    return {
        **numbers,
        "unbiased_isoscore": finding.isoscore,
        "unbiased_participation_ratio": unbiased_ratio(finding.isoscore, spectrum.d),
        "rank": inversion.rank,
        "n_dropped": spectrum.d - inversion.rank,
        "n_kept": k,
        "condition_number_inverted": inversion.condition_number,
        "verdict": verdict(finding, axis),
        "advice": advice(finding, wrong_axis=axis.suspect),
    }


def unbiased_ratio(isoscore: float | None, d: int) -> float | None:
    """Return the participation ratio behind an isoscore."""
    return None if isoscore is None else 1 + isoscore * (d - 1)


def softening(inversion: RegularizedSpectrum, strength: float) -> dict[str, object]:
    """Return every strength parameter in effect."""
    spectrum = inversion.spectrum
    return {
        "eps": float(spectrum.unscaled(np.asarray(inversion.eps))),
        "eps_rel": inversion.eps / spectrum.mean_variance if spectrum.mean_variance else None,
        "strength": strength,
        "shrinkage": inversion.shrinkage.estimator,
        "shrinkage_weight": inversion.shrinkage.weight,
    }


def few_rows(spectrum: Spectrum) -> list[Notice]:
    """Return the warning about too few rows for the dims."""
    ratio = spectrum.rows_per_dim
    if ratio is None or ratio >= FEW_ROWS_PER_DIM:
        return []
    counts = {"rows": spectrum.n, "dims": spectrum.d}
    if ratio < 1:
        return [notice("fewer_rows_than_dims", "there are fewer rows than dims", **counts)]
    return [notice("few_rows_per_dim", "there are fewer than 5 rows a dim", **counts)]


def lost_directions(inversion: RegularizedSpectrum, wanted: int) -> list[Notice]:
    """Return the warnings about directions that were dropped, and about too many asked for."""
    rank, d = inversion.rank, inversion.spectrum.d
    found = []
    if rank < d:
        message = "null directions were dropped"
        found.append(notice("null_directions_dropped", message, rank=rank, dropped=d - rank))
    if rank < wanted < d:
        message = "fewer directions are kept than n_components asks for"
        found.append(notice("components_reduced", message, wanted=wanted, kept=rank))
    if wanted > d:
        message = "n_components is above the number of dims"
        found.append(notice("n_components_clamped", message, wanted=wanted, dims=d, kept=rank))
    return found


def undetermined(ties: int) -> list[Notice]:
    """Return the warning about coordinates that equal eigenvalues leave open."""
    if not ties:
        return []
    message = "equal eigenvalues: their coordinates are defined up to a rotation; zca is unique"
    return [notice("equal_eigenvalues", message, count=ties)]
