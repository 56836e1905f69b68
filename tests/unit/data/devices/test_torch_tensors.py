"""Tensors in and out, blocks of rows on a device, and the published bound; on the CPU of torch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from normalizers import InvertedSoftmax, Pipeline, Whitening, WindowZScore
from normalizers.data import devices
from normalizers.data.arrays import Array
from normalizers.data.devices import CPU, CPU_DEVICE, DEVICE_BOUNDS, Device, device_of, to_numpy
from normalizers.errors import DtypeError, InvalidInput
from normalizers.versions.version import Version

torch = pytest.importorskip("torch", reason="torch is not installed")
TENSORS = Device(CPU, tensors=True)
D = 96


def rows_of(n: int, seed: int = 0) -> Array:
    """Return rows of very unequal spread about a mean that is longer than most of them."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, D)) * np.geomspace(1e-3, 1, D) + rng.normal(size=D) / 4


@pytest.fixture(scope="module")
def training() -> Array:
    return rows_of(2000)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "BLOCK_VALUES", 7 * D)


def test_what_is_put_there_comes_back() -> None:
    array = np.arange(6.0).reshape(2, 3)[:, ::-1]
    array.flags.writeable = False
    tensor = TENSORS.put(array)
    assert device_of(tensor) == TENSORS
    assert to_numpy(tensor).tolist() == array.tolist()
    assert CPU_DEVICE.put(array) is array
    assert device_of(array) is None
    assert to_numpy(array) is array


@pytest.mark.parametrize("tensor, said", [
    (torch.ones(2, 2, dtype=torch.bfloat16), "bfloat16 is not read"),
    (torch.ones(2, 2).to_sparse(), "is not read"),
    (torch.ones(2, 2, device="meta"), "on 'meta' is not read"),
    (torch.ones(2, 2, dtype=torch.bool), "booleans"),
])  # fmt: skip
def test_a_tensor_that_is_no_array_is_refused(tensor: Array, said: str) -> None:
    with pytest.raises(DtypeError, match=said) as refused:
        Whitening().fit(np.eye(2)).transform(tensor)
    assert refused.value.path == "input.x"


def test_a_tensor_that_learns_is_read_without_its_history(training: Array) -> None:
    fitted = Whitening().fit(training)
    tensor = torch.tensor(training[:3], requires_grad=True)
    answered = fitted.transform(tensor)
    assert not answered.requires_grad
    assert tensor.grad_fn is None


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_whitening_answers_in_the_type_and_form_of_the_tensor(
    training: Array, dtype: object
) -> None:
    fitted = Whitening(n_components=5).fit(training)
    rows = torch.tensor(training[:4]).to(dtype)
    answered = fitted.transform(rows)
    assert (type(answered), answered.dtype, answered.shape) == (torch.Tensor, dtype, (4, 5))
    assert fitted.transform(rows[0]).shape == (5,)
    assert fitted.inverse_transform(answered).dtype == dtype
    assert fitted.transform(rows[:0]).shape == (0, 5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "params",
    [{}, {"eps": 0.0, "shrinkage": "none"}, {"n_components": 9}, {"eps": 0.0, "strength": 0.5}],
)
@pytest.mark.usefixtures("small_blocks")
def test_whitening_keeps_the_published_bound(
    training: Array, params: dict[str, object], dtype: str
) -> None:
    version = Whitening(**params).fit(training).version_
    x = rows_of(50, seed=1).astype(dtype)
    y, y_there = both(version, version.read({"x": x}), "y")
    back, back_there = both(version, version.read({"y": y}, inverse=True), "x")
    assert within(y_there, y, x, version.fitted["W"])
    assert within(back_there, back, y, version.fitted["W_inverse"])
    assert y.dtype == y_there.dtype == back_there.dtype == dtype


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_unit_vectors_and_their_flags_are_the_same_across_blocks(
    training: Array, dtype: str
) -> None:
    for params in ({"pre": "l2"}, {"post": "l2"}, {"pre": "l2", "post": "l2"}):
        version = Whitening(**params).fit(training).version_
        x = rows_of(40, seed=2).astype(dtype)
        x[[3, 20]] = 0
        x[11] = version.fitted["mean"]
        given = version.read({"x": x})
        plain, there = version.answer(given), version.answer(given.on(TENSORS))
        assert plain.flags["zero_norm"].tolist() == there.flags["zero_norm"].tolist() != []
        np.testing.assert_allclose(there["y"], plain["y"], atol=10 * DEVICE_BOUNDS[dtype])


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**1000])
def test_lengths_of_any_magnitude_are_taken(scale: float) -> None:
    fitted = Whitening(pre="l2", eps_rel=1.0).fit(rows_of(300))
    x = rows_of(4, seed=3)
    assert torch.equal(fitted.transform(torch.tensor(x)), fitted.transform(torch.tensor(x) * scale))


@pytest.mark.parametrize("post", ["none", "l2"])
def test_what_overflows_is_refused_also_where_infinities_cancel(post: str) -> None:
    fitted = Whitening(post=post, eps=0.0, shrinkage="none").fit(1e-3 * rows_of(300))
    huge = np.full((1, D), 1e308)
    for rows in (huge, torch.tensor(huge)):
        with pytest.raises(InvalidInput, match="too large"):
            fitted.transform(rows)


def test_maps_are_made_ready_once_for_each_place(
    training: Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = Whitening().fit(training).version_
    given = version.read({"x": training[:3]})
    version.answer(given.on(TENSORS))
    sent: list[int] = []
    put = Device.put

    def counted(self: Device, array: Array) -> Array:
        sent.append(array.size)
        return put(self, array)

    monkeypatch.setattr(Device, "put", counted)
    version.answer(given.on(TENSORS))
    assert sent == [training[:3].size]


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
def test_inverted_softmax_is_fitted_on_tensors(similarity: str) -> None:
    rng = np.random.default_rng(5)
    queries, items = rng.normal(size=(1100, 6)).astype("float32"), rng.normal(size=(4200, 6))
    queries[7] = items[9] = 0
    fields = {"bank_embeddings": queries, "gallery_embeddings": items}
    plain = InvertedSoftmax(beta="auto", similarity=similarity).fit(**fields)
    there = InvertedSoftmax(beta="auto", similarity=similarity).fit(
        **{name: torch.tensor(array) for name, array in fields.items()}
    )
    bound = DEVICE_BOUNDS["float64"]
    beta, bias = plain.fitted_["beta"], plain.fitted_["item_bias"]
    assert there.fitted_["beta"] == pytest.approx(float(beta), rel=bound)
    assert np.abs(there.fitted_["item_bias"] - bias).max() <= bound * np.abs(bias).max()
    assert there.report_["zero_vectors"] == {"bank": 1, "gallery": 1}


def test_a_dot_product_that_overflows_there_is_refused() -> None:
    huge = torch.full((2, 3), 1e200, dtype=torch.float64)
    fields = {"bank_embeddings": huge, "gallery_embeddings": huge}
    with pytest.raises(InvalidInput, match="dot product"):
        InvertedSoftmax(beta=1.0, similarity="dot").fit(**fields)


def test_side_outputs_are_tensors_and_go_back() -> None:
    windows = torch.tensor(np.random.default_rng(6).normal(size=(3, 8, 2)))
    normalizer = WindowZScore()
    output = normalizer.apply_to(windows).output
    assert all(isinstance(output[name], torch.Tensor) for name in ("loc", "scale"))
    sides = {name: output[name] for name in ("loc", "scale")}
    back = normalizer.inverse_transform(
        output[normalizer.version_.resolved_method.gives.main], **sides
    )
    assert torch.allclose(back, windows, rtol=0, atol=1e-12)


def test_a_pipeline_computes_its_steps_there(
    training: Array, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = Pipeline(steps=[Whitening(), Whitening(post="l2")]).fit(training)
    version = pipeline.version_
    assert version.resolved_method.traits.devices == ("cpu", "cuda")
    given = version.read({"x": training[:5]})
    plain = version.answer(given)
    seen: list[Device] = []
    map_blocks = Device.map_blocks

    def watched(self: Device, function: Callable[[Array], tuple[Array, ...]], rows: Array):  # type: ignore[no-untyped-def]
        seen.append(self)
        return map_blocks(self, function, rows)

    monkeypatch.setattr(Device, "map_blocks", watched)
    there = version.answer(given.on(TENSORS))
    assert seen == [TENSORS, TENSORS]
    np.testing.assert_allclose(there["y"], plain["y"], atol=1e-11)


def both(version: Version, given, name: str) -> tuple[Array, Array]:  # type: ignore[no-untyped-def]
    """Return an output computed by NumPy, and there; of a transform or of the way back."""
    inverse = name != version.resolved_method.gives.main
    here = version.answer(given, inverse=inverse)
    return here[name], version.answer(given.on(TENSORS), inverse=inverse)[name]


def within(found: Array, expected: Array, rows: Array, matrix: Array) -> bool:
    """Whether rows differ by less than the published share of their reach."""
    reach = np.linalg.norm(rows.astype(float), axis=1) * np.linalg.norm(matrix)
    missed = np.linalg.norm(found.astype(float) - expected, axis=1)
    return bool((missed <= DEVICE_BOUNDS[str(rows.dtype)] * reach).all())
