"""A layer that was trained with torch on real data, stored by its weights, and served."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import numpy as np
import pytest

from tests.api.conftest import Serve

FILE = Path(__file__).parents[3] / "shared" / "data" / "series" / "macro_quarterly.csv.gz"
COLUMNS = ("realgdp", "realcons", "realinv", "unemp")
STEPS = 8
NPY = {"Content-Type": "application/x-npy", "Accept": "application/x-npy"}


@pytest.fixture(scope="module")
def windows():
    """Windows of eight quarters, and whether unemployment rises in the quarter after."""
    pytest.importorskip("torch", reason="torch is not installed")
    if not FILE.exists():
        pytest.skip(f"the real series are not here: {FILE}")
    with gzip.open(FILE, "rt") as file:
        rows = list(csv.DictReader(file))
    values = np.array([[float(row[name]) for name in COLUMNS] for row in rows])
    starts = range(len(values) - STEPS)
    x = np.stack([values[start : start + STEPS] for start in starts])
    rises = [values[start + STEPS, -1] > values[start + STEPS - 1, -1] for start in starts]
    return x, np.array(rises, dtype=np.float64)


def trained(x, rises, variant: str):
    """Return a layer after a few steps before a linear model, and the losses on the way."""
    import torch

    from normalizers.series.torch import BiN

    torch.manual_seed(2)
    layer = BiN(x.shape[2], x.shape[1], variant).double()
    head = torch.nn.Linear(x.shape[1] * x.shape[2], 1).double()
    optimizer = torch.optim.Adam([*layer.parameters(), *head.parameters()], lr=0.02)
    given, wanted, losses = torch.tensor(x), torch.tensor(rises), []
    for _ in range(40):
        optimizer.zero_grad()
        logits = head(layer(given).flatten(1)).squeeze(1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, wanted)
        loss.backward()
        optimizer.step()
        layer.constrained_()
        losses.append(loss.item())
    return layer, losses


@pytest.mark.parametrize("variant", ["paper", "mlproject"])
def test_torch_bin_trained_on_real_quarters_is_served_with_its_own_numbers(
    serve: Serve, windows, variant: str
) -> None:
    x, rises = windows
    layer, losses = trained(x, rises, variant)
    assert losses[-1] < 0.9 * losses[0]
    import torch

    with torch.no_grad():
        expected = layer(torch.tensor(x)).numpy()
    weights = {name: tensor.tolist() for name, tensor in layer.state_dict().items()}
    body = {"name": "quarters", "method": "bin", "params": {"variant": variant}, "weights": weights}
    client = serve()
    made = client.post("/v1/normalizers", json=body)
    assert made.status_code == 201, made.text
    sent = io.BytesIO()
    np.save(sent, x)
    answer = client.post("/v1/normalizers/quarters/transform", content=sent.getvalue(), headers=NPY)
    assert answer.status_code == 200, answer.text
    np.testing.assert_allclose(
        np.load(io.BytesIO(answer.content)), expected, rtol=1e-11, atol=1e-13
    )
    body = {"input": {"x": x[:2].tolist()}}
    lines = client.post("/v1/normalizers/quarters/transform", json=body).json()["output"]["y"]
    np.testing.assert_allclose(lines, expected[:2], rtol=1e-11, atol=1e-13)
