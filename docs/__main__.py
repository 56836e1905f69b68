"""``python -m docs``: write the pages, then build the site into build/site."""

from __future__ import annotations

from docs.site import ROOT, build, write

if __name__ == "__main__":
    write(ROOT / "build" / "pages")
    build(ROOT)
