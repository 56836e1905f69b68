"""A service that speaks TLS by settings, and tells what is wrong with them."""

from __future__ import annotations

import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx2 as httpx
import pytest

from app.settings import SettingsError, read_settings
from tests.ops.server import ROOT, Server

x509 = pytest.importorskip("cryptography.x509", reason="cryptography is not installed")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a certificate of this machine that signed itself, and its key."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "normd tests")])
    begins = datetime.now(UTC) - timedelta(days=1)
    address = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begins)
        .not_valid_after(begins + timedelta(days=3650))
        .add_extension(address, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path_factory.mktemp("tls")
    written = folder / "certificate.pem", folder / "key.pem"
    written[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    written[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return written


class EncryptedServer(Server):
    """A server whose readiness is asked by TLS."""

    context: ssl.SSLContext

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/readyz", verify=self.context).is_success
        except httpx.TransportError:
            return False


def test_callers_without_a_certificate_are_not_let_in_where_one_is_needed(
    tmp_path: Path, pair: tuple[Path, Path]
) -> None:
    certificate, key = pair
    trusting = ssl.create_default_context(cafile=str(certificate))
    known = ssl.create_default_context(cafile=str(certificate))
    known.load_cert_chain(certificate, key)
    server = EncryptedServer(
        tmp_path / "data", tls_certificate=certificate, tls_key=key, tls_client_ca=certificate
    )
    server.url = server.url.replace("http:", "https:")
    server.context = known
    try:
        server.start()
        answer = httpx.get(f"{server.url}/v1/limits", verify=known)
        assert answer.is_success
        assert answer.headers["strict-transport-security"].startswith("max-age=")
        with pytest.raises(httpx.TransportError):
            httpx.get(f"{server.url}/livez", verify=trusting)
        with pytest.raises(httpx.TransportError):
            httpx.get(server.url.replace("https:", "http:"))
    finally:
        server.stop()


@pytest.mark.parametrize("given", [("certificate",), ("key",), ("client_ca",)])
def test_half_of_the_settings_is_told(
    monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]
) -> None:
    for name in given:
        monkeypatch.setenv(f"NORMD_TLS_{name.upper()}", "/some/file.pem")
    with pytest.raises(SettingsError, match="NORMD_TLS_CERTIFICATE"):
        read_settings()


def test_files_that_are_none_are_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "no.pem").write_text("nothing")
    done = subprocess.run(
        [sys.executable, "-m", "normd.cli", "serve", "--data", str(tmp_path / "data")],
        cwd=ROOT,
        env={
            "PATH": "",
            "NORMD_TLS_CERTIFICATE": str(tmp_path / "no.pem"),
            "NORMD_TLS_KEY": str(tmp_path / "no.pem"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "NORMD_TLS_CERTIFICATE" in done.stderr
    assert "Traceback" not in done.stderr
