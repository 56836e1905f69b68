"""Two short runs, and what a fusion answers."""

from __future__ import annotations

from normalizers import ReciprocalRankFusion
from normalizers.contract.answer import Answer

X = {"name": "x", "ids": ["b", "a", "c"], "scores": [3.0, 2.0, 1.0]}
Y = {"name": "y", "ids": ["c", "a", "b"], "scores": [3.0, 2.0, 1.0]}


def fused(*runs: dict[str, object], **given: object) -> Answer:
    options = {n: given.pop(n) for n in ("depth", "top_k", "offset", "min_score") if n in given}
    explain = bool(given.pop("explain", False))
    method = ReciprocalRankFusion(**given)
    return method.apply_to(runs=list(runs), explain=explain, **options)


def scored(answer: Answer) -> dict[str, float]:
    return dict(zip(answer["ids"].tolist(), answer["scores"].tolist(), strict=True))


def codes(answer: Answer) -> list[tuple[str, object, object]]:
    details = [(noted.code, dict(noted.detail)) for noted in answer.warnings]
    return [(code, detail.get("run"), detail.get("count")) for code, detail in details]
