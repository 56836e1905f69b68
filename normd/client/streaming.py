"""A fit above the limits of one request: blocks are observed, then a version is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import cast

import numpy as np

from normd.client.calls import IDEMPOTENCY_KEY, Call, Flow
from normd.client.combine import Span
from normd.client.errors import ClientError
from normd.client.exchange import exchange, get, limits_of
from normd.client.fields import written
from normd.client.forms import encode, holds_arrays
from normd.client.methods import Method
from normd.client.records import Manifest
from normd.client.requests import Progress
from normd.client.sessions import Session
from normd.client.split import Cut, cuts_of_fit

NAMES = "/v1/normalizers"
OBSERVATIONS = "/v1/normalizers/{name}/observations"
VERSIONS = "/v1/normalizers/{name}/versions"
SCOPE, FITTED = "scope", "fitted"


@dataclass(frozen=True)
class Blocks:
    """Data of a fit in blocks, each of which one request holds, its parts one after the other."""

    method: Method
    blocks: list[tuple[Cut, Span]]

    @property
    def units(self) -> int:
        """How many rows there are in all parts."""
        return sum(stop - start for _, (start, stop) in self.blocks)


def blocks_of(
    session: Session, method: Method, fit: Mapping[str, object], layout: str | None = None
) -> Flow[Blocks | None]:
    """Return the blocks of the data of a fit; None where one request holds them all."""
    cuts = cuts_of_fit(fit, method.fits, layout)
    if not cuts or not method.capabilities.get("streams"):
        return None
    limits = yield from limits_of(session)
    blocks = [(cut, span) for cut in cuts for span in cut.spans(limits)]
    return Blocks(method, blocks) if len(blocks) > 1 else None


def streamed(
    session: Session,
    body: Mapping[str, object],
    blocks: Blocks,
    progress: Progress | None,
    asked: Mapping[str, object],
) -> Flow[Manifest]:
    """Open a name, observe the blocks under it and make its first version of them.

    `asked` goes with every block: the options of the fit.

    The keys of the blocks follow from what they hold: the same call again, after one that broke,
    counts nothing twice and goes on where that one stopped.
    """
    opening = {**body, "params": _opening(blocks.method)}
    name = str(body["name"])
    yield from exchange(session, Call("POST", NAMES), opening)
    keys = sha256()
    done = 0
    for cut, (start, stop) in blocks.blocks:
        part = {"fit": written(cut.block(start, stop), "fit"), **asked}
        key = f"{_digest(part)}-{start}"
        keys.update(key.encode())
        yield from _observed(session, name, part, key)
        done += stop - start
        if progress is not None:
            progress(done, blocks.units)
    headers = {IDEMPOTENCY_KEY: keys.hexdigest()}
    made = yield from exchange(
        session, Call("POST", VERSIONS, {"name": name}, headers=headers), {"from": "observations"}
    )
    ref = f"{name}@{made.tree['version']}"
    return cast(Manifest, (yield from get(session, Call("GET", f"{NAMES}/{{ref}}", {"ref": ref}))))


def _opening(method: Method) -> dict[str, object]:
    """Return the parameters that open a name: one that works both ways must be told."""
    needs_scope = SCOPE in method.affects and method.capabilities.get("stateless")
    return {**({SCOPE: FITTED} if needs_scope else {}), **method.params}


def _digest(part: Mapping[str, object]) -> str:
    return sha256(encode(part, "safetensors" if holds_arrays(part) else "json")).hexdigest()


def _observed(session: Session, name: str, part: Mapping[str, object], key: str) -> Flow[None]:
    call = Call("POST", OBSERVATIONS, {"name": name}, headers={IDEMPOTENCY_KEY: key})
    counted = (yield from exchange(session, call, part)).tree.get("counted")
    if not counted and (yield from _is_empty(session, name)):
        raise ClientError(
            f"these data were observed under '{name}' before and discarded since, so that they do "
            "not count again; fit them under another name"
        )


def _is_empty(session: Session, name: str) -> Flow[bool]:
    tree = yield from get(session, Call("GET", OBSERVATIONS, {"name": name}, binary=True))
    kept = cast("Mapping[str, Mapping[str, object]]", tree.get("statistics", {}))
    return not any(np.any(np.asarray(one.get("n", 0))) for one in kept.values())
