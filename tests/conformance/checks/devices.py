"""Where a method is computed: another device gives the same numbers, tensors come back as such."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.contract.answer import Options
from normalizers.contract.resolution import is_invertible
from normalizers.data.devices import AUTO, CPU, CUDA, DEVICE_BOUNDS, Device, find_device
from normalizers.errors import InvalidParams
from normalizers.testing.capabilities import numeric, of, on_devices, one_array
from normalizers.testing.compare import assert_close, assert_identical
from normalizers.testing.samples import Values
from normalizers.versions import fitting
from normalizers.versions.version import Version
from tests.conformance.cases import Case

TENSORS = Device(CPU, tensors=True)
ABSENT = "torch is not installed"


@of(on_devices)
def check_numpy_equals_torch(case: Case) -> None:
    """Fit, transform and the way back give on tensors what they give in NumPy."""
    pytest.importorskip("torch", reason=ABSENT)
    version = _fitted_on_tensors(case)
    assert_close(version.fitted.arrays, case.version.fitted.arrays, DEVICE_BOUNDS["float64"])
    for dtype in ("float64", *(["float32"] if case.native else [])):
        values = case.given() if dtype == "float64" else _narrowed(case)
        given, bound = case.version.read(values), DEVICE_BOUNDS[dtype]
        plain, answer = case.version.answer(given), case.version.answer(given.on(TENSORS))
        assert_close(answer.output, plain.output, bound)
        assert_identical(answer.flags, plain.flags)
        if is_invertible(case.version.resolved_method):
            returned = case.version.read(case.returned(plain, values), inverse=True)
            plain = case.version.answer(returned, inverse=True)
            there = case.version.answer(returned.on(TENSORS), inverse=True)
            assert_close(there.output, plain.output, bound)


@of(numeric, one_array)
def check_torch_tensors_come_back_as_tensors(case: Case) -> None:
    """A tensor is answered by a tensor of its type with the numbers of an array."""
    torch = pytest.importorskip("torch", reason=ABSENT)
    for dtype in ("float64", "float32"):
        array = np.asarray(case.given()[case.main], dtype)
        tensor = torch.tensor(array)
        answered = case.answer({**case.given(), case.main: tensor}).output[case.output]
        plain = case.answer({**case.given(), case.main: array}).output[case.output]
        assert isinstance(answered, torch.Tensor)
        assert_close(answered.numpy(), plain, DEVICE_BOUNDS[dtype])
        assert torch.equal(tensor, torch.tensor(array))


def check_devices_are_asked_for_alike(case: Case) -> None:
    """Every method takes the cpu and auto; one without a GPU's arithmetic names what it has."""
    given, plain = case.given(), case.answer()
    assert_identical(case.answer(given, device=CPU).output, plain.output)
    if find_device(AUTO) == find_device(CPU):
        assert_identical(case.answer(given, device=AUTO).output, plain.output)
    if not on_devices(case):
        with pytest.raises(InvalidParams, match="computes on cpu only") as refused:
            case.answer(given, device=CUDA)
        assert refused.value.path == "options.device"
    with pytest.raises(InvalidParams, match="unknown device"):
        case.version.read(given, Options(device="gpu"))


def _narrowed(case: Case) -> Values:
    return {**case.given(), case.main: np.asarray(case.given()[case.main], "float32")}


def _fitted_on_tensors(case: Case) -> Version:
    if not case.with_fit:
        return case.version
    return fitting.fit_batch(
        case.method, fitting.read_fit(case.method, case.fit_values()).on(TENSORS)
    )
