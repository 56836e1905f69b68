"""What a method is made of; a file of a method imports it from here."""

from normalizers.contract.answer import Answer, Options
from normalizers.contract.example import Example
from normalizers.contract.fields import (
    NO_FIELDS,
    Field,
    Fields,
    floats,
    id_lists,
    ids,
    integer_lists,
    integers,
    labels,
    like,
    lists,
    optional,
    record,
    records,
    series,
    state,
    text,
    text_lists,
    texts,
)
from normalizers.contract.fitted import NOT_FITTED, Fitted
from normalizers.contract.method import Method
from normalizers.contract.neighbours import LiveNeighbours
from normalizers.contract.parameters import param, unwrap
from normalizers.contract.tolerance import ELEMENTWISE, NORMWISE
from normalizers.contract.traits import Traits
from normalizers.data.batch import Batch, Notice, notice
from normalizers.statistics import Statistic, Statistics

__all__ = [
    "ELEMENTWISE",
    "NORMWISE",
    "NOT_FITTED",
    "NO_FIELDS",
    "Answer",
    "Batch",
    "Example",
    "Field",
    "Fields",
    "Fitted",
    "LiveNeighbours",
    "Method",
    "Notice",
    "Options",
    "Statistic",
    "Statistics",
    "Traits",
    "floats",
    "id_lists",
    "ids",
    "integer_lists",
    "integers",
    "labels",
    "like",
    "lists",
    "notice",
    "optional",
    "param",
    "record",
    "records",
    "series",
    "state",
    "text",
    "text_lists",
    "texts",
    "unwrap",
]
