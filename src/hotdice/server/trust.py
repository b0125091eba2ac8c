"""The page about the certificate of this house: what a browser's warning means, and what one can do about it.

It stands beside the app, and alone on a port without https, as those who are warned have not come in yet.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Final

from starlette.responses import HTMLResponse, PlainTextResponse, Response

from hotdice.server.certificate import HouseCertificate
from hotdice.server.socket import Receive, Scope, Send

_STYLE: Final = """
:root { color-scheme: light dark }
body { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; font: 1.0625rem/1.55 system-ui, sans-serif;
  color: light-dark(#2b2620, #ece7dd); background: light-dark(#fffdf8, #1c222a) }
h1 { font-size: 1.75rem; line-height: 1.2 }
h2 { margin-top: 2rem; font-size: 1.25rem }
code { overflow-wrap: anywhere; font-size: 0.9em }
a { color: light-dark(#a33409, #f0a070) }
a.button { display: inline-block; padding: 0.75rem 1.25rem; border-radius: 10px; color: #fff; background: #b83a08;
  font-weight: 600; text-decoration: none }
li + li { margin-top: 0.4rem }
"""
_POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    f"style-src 'sha256-{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"
)
PAGE_HEADERS: Final = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}
PAGE: Final = "/certificate"
FILE: Final = "/certificate/hotdice.crt"
FILE_TYPE: Final = "application/x-x509-ca-cert"
LOST: Final = "Hotdice answers to https here; this page is about its certificate."


class TrustPage:
    """An ASGI application that shows one page and hands out one file."""

    def __init__(self, certificate: HouseCertificate, address: str) -> None:
        self._page = HTMLResponse(trust_page(certificate, address), headers=PAGE_HEADERS)
        self._file = Response(certificate.authority, media_type=FILE_TYPE, headers={"Cache-Control": "no-store"})

    def answer(self, scope: Any) -> Response | None:
        """The answer to a request, if it is about the certificate."""
        if scope["method"] not in ("GET", "HEAD"):
            return None
        return {PAGE: self._page, FILE: self._file}.get(scope["path"])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """By itself, every address shows the page."""
        answer = self.answer(scope)
        if answer is None:
            answer = self._page if scope["method"] in ("GET", "HEAD") else PlainTextResponse(LOST, 405)
        await answer(scope, receive, send)


def trust_page(certificate: HouseCertificate, address: str) -> str:
    """What the browser's warning means, and what one can do about it. `address` is where Hotdice is."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Why your browser warns about Hotdice</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>Why your browser warns about Hotdice</h1>
<p>Hotdice runs on a machine in your house and made its own certificate. The connection is encrypted, but no company
has vouched for that machine, so your browser asks whether you know it. For a page on the internet, take such a warning
seriously. For this one, at home, there are two ways on.</p>
<h2>Go on, just for this browser</h2>
<p>In the warning, choose “Advanced” or “Show details”, then go on to the page. The browser remembers it for a while.
The screen then stays on while you play, and links can be shared. Only playing the app from the home screen without a
connection needs the second way.</p>
<p><a class="button" href="{address}">Open Hotdice</a></p>
<h2>Trust it on this device, for good</h2>
<p>Install the certificate of this house; the warning is then gone. It is good for private addresses and for this
machine's own names, and for no site on the internet.</p>
<p><a href="{FILE}" download="hotdice.crt">Download the certificate</a></p>
<ul>
<li><strong>Android:</strong> open Settings, search for “CA certificate”, and install the file as one.</li>
<li><strong>iPhone and iPad:</strong> open the file, install the profile in Settings, then switch it on under General,
About, Certificate Trust Settings.</li>
<li><strong>Mac:</strong> open the file in Keychain Access and set it to “Always trust”.</li>
<li><strong>Windows:</strong> open the file and install it under “Trusted Root Certification Authorities”.</li>
<li><strong>Firefox:</strong> in Settings, search for “certificates”, and import the file as an authority.</li>
</ul>
<p>Before you install it, compare its SHA-256 fingerprint with the one that Hotdice printed where it was started:</p>
<p><code>{certificate.fingerprint}</code></p>
</main>
</body>
</html>
"""
