"""What a request sends to a version: fields, one array or a table, read within the limits."""

from __future__ import annotations

from app.service.context import Context
from app.service.requests.bare_arrays import named
from app.service.requests.bodies import Sent
from app.service.requests.limits import check_explanation, too_large
from app.service.requests.named_methods import with_methods
from normalizers.contract.answer import Options
from normalizers.data.batch import Batch
from normalizers.validation.limits import TooMany
from normalizers.versions.version import Version

INPUT = "input"


def read_input(
    context: Context, version: Version, sent: Sent, options: Options, *, inverse: bool = False
) -> Batch:
    """Return the validated input of a transform, or of the way back."""
    fields = version.inverse_takes if inverse else version.takes
    values = with_methods(named(sent, fields, INPUT), fields, context.versions, INPUT)
    limits = context.input_limits
    try:
        batch = version.read(values, options, INPUT, inverse=inverse, limits=limits)
    except TooMany as error:
        raise too_large(error) from None
    if options.explain:
        check_explanation(batch, options, context.settings)
    return batch
