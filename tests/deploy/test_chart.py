"""The Helm chart as Helm itself renders it, by the schemas of Kubernetes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from tests.deploy.helm import Helm, RefusedError, running
from tests.ops.server import ROOT

CHART = ROOT / "deploy/helm/normd"
ALONE: dict[str, object] = {"keys": {"secret": "keys"}}
SHARED: dict[str, object] = {
    **ALONE,
    "secret": "servers",
    "database": True,
    "blobs": "s3://bucket/normd",
    "autoscaling": {"enabled": True},
    "serviceMonitor": {"enabled": True, "keySecret": "metrics"},
    "networkPolicy": {"from": [{"podSelector": {"matchLabels": {"app": "search"}}}]},
    "tolerations": [{"key": "gpu", "operator": "Exists"}],
    "workers": 4,
}


@pytest.fixture(scope="module")
def helm() -> Iterator[Helm]:
    with running() as helm:
        yield helm


def by_kind(made: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {part["kind"]: part for part in made}


@pytest.mark.parametrize("values", [ALONE, SHARED], ids=["alone", "shared"])
def test_what_it_makes_is_what_kubernetes_takes(helm: Helm, values: Mapping[str, object]) -> None:
    kubernetes = pytest.importorskip(
        "kubernetes_validate", reason="kubernetes-validate is not installed"
    )
    assert "error" not in helm.lint(CHART, values).lower()
    made = helm.template(CHART, values)
    for part in made:
        if part["kind"] != "ServiceMonitor":  # Not of Kubernetes.
            kubernetes.validate(part, kubernetes.latest_version(), strict=True)
        assert part["metadata"]["name"] == "search-normd"


def test_one_replica_has_a_volume_and_several_have_servers(helm: Helm) -> None:
    alone, shared = (by_kind(helm.template(CHART, values)) for values in (ALONE, SHARED))
    assert "PersistentVolumeClaim" in alone
    assert alone["Deployment"]["spec"]["strategy"]["type"] == "Recreate"
    kinds = {"PodDisruptionBudget", "HorizontalPodAutoscaler", "ServiceMonitor", "NetworkPolicy"}
    assert kinds <= set(shared)
    assert "PersistentVolumeClaim" not in shared
    assert "replicas" not in shared["Deployment"]["spec"]


def test_a_pod_is_closed_and_probed(helm: Helm) -> None:
    pod = by_kind(helm.template(CHART, SHARED))["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert container["livenessProbe"]["httpGet"]["path"] == "/livez"
    given = {variable["name"]: variable["value"] for variable in container["env"]}
    assert given["WEB_CONCURRENCY"] == "4"
    assert "NORMD_INSECURE" not in given
    drained = float(given["NORMD_DRAIN_SECONDS"])
    probe = container["readinessProbe"]
    assert drained >= probe["periodSeconds"] * probe["failureThreshold"]
    assert pod["terminationGracePeriodSeconds"] > drained


@pytest.mark.parametrize(
    "values, told",
    [
        ({}, "keys.secret"),
        ({**ALONE, "replicas": 2}, "several replicas need"),
        ({**ALONE, "database": True}, "NORMD_DATABASE"),
    ],
)
def test_what_would_not_work_is_refused(
    helm: Helm, values: Mapping[str, object], told: str
) -> None:
    with pytest.raises(RefusedError, match=told):
        helm.template(CHART, values)


def test_a_digest_is_taken_in_place_of_a_tag(helm: Helm) -> None:
    digest = "sha256:" + "0" * 64
    made = by_kind(helm.template(CHART, {**ALONE, "image": {"digest": digest}}))
    (container,) = made["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == f"normd@{digest}"


def test_the_chart_is_of_this_release() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["appVersion"] == chart["version"] == version
