"""Which device a name means, and what is said where it is not here."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from app.settings import SettingsError, read_settings
from normalizers import MinMax, Whitening
from normalizers.contract.answer import Options
from normalizers.data import devices
from normalizers.data.batch import Batch, InputForm
from normalizers.data.devices import CPU_DEVICE, Device, find_device
from normalizers.errors import InvalidParams, MissingDependency

GPU = Device("cuda:1", tensors=True)
ROWS = np.arange(12.0).reshape(6, 2) ** 2


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "accelerators", lambda: ("cuda:0", "cuda:1"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)


@pytest.mark.parametrize("name", ["gpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "torch", "", "cpu "])
def test_an_unknown_name_is_refused_with_those_that_are_known(name: str) -> None:
    with pytest.raises(InvalidParams, match="known: cpu, cuda, cuda:N, auto") as refused:
        find_device(name, "options.device")
    assert refused.value.path == "options.device"


@pytest.mark.usefixtures("without_torch")
def test_a_gpu_without_the_package_says_how_to_install_it() -> None:
    with pytest.raises(MissingDependency, match=r"pip install 'normd\[torch\]'"):
        find_device("cuda")
    assert find_device("auto") == find_device("cpu") == CPU_DEVICE


@pytest.mark.usefixtures("two_gpus")
def test_gpus_are_found_by_number() -> None:
    assert [find_device(name).name for name in ("auto", "cuda", "cuda:1")] == [
        "cuda:0",
        "cuda:0",
        "cuda:1",
    ]
    assert find_device("cpu") == CPU_DEVICE
    with pytest.raises(InvalidParams, match="'cuda:2' here; there is: cpu, cuda:0, cuda:1"):
        find_device("cuda:2")


def test_a_method_of_numpy_alone_refuses_a_gpu_by_name_and_takes_auto() -> None:
    with pytest.raises(InvalidParams, match="'min_max' computes on cpu only, not on 'cuda:0'"):
        MinMax().transform([1.0, 2.0], device="cuda:0")
    assert MinMax().transform([1.0, 2.0], device="auto").tolist() == [0.0, 1.0]


@pytest.mark.usefixtures("without_torch")
def test_a_method_that_could_says_what_is_missing() -> None:
    with pytest.raises(MissingDependency) as missing:
        Whitening().fit(ROWS).transform(ROWS, device="cuda")
    assert missing.value.path == "options.device"


@pytest.mark.usefixtures("two_gpus")
def test_a_request_decides_before_a_preference() -> None:
    version = Whitening().fit(ROWS).version_
    read = {name: version.read({"x": ROWS}, Options(device=name)) for name in ("cpu", "cuda")}
    assert read["cpu"].preferring(GPU).device == CPU_DEVICE
    assert read["cuda"].preferring(GPU).device.name == "cuda:0"
    assert version.read({"x": ROWS}).preferring(GPU).device == GPU


def test_a_batch_stays_where_it_is_through_its_copies() -> None:
    batch = Batch({"x": ROWS}, {"x": InputForm(device=GPU)})
    assert batch.device == batch.replace(x=ROWS[:2]).device == GPU
    assert batch.on(CPU_DEVICE).replace(x=ROWS[:2]).device == CPU_DEVICE
    assert batch.on(None) is batch
    assert Batch({"x": ROWS}).device == CPU_DEVICE


def test_the_setting_is_checked_before_the_service_starts(
    monkeypatch: pytest.MonkeyPatch, without_torch: None
) -> None:
    monkeypatch.setenv("NORMD_DEVICE", "cuda")
    with pytest.raises(SettingsError, match=r"NORMD_DEVICE: .*'normd\[torch\]'"):
        read_settings()
    monkeypatch.setenv("NORMD_DEVICE", "tpu")
    with pytest.raises(SettingsError, match=r"NORMD_DEVICE: .*known: cpu, cuda"):
        read_settings()
    monkeypatch.setenv("NORMD_DEVICE", "auto")
    assert read_settings().device == "auto"


def test_work_on_the_cpu_loads_no_tensor_library() -> None:
    code = (
        "import sys, app.main; from normalizers import Whitening"
        "; x = [[0., 1.], [2., 1.], [3., 5.]]; w = Whitening(post='l2').fit(x)"
        "; w.transform(x); w.transform(x, device='cpu')"
        "; print('torch' in sys.modules, 'array_api_compat' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
