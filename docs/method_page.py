"""The page of a method, made from its class."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping

from docs.asking import Ask
from docs.examples import example_blocks, statistics_block
from docs.fields import fields_section
from docs.markdown import code, codes, fence, joined, prose, readable, table
from docs.parameters import parameter_section
from docs.see_also import see_also
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.fields import Fields
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.resolution import is_invertible
from normalizers.contract.weight_variants import weight_variants
from normalizers.runtime.apply import options_of
from normalizers.statistics.base.statistic import Statistic
from normd.wire.descriptions import docstring_sections


def method_page(cls: type[Method], catalogue: Catalogue, ask: Ask) -> str:
    """Return the page of a method as Markdown."""
    sections = docstring_sections(cls)
    method = cls()
    return joined(
        f"# {cls.name}",
        prose(sections["summary"]),
        _place(cls),
        prose(sections["description"]),
        _notes(sections),
        "## Example",
        "In Python:",
        fence("pycon", sections.get("Examples", "")),
        "The same method by REST, and the answer:",
        example_blocks(cls.name, catalogue, ask),
        "## Parameters",
        parameter_section(cls),
        _implied("Aliases", "alias", cls.aliases),
        _implied("Presets", "preset", cls.presets),
        "## Fields",
        fields_section("A fit takes", _with_fit(method).fits),
        *_weights(cls),
        fields_section("A transform takes", method.takes),
        fields_section("It gives", method.gives),
        _ways_back(method.inverse_takes, _with_fit(method).inverse_takes),
        _statistics(_with_fit(method).keeps),
        statistics_block(cls.name, catalogue, ask),
        "## Capabilities",
        _capabilities(cls),
        see_also(cls, catalogue),
        _references(sections),
    )


def _place(cls: type[Method]) -> str:
    kinds = ", ".join(cls.kinds)
    lines = [f"Family: [{cls.family}](index.md#{cls.family})", f"kinds: {kinds}"]
    if cls.aliases:
        lines.append(f"other spellings: {codes(sorted(cls.aliases))}")
    return "; ".join(lines) + "."


def _notes(sections: Mapping[str, str]) -> str:
    return joined("## Notes", prose(sections["Notes"])) if "Notes" in sections else ""


def _references(sections: Mapping[str, str]) -> str:
    cited = sections.get("References", "")
    return joined("## References", prose(cited)) if cited else ""


def _implied(title: str, word: str, named: Mapping[str, Mapping[str, object]]) -> str:
    """Return what the spellings or presets stand for, those that imply parameters."""
    rows = [(code(name), _values(values)) for name, values in sorted(named.items()) if values]
    return joined(f"### {title}", table((word, "parameters"), rows)) if rows else ""


def _values(values: Mapping[str, object]) -> str:
    return ", ".join(code(f"{name}: {readable(value)}") for name, value in values.items())


def _weights(cls: type[Method]) -> Iterator[str]:
    """Yield the weights that it imports, for each choice of parameters that needs others."""
    for params, fields in weight_variants(cls):
        beside = f", with {_values(params)}" if params else ""
        yield fields_section(f"It imports weights{beside}", fields)


def _ways_back(plain: Fields, fitted: Fields) -> str:
    """Return what the inverse takes; without a fit and with one where these differ."""
    if not plain or list(plain) == list(fitted):
        return fields_section("The inverse takes", fitted)
    return joined(
        fields_section("The inverse takes, without a fit", plain),
        fields_section("The inverse takes, with a fit", fitted),
    )


def _statistics(keeps: Mapping[str, Statistic]) -> str:
    if not keeps:
        return ""
    rows = ((code(name), prose(_about(statistic))) for name, statistic in keeps.items())
    told = "What a fit keeps of its data. It [merges](../statistics.md) with that of other fits."
    return joined("## Statistics", told, table(("statistic", "what it is"), rows))


def _about(statistic: Statistic) -> str:
    text = inspect.cleandoc(type(statistic).__doc__ or "")
    return text.partition("\n\n")[0].replace("\n", " ")


def _capabilities(cls: type[Method]) -> str:
    plain, fitted = cls(), _with_fit(cls())
    traits = plain.traits
    rows = (
        ("needs no fit", _yes(plain.stateless or "stateless" in cls.kinds)),
        ("can be fitted", _yes(fitted.fittable)),
        ("adds up observations, shards and versions", _yes(fitted.streams)),
        ("has an inverse", _yes(is_invertible(plain), is_invertible(fitted))),
        ("a larger input never gives a smaller output", _yes(traits.monotone)),
        (
            "a row's answer depends on that row and the fit alone",
            _yes(traits.batch_invariant),
        ),
        ("computes on", codes(traits.devices)),
        ("options", codes(sorted(options_of(plain)))),
    )
    return table(("it", ""), rows)


def _yes(always: bool, with_fit: bool = False) -> str:
    return "yes" if always else "with a fit" if with_fit else "no"


def _with_fit(method: Method) -> Method:
    """Return the method as it is once it has a fit, where it can have one."""
    return method.resolved(UNKNOWN_STATISTICS) if method.fittable else method
