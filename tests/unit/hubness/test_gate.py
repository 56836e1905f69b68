"""New items that are hubs before they are served."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Csls, InvertedSoftmax, LocalScaling, Nnn, Sinkhorn
from normalizers.errors import InvalidInput
from normalizers.versions import fitting
from normalizers.versions.file import from_bytes, to_bytes

RNG = np.random.default_rng(11)
BANK = RNG.normal(size=(60, 6)) + 1.0
GALLERY = RNG.normal(size=(50, 6))
ORDINARY, HUB = RNG.normal(size=6), BANK.mean(axis=0)


def fit(method, items, names):  # type: ignore[no-untyped-def]
    return method.fit(bank_embeddings=BANK, gallery_embeddings=items, gallery_ids=names)


@pytest.fixture(params=[Csls, Nnn, InvertedSoftmax], ids=lambda cls: cls.__name__)
def stored(request):  # type: ignore[no-untyped-def]
    beta = {"beta": 9.0} if request.param is InvertedSoftmax else {}
    return lambda: request.param(similarity="dot", **beta)


def test_a_new_item_that_every_query_goes_for_stands_out(stored) -> None:  # type: ignore[no-untyped-def]
    known = fit(stored(), GALLERY, [f"old {place}" for place in range(50)])
    joined = known.join(fit(stored(), np.stack([ORDINARY, 9 * HUB]), ["plain", "hub"]))
    gate = joined.report_["gate"]
    bias = known.fitted_["item_bias"]
    middle = np.median(bias)
    z = (joined.fitted_["item_bias"][-1] - middle) / (1.4826 * np.median(np.abs(bias - middle)))
    assert (gate["new"], gate["limit"]) == (2, 3.5)  # type: ignore[index]
    assert [one["item"] for one in gate["suspect"]] == ["hub"]  # type: ignore[index]
    assert gate["largest"] == gate["suspect"][0]["robust_z"] == pytest.approx(z)  # type: ignore[index]
    assert "suspect_items" in {noted["code"] for noted in joined.report_["warnings"]}  # type: ignore[union-attr, index]
    plain = known.join(fit(stored(), ORDINARY[None], ["plain"]))
    assert plain.report_["gate"]["suspect"] == []  # type: ignore[index]
    assert plain.report_["warnings"] == []


def test_versions_from_files_are_gated_too_and_strict_refuses(stored) -> None:  # type: ignore[no-untyped-def]
    versions = [
        from_bytes(to_bytes(fit(stored(), items, names).version_))
        for items, names in ((GALLERY, [str(n) for n in range(50)]), (9 * HUB[None], ["hub"]))
    ]
    made = fitting.join(versions[0].method, versions)
    assert [one["item"] for one in made.report["gate"]["suspect"]] == ["hub"]  # type: ignore[index]
    with pytest.raises(InvalidInput, match="'hub' first"):
        fitting.join(versions[0].method, versions, strict=True)


def test_a_method_without_a_bias_has_no_gate() -> None:
    parts = [
        fit(LocalScaling(), items, names)
        for items, names in ((GALLERY, [str(n) for n in range(50)]), (ORDINARY[None], ["new"]))
    ]
    assert "gate" not in parts[0].join(parts[1]).report_


def test_items_that_were_fitted_without_the_others_are_counted_as_stale() -> None:
    names = [f"old {place}" for place in range(50)]
    rounds = {"beta": 3.0, "iterations": 5, "similarity": "dot"}
    known = fit(Sinkhorn(**rounds), GALLERY, names)
    new = [fit(Sinkhorn(**rounds), GALLERY[:2] + at, [f"a{at}", f"b{at}"]) for at in (1, 2)]
    assert known.join(*new).report_["gate"]["stale"] == 4  # type: ignore[index]
    apart = fit(Csls(), GALLERY, names).join(fit(Csls(), ORDINARY[None], ["new"]))
    assert "stale" not in apart.report_["gate"]  # type: ignore[operator]
