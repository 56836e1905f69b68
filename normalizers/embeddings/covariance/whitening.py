"""Whitening: vectors with their mean removed and their directions given equal variance.

Long by what one solution depends on: softening, shrinkage, floor, rank, variant and both ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, cast

import numpy as np
from annotated_types import Ge, Gt, Lt

from normalizers.contract import (
    NORMWISE,
    Example,
    Fitted,
    Notice,
    Statistics,
    Traits,
    param,
    unwrap,
)
from normalizers.data.devices import CPU, CUDA
from normalizers.embeddings.base.alignment import (
    EarlierMap,
    EarlierMapReference,
    read_earlier_map,
    turn,
)
from normalizers.embeddings.base.blocks import block_diagonal
from normalizers.embeddings.base.other_roots import WhiteningVariant
from normalizers.embeddings.base.recommendation import Recommending
from normalizers.embeddings.base.regularized import RegularizedSpectrum
from normalizers.embeddings.base.softened import SOFT_EPS_REL, STRENGTHS
from normalizers.embeddings.base.spectrum import Spectrum
from normalizers.embeddings.base.whitening_report import (
    few_rows,
    lost_directions,
    report,
    softening,
    undetermined,
)
from normalizers.errors import InvalidParams, RankDeficient
from normalizers.statistics import Grouped, Scatter

MAPS = ("W", "W_inverse")


class Whitening(Recommending):
    r"""Whiten vectors: y = (x - mean) W, W from the covariance C of the fit.

    With C = U L U^T: ``zca`` W = U L^(-1/2) U^T, symmetric and unique; ``pca`` W = U_k L_k^(-1/2),
    which reduces to k dims and is defined up to signs. ``cholesky`` W = (F^-1)^T with C = F F^T,
    ``cholesky_prec`` W = M with C^-1 = M M^T; ``pca_cor`` and ``zca_cor`` whiten the correlations
    after dividing by the deviations. Softer forms compose with both:
    `shrinkage` a puts (1 - a) C + a m I in place of C, `eps` (or `eps_rel` times m) is added to
    every eigenvalue, `strength` s uses L^(-s/2); m = trace(C)/d is the mean variance.

    Notes
    -----
    When none of `eps`, `eps_rel`, `strength` and `shrinkage` is named, `eps_rel` is 3: soft
    whitening. Shrinkage that is not named is OAS below 10 rows a dim. Directions whose inverted
    eigenvalue is below `rel_floor` times the largest are null: dropped, and counted in the
    report. Missing values: refused, or left out with ``omit``. Rows that do not differ cannot be
    whitened. For k below the rank the inverse is the projection on the kept directions.
    `align_to` turns a ``pca`` form by the rotation (Procrustes) that brings it closest to an
    earlier version, whose matrix the file copies; the report tells what is left. With `scope`
    ``group``, for ``zca`` alone, each group has a mean and a matrix of its own: groups share no
    coordinates in other forms.
    Cost O(n d^2 + d^3) for a fit, O(m d k) for a transform.

    References
    ----------
    Kessy, Lewin, Strimmer: Optimal whitening and decorrelation, 2018; Su et al.: Whitening
    sentence representations, 2021; Chen et al.: Shrinkage algorithms for MMSE covariance
    estimation, 2010.

    Examples
    --------
    >>> from normalizers import Whitening
    >>> rows = [[0.0, 1.0], [4.0, 0.0], [0.0, -1.0], [-4.0, 0.0]]
    >>> full = Whitening(eps=0, shrinkage="none", ddof=0).fit(rows)
    >>> full.transform([[4.0, 1.0]]).round(6).tolist()
    [[1.414214, 1.414214]]
    """

    name = "whitening"
    aliases = {
        "soft_zca": {"variant": "zca", "eps_rel": SOFT_EPS_REL, "shrinkage": "none"},
        "pca_whitening": {"variant": "pca"},
        "zca": {"variant": "zca"},
        "bert_whitening": {"variant": "pca", "eps": 0.0, "shrinkage": "none", "post": "l2"},
    }
    presets = {"bert_whitening": aliases["bert_whitening"]}
    examples = (
        Example(
            params={"eps_rel": 1.0},
            fit={"x": [[0.1, 1.0, 0.2], [0.9, 0.3, 0.1], [0.4, 0.5, 0.8], [0.2, 0.1, 0.4]]},
            input={"x": [[0.5, 0.5, 0.5]]},
        ),
        Example(
            params={"scope": "group"},
            fit={
                "x": [[0.1, 1.0], [0.9, 0.3], [0.4, 0.5], [5.2, 0.1], [4.0, 0.7], [4.5, 0.2]],
                "groups": ["de", "de", "de", "en", "en", "en"],
            },
            input={"x": [[0.5, 0.5], [4.5, 0.5]], "groups": ["de", "en"]},
            name="group",
        ),
    )

    variant: WhiteningVariant | None = param(
        default=None,
        default_value="zca",
        resolves="zca, or pca when n_components is below the number of dims",
        affects="solution",
        help="which rotation the result keeps",
    )
    n_components: Annotated[int, Ge(1)] | Annotated[float, Gt(0), Lt(1)] | None = param(
        default=None,
        resolves="all that are above the floor",
        affects="solution",
        help="directions kept, as a number or as a share of the variance between 0 and 1",
    )
    dim_group_size: int | None = param(
        default=None,
        resolves="all dims together",
        ge=1,
        affects="solution",
        help="whiten consecutive groups of so many dims each by itself; the last may be smaller",
    )
    align_to: object | None = param(
        default=None,
        read=read_earlier_map,
        affects="solution",
        references=EarlierMapReference(),
        help="an earlier version, {ref}, that a refit of a pca form is turned onto",
    )

    def check(self, path: str) -> None:
        """Refuse to cut what is not nested, and what only some variants and strengths have."""
        self._check_groups(path)
        self._check_alignment(path)
        if self.dim_group_size is not None:
            for name in ("n_components", "truncate_to"):
                if getattr(self, name) is not None:
                    raise InvalidParams(
                        f"{name} is not for groups of dims, which are not ordered together",
                        path=f"{path}.{name}",
                    )
            if self.shrinkage == "ledoit_wolf":
                raise InvalidParams(
                    "fourth moments are kept of all dims together; use shrinkage 'oas' with groups",
                    path=f"{path}.shrinkage",
                )
        if self.n_components is not None and self.variant in ("cholesky", "cholesky_prec"):
            raise InvalidParams(
                f"variant '{self.variant}' keeps all dims; use 'pca' with n_components",
                path=f"{path}.n_components",
            )
        if self.truncate_to is not None and not self._form.startswith("pca"):
            raise InvalidParams(
                "truncate_to keeps the first columns of a pca form; name variant 'pca'",
                path=f"{path}.truncate_to",
            )

    def _check_groups(self, path: str) -> None:
        """Refuse with groups what leaves them without coordinates in common."""
        if not self.by_group:
            return
        if self.variant not in (None, "zca"):
            raise InvalidParams(
                f"with scope 'group' the variant is 'zca': groups share no coordinates by "
                f"'{self.variant}'",
                path=f"{path}.variant",
            )
        for name in ("n_components", "align_to", "truncate_to"):
            if getattr(self, name) is not None:
                raise InvalidParams(f"{name} is not for scope 'group'", path=f"{path}.{name}")

    def _check_alignment(self, path: str) -> None:
        """Refuse to turn what is unique, and to cut what was turned."""
        if self.align_to is None:
            return
        if not self._form.startswith("pca"):
            raise InvalidParams(
                f"variant '{self._form}' has coordinates of its own and stays close to an earlier "
                "fit; align_to is for 'pca' and 'pca_cor'",
                path=f"{path}.align_to",
            )
        for name in ("truncate_to", "dim_group_size"):
            if getattr(self, name) is not None:
                raise InvalidParams(
                    f"{name} needs columns in the order of their variance, and align_to turns them",
                    path=f"{path}.{name}",
                )

    @property
    def _form(self) -> str:
        return self.variant or ("pca" if self.n_components is not None else "zca")

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """All but those of PCA use the rotation that stays closest to the input's columns."""
        return Traits(
            devices=(CPU,) if self.by_group else (CPU, CUDA),
            fit_options=frozenset() if self.by_group else frozenset({"recommend"}),
            same_bits=False,
            tolerance=NORMWISE,
            preserves_columns=self.variant not in ("pca", "pca_cor"),
        )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide the default strength and the variant."""
        decided = super().defaults(statistics)
        kept = statistics["scatter"] if statistics else None
        d = kept.d if isinstance(kept, Scatter) else 0
        # zca needs all directions; with fewer its rows would have d columns of rank k.
        if self.n_components is not None and (not d or self.n_components < d):
            decided["variant"] = "pca"
        return decided

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean, W, its way back and the eigenvalues; those of each group where asked."""
        kept = statistics["scatter"]
        if isinstance(kept, Grouped):
            return self.solve_groups(statistics, self._solve)
        return self._solve(cast(Scatter, kept))

    def _solve(self, scatter: Scatter) -> Fitted:
        whole = self.inversion(Spectrum.of(scatter, unwrap(self.ddof)))
        size = self.dim_group_size or scatter.d
        inversions = [self.inversion(part) for part in whole.spectrum.blocks(size)]
        if len(inversions) == 1:
            inversions = [whole]
        kept = [self._components(part) for part in inversions]
        pairs = [
            part.matrices(k, unwrap(self.strength), unwrap(self.variant))
            for part, k in zip(inversions, kept, strict=True)
        ]
        matrix = block_diagonal([pair[0] for pair in pairs])
        arrays = {
            "mean": scatter.mean,
            "W": np.asarray(matrix, order="C"),
            "W_inverse": np.asarray(block_diagonal([pair[1] for pair in pairs]), order="C"),
            "eigenvalues": np.concatenate(
                [
                    part.spectrum.unscaled(part.spectrum.eigen.values[:k])
                    for part, k in zip(inversions, kept, strict=True)
                ]
            ),
        }
        sizes = {"d": scatter.d, "k": matrix.shape[1]}
        report = self._report(whole, inversions, sum(kept))
        if isinstance(self.align_to, EarlierMap):
            report["alignment"] = turn(arrays, whole.spectrum.covariance, self.align_to)
        return Fitted(arrays, sizes, report, self._warnings(whole, sum(kept)))

    def first_difference(
        self, found: Fitted, expected: Fitted, statistics: Statistics | None = None
    ) -> str | None:
        """Return the name of the first array that the scatter does not determine, or None.

        The columns of a ``pca`` form are compared up to what the scatter leaves open.
        """
        turned = self.align_to is not None
        if self.variant != "pca" or self.dim_group_size or turned or statistics is None:
            # The others are unique; pca is so only up to signs, and to rotations among equal
            # eigenvalues, which other processors choose otherwise, unless it was turned.
            return super().first_difference(found, expected)
        left_open = {n: found[n] for n in MAPS if found[n].shape == expected[n].shape}
        spectrum = Spectrum.of(cast(Scatter, statistics["scatter"]), unwrap(self.ddof))
        settled = replace(expected, arrays={**expected.arrays, **left_open})
        name = super().first_difference(found, settled)
        if name is not None:
            return name
        there, back = (found[name] for name in MAPS)
        whitens = self.inversion(spectrum).is_whitening(there, back, unwrap(self.strength))
        return None if whitens else "W"

    def _components(self, inversion: RegularizedSpectrum) -> int:
        wanted = self._wanted(inversion)
        rank = inversion.rank_of(unwrap(self.variant))
        if self.rank_policy == "error" and rank < wanted:
            raise RankDeficient(
                f"the rows span fewer directions than the {wanted} asked for",
                rank=rank,
                remedy="use rank_policy 'drop', shrinkage or eps, or fewer n_components",
                path="params.rank_policy",
            )
        return min(wanted, rank)

    def _wanted(self, inversion: RegularizedSpectrum) -> int:
        if self.n_components is None:
            return inversion.spectrum.d
        if isinstance(self.n_components, float):
            return inversion.count_for(self.n_components)
        return self.n_components

    def _report(
        self, whole: RegularizedSpectrum, parts: Sequence[RegularizedSpectrum], k: int
    ) -> dict[str, object]:
        named = f"eps_rel is {SOFT_EPS_REL:g} when none of {', '.join(sorted(STRENGTHS))} is named"
        in_effect = softening(whole, unwrap(self.strength))
        told = {**report(whole, k), "softening": {**in_effect, "note": named}}
        if len(parts) > 1:
            told["groups_of_dims"] = [
                {"rank": part.rank, **softening(part, unwrap(self.strength))} for part in parts
            ]
        return told

    def _warnings(self, inversion: RegularizedSpectrum, k: int) -> tuple[Notice, ...]:
        return (
            *few_rows(inversion.spectrum),
            *lost_directions(inversion, self._wanted(inversion)),
            *undetermined(inversion.repeated_eigenvalues(k) if self.variant == "pca" else 0),
        )
