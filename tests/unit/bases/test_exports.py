"""K19: fits of linear maps as other engines read them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from normalizers import IterativeWhitening, MinMax, Whitening
from normalizers.errors import UnsupportedOperation
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
    session = runtime.InferenceSession(method.export_as("onnx"))
    given = np.concatenate([NEW + np.float32(offset), np.zeros((1, 6), np.float32)])
    (y,) = session.run(["y"], {"x": given})
    expected = method.transform(given)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(y, expected, atol=2e-6 * scale * max(1.0, offset / 10))


def test_k19_a_transform_of_faiss_gives_the_same_rows(tmp_path: Path) -> None:
    faiss = pytest.importorskip("faiss", reason="reads the transform; not installed here")
    method = IterativeWhitening().fit(X)
    path = tmp_path / "whitening.faiss"
    path.write_bytes(method.export_as("faiss"))
    read = faiss.read_VectorTransform(str(path))
    assert (read.d_in, read.d_out, read.is_trained) == (6, 6, True)
    np.testing.assert_allclose(read.apply(NEW), method.transform(NEW), atol=2e-5)


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
