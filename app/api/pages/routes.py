"""``/``, ``/guide``, ``/docs`` and the files that they need."""

from __future__ import annotations

from pathlib import Path

import orjson
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.api.exchange import context_of
from app.api.pages.files import ASSETS, HEADERS, guide_folder, send_file
from app.api.pages.start import kept_names, start_page
from app.registry.errors import NotFound
from normalizers.data.release import release

BROWSER = Path(__file__).with_name("browser.html").read_text(encoding="utf-8")
HTML = "text/html"
# One address, two forms; and what is stored changes.
STARTS = {"Vary": "Accept, Authorization, X-API-Key", "Cache-Control": "no-store"}
WITHOUT_GUIDE = (
    "the guide was not built into this installation: in a clone `make docs` builds it, and wheels "
    "of releases and the image have it"
)

router = APIRouter(tags=["operations"])


@router.get("/", operation_id="start", summary="Where to start")
def start(request: Request) -> Response:
    """Answer where the documentation, the methods and the limits are; a browser gets a page.

    The page lists what is stored to those who may read it.
    """
    if HTML in request.headers.get("accept", ""):
        names = kept_names(context_of(request).registry) if _may_read(request) else None
        page = start_page(release(), guide_folder() is not None, names)
        return HTMLResponse(page, headers={**HEADERS, **STARTS})
    root = context_of(request).settings.root_path
    tree = {
        "name": "normd",
        "release": release(),
        "guide": f"{root}/guide/",
        "documentation": f"{root}/docs",
        "openapi": f"{root}/openapi.json",
        "methods": f"{root}/v1/methods",
        "limits": f"{root}/v1/limits",
    }
    return Response(orjson.dumps(tree), media_type="application/json", headers=STARTS)


@router.get("/docs", include_in_schema=False)
async def browser() -> Response:
    """Return the API browser."""
    return HTMLResponse(BROWSER, headers=HEADERS)


@router.get("/assets/{path:path}", include_in_schema=False)
async def asset(request: Request, path: str) -> Response:
    """Return a file of the pages."""
    found = await send_file(ASSETS, path, request)
    if found is None:
        raise NotFound("there is no such file")
    return found


@router.get("/guide", include_in_schema=False)
async def guide_start() -> Response:
    """Send a browser to where the links of the guide lead from."""
    return RedirectResponse("guide/")


@router.get("/guide/{path:path}", include_in_schema=False)
async def guide(request: Request, path: str) -> Response:
    """Return a page of the guide."""
    folder = guide_folder()
    if folder is None:
        raise NotFound(WITHOUT_GUIDE)
    found = await send_file(folder, path or "index.html", request)
    if found is None:
        raise NotFound("the guide has no such page; its start is /guide/")
    return found


def _may_read(request: Request) -> bool:
    # What works in the process that has the data has no guard.
    may = request.scope.get("state", {}).get("may_read")
    return may is None or bool(may())
