"""The types of problems that answers have (RFC 9457), and the errors that some of them are."""

from __future__ import annotations

from dataclasses import dataclass

from normalizers import errors as library
from normd.wire.codecs import errors as codecs

MEDIA_TYPE = "application/problem+json"
TYPES = "/problems/"


@dataclass(frozen=True)
class ProblemType:
    """A documented kind of problem: the last part of its URI, its status and title."""

    slug: str
    status: int
    title: str

    @property
    def uri(self) -> str:
        """The ``type`` member."""
        return TYPES + self.slug


INTERNAL = ProblemType("internal", 500, "The service failed")
NOT_FOUND = ProblemType("not-found", 404, "There is no such thing")
METHOD_NOT_ALLOWED = ProblemType("method-not-allowed", 405, "The method is not allowed here")
BAD_REQUEST = ProblemType("bad-request", 400, "The request is not valid")
TOO_LARGE = ProblemType("too-large", 413, "The body is above a limit")
CONFLICT = ProblemType("conflict", 409, "The request contradicts what is there")
PRECONDITION_FAILED = ProblemType("precondition-failed", 412, "Another version is there")
UNAVAILABLE = ProblemType("unavailable", 503, "The registry cannot be used now")
DAMAGED_VERSION = ProblemType("damaged-version", 503, "A stored version is damaged")

# Errors of the library and of codecs, from the most special class to the most general one: the
# first that fits is taken.
TABLE: tuple[tuple[type[Exception], ProblemType], ...] = (
    (library.ShapeError, ProblemType("shape-error", 422, "An array has the wrong shape")),
    (library.DtypeError, ProblemType("dtype-error", 422, "Elements have the wrong type")),
    (library.NonFiniteError, ProblemType("non-finite", 422, "A value is missing or infinite")),
    (library.InvalidInput, ProblemType("invalid-input", 422, "The data cannot be used")),
    (library.InvalidParams, ProblemType("invalid-params", 422, "A parameter is not valid")),
    (library.UnknownName, ProblemType("unknown-method", 422, "There is no such method")),
    (library.NotFitted, ProblemType("not-fitted", 422, "The method needs a fit")),
    (library.NotEnoughData, ProblemType("not-enough-data", 422, "There are too few rows")),
    (library.RankDeficient, ProblemType("rank-deficient", 422, "The data span too few directions")),
    (library.FitError, ProblemType("fit-error", 422, "The data do not determine a fit")),
    (
        library.IncompatibleStatistics,
        ProblemType("incompatible-statistics", 409, "The statistics do not merge"),
    ),
    (
        library.IncompatibleState,
        ProblemType("incompatible-state", 409, "The carried state belongs elsewhere"),
    ),
    (library.CorruptVersion, ProblemType("corrupt-version", 422, "The version file is not whole")),
    (
        library.UnsupportedOperation,
        ProblemType("unsupported-operation", 422, "The method cannot do that"),
    ),
    (
        library.MissingDependency,
        ProblemType("missing-dependency", 422, "An optional package is not installed"),
    ),
    (codecs.Unparseable, ProblemType("unparseable", 400, "The body cannot be parsed")),
    (codecs.NotAcceptable, ProblemType("not-acceptable", 406, "No form of answer is acceptable")),
    (codecs.TooLarge, TOO_LARGE),
    (
        codecs.UnsupportedMediaType,
        ProblemType("unsupported-media-type", 415, "The media type is not read here"),
    ),
)
