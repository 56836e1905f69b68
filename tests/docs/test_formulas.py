"""Formulas of docstrings as MathML: what binds, what is an index, what is no formula."""

from __future__ import annotations

import re

import pytest

from docs.formulas import OPERATOR, drawn_within, formula
from normalizers.catalogue.catalogue import CATALOGUE
from normd.wire.descriptions import docstring_sections

CODE = re.compile(r"``(.+?)``", re.DOTALL)
QUOTES = re.compile(r"[\"']")


def shape(text: str) -> str:
    """Return a drawn formula with its elements as brackets, which can be read."""
    made = formula(text)
    assert made is not None, text
    made = made.replace('<mspace width="0.25em"/>', " ")
    named = re.sub(r"<(mfrac|msup|msub|msqrt)>", r"\1{", made)
    named = re.sub(r"</(?:mfrac|msup|msub|msqrt)>", "}", named)
    plain = re.sub(r"<[^>]+>", "", named.replace("</mrow>", ",").replace("</mi>", ","))
    return re.sub(r",+", ",", plain.replace("</mn>", ",")).replace(",}", "}").strip(",")


@pytest.mark.parametrize(
    "text, drawn",
    [
        ("y = x", "y,=x"),
        ("y = (x - mean) / std", "y,=mfrac{x,−mean,std}"),
        ("a = sum w s / sum w", "a,=mfrac{∑ w, s,∑ w}"),
        ("a = b + (1 - b) (s - m) / n", "a,=b,+mfrac{&#40;1−b,&#41;, &#40;s,−m,&#41;,n}"),
        ("a = w / (k + rank)", "a,=mfrac{w,k,+rank}"),
        ("y = exp((p - 1) / t)", "y,=exp,&#40;mfrac{p,−1,t}&#41;"),
        ("y = L^(-1/2)", "y,=msup{L,mfrac{−1,2}}"),
        ("y = x[t - lag]", "y,=msub{x,t,−lag}"),
        ("y = sqrt(x_g + eps)", "y,=msqrt{msub{x,g}+ε}"),
    ],
)
def test_precedence_is_that_of_the_text(text: str, drawn: str) -> None:
    assert shape(text) == drawn


@pytest.mark.parametrize(
    "text", ["zca", "scope: query", "x (n, t)", "a = ", "(a = b", "a = b)", 'a = "b"', "= b"]
)
def test_what_is_no_formula_stays_as_it_is(text: str) -> None:
    assert formula(text) is None


@pytest.mark.parametrize(
    "sentence, left",
    [
        ("Centre: y = x - mean.", "Centre: @."),
        (
            "y = x / 10^k, k the smallest with max |x| < 10^k.",
            "@, k the smallest with max |x| < 10^k.",
        ),
        ("Then rows = many rows of a table.", "Then rows = many rows of a table."),
        ("W = U for C = U L U^T; others stay.", "@ for @; others stay."),
    ],
)
def test_in_a_sentence_the_words_around_a_formula_stay(sentence: str, left: str) -> None:
    made = drawn_within(sentence, lambda text: text)
    assert re.sub(r'<span class="formula">.*?</span>', "@", made) == left


def test_every_formula_that_docstrings_mark_is_drawn() -> None:
    left = {
        name: found
        for name, cls in CATALOGUE.items()
        for text in docstring_sections(cls).values()
        for found in CODE.findall(text)
        if OPERATOR.search(found) and not QUOTES.search(found)
        if formula(" ".join(found.split())) is None
    }
    assert left == {}


def test_a_formula_is_elements_that_close() -> None:
    from xml.etree import ElementTree

    for cls in CATALOGUE.values():
        for text in docstring_sections(cls).values():
            for found in CODE.findall(text):
                if (drawn := formula(" ".join(found.split()))) is not None:
                    ElementTree.fromstring(drawn)
