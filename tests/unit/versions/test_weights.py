"""Imported weights in the library: read by name, checked whole, kept as they are."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from normalizers import Bin, Pipeline, Revin, WindowZScore, load
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.weight_variants import weight_variants
from normalizers.errors import (
    CorruptVersion,
    InvalidInput,
    InvalidParams,
    NonFiniteError,
    NotFitted,
    ShapeError,
    UnsupportedOperation,
)
from normalizers.versions.file import from_bytes, manifest, sealed, to_bytes
from normalizers.versions.verification import require_agreement
from normalizers.versions.weights import from_weights, read_weights

X = [[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]]]
MLPROJECT = {
    "gamma1": np.array([1.4, 0.7, 1.7]),
    "beta1": np.array([0.3, -0.3, -0.9]),
    "gamma2": np.array([1.1, 1.0]),
    "beta2": np.array([0.2, -0.5]),
    "lambda1": np.array([0.7]),
    "lambda2": np.array([0.4]),
}


def mlproject() -> Bin:
    return Bin(variant="mlproject")


def test_k12_a_state_dict_is_read_by_its_own_names_and_shapes() -> None:
    broadcasting = {
        "gamma1": MLPROJECT["gamma1"].reshape(1, 3, 1),
        "beta1": MLPROJECT["beta1"].reshape(1, 3, 1),
        "gamma2": MLPROJECT["gamma2"].reshape(1, 1, 2),
        "beta2": MLPROJECT["beta2"].reshape(1, 1, 2),
    }
    plain = mlproject().fit_weights(MLPROJECT).transform(X)
    assert np.array_equal(
        mlproject().fit_weights({**MLPROJECT, **broadcasting}).transform(X), plain
    )


def test_k12_a_prefix_says_where_the_layer_stands_in_a_model() -> None:
    model = {f"model.bin.{name}": array for name, array in MLPROJECT.items()}
    model["head.weight"] = np.eye(2)
    layer = mlproject().fit_weights(model, prefix="model.bin.")
    assert np.array_equal(layer.fitted_["gamma1"], MLPROJECT["gamma1"])
    with pytest.raises(InvalidInput, match=r"'head.weight'.*below 'model.bin.' alone"):
        mlproject().fit_weights(dict(reversed(model.items())))
    with pytest.raises(InvalidInput, match=r"no name begins with 'model.bn.'"):
        mlproject().fit_weights(model, prefix="model.bn.")


def test_k12_names_may_be_nested_by_their_dots() -> None:
    layer = Revin(affine=True)
    nested = read_weights(layer, {"affine_weight": [2.0], "affine_bias": [0.5]})
    assert np.array_equal(nested.array("affine_weight"), [2.0])


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"gama1": [1.0, 1.0, 1.0]}, InvalidInput, "'gama1'; did you mean 'gamma1'?"),
        ({"num_batches": 3}, InvalidInput, "no weights of 'bin': 'num_batches'"),
        ({"beta1": [1.0, np.nan, 1.0]}, NonFiniteError, r"weights.beta1\[1\]"),
        ({"beta1": [1.0, 1.0]}, ShapeError, "'beta1' has 2 for t, but 'gamma1' has 3"),
        ({"beta1": [[1.0, 2.0, 3.0]] * 3}, ShapeError, "2 axes, but 1 are expected"),
    ],
)
def test_k12_wrong_weights_are_refused_by_name(changed, error, message) -> None:
    sent = {**MLPROJECT, **changed}
    if "gama1" in changed:
        del sent["gamma1"]
    with pytest.raises(error, match=message):
        mlproject().fit_weights(sent)


def test_k12_every_weight_is_needed() -> None:
    with pytest.raises(InvalidInput, match="needs the weights lambda1, lambda2") as caught:
        mlproject().fit_weights({n: a for n, a in MLPROJECT.items() if not n.startswith("lambda")})
    assert caught.value.path == "weights.lambda1"


def test_k12_a_missing_weight_is_refused_whatever_the_policy_of_the_input() -> None:
    layer = Revin(affine=True, nan_policy="omit")
    with pytest.raises(NonFiniteError):
        layer.fit_weights({"affine_weight": [np.nan], "affine_bias": [0.0]})


def test_k12_without_weights_nothing_works_and_the_reason_is_told() -> None:
    with pytest.raises(NotFitted, match="needs weights"):
        mlproject().transform(X)
    with pytest.raises(NotFitted, match="needs weights"):
        mlproject().fit(X)
    with pytest.raises(UnsupportedOperation, match="imports weights"):
        mlproject().partial_fit(X)
    with pytest.raises(UnsupportedOperation, match="imports no weights"):
        WindowZScore().fit_weights(MLPROJECT)
    with pytest.raises(UnsupportedOperation, match="imports no weights"):
        Revin().fit_weights({"affine_weight": [1.0], "affine_bias": [0.0]})


def test_k12_weights_of_two_models_do_not_merge() -> None:
    one, other = (mlproject().fit_weights(MLPROJECT) for _ in range(2))
    with pytest.raises(UnsupportedOperation, match="do not add up"):
        one.merge(other)


def test_k12_a_saved_layer_comes_back(tmp_path) -> None:
    layer = mlproject().fit_weights(MLPROJECT)
    layer.save(tmp_path / "bin.safetensors")
    again = load(tmp_path / "bin.safetensors")
    assert np.array_equal(again.transform(X), layer.transform(X))


@pytest.mark.parametrize("name", ["fitted.gamma1", "fitted.lambda1"])
def test_k12_a_file_without_a_weight_or_with_another_shape_is_refused(name: str) -> None:
    from safetensors.numpy import load as load_tensors

    version = mlproject().fit_weights(MLPROJECT).version_
    arrays = load_tensors(to_bytes(version))
    for changed in (
        {n: a for n, a in arrays.items() if n != name},
        {**arrays, name: np.zeros(5)},
        {**arrays, "fitted.more": np.zeros(1)},
    ):
        forged = from_bytes(sealed(manifest(version), changed), CATALOGUE)
        with pytest.raises(CorruptVersion):
            require_agreement(forged)


def test_k12_a_step_has_its_weights_beside_its_parameters() -> None:
    layer = mlproject().fit_weights(MLPROJECT)
    written = {"method": "bin", "params": {"variant": "mlproject"}, "weights": MLPROJECT}
    expected = layer.transform(WindowZScore().transform(X))
    for step in (written, layer, layer.version_):
        chain = Pipeline(steps=["window_z_score", step])
        assert np.array_equal(chain.transform(X), expected)
        again = from_bytes(to_bytes(chain.version_), CATALOGUE)
        assert np.array_equal(again.transform({"x": X})["y"], expected)
        require_agreement(again)


def test_k12_a_step_without_its_weights_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidParams, match="needs weights") as caught:
        Pipeline(
            steps=["window_z_score", {"method": "bin", "params": {"variant": "paper"}}]
        ).validated()
    assert caught.value.path == "params.steps[1]"
    wrong = {"method": "revin", "params": {"affine": True}, "weights": {"affine_weight": [1.0]}}
    with pytest.raises(InvalidInput) as refused:
        Pipeline(steps=["window_z_score", wrong]).validated()
    assert refused.value.path == "params.steps[1].weights.affine_bias"


def test_k12_descriptions_name_the_weights_of_each_variant() -> None:
    found = {str(p.get("variant")): set(fields) for p, fields in weight_variants(Bin)}
    assert found["mlproject"] == MLPROJECT.keys()
    assert "gamma_feature" in found["paper"]
    assert weight_variants(WindowZScore) == []


def test_k12_two_spellings_of_one_weight_must_agree() -> None:
    weights = cast("dict[str, object]", dict(Bin.example.weights or {}))
    layer = Bin(variant="paper")
    named = {"l2": [[1.1], [0.9]], **weights}
    assert from_weights(layer, read_weights(layer, named)).fitted.sizes == {"c": 2, "t": 3}
    with pytest.raises(InvalidInput, match="'l2' and 'gamma_feature' are one weight"):
        read_weights(layer, {"l2": [[1.0], [0.9]], **weights})
