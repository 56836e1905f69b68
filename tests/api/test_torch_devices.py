"""Where the service computes: by its setting and by request, on the CPU of torch for a GPU."""

from __future__ import annotations

import pytest

from normalizers.data import devices
from normalizers.data.arrays import Array
from normalizers.data.devices import CPU, Device
from tests.api.conftest import Serve

ROWS = [[0.0, 1.0], [4.0, 0.0], [0.0, -1.0], [-4.0, 0.5], [1.0, 2.0]]
WHITEN = {"method": "whitening", "fit": {"x": ROWS}, "input": {"x": ROWS}}
BANK = {"bank_embeddings": ROWS, "gallery_embeddings": ROWS[:3], "gallery_ids": ["a", "b", "c"]}
SOFTMAX = {"method": "inverted_softmax", "fit": BANK, "input": {"sims": [[0.1, 0.2, 0.3]]}}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Device]:
    """Return where arrays were sent; torch's CPU stands for a GPU."""
    pytest.importorskip("torch", reason="torch is not installed")
    monkeypatch.setattr(devices, "accelerators", lambda: (CPU,))
    found: list[Device] = []
    put = Device.put

    def watched(self: Device, array: Array) -> Array:
        if self.tensors:
            found.append(self)
        return put(self, array)

    monkeypatch.setattr(Device, "put", watched)
    return found


def answered(client, body: dict[str, object], **options: object) -> dict[str, object]:  # type: ignore[no-untyped-def]
    response = client.post("/v1/transform", json={**body, "options": options})
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.parametrize("body", [WHITEN, SOFTMAX])
def test_a_request_chooses(serve: Serve, sent: list[Device], body: dict[str, object]) -> None:
    client = serve()
    plain = answered(client, body)
    answered(client, body, device="cpu")
    assert not sent
    there = answered(client, body, device="cuda")
    assert sent
    (name,) = plain["output"]  # type: ignore[misc]
    for mine, theirs in zip(plain["output"][name], there["output"][name], strict=True):  # type: ignore[index]
        assert theirs == pytest.approx(mine, rel=1e-12, abs=1e-12)


def test_the_setting_is_for_requests_that_choose_nothing(serve: Serve, sent: list[Device]) -> None:
    client = serve(device="cuda")
    answered(client, WHITEN, device="cpu")
    assert not sent
    answered(client, WHITEN)
    assert sent
    scores = {"method": "min_max", "input": {"scores": [1, 2, 3]}}
    assert answered(client, scores)["output"]["values"] == [0.0, 0.5, 1.0]


def test_stored_versions_are_fitted_and_served_there(serve: Serve, sent: list[Device]) -> None:
    client = serve(device="auto")
    made = client.post(
        "/v1/normalizers", json={"name": "bank", "method": "inverted_softmax", "fit": BANK}
    )
    assert made.status_code == 201, made.text
    assert sent
    created = {"name": "rows", "method": "whitening", "fit": {"x": ROWS}}
    assert client.post("/v1/normalizers", json=created).status_code == 201
    sent.clear()
    stored = client.post("/v1/normalizers/rows/transform", json={"input": {"x": ROWS}})
    assert stored.status_code == 200, stored.text
    assert sent
