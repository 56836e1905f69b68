from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def generator() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture
def bank(generator: np.random.Generator) -> np.ndarray:
    return generator.uniform(-0.2, 0.9, size=(12, 6))


@pytest.fixture
def sims(generator: np.random.Generator) -> np.ndarray:
    return generator.uniform(-0.2, 0.9, size=(4, 6))
