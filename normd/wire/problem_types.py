"""The types of problems that answers have (RFC 9457), with what causes and mends each."""

from __future__ import annotations

from dataclasses import dataclass

TYPES = "/problems/"


@dataclass(frozen=True)
class ProblemType:
    """A documented kind of problem.

    Parameters
    ----------
    slug : str
        The last part of its URI.
    status : int
        The HTTP status.
    title : str
        What it is.
    cause, remedy : str
        Why it is answered, and what the caller does about it.
    """

    slug: str
    status: int
    title: str
    cause: str
    remedy: str

    @property
    def uri(self) -> str:
        """The ``type`` member."""
        return TYPES + self.slug


INTERNAL = ProblemType(
    "internal",
    500,
    "The service failed",
    cause=(
        "Something unexpected happened inside the service. The answer says nothing more on purpose."
    ),
    remedy="Find `request_id` in the log of the service, and report it with what was sent.",
)
NOT_FOUND = ProblemType(
    "not-found",
    404,
    "There is no such thing",
    cause="The path, the name, the version, the alias or the method does not exist.",
    remedy=(
        "List what there is: `GET /v1/normalizers`, `GET /v1/normalizers/{name}/versions`, `GET "
        "/v1/normalizers/{name}/aliases`, `GET /v1/methods`."
    ),
)
METHOD_NOT_ALLOWED = ProblemType(
    "method-not-allowed",
    405,
    "The method is not allowed here",
    cause="The path exists, but not with this HTTP method.",
    remedy="Use one that the header `Allow` of the answer names.",
)
BAD_REQUEST = ProblemType(
    "bad-request",
    400,
    "The request is not valid",
    cause="The web framework could not read the request line, a header or the body.",
    remedy="Check with `curl -v` what is sent; a proxy in between may have changed it.",
)
TOO_LARGE = ProblemType(
    "too-large",
    413,
    "The body is above a limit",
    cause=(
        "The request, or what it would give, is above a limit of bytes, rows, lists, ids, values "
        "or dims; the member `limit` says which number and `setting` which variable sets it."
    ),
    remedy=(
        "Send less at once: split rows into several requests and merge the fits. Or let the "
        "operator raise the setting."
    ),
)
UNAUTHORIZED = ProblemType(
    "unauthorized",
    401,
    "A key is needed",
    cause="The service asks for keys, and the request sent none, or one that is not known now.",
    remedy=(
        "Send `Authorization: Bearer KEY` or `X-API-Key: KEY`; the client and the command line "
        "read `NORMD_KEY`. The operator makes a key with `normd keys add`."
    ),
)
FORBIDDEN = ProblemType(
    "forbidden",
    403,
    "This key may not do that",
    cause=(
        "The key is known, and lacks the scope that the request needs: `transform` to read and "
        "work, `fit` to add, `admin` to move and remove, `metrics` for `/metrics`."
    ),
    remedy="Use a key with the scope that `detail` names, or let the operator make one.",
)
TOO_MANY_REQUESTS = ProblemType(
    "too-many-requests",
    429,
    "This key asks too often",
    cause="The key was used more often than the operator allows with `NORMD_KEY_RATE`.",
    remedy="Ask again after `Retry-After` seconds. Send more rows or lists in one request.",
)
CONFLICT = ProblemType(
    "conflict",
    409,
    "The request contradicts what is there",
    cause=(
        "The request contradicts what is stored: the name is taken with other content, an alias "
        "points to the version to be deleted, the same `Idempotency-Key` came with another body, "
        "or a parameter that decides the statistics differs from that of the open observations."
    ),
    remedy=(
        "Do what `detail` says: add a version in place of creating the name anew, move the "
        "alias, use a new key, or fit again with other parameters."
    ),
)
PRECONDITION_FAILED = ProblemType(
    "precondition-failed",
    412,
    "Another version is there",
    cause=(
        "`If-Match` names another hash than the one the alias points to now, or another form or "
        "version than is asked for, or `If-None-Match: *` met an alias that exists: someone "
        "moved it in the meantime. A weak tag (`W/`) never matches here."
    ),
    remedy=("Read the alias or version again, decide anew, and send the `ETag` that you read."),
)
UNAVAILABLE = ProblemType(
    "unavailable",
    503,
    "The registry cannot be used now",
    cause=(
        "The registry cannot be read or written now: another process holds the write lock, the "
        "disk is full, or the folder cannot be reached."
    ),
    remedy=(
        "Try again after `Retry-After` seconds, with the same `Idempotency-Key`. If it stays, "
        "look at `/readyz` and at the disk."
    ),
)
DAMAGED_VERSION = ProblemType(
    "damaged-version",
    503,
    "A stored version is damaged",
    cause="The file of a stored version is gone or no longer has the hash it is named by.",
    remedy=("Restore the data folder from a backup, or import the version where it was exported."),
)
SHAPE_ERROR = ProblemType(
    "shape-error",
    422,
    "An array has the wrong shape",
    cause=(
        "An array has the wrong number of axes, rows of unequal length, or a size that disagrees "
        "with another field or with the fit."
    ),
    remedy=("`detail` names both sizes. The page of the method shows the shape of each field."),
)
DTYPE_ERROR = ProblemType(
    "dtype-error",
    422,
    "Elements have the wrong type",
    cause=(
        "An element has the wrong type: a boolean or a text where a number belongs, or objects "
        "in a binary array."
    ),
    remedy=('Send numbers as numbers, `1.5` and not `"1.5"`. `errors` names the first place.'),
)
NON_FINITE = ProblemType(
    "non-finite",
    422,
    "A value is missing or infinite",
    cause=(
        "A value is missing (`NaN`, `null`) or infinite, and the method refuses such values. The "
        "member `positions` lists where."
    ),
    remedy="Leave the value out, or let the method do so with `nan_policy: omit`.",
)
INVALID_INPUT = ProblemType(
    "invalid-input",
    422,
    "The data cannot be used",
    cause=(
        "The data cannot be used as they are: a field is missing or unknown, a label or an id "
        "occurs where it may not, a value lies outside what the method takes."
    ),
    remedy="Read the path in `errors`; the page of the method lists its fields.",
)
INVALID_PARAMS = ProblemType(
    "invalid-params",
    422,
    "A parameter is not valid",
    cause=("A parameter is unknown, of the wrong type, out of bounds, or excluded by another one."),
    remedy=(
        "`detail` names it, its bounds and the nearest name; the page of the method lists all."
    ),
)
UNKNOWN_METHOD = ProblemType(
    "unknown-method",
    422,
    "There is no such method",
    cause="The body names a method that does not exist.",
    remedy="Use the name that `detail` suggests, or one of `GET /v1/methods`.",
)
NOT_FITTED = ProblemType(
    "not-fitted",
    422,
    "The method needs a fit",
    cause=(
        "A fitted method was asked to work without data, statistics or weights to be fitted "
        "from, or a name has observations but no version yet."
    ),
    remedy=(
        "Send `fit`, `statistics` or `weights` along, use a stored version, or make one of the "
        "observations."
    ),
)
NOT_ENOUGH_DATA = ProblemType(
    "not-enough-data",
    422,
    "There are too few rows",
    cause=(
        "There are fewer rows than the method needs, for example one row where a deviation is to "
        "be divided by n - 1."
    ),
    remedy="Fit on more rows, or set the parameter that `detail` names.",
)
RANK_DEFICIENT = ProblemType(
    "rank-deficient",
    422,
    "The data span too few directions",
    cause=("The rows span fewer directions than there are dims, and the parameters refuse that."),
    remedy=("Fit on more rows than dims, keep fewer directions, or let the null ones be dropped."),
)
FIT_ERROR = ProblemType(
    "fit-error",
    422,
    "The data do not determine a fit",
    cause=(
        "The data or statistics do not determine a fit, for example because all rows are equal."
    ),
    remedy="Fit on other data, or choose a parameter that says what such data give.",
)
INCOMPATIBLE_STATISTICS = ProblemType(
    "incompatible-statistics",
    409,
    "The statistics do not merge",
    cause=(
        "Statistics that are to be added up or subtracted differ in what identifies them: dims, "
        "items, a beta, a parameter that affects `statistics`; or what is to be removed was "
        "never added."
    ),
    remedy=(
        "Merge only fits of one method with the same such parameters. `detail` names what differs."
    ),
)
INCOMPATIBLE_STATE = ProblemType(
    "incompatible-state",
    409,
    "The carried state belongs elsewhere",
    cause=(
        "The carried `state` is of another method, of other parameters or channels, or stands at "
        "another step than `start_step`."
    ),
    remedy=(
        "Send the state that the previous answer of this series returned, or none to begin anew."
    ),
)
CORRUPT_VERSION = ProblemType(
    "corrupt-version",
    422,
    "The version file is not whole",
    cause=(
        "The imported file is cut off or changed, of another format, or its fitted arrays are "
        "not what its statistics determine."
    ),
    remedy="Export it again from where it came, and compare the hash on both sides.",
)
UNSUPPORTED_OPERATION = ProblemType(
    "unsupported-operation",
    422,
    "The method cannot do that",
    cause=("The method has no such operation: no inverse, no merge, no removal by subtraction."),
    remedy="The capabilities on the page of the method say what it can do.",
)
MISSING_DEPENDENCY = ProblemType(
    "missing-dependency",
    422,
    "An optional package is not installed",
    cause="What was asked for needs a package that is not installed beside the service.",
    remedy="Install the extra that `detail` names, or ask without it.",
)
UNPARSEABLE = ProblemType(
    "unparseable",
    400,
    "The body cannot be parsed",
    cause=(
        "The body is not what its `Content-Type` says: broken off, not strict JSON (a `NaN` "
        "token, a duplicate key, a trailing comma), nested too deeply, or a binary body whose "
        "header and bytes disagree."
    ),
    remedy=(
        "Read the place in `detail`. Write a missing number as `null`, and let a library write "
        "the body."
    ),
)
NOT_ACCEPTABLE = ProblemType(
    "not-acceptable",
    406,
    "No form of answer is acceptable",
    cause="The `Accept` header admits no form that this answer can have.",
    remedy=("Leave `Accept` out to get the form of the request, or name one that `detail` offers."),
)
UNSUPPORTED_MEDIA_TYPE = ProblemType(
    "unsupported-media-type",
    415,
    "The media type is not read here",
    cause=(
        "The `Content-Type` (or `Content-Encoding`) is missing, unknown, or not possible for "
        "this call."
    ),
    remedy="Send a form that `detail` names; JSON is always possible.",
)
