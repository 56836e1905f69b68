"""The files of pages: those of the package, and the guide where it was built."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

PACKAGE = Path(__file__).parents[2]
ASSETS = PACKAGE / "assets"
# Where a wheel has the guide, and where a clone builds it.
GUIDES = (PACKAGE / "guide", PACKAGE.parent / "build" / "site")
# A browser that obeys this asks no other host, whatever a page says. The pages of the guide and
# of the API browser have styles and small scripts of their own in them.
POLICY = (
    "default-src 'self' data: blob: 'unsafe-inline'; frame-ancestors 'self'; base-uri 'self'; "
    "form-action 'self'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def guide_folder() -> Path | None:
    """Return the folder of the guide; None where it was not built."""
    return next((folder for folder in GUIDES if (folder / "index.html").is_file()), None)


async def send_file(folder: Path, path: str, request: Request) -> Response | None:
    """Return a file below a folder; None where there is none."""
    try:
        answer = await StaticFiles(directory=folder, html=True).get_response(path, request.scope)
    except HTTPException:
        return None
    if answer.status_code == 404:
        return None
    answer.headers.update(HEADERS)
    return answer
