"""Which type of problem each error is: what an answer says of it, and what a client raises."""

from __future__ import annotations

from normalizers import errors as library
from normd.wire import problem_types as types
from normd.wire.codecs import errors as codecs
from normd.wire.problem_types import ProblemType

MEDIA_TYPE = "application/problem+json"

# Errors of the library and of codecs, from the most special class to the most general one: the
# first that fits is taken.
TABLE: tuple[tuple[type[Exception], ProblemType], ...] = (
    (library.ShapeError, types.SHAPE_ERROR),
    (library.DtypeError, types.DTYPE_ERROR),
    (library.NonFiniteError, types.NON_FINITE),
    (library.InvalidInput, types.INVALID_INPUT),
    (library.InvalidParams, types.INVALID_PARAMS),
    (library.UnknownName, types.UNKNOWN_METHOD),
    (library.NotFitted, types.NOT_FITTED),
    (library.NotEnoughData, types.NOT_ENOUGH_DATA),
    (library.RankDeficient, types.RANK_DEFICIENT),
    (library.FitError, types.FIT_ERROR),
    (library.IncompatibleStatistics, types.INCOMPATIBLE_STATISTICS),
    (library.IncompatibleState, types.INCOMPATIBLE_STATE),
    (library.CorruptVersion, types.CORRUPT_VERSION),
    (library.UnsupportedOperation, types.UNSUPPORTED_OPERATION),
    (library.MissingDependency, types.MISSING_DEPENDENCY),
    (codecs.Unparseable, types.UNPARSEABLE),
    (codecs.NotAcceptable, types.NOT_ACCEPTABLE),
    (codecs.TooLarge, types.TOO_LARGE),
    (codecs.UnsupportedMediaType, types.UNSUPPORTED_MEDIA_TYPE),
)
