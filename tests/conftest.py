"""What all tests share: random examples without a deadline, since machines differ in speed."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("suite", deadline=None, print_blob=True)
settings.load_profile("suite")
