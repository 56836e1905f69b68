"""Which of the methods on one base is asked for all of them."""

from __future__ import annotations

import inspect

from normalizers.normalizer import Normalizer
from normalizers.testing.cases import Case
from tests.effort import is_deep


def first_of_its_base(case: Case) -> bool:
    """The first method on its base by name, or one that keeps something between calls; deep: all.

    What methods share is tried once; what each may have of its own, for each.
    """
    siblings = [cls.name for cls in case.catalogue.values() if _base(cls) is _base(case.cls)]
    return is_deep() or case.cls.name == min(siblings) or _keeps_between_calls(case.cls)


def _base(cls: type[Normalizer]) -> type:
    return cls.__mro__[1]


def _keeps_between_calls(cls: type[Normalizer]) -> bool:
    """Whether the class says anything of `Fitted.once` or of an attribute of its own."""
    source = inspect.getsource(cls)
    return ".once(" in source or "cached_property" in source or "_served" in source
