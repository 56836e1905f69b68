"""CONTRIBUTING shows a method that works: the file beside this one, word by word."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from anyio.from_thread import start_blocking_portal
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.errors import FitError
from normalizers.normalizer import Normalizer
from tests.conformance.cases import cases_of
from tests.conformance.running import name_of, named, pairs, perform
from tests.conformance.service import Service, serving
from tests.docs.blocks import Block, blocks
from tests.docs.example_column_map import MedianCenter
from tests.docs.example_method import RatioToMean
from tests.docs.example_window import TanhWindow
from tests.golden.case import load
from tests.golden.client import serving as golden_service
from tests.golden.runner import run

ROOT = Path(__file__).parents[2]
EXAMPLES = ("example_method.py", "example_column_map.py")
EXTENDED = CATALOGUE.with_methods(RatioToMean, MedianCenter, TanhWindow)
LEFT_OUT = {"golden_cases_exist"}  # no independent implementation
PAIRS = [
    (case, check)
    for case, check in pairs(cases_of(EXTENDED, [RatioToMean, MedianCenter, TanhWindow]))
    if name_of(check) not in LEFT_OUT
]


@pytest.fixture(scope="module")
def page() -> str:
    return (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def is_abstract(member: object) -> bool:
    return bool(getattr(member, "__isabstractmethod__", False))


def indented_blocks(page: str) -> list[Block]:
    """Return the blocks of a page, those inside a list among them."""
    return blocks(re.sub(r"^   ", "", page, flags=re.MULTILINE))


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service"), EXTENDED) as started:
        yield started


@pytest.mark.parametrize("case, check", named(PAIRS))
def test_it_passes_the_conformance_checks(case, check, service: Service, tmp_path) -> None:
    perform(case, check, service, tmp_path)


def test_it_tells_the_means_behind_the_ratios() -> None:
    answer = RatioToMean().fit([[2.0, 1.0], [4.0, 5.0]]).apply_to([[3.0, 6.0]], explain=True)
    assert answer.explain == {"mean": [3.0, 3.0]}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_shows_the_file_word_by_word(name: str, page: str) -> None:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    assert f"```python\n{text}```" in page


def test_a_map_of_columns_takes_few_lines_and_has_every_scope() -> None:
    lines = Path(__file__).with_name("example_column_map.py").read_text(encoding="utf-8")
    assert len(lines.splitlines()) <= 60
    x = [[1.0, 5.0], [2.0, 7.0], [9.0, 6.0]]
    assert MedianCenter(scope="request").transform(x).tolist() == [[-1, -1], [0, 1], [7, 0]]
    by_group = MedianCenter(scope="group").fit(x, groups=["a", "a", "b"])
    assert by_group.transform([[9.0, 9.0]], groups=["b"]).tolist() == [[0.0, 3.0]]


def test_a_map_after_the_scaling_of_windows_takes_few_lines(page: str) -> None:
    text = Path(__file__).with_name("example_window.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    for line in ("straight = False", "return np.tanh(z)", "np.arctanh(np.where(np.abs(y) < 1"):
        assert line in page
        assert line in text
    answer = TanhWindow().apply_to(x=[1.0, 2.0, 4.0])
    scales = {"loc": answer["loc"], "scale": answer["scale"]}
    back = TanhWindow().version_.inverse({"y": [0.5, 1.0], **scales})
    assert np.allclose(
        back["x"], [7 / 3 + np.arctanh(0.5) * np.std([1, 2, 4]), np.nan], equal_nan=True
    )
    assert back.flags["out_of_range"].tolist() == [[0, 0]]


def test_the_golden_cases_it_shows_pass(page: str, tmp_path: Path) -> None:
    (shown,) = [block for block in indented_blocks(page) if block.language == "json"]
    file = tmp_path / "ratio_to_mean.json"
    file.write_text(shown.text)
    with golden_service(catalogue=EXTENDED) as service:
        outcomes = [run(case, service) for case in load(file, native=True)]
    assert [outcome.line for outcome in outcomes if outcome.state != "passed"] == []
    assert len(outcomes) > 1


def test_the_bases_it_names_leave_what_it_says_to_write(page: str) -> None:
    rows = re.findall(r"^\| [^|]+ \| `([a-z_.]+)\.(\w+)` \| (.+) \|$", page, re.MULTILINE)
    assert rows
    for module, base, told in rows:
        cls = getattr(importlib.import_module(f"normalizers.{module}"), base)
        members = dict(inspect.getmembers(cls))
        abstract = {name for name, member in members.items() if is_abstract(member)}
        written = set(re.findall(r"`(\w+)`", told))
        assert issubclass(cls, Normalizer)
        assert not cls.name
        assert abstract <= written <= members.keys(), base


def test_the_paths_it_names_are_there(page: str) -> None:
    told = re.findall(r"`([\w/]+/[\w/]*(?:\.py)?)`", page)
    bases = (ROOT, ROOT / "normalizers", ROOT / "normd" / "cli")
    assert told
    assert [path for path in told if not any((base / path).exists() for base in bases)] == []


def test_it_has_the_face_of_scikit_learn() -> None:
    pipeline = make_pipeline(clone(RatioToMean(scale=100.0)))
    assert pipeline.fit([[2.0], [4.0]]).transform([[1.5]]).tolist() == [[50.0]]


def test_it_merges_and_goes_back() -> None:
    whole = RatioToMean().fit([2.0, 4.0, 9.0])
    merged = RatioToMean().fit([2.0]).merge(RatioToMean().fit([4.0, 9.0]))
    assert merged.transform([3.0]).tolist() == whole.transform([3.0]).tolist() == [0.6]
    assert np.allclose(whole.inverse_transform(whole.transform([7.0])), [7.0], rtol=1e-15)


def test_it_refuses_a_mean_of_zero() -> None:
    with pytest.raises(FitError, match="column 1 has mean 0"):
        RatioToMean().fit([[1.0, -1.0], [1.0, 1.0]])


def test_the_service_serves_it(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path), EXTENDED)
    transport = httpx.ASGITransport(app)
    client = httpx.AsyncClient(transport=transport, base_url="http://test")
    body = {"method": "index_number", "fit": {"x": [2.0, 4.0]}, "input": {"x": [6.0]}}
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
    ):
        answer = portal.call(lambda: client.post("/v1/transform", json=body)).json()
        described = portal.call(client.get, "/v1/methods/ratio_to_mean").json()
        openapi = portal.call(client.get, "/openapi.json").json()
    assert answer["output"] == {"y": [200.0]}
    assert described["parameters"]["properties"]["scale"]["default"] == 1.0
    assert "ratio_to_mean.params" in openapi["components"]["schemas"]
