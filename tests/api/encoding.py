"""Arrays in base64 and in safetensors, as bodies carry them."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping

import numpy as np
from safetensors.numpy import load


def as_base64(values: object, dtype: str = "float64") -> dict[str, object]:
    array = np.asarray(values, dtype=dtype)
    encoded = b64encode(array.tobytes()).decode()
    return {"dtype": dtype, "shape": list(array.shape), "base64": encoded}


def from_base64(node: Mapping[str, object]) -> np.ndarray:
    flat = np.frombuffer(b64decode(str(node["base64"])), dtype=str(node["dtype"]))
    return flat.reshape(node["shape"])  # type: ignore[arg-type]


def read_tensors(content: bytes) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert header["__metadata__"].keys() == {"json"}
    return json.loads(header["__metadata__"]["json"]), load(content)
