"""Who may know whom: the service no method, the library no service, an import no heavy package."""

from __future__ import annotations

import ast
import importlib.metadata
import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import app
import normalizers
import normd
from normalizers.catalogue.catalogue import CATALOGUE, normalized
from normalizers.contract.answer import Options
from normalizers.normalizer import Normalizer

ROOT = Path(inspect.getfile(normalizers)).parents[1]
LIBRARY = sorted(Path(inspect.getfile(normalizers)).parent.rglob("*.py"))
# What stands beside the library: the service, and what people use it by.
SERVICE = sorted(
    path for package in (app, normd) for path in Path(inspect.getfile(package)).parent.rglob("*.py")
)
ALL = [*LIBRARY, *SERVICE]
METHODS = sorted({Path(inspect.getfile(cls)) for cls in CATALOGUE.values()})
LONGEST_FILE = 400
HTTP_WORDS = re.compile(
    r"\bhttp|\bstatus|\bfastapi|\bstarlette|\burls?\b|\bendpoint|\bheaders?\b", re.IGNORECASE
)
HEAVY = ("sklearn", "scipy.stats", "torch", "pandas", "polars", "pyarrow", "dask", "matplotlib")
SERVICE_ONLY = ("app", "normd", "fastapi", "starlette", "sqlalchemy", "httpx", "orjson", "uvicorn")
# What `normd[service]` brings, and what is imported by `normd.service` alone.
OF_THE_SERVICE = ("app", "fastapi", "starlette", "sqlalchemy", "uvicorn", "pydantic_settings")
RUNS_CODE = ("pickle", "joblib", "dill", "marshal", "shelve", "cloudpickle")
# What speaks to torch; everything else asks for the namespace of its arrays.
TENSOR_FILES = {"normalizers/data/devices.py"}
# Layers that are modules of torch, which nothing imports but who trains them.
TENSOR_ROOM = "normalizers/series/torch/"
TENSORS = re.compile(r"\btorch\b")
CLOCKS = ("time", "datetime")
EVALUATORS = {"eval", "exec", "compile", "np.load", "np.fromfile"}
# A generator that is made from a seed is not ambient.
AMBIENT = re.compile(r"np\.random(?!\.default_rng\(\w)|os\.environ")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
# `safetensors.numpy.save` ignores strides.
MAKE_CONTIGUOUS = {"normalizers.data.arrays.as_stored", "normalizers.versions.tensor_tree.flat"}
# Words of bodies, answers and declarations that some method has for a parameter too; C is an
# order of text in databases.
WORDS_OF_THE_SERVICE = {
    "weights", "scope", "output", "method", "steps", "kind", "loc", "monotone",
    "content", "samples", "seed", "missing", "start", "range", "moments",
    "baseline", "form", "C", "shift", "quantile", "s", "k",
}  # fmt: skip
# Spellings of methods that are words of ordinary language or of the web, and what else they mean:
# nothing, an encoding that changes nothing, the rank of a matrix, a line of a log or its scale, a
# comparison of two versions.
ORDINARY_WORDS = {"diff", "none", "identity", "rank", "log"}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def offenders(paths: list[Path], fault: Callable[[Path], object]) -> dict[str, object]:
    """Return what is wrong by file."""
    return {relative(path): found for path in paths if (found := fault(path))}


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def literals(path: Path) -> set[str]:
    """Return the string constants of a file; docstrings and formats of numbers left out."""
    tree = tree_of(path)
    specs = [node.format_spec for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)]
    formats = {id(part) for spec in specs if spec is not None for part in ast.walk(spec)}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in formats
    } - set(docstrings(tree))


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield str(first.value.value)


def imports(path: Path, statements: Iterable[ast.AST] | None = None) -> set[str]:
    """Return the modules a file imports: anywhere, or by these statements alone."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)) if statements is None else statements:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return found


def called(path: Path) -> set[str]:
    """Return the names of the functions a file calls, ``np.load`` with its module."""
    calls = [node.func for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]
    plain = {call.id for call in calls if isinstance(call, ast.Name)}
    dotted = {ast.unparse(call) for call in calls if isinstance(call, ast.Attribute)}
    return plain | dotted


def tops(path: Path) -> set[str]:
    """Return the packages a file imports."""
    return {top(module) for module in imports(path)}


def is_heavy(module: str) -> bool:
    return module in HEAVY or top(module) in HEAVY


def top(module: str) -> str:
    return module.partition(".")[0]


def test_nothing_in_the_service_knows_a_method_by_name() -> None:
    presets = {preset for cls in CATALOGUE.values() for preset in cls.presets}
    known = set(CATALOGUE.spellings) | presets
    assert known > {"min_max", "whitening"}

    def named(path: Path) -> set[str]:
        return {normalized(text) for text in literals(path)} & known

    assert offenders(SERVICE, lambda path: named(path) - ORDINARY_WORDS) == {}
    assert set().union(*map(named, SERVICE)) == ORDINARY_WORDS, "a word is exempt without need"


def test_nothing_in_the_service_knows_a_parameter_of_a_method() -> None:
    own = set(Options.model_fields) | WORDS_OF_THE_SERVICE
    parameters = {name for cls in CATALOGUE.values() for name in cls.parameters} - own
    assert parameters > {"shrinkage", "nan_policy"}
    assert offenders(SERVICE, lambda path: literals(path) & parameters) == {}


def test_no_method_knows_the_web() -> None:
    assert len(METHODS) == len(CATALOGUE)
    assert offenders(METHODS, lambda path: set(HTTP_WORDS.findall(path.read_text()))) == {}


def test_the_library_imports_nothing_of_the_service() -> None:
    assert offenders(LIBRARY, lambda path: tops(path) & set(SERVICE_ONLY)) == {}


def test_the_library_has_no_clock_and_no_unseeded_randomness() -> None:
    banned = {*CLOCKS, "random", "secrets", "uuid"}
    assert offenders(LIBRARY, lambda path: tops(path) & banned) == {}
    assert offenders(LIBRARY, lambda path: set(AMBIENT.findall(path.read_text()))) == {}


def test_heavy_packages_are_imported_inside_functions_only() -> None:
    def heavy(path: Path) -> set[str]:
        return {name for name in imports(path, tree_of(path).body) if is_heavy(name)}

    outside = [path for path in ALL if not relative(path).startswith(TENSOR_ROOM)]
    assert offenders(outside, heavy) == {}


def test_one_place_knows_the_library_of_tensors() -> None:
    speakers = offenders(ALL, lambda path: TENSORS.findall(path.read_text()))
    assert "normalizers/data/devices.py" in speakers
    layers = {name for name in speakers if name.startswith(TENSOR_ROOM)}
    assert layers
    # A name in the list of the rooms without methods, and no import.
    others = speakers.keys() - layers - {"normalizers/catalogue/discovery.py"}
    assert others <= TENSOR_FILES


def test_nothing_of_the_library_imports_the_layers_of_torch() -> None:
    room = TENSOR_ROOM.rstrip("/").replace("/", ".")
    outside = [path for path in ALL if not relative(path).startswith(TENSOR_ROOM)]
    assert offenders(outside, lambda path: {m for m in imports(path) if m.startswith(room)}) == {}


def test_nothing_runs_code_that_it_reads() -> None:
    assert offenders(ALL, lambda path: tops(path) & set(RUNS_CODE)) == {}
    assert offenders(ALL, lambda path: called(path) & EVALUATORS) == {}


def test_whatever_writes_safetensors_makes_arrays_contiguous_first() -> None:
    writers = [path for path in ALL if "safetensors.numpy.save" in imports(path)]
    assert writers
    assert offenders(writers, lambda path: imports(path).isdisjoint(MAKE_CONTIGUOUS)) == {}


def test_files_are_short() -> None:
    assert offenders(ALL, lambda path: len(path.read_text().splitlines()) > LONGEST_FILE) == {}


def test_asserts_are_for_tests() -> None:
    def asserts(path: Path) -> bool:
        return any(isinstance(node, ast.Assert) for node in ast.walk(tree_of(path)))

    # What checks methods for their authors is a test that is installed.
    checked = [path for path in ALL if "normalizers/testing/" not in relative(path)]
    assert offenders(checked, asserts) == {}


def test_every_file_says_what_it_is() -> None:
    empty = [path for path in ALL if path.name == "__init__.py" and not path.read_text()]
    assert (
        offenders(ALL, lambda path: path not in empty and not ast.get_docstring(tree_of(path)))
        == {}
    )


def test_no_word_of_work_in_progress_stays() -> None:
    assert offenders(ALL, lambda path: set(UNFINISHED.findall(path.read_text()))) == {}


def test_no_parameter_is_called_like_the_contract() -> None:
    taken = set(dir(Normalizer)) - {"source"}  # which the contract declares itself
    for cls in CATALOGUE.values():
        assert not set(cls.parameters) & taken, cls.name


def test_importing_the_library_loads_nothing_heavy() -> None:
    script = "import json, sys, normalizers; print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(run(sys.executable, "-c", script)))
    assert not set(filter(is_heavy, loaded))
    assert not {top(module) for module in loaded} & set(SERVICE_ONLY)


def test_making_the_catalogue_loads_nothing_heavy() -> None:
    script = "import json, sys; from normalizers.catalogue.catalogue import CATALOGUE; " + (
        "[cls() for cls in CATALOGUE.values()]; print(json.dumps(sorted(sys.modules)))"
    )
    loaded = set(json.loads(run(sys.executable, "-c", script)))
    assert not set(filter(is_heavy, loaded))


@pytest.mark.parametrize("module", ["normd", "normd.client", "normd.cli.options.program"])
def test_importing_what_people_use_loads_no_service_and_nothing_heavy(module: str) -> None:
    script = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(run(sys.executable, "-c", script)))
    assert not set(filter(is_heavy, loaded))
    assert not {top(name) for name in loaded} & set(OF_THE_SERVICE)


def test_every_package_of_the_wheel_is_checked_and_typed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    packages = project["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {relative(path).partition("/")[0] for path in ALL} == set(packages)
    assert set(project["importlinter"]["root_packages"]) == set(packages)
    assert set(packages) <= set(project["mypy"]["packages"])
    assert set(packages) <= set(project["pytest"]["ini_options"]["testpaths"])
    assert [package for package in packages if not (ROOT / package / "py.typed").exists()] == []


def test_importing_the_service_starts_nothing(tmp_path: Path) -> None:
    script = "import app.main, threading, json; print(threading.active_count())"
    assert run(sys.executable, "-c", script, NORMD_DATA=str(tmp_path / "data")).strip() == "1"
    assert not (tmp_path / "data").exists()


def test_import_contracts_hold() -> None:
    pytest.importorskip("importlinter")
    scripts = importlib.metadata.entry_points(group="console_scripts", name="lint-imports")
    (script,) = scripts
    module, _, function = script.value.partition(":")
    code = f"import sys; from {module} import {function}; sys.argv[1:] = ['--no-cache']; "
    output = run(sys.executable, "-c", f"{code}{function}()")
    assert re.search(r"Contracts: [1-9]\d* kept, 0 broken", output), output


def run(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_one_place_writes_tensors() -> None:
    written = re.compile(r"from safetensors\S* import [^\n]*\b(save|save_file|serialize)\b")
    writers = {
        str(path.relative_to(ROOT))
        for folder in ("normalizers", "normd", "app")
        for path in (ROOT / folder).rglob("*.py")
        if written.search(path.read_text())
    }
    assert writers == {"normalizers/versions/tensor_tree.py"}


def test_equal_choices_stand_in_one_order() -> None:
    # Python keeps one of two equal literals: with two orders, the first import decides for both.
    orders: dict[frozenset[str], set[tuple[str, ...]]] = {}
    for path in LIBRARY:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
                parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                choices = tuple(map(ast.unparse, parts))
                orders.setdefault(frozenset(choices), set()).add(choices)
    assert [found for found in orders.values() if len(found) > 1] == []
