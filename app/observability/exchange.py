"""One request and its answer, as metrics and logs tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

UNKNOWN_ROUTE = "none"
# Any other word is a client's, and no label.
VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
UNKNOWN_VERB = "other"


@dataclass
class Exchange:
    """What is known of a request when its answer has left.

    Parameters
    ----------
    verb : str
        The HTTP method.
    route : str
        The route as it is declared, ``/v1/normalizers/{ref}/transform``: names never stand in it.
    status : int
        Status of the answer; 0 where none began.
    seconds : float
        From the first byte of the head to the last byte of the answer.
    received, sent : int
        Bytes of the bodies.
    request_id, key, name, version, hash : str
        Who asked, and what answered; empty where nothing did.
    path : str
        What was asked for, as the client wrote it.
    before : sequence of str
        Hashes of what a change replaced or removed.
    after : str
        Hash of what stands in its place.
    traceparent : str
        Of what the request is a part, as W3C writes it.
    """

    verb: str
    route: str = UNKNOWN_ROUTE
    status: int = 0
    seconds: float = 0.0
    received: int = 0
    sent: int = 0
    request_id: str = ""
    key: str = ""
    name: str = ""
    version: str = ""
    hash: str = ""
    path: str = ""
    before: Sequence[str] = ()
    after: str = ""
    traceparent: str = ""

    @property
    def outcome(self) -> str:
        """The class of the status, ``2xx``; ``gone`` where the client left before an answer."""
        return f"{self.status // 100}xx" if self.status else "gone"
