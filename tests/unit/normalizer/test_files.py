"""Normalizers saved and loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from normalizers import MinMax, Whitening
from normalizers.errors import CorruptVersion
from normalizers.normalizer import load
from tests.unit.normalizer.samples import FRAME


def test_a_saved_normalizer_comes_back_fitted(tmp_path: Path) -> None:
    path = tmp_path / "whitening.safetensors"
    fitted = Whitening(n_components=2).fit(FRAME)
    digest = fitted.save(path)
    again = load(str(path))
    assert type(again) is Whitening
    assert again.get_params() == fitted.get_params()
    assert again.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(again.transform(FRAME), fitted.transform(FRAME))
    assert again.save(tmp_path / "again.safetensors") == digest
    assert again.partial_fit(FRAME).version_.n == 60
    assert again.merge(fitted).version_.n == 90


def test_another_process_loads_and_gives_the_same_numbers(tmp_path: Path) -> None:
    path = tmp_path / "ends.safetensors"
    MinMax().fit([0.0, 3.0]).save(path)
    script = (
        "import sys\n"
        "from normalizers.normalizer import load\n"
        f"print(load({str(path)!r}).transform([1.0]).tolist())\n"
        "assert 'sklearn' not in sys.modules and 'pandas' not in sys.modules\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == str(MinMax().fit([0.0, 3.0]).transform([1.0]).tolist())


def test_what_is_no_version_does_not_load(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(b"no version")
    with pytest.raises(CorruptVersion):
        load(path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing.safetensors")
