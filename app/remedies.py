"""Why each problem is answered, and what the caller does about it, by the slug of its type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Remedy:
    """What stands behind a problem type."""

    cause: str
    remedy: str


REMEDIES: Mapping[str, Remedy] = {
    "bad-request": Remedy(
        "The web framework could not read the request line, a header or the body.",
        "Check with `curl -v` what is sent; a proxy in between may have changed it.",
    ),
    "unparseable": Remedy(
        "The body is not what its `Content-Type` says: broken off, not strict JSON (a `NaN` "
        "token, a duplicate key, a trailing comma), nested too deeply, or a binary body whose "
        "header and bytes disagree.",
        "Read the place in `detail`. Write a missing number as `null`, and let a library write "
        "the body.",
    ),
    "not-found": Remedy(
        "The path, the name, the version, the alias or the method does not exist.",
        "List what there is: `GET /v1/normalizers`, `GET /v1/normalizers/{name}/versions`, "
        "`GET /v1/normalizers/{name}/aliases`, `GET /v1/methods`.",
    ),
    "method-not-allowed": Remedy(
        "The path exists, but not with this HTTP method.",
        "Use one that the header `Allow` of the answer names.",
    ),
    "not-acceptable": Remedy(
        "The `Accept` header admits no form that this answer can have.",
        "Leave `Accept` out to get the form of the request, or name one that `detail` offers.",
    ),
    "conflict": Remedy(
        "The request contradicts what is stored: the name is taken with other content, an alias "
        "points to the version to be deleted, the same `Idempotency-Key` came with another body, "
        "or a parameter that decides the statistics differs from that of the open observations.",
        "Do what `detail` says: add a version in place of creating the name anew, move the alias, "
        "use a new key, or fit again with other parameters.",
    ),
    "incompatible-state": Remedy(
        "The carried `state` is of another method, of other parameters or channels, or stands at "
        "another step than `start_step`.",
        "Send the state that the previous answer of this series returned, or none to begin anew.",
    ),
    "incompatible-statistics": Remedy(
        "Statistics that are to be added up or subtracted differ in what identifies them: dims, "
        "items, a beta, a parameter that affects `statistics`; or what is to be removed was never "
        "added.",
        "Merge only fits of one method with the same such parameters. `detail` names what differs.",
    ),
    "precondition-failed": Remedy(
        "`If-Match` names another hash than the one the alias points to now, or another form or "
        "version than is asked for, or `If-None-Match: *` met an alias that exists: someone moved "
        "it in the meantime. A weak tag (`W/`) never matches here.",
        "Read the alias or version again, decide anew, and send the `ETag` that you read.",
    ),
    "too-large": Remedy(
        "The request, or what it would give, is above a limit of bytes, rows, lists, ids, values "
        "or dims; the member `limit` says which number and `setting` which variable sets it.",
        "Send less at once: split rows into several requests and merge the fits. Or let the "
        "operator raise the setting.",
    ),
    "unsupported-media-type": Remedy(
        "The `Content-Type` (or `Content-Encoding`) is missing, unknown, or not possible for this "
        "call.",
        "Send a form that `detail` names; JSON is always possible.",
    ),
    "corrupt-version": Remedy(
        "The imported file is cut off or changed, of another format, or its fitted arrays are not "
        "what its statistics determine.",
        "Export it again from where it came, and compare the hash on both sides.",
    ),
    "dtype-error": Remedy(
        "An element has the wrong type: a boolean or a text where a number belongs, or objects in "
        "a binary array.",
        'Send numbers as numbers, `1.5` and not `"1.5"`. `errors` names the first place.',
    ),
    "fit-error": Remedy(
        "The data or statistics do not determine a fit, for example because all rows are equal.",
        "Fit on other data, or choose a parameter that says what such data give.",
    ),
    "invalid-input": Remedy(
        "The data cannot be used as they are: a field is missing or unknown, a label or an id "
        "occurs where it may not, a value lies outside what the method takes.",
        "Read the path in `errors`; the page of the method lists its fields.",
    ),
    "invalid-params": Remedy(
        "A parameter is unknown, of the wrong type, out of bounds, or excluded by another one.",
        "`detail` names it, its bounds and the nearest name; the page of the method lists all.",
    ),
    "missing-dependency": Remedy(
        "What was asked for needs a package that is not installed beside the service.",
        "Install the extra that `detail` names, or ask without it.",
    ),
    "non-finite": Remedy(
        "A value is missing (`NaN`, `null`) or infinite, and the method refuses such values. The "
        "member `positions` lists where.",
        "Leave the value out, or let the method do so with `nan_policy: omit`.",
    ),
    "not-enough-data": Remedy(
        "There are fewer rows than the method needs, for example one row where a deviation is to "
        "be divided by n - 1.",
        "Fit on more rows, or set the parameter that `detail` names.",
    ),
    "not-fitted": Remedy(
        "A fitted method was asked to work without data, statistics or weights to be fitted from, "
        "or a name has observations but no version yet.",
        "Send `fit`, `statistics` or `weights` along, use a stored version, or make one of the "
        "observations.",
    ),
    "rank-deficient": Remedy(
        "The rows span fewer directions than there are dims, and the parameters refuse that.",
        "Fit on more rows than dims, keep fewer directions, or let the null ones be dropped.",
    ),
    "shape-error": Remedy(
        "An array has the wrong number of axes, rows of unequal length, or a size that disagrees "
        "with another field or with the fit.",
        "`detail` names both sizes. The page of the method shows the shape of each field.",
    ),
    "unknown-method": Remedy(
        "The body names a method that does not exist.",
        "Use the name that `detail` suggests, or one of `GET /v1/methods`.",
    ),
    "unsupported-operation": Remedy(
        "The method has no such operation: no inverse, no merge, no removal by subtraction.",
        "The capabilities on the page of the method say what it can do.",
    ),
    "internal": Remedy(
        "Something unexpected happened inside the service. The answer says nothing more on "
        "purpose.",
        "Find `request_id` in the log of the service, and report it with what was sent.",
    ),
    "damaged-version": Remedy(
        "The file of a stored version is gone or no longer has the hash it is named by.",
        "Restore the data folder from a backup, or import the version where it was exported.",
    ),
    "unavailable": Remedy(
        "The registry cannot be read or written now: another process holds the write lock, the "
        "disk is full, or the folder cannot be reached.",
        "Try again after `Retry-After` seconds, with the same `Idempotency-Key`. If it stays, "
        "look at `/readyz` and at the disk.",
    ),
}
