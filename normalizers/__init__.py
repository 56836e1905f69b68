"""Data and score normalization: fitted, mergeable, exact.

Every method is a class with scikit-learn's face (`fit`, `partial_fit`, `transform`,
`inverse_transform`); one that needs no fit is a plain function of its own name too. Both are
found here by name: ``from normalizers import MinMax, min_max``. Type checkers and editors read
``__init__.pyi``, which `make stubs` makes from the methods.
"""

from typing import cast

from normalizers.contract import lookup
from normalizers.contract.answer import Answer, Options
from normalizers.contract.method import MethodTable
from normalizers.data.ragged import Ragged
from normalizers.normalizer import Normalizer, load
from normalizers.versions.version import Version

__all__ = ["Answer", "Normalizer", "Options", "Ragged", "Version", "load"]


def _built_in() -> MethodTable:
    from normalizers.catalogue import catalogue

    return catalogue.CATALOGUE


# Methods are imported when one is asked for by name, not with the library.
lookup.install(_built_in)


def __getattr__(name: str) -> type[Normalizer] | str:
    """Return a built-in method's class, its function, or the release, when it is asked for."""
    if name == "__version__":
        # Not above: it would stand in the place of its module.
        from normalizers.data.release import release

        return release()
    if name.startswith("_"):
        raise AttributeError(name)
    from normalizers.catalogue.discovery import exported

    found = exported().get(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return cast("type[Normalizer]", found)


def __dir__() -> list[str]:
    """Return the contract and every built-in method."""
    from normalizers.catalogue.discovery import exported

    return sorted({*__all__, *exported()})
