"""https in the house: a certificate that is made once, says little more than it must, and explains itself."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from websockets.sync.client import connect

from hotdice.server.certificate import AUTHORITY_LASTS, LASTS, CertificateError, house_certificate
from tests.server.running import TIMEOUT, SafeRunning

NOW = datetime(2026, 11, 16, tzinfo=UTC)
NAMES = ("localhost", "127.0.0.1", "192.168.1.20", "den.local")


def leaf(chain: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(chain.read_bytes())


def names_of(chain: Path) -> set[str]:
    found = leaf(chain).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in found}


def test_the_certificate_is_made_once_and_kept(tmp_path: Path) -> None:
    first = house_certificate(tmp_path / "https", NAMES, NOW)
    kept = first.chain.read_bytes()
    again = house_certificate(tmp_path / "https", NAMES, NOW + timedelta(days=300))
    assert again.fingerprint == first.fingerprint
    assert again.chain.read_bytes() == kept
    assert names_of(first.chain) == set(NAMES)


def test_only_this_user_can_read_the_keys(tmp_path: Path) -> None:
    made = house_certificate(tmp_path / "https", NAMES, NOW)
    for file in (tmp_path / "https").iterdir():
        assert file.stat().st_mode & 0o077 == 0, file.name
    assert made.key.stat().st_mode & 0o777 == 0o600


def test_a_new_address_or_an_old_certificate_is_signed_anew_by_the_same_authority(tmp_path: Path) -> None:
    first = house_certificate(tmp_path / "https", NAMES, NOW)
    moved = house_certificate(tmp_path / "https", (*NAMES, "10.0.0.7"), NOW)
    assert moved.authority == first.authority
    assert "10.0.0.7" in names_of(moved.chain)
    later = house_certificate(tmp_path / "https", NAMES, NOW + timedelta(days=380))
    assert later.authority == first.authority
    assert leaf(later.chain).not_valid_after_utc > NOW + timedelta(days=700)


def test_phones_take_it_it_lasts_no_longer_than_398_days(tmp_path: Path) -> None:
    """Apple and Chrome refuse certificates of a server that are good for more than that."""
    made = leaf(house_certificate(tmp_path / "https", NAMES, NOW).chain)
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=398)


def test_an_authority_that_would_end_before_what_it_signs_is_made_anew(tmp_path: Path) -> None:
    first = house_certificate(tmp_path / "https", NAMES, NOW)
    late = house_certificate(tmp_path / "https", NAMES, NOW + AUTHORITY_LASTS - LASTS)
    assert late.fingerprint != first.fingerprint


def test_the_authority_can_vouch_for_no_site_on_the_internet(tmp_path: Path) -> None:
    made = house_certificate(tmp_path / "https", (*NAMES, "8.8.8.8", "example.com"), NOW)
    assert names_of(made.chain) == set(NAMES)
    authority = x509.load_der_x509_certificate(made.authority)
    allowed = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert allowed.critical
    assert "192.168.0.0/16" in {str(one.value) for one in allowed.value.permitted_subtrees or ()}


def test_what_cannot_be_read_is_named_with_the_way_out(tmp_path: Path) -> None:
    house_certificate(tmp_path, NAMES, NOW)
    (tmp_path / "authority.pem").write_text("nonsense", "utf-8")
    with pytest.raises(CertificateError, match="delete that folder"):
        house_certificate(tmp_path, NAMES, NOW)
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(CertificateError, match="cannot be kept"):
        house_certificate(tmp_path / "file" / "https", NAMES, NOW)


def test_the_server_plays_over_https_and_explains_itself_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with SafeRunning(str(tmp_path / "tables.sqlite")) as server:
        told = server.output()
        assert f"Hotdice is at {server.url}" in told
        plain = next(word for word in told.split() if word.startswith("http://"))
        page = httpx.get(plain, timeout=TIMEOUT)
        assert page.status_code == 200
        fingerprint = told.split("SHA-256 is ")[1].split()[0]
        assert fingerprint in page.text
        assert server.url in page.text
        assert httpx.get(f"{plain}/anything", timeout=TIMEOUT).text == page.text
        assert httpx.post(plain, timeout=TIMEOUT).status_code == 405
        file = httpx.get(f"{plain}/certificate/hotdice.crt", timeout=TIMEOUT)
        assert file.headers["content-type"] == "application/x-x509-ca-cert"

        trusting = ssl.create_default_context(cadata=file.content)
        answer = httpx.get(f"{server.url}/api/health", verify=trusting, timeout=TIMEOUT)
        assert answer.json()["status"] == "ok"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert httpx.get(f"{server.url}/certificate", verify=trusting, timeout=TIMEOUT).text == page.text
        name, (token,) = server.table(
            "pig", [{"kind": "person", "name": "Ann"}, {"kind": "bot", "bot": "greedy"}], start=True
        )
        with connect(f"wss://127.0.0.1:{server.port}/ws/{name}", ssl=trusting, proxy=None) as line:
            line.send(f'{{"do": "hello", "tokens": ["{token}"], "last": 0}}')
            assert '"type":"welcome"' in str(line.recv(TIMEOUT))
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{server.url}/api/health", timeout=TIMEOUT)
