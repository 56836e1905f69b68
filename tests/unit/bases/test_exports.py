"""K19: fits of linear maps as other engines read them."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import pytest

from normalizers import (
    AllButTheTop,
    Centering,
    GroupSpanRemoval,
    IsotropicStandardization,
    IterativeWhitening,
    MinMax,
    RobustScaling,
    Standardization,
    Whitening,
)
from normalizers.errors import UnsupportedOperation
from normalizers.kernels.row_norms import row_norms
from normalizers.normalizer import Normalizer
from tests.unit.embeddings.covariance.whitening.samples import rows

X = rows(200, 6, offset=3.0)
NEW = rows(7, 6, seed=2, offset=3.0).astype(np.float32)


def test_k19_the_arrays_of_a_fit_are_an_archive() -> None:
    method = Whitening().fit(X)
    read = np.load(io.BytesIO(method.export_as("npz")))
    assert set(read) == {"mean", "W", "W_inverse", "eigenvalues"}
    assert (read["W"] == method.fitted_["W"]).all()
    assert method.export_as("npz") == Whitening().fit(X).export_as("npz")
    scores = MinMax(scope="fitted").fit([1.0, 3.0]).export_as("npz")
    assert float(np.load(io.BytesIO(scores))["lower"]) == 1.0


@pytest.mark.parametrize("post", ["none", "l2"])
@pytest.mark.parametrize("pre", ["none", "l2", "layer_norm"])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
def test_k19_an_onnx_model_gives_the_same_rows(pre: str, post: str, offset: float) -> None:
    runtime = pytest.importorskip("onnxruntime", reason="runs the model; not installed here")
    method = Whitening(pre=pre, post=post, variant="pca", truncate_to=4).fit(X + offset)
    given = np.concatenate([NEW + np.float32(offset), np.zeros((1, 6), np.float32)])
    session = runtime.InferenceSession(method.export_as("onnx"))
    (y,) = session.run(["y"], {"x": given})
    # Rows of one direction but for rounding, brought to length 1, differ by that rounding.
    share = 1e-6 * (offset if offset and pre != "none" else 1.0)
    require_alike(y, method.transform(given), share)


def require_alike(y: np.ndarray, expected: np.ndarray, share: float = 1e-6) -> None:
    bound = share * row_norms(expected.astype(np.float64))[:, None]
    assert (np.abs(y - expected) <= bound).all()


MAPS: dict[str, Normalizer] = {
    "whitening, cut": Whitening(variant="pca", truncate_to=4).fit(X),
    "iterative_whitening": IterativeWhitening().fit(X),
    "isotropic_standardization": IsotropicStandardization(inexact="fallback").fit(X),
    "all_but_the_top": AllButTheTop().fit(X),
    "group_span_removal": GroupSpanRemoval().fit(X, groups=["de", "en", "fr", "en"] * 50),
    "centering": Centering().fit(X),
    "centering, nothing to subtract": Centering().fit(np.concatenate([X, -X])),
    "standardization": Standardization().fit(X * [1.0, 9.0, 1.0, 0.1, 3.0, 1.0]),
    "robust_scaling": RobustScaling().fit(X),
}


@pytest.mark.parametrize("name", MAPS)
def test_k19_every_linear_map_is_an_onnx_model(name: str) -> None:
    runtime = pytest.importorskip("onnxruntime", reason="runs the model; not installed here")
    session = runtime.InferenceSession(MAPS[name].export_as("onnx"))
    (y,) = session.run(["y"], {"x": NEW})
    require_alike(y, MAPS[name].transform(NEW))


@pytest.mark.parametrize("name", MAPS)
def test_k19_every_linear_map_is_a_transform_of_faiss(name: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        # Its wrapper makes types without a module, which Python 3.12 warns about.
        warnings.simplefilter("ignore", DeprecationWarning)
        faiss = pytest.importorskip("faiss", reason="reads the transform; not installed here")
    path = tmp_path / "map.faiss"
    path.write_bytes(MAPS[name].export_as("faiss"))
    read = faiss.read_VectorTransform(str(path))
    expected = MAPS[name].transform(NEW)
    assert (read.d_in, read.d_out, read.is_trained) == (6, expected.shape[1], True)
    # The mean is folded into a bias there, and both round.
    np.testing.assert_allclose(read.apply(NEW), expected, atol=1e-6 * np.abs(NEW).max())


def test_k19_directions_of_centred_rows_are_an_onnx_model() -> None:
    runtime = pytest.importorskip("onnxruntime", reason="runs the model; not installed here")
    method = Centering(post="l2").fit(X)
    session = runtime.InferenceSession(method.export_as("onnx"))
    (y,) = session.run(["y"], {"x": NEW})
    require_alike(y, method.transform(NEW))
    assert method.exports == ("npz", "onnx")


def test_k19_maps_of_groups_and_of_rows_sent_have_no_model() -> None:
    for scope in ("group", "request"):
        assert not {"onnx", "faiss"} & set(Standardization(scope=scope).exports)
    flat = Standardization(on_constant="zero").fit(np.column_stack([X[:, 0], np.ones(200)]))
    with pytest.raises(UnsupportedOperation, match="column 1 has no spread"):
        flat.export_as("onnx")


def test_k19_what_does_not_fit_a_form_is_not_offered() -> None:
    assert Whitening(post="l2").exports == ("npz", "onnx")
    with pytest.raises(UnsupportedOperation, match="written as npz, onnx") as caught:
        Whitening(post="l2").fit(X).export_as("faiss")
    assert caught.value.path == "format"
    with pytest.raises(UnsupportedOperation, match="it has none"):
        MinMax(scope="query").export_as("npz")


def test_k19_a_matrix_beyond_float32_has_no_model() -> None:
    with pytest.raises(UnsupportedOperation, match="float32"):
        Whitening().fit(X * 1e-60).export_as("faiss")
