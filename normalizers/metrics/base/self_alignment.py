"""What a reader must know of a fit on the very scores that are judged."""

from __future__ import annotations

from normalizers.contract import Notice, notice


def alignment_notices(reference_kind: str | None) -> tuple[Notice, ...]:
    """Return a warning where the statistics are those of the scores under test."""
    if reference_kind != "self":
        return ()
    return (
        notice(
            "self_alignment",
            "reference_kind is 'self': statistics of the judged scores take true differences "
            "between groups away too; fit on anchors of equal quality in every group",
        ),
    )
