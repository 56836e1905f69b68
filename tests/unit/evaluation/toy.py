"""An evidence and a measure of one's own, as files beside those of the library."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from normalizers import measures
from normalizers.evaluation import evidences as rooms
from normalizers.evaluation.table import evidences
from normalizers.measures.table import measures as known_measures

EVIDENCE = """
from dataclasses import dataclass, replace

import numpy as np

from normalizers.contract.fields import Fields, floats, labels, optional
from normalizers.evaluation.evidence import EvaluationInput, Evidence
from normalizers.evaluation.treatment import Treatment
from normalizers.validation import validate

FIELDS = Fields(
    yields=floats("n", help="bushels of each field"),
    soils=optional(labels("n 1", help="what each field is made of")),
)


@dataclass(frozen=True)
class Harvest:
    yields: np.ndarray
    weights: np.ndarray

    @property
    def rows(self):
        return len(self.yields)

    def __len__(self):
        return len(self.yields)

    def weighted(self, units):
        return replace(self, weights=units)


def read(given, path, inspect):
    batch = validate(FIELDS, given, path=path)
    inspect(batch, path)
    yields = batch.array("yields")
    harvest = Harvest(yields, np.ones(len(yields)))
    one = Treatment(None, f"{path}.yields", {"harvest": harvest})
    return EvaluationInput((one,), counts={"fields": len(yields)})


EVIDENCE = Evidence(("yields",), FIELDS, read, offers=("harvest",), values=("yields",))
"""
MEASURES = """
from normalizers.measures.measure import Measure


def best(harvest):
    return float((harvest.yields * (harvest.weights > 0)).max())


def at_once(harvest, counts):
    return (harvest.yields * (counts > 0)).max(axis=1)


def table(harvest):
    return {"yields": harvest.yields}


MEASURES = (
    Measure(
        "best_field", "harvest", best, "the best field", "there are no fields",
        details=table, resample=at_once,
    ),
)
"""


@contextmanager
def toy_evidence(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[None]:
    """Put both files where the library looks for its own, and take them away again."""
    (folder / "toy_harvest.py").write_text(EVIDENCE)
    room = folder / "measures"
    room.mkdir()
    (room / "toy_harvests.py").write_text(MEASURES)
    with monkeypatch.context() as patch:
        patch.setattr(rooms, "__path__", [*rooms.__path__, str(folder)])
        patch.setattr(measures, "__path__", [*measures.__path__, str(room)])
        _forget()
        yield
    _forget()


def _forget() -> None:
    evidences.cache_clear()
    known_measures.cache_clear()
    for name in [name for name in sys.modules if ".toy_harvest" in name]:
        del sys.modules[name]
