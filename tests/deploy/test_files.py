"""What compose starts beside the service: the files are there, and name what there is."""

from __future__ import annotations

import json
import re
import tomllib

import yaml

from app.observability.metrics import DRIFT, Metrics
from app.settings import OF_SERVE, Settings, variable
from tests.ops.server import ROOT

COMPOSE = (ROOT / "compose.yaml").read_text()
TREE = yaml.safe_load(COMPOSE)
FILE = dict(
    line.split("=", 1)
    for line in (ROOT / "deploy/servers.env").read_text().splitlines()
    if line and not line.startswith("#")
)


def test_every_file_that_is_mounted_is_there() -> None:
    mounts = [mount for part in TREE["services"].values() for mount in part.get("volumes", ())]
    for mount in mounts:
        source = mount.split(":")[0]
        assert (ROOT / source).is_file() if source.startswith(".") else source in TREE["volumes"]


def test_every_image_is_of_one_release_and_every_port_of_this_machine() -> None:
    for name, part in TREE["services"].items():
        assert re.search(r":[^:]*\d", part["image"]), name
        assert not part["image"].endswith(":latest")
        assert all(port.startswith("127.0.0.1:") for port in part.get("ports", ()))


def test_without_the_profile_the_service_is_alone() -> None:
    alone = [name for name, part in TREE["services"].items() if "profiles" not in part]
    assert alone == ["normd"]
    needed = TREE["services"]["normd"]["depends_on"].values()
    assert all(part["required"] is False for part in needed)


def test_the_file_of_the_profile_gives_what_is_asked_for() -> None:
    known = {*map(variable, Settings.model_fields), *OF_SERVE}
    asked = set(re.findall(r"\$\{([A-Z_]+):-\}", COMPOSE))
    assert asked <= FILE.keys()
    assert {name for name in FILE if name.startswith("NORMD_")} <= known
    assert FILE["DATABASE_PASSWORD"] in FILE["NORMD_DATABASE"]
    assert FILE["STORE_PASSWORD"] == FILE["AWS_SECRET_ACCESS_KEY"]
    Settings(database=FILE["NORMD_DATABASE"], blobs=FILE["NORMD_BLOBS"])  # type: ignore[arg-type]


def test_the_dashboard_asks_for_metrics_that_there_are() -> None:
    metrics = Metrics(lambda: 0, lambda: 0)
    metrics.tell_drift("n", "1", dict.fromkeys(DRIFT, 0.0))
    there = set(re.findall(r"^# TYPE (\w+)", metrics.text().decode(), re.MULTILINE))
    board = json.loads((ROOT / "deploy/grafana/normd.json").read_text())
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"normd_\w+", target["expr"])
    }
    assert {name.removesuffix("_bucket") for name in asked} <= there
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_the_images_are_of_this_release() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    images = json.loads((ROOT / "deploy/images.json").read_text())["target"]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for image in images.values():
        assert all(version in tag for tag in image.get("tags", ()))
        chosen = image.get("args", {}).get("EXTRAS", "").split(",")
        assert set(chosen) - {""} <= extras["optional-dependencies"].keys()
