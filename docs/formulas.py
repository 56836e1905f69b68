"""Formulas as docstrings write them, drawn: plain text in, MathML out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from itertools import pairwise

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
NAME = r"[^\W\d]\w*'*"
SIGNS = r"<->|<-|->|<=|>=|!=|\.\.\.|\.\.|\|\||[-+*/^=<>()\[\]{}|,.:;#]"
TOKEN = re.compile(rf"(\s*)(?:({NUMBER})|({NAME})|({SIGNS}))")
# What tells a formula from a word, a value or a shape, which are code.
OPERATOR = re.compile(r" (?:=|[-+*/]|<=?|>=?|<-|->) ")
RELATIONS = {
    "=": "=", "<": "&lt;", ">": "&gt;", "<=": "≤", ">=": "≥", "!=": "≠",
    "<-": "←", "->": "→", "<->": "↔", "..": "…",
}  # fmt: skip
GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "epsilon": "ε",
    "lambda": "λ", "lam": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "theta": "θ",
}  # fmt: skip
CLOSES = {"(": ")", "[": "]", "{": "}", "|": "|", "||": "||"}
# Where a formula in the middle of a sentence begins, and what it does not go beyond.
BEGIN = re.compile(r"(?<![\w`(.^}])[^\W\d]\w*'?(?:\([\w ,]*\))? (?:=|<-) ")
WORDS = {
    "with", "over", "where", "of", "the", "and", "from", "for", "is", "if", "in", "by", "at",
    "on", "as", "which", "about", "between", "when", "to", "or", "are", "was", "has", "this",
    "that", "its", "symmetric", "all", "every", "unless", "they", "but",
}  # fmt: skip
LONG = 4  # letters of a word of prose; two of them side by side are no product


class NoFormula(ValueError):
    """A text is not a formula that can be read."""


class Reader:
    """Reads a formula by precedence: relations, sums, quotients, products, powers.

    What stands side by side is a product and binds before ``/``: ``sum w s / sum w`` is one
    fraction.
    """

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._place = 0

    def read(self) -> str:
        """Return the formula as MathML."""
        made = self._list()
        if self._place < len(self._tokens):
            raise NoFormula(self._sign)
        return f'<math displaystyle="true">{made}</math>'

    @property
    def _sign(self) -> str:
        return self._tokens[self._place][1] if self._place < len(self._tokens) else ""

    def _next(self) -> str:
        found = self._sign
        if not found:
            raise NoFormula("it ends too early")
        self._place += 1
        return found

    def _list(self) -> str:
        made = self._relation()
        while self._sign in (",", ";", ":"):
            made += f'<mo separator="true">{self._next()}</mo>' + self._relation()
        return made

    def _relation(self) -> str:
        made = self._sum()
        while self._sign in RELATIONS:
            made += f"<mo>{RELATIONS[self._next()]}</mo>" + self._sum()
        return made

    def _sum(self) -> str:
        made = self._quotient()
        while self._sign in ("+", "-"):
            made += _operator(self._next()) + self._quotient()
        return made

    def _quotient(self) -> str:
        made = self._product()
        while self._sign in ("*", "/", "."):
            if self._next() != "/":
                made += "<mo>·</mo>" + self._product()
            else:
                made = f"<mfrac>{_row(_bare(made))}{_row(_bare(self._product()))}</mfrac>"
        return made

    def _product(self) -> str:
        if self._sign in ("+", "-"):
            return _operator(self._next()) + self._product()
        factors = [self._power()]
        while self._starts_a_factor():
            spaced = self._tokens[self._place][0]
            gap = '<mspace width="0.25em"/>' if spaced else ""
            factors.append(gap + self._power())
        return "".join(factors)

    def _starts_a_factor(self) -> bool:
        sign = self._sign
        return bool(sign) and (
            sign[0].isalnum() or sign in ("(", "[", "{", "#", "...") or self._opens_a_size()
        )

    def _opens_a_size(self) -> bool:
        # A bar that follows a space opens, one that follows a value closes.
        return self._sign in ("|", "||") and bool(self._tokens[self._place][0])

    def _power(self) -> str:
        made = self._atom()
        while self._sign == "^":
            self._next()
            sign = _operator(self._next()) if self._sign == "-" else ""
            made = f"<msup>{_row(made)}{_row(sign + _bare(self._atom()))}</msup>"
        return made

    def _atom(self) -> str:
        sign = self._next()
        if sign in CLOSES:
            return self._closed(sign)
        if sign == "#":
            return "<mo>#</mo>" + self._power()
        if sign in ("...", "."):
            return f"<mo>{'…' if sign == '...' else '·'}</mo>"
        if sign[0].isdigit():
            return f"<mn>{sign}</mn>"
        if sign[0].isalpha():
            return self._named(sign)
        raise NoFormula(sign)

    def _closed(self, opening: str) -> str:
        inside, closing = self._list(), CLOSES[opening]
        if self._next() != closing:
            raise NoFormula(f"{opening} is not closed")
        return _fenced(opening, inside)

    def _named(self, name: str) -> str:
        if self._place < len(self._tokens) and self._sign in ("(", "[") and not self._spaced:
            opening = self._next()
            made = self._closed(opening)
            if name == "sqrt":
                return f"<msqrt>{_bare(made)}</msqrt>"
            if opening == "[":
                return f"<msub>{_row(_name(name))}{_row(_bare(made))}</msub>"
            return _name(name) + made
        return _name(name)

    @property
    def _spaced(self) -> str:
        return self._tokens[self._place][0]


def formula(text: str) -> str | None:
    """Return a text as MathML; None where it is no formula.

    Examples
    --------
    >>> from docs.formulas import formula
    >>> formula("a / b").partition('true">')[2]
    '<mfrac><mi>a</mi><mi>b</mi></mfrac></math></span>'
    >>> formula("scope: query") is None
    True
    """
    if not OPERATOR.search(text):
        return None
    try:
        return f'<span class="formula">{Reader(text.strip()).read()}</span>'
    except NoFormula:
        return None


def drawn_within(text: str, other: Callable[[str], str]) -> str:
    """Return a sentence with its formulas drawn, and `other` done to what stands around them."""
    made, place = [], 0
    for found in BEGIN.finditer(text):
        if found.start() < place:
            continue
        source = _until_prose(text[found.start() :])
        drawn = None if _is_prose(source) else formula(source)
        if drawn is not None:
            made += [other(text[place : found.start()]), drawn]
            place = found.start() + len(source)
    return "".join([*made, other(text[place:])])


def _until_prose(text: str) -> str:
    """Return the beginning of a text, up to a word or a mark that is of the sentence."""
    depth, end = 0, 0
    for found in TOKEN.finditer(text):
        sign = found[0].strip()
        spoken = sign in WORDS or (sign.isupper() and len(sign) >= LONG)
        if found.start() != end or (spoken and not depth):
            break
        depth += (sign in ("(", "[", "{")) - (sign in (")", "]", "}"))
        if depth < 0 or (not depth and sign in (",", ".", ":", ";")):
            break
        end = found.end()
    return text[:end]


def _is_prose(text: str) -> bool:
    pairs = [pair for part in re.split(r"[^\w ]+", text) for pair in pairwise(part.split())]
    return any(_is_word(first) and _is_word(second) for first, second in pairs)


def _is_word(text: str) -> bool:
    return text == "a" or (len(text) >= LONG and text.isalpha() and text not in GREEK)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        if found is None:
            raise NoFormula(text[place:])
        yield found[1], found[2] or found[3] or found[4]
        place = found.end()


def _name(name: str) -> str:
    """Return a name; what stands behind ``_`` is its index."""
    head, _, index = name.rstrip("'").partition("_")
    primed = "<mo>" + "′" * name.count("'") + "</mo>" if "'" in name else ""
    made = "<mo>∑</mo>" if head == "sum" else f"<mi>{GREEK.get(head, escape(head))}</mi>"
    if index:
        inner = GREEK.get(index, escape(index.replace("_", " ")))
        made = f"<msub>{made}<mi>{inner}</mi></msub>"
    return _row(made + primed) if primed else made


def _operator(sign: str) -> str:
    return f"<mo>{'−' if sign == '-' else sign}</mo>"


def _fenced(opening: str, inside: str) -> str:
    # Markdown reads brackets and bars, also between tags.
    first, last = (f"&#{ord(sign[0])};" * len(sign) for sign in (opening, CLOSES[opening]))
    return f'<mrow><mo fence="true">{first}</mo>{inside}<mo fence="true">{last}</mo></mrow>'


GROUPED = re.compile(
    r'<mrow><mo fence="true">(&#(?:40|91);)</mo>(.*)<mo fence="true">(&#(?:41|93);)</mo></mrow>'
)


def _bare(made: str) -> str:
    """Return what stands in brackets, where a fraction bar or a place groups it already."""
    found = GROUPED.fullmatch(made)
    return found[2] if found and _balanced(found[2], found[1], found[3]) else made


def _balanced(made: str, opening: str, closing: str) -> bool:
    depth = 0
    for found in re.finditer(f"{opening}|{closing}", made):
        depth += 1 if found[0] == opening else -1
        if depth < 0:
            return False
    return depth == 0


def _row(made: str) -> str:
    """Return one element: a place of a fraction, power or index takes no more."""
    one = re.fullmatch(r"<(m[a-z]+)>[^<]*</\1>", made)
    return made if one else f"<mrow>{made}</mrow>"
