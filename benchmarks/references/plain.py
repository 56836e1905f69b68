"""What is quickly written with FastAPI: nested lists in, nested lists out."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from fastapi import Body, FastAPI

from benchmarks.rows import Affine

Rows = list[list[float]]


def create_app() -> FastAPI:
    """Return the application: the route with a return annotation, and the one without."""
    app = FastAPI()
    affine = Affine.drawn()

    @app.get("/")
    def ready() -> str:
        return "ready"

    @app.post("/annotated")
    def annotated(x: Annotated[Rows, Body(embed=True)]) -> Rows:
        return affine(np.asarray(x)).tolist()  # type: ignore[no-any-return]

    @app.post("/bare", response_model=None)
    def bare(x: Annotated[Rows, Body(embed=True)]):  # type: ignore[no-untyped-def]
        return affine(np.asarray(x)).tolist()

    return app
