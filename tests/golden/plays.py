"""How a request is played against the service: which calls give which answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate

from tests.golden.answers import Answers, Question, entries, members
from tests.golden.client import Service
from tests.golden.request import Members, Request

Play = Callable[[Request, Service], Answers]
# What a causal method carries on, and no way back takes.
STATE = "state"
# What a layer says of the forecast, where that is not what it says of the window.
LATER = "forecast_"


def stateless(request: Request, service: Service) -> Answers:
    """Transform once, with the fit in the request when there is one."""
    return _answers(request, answer=lambda: _transform(request, service))


def repeated(request: Request, service: Service) -> Answers:
    """Transform the same twice; ``again`` is the second output."""
    plain = stateless(request, service)
    return plain.beside(again=lambda: _transform(request, service)["output"])


def stored(request: Request, service: Service) -> Answers:
    """Create a normalizer, work with it by its name, and look at what it keeps.

    ``inverse`` undoes the answer, ``back`` what the request names for the way back.
    """
    name = cache(lambda: service.create({**request.normalizer, **request.source}))
    ask = cache(lambda: service.work(name(), "transform", request.work(request.given)))

    def undo() -> object:
        back = request.work(members(ask()["output"]))
        return service.work(name(), "inverse", back)["output"]

    def go_back() -> object:
        return service.work(name(), "inverse", request.work(request.back))["output"]

    return _answers(request, answer=ask, inverse=undo, back=go_back, **_kept(service, name))


def biased(request: Request, service: Service) -> Answers:
    """Work with a stored normalizer, and once in each of the other forms of output."""

    def in_form(form: str) -> Question:
        return lambda: _transform(request, service, params={"output": form})["output"]

    return stored(request, service).beside(log=in_form("log"), ratio=in_form("ratio"))


def varied(request: Request, service: Service) -> Answers:
    """Transform once in each of the ways that are expected, each output by the way's name."""
    ways = {
        name: {"unit": "none", "baseline": name} if name == "pmi" else {"unit": name}
        for name in members(request.case.expected["scores"])
    }

    def ask() -> dict[str, dict[str, object]]:
        outputs = {
            name: members(_transform(request, service, params=params)["output"])
            for name, params in ways.items()
        }
        named = {name for output in outputs.values() for name in output}
        return {name: {way: outputs[way][name] for way in ways} for name in named}

    return _answers(request, varied=cache(ask))


def both_sides(request: Request, service: Service) -> Answers:
    """Map the queries and the items that are given, each by itself."""
    name = cache(lambda: service.create({**request.normalizer, **request.source}))

    def mapped(field: str) -> Question:
        def ask() -> object:
            # The other side is named as absent: an array alone would be the main field.
            work = request.work({**dict.fromkeys(request.given), field: request.given[field]})
            return members(service.work(name(), "transform", work)["output"])["y"]

        return cache(ask)

    sides = {"queries": mapped("query_embeddings"), "items": mapped("gallery_embeddings")}
    return _answers(request, **sides, **_kept(service, name))


def published(request: Request, service: Service) -> Answers:
    """Work with a stored normalizer, and once for its scores as they were published."""

    def ask() -> object:
        return _transform(request, service, params={"output": "score"})["output"]

    return stored(request, service).beside(score=cache(ask))


def windows(request: Request, service: Service) -> Answers:
    """Transform windows, and undo a forecast with what the transform returned."""
    plain = stateless(request, service)

    def forecast() -> object:
        given = members(plain["output"])
        later = {name for name in given if name.startswith(LATER)}
        scales = {name: given[name] for name in later or ("loc", "scale")}
        back = request.work({**request.back, **scales})
        return service.inverse({**request.normalizer, **request.source, **back})

    return plain.beside(forecast=forecast)


def continued(request: Request, service: Service) -> Answers:
    """Transform series, and undo the changes that follow with the state they left."""
    plain = stateless(request, service)

    def forecast() -> object:
        carried = {STATE: plain["output.state"]}
        return service.inverse({**request.normalizer, **request.work({**request.back, **carried})})

    return plain.beside(forecast=forecast)


def undone(request: Request, service: Service) -> Answers:
    """Undo what is given, with the location and scale that stand beside it."""
    body = {**request.normalizer, **request.work(request.given)}
    return _answers(request, output=lambda: service.inverse(body))


def led_back(request: Request, service: Service) -> Answers:
    """Lead points back, as medians and, by their spread, as means."""
    sent = dict(request.given)
    point = {"y": sent.pop("y")}

    def back(params: Members, given: Members) -> object:
        described = {**request.normalizer, "params": params}
        return service.inverse({**described, **request.work(given)})

    plain = {name: v for name, v in request.params.items() if name != "bias_adjust"}
    return _answers(
        request,
        median=lambda: back(plain, point),
        mean=lambda: back(request.params, {**point, **sent}),
    )


def mapped(request: Request, service: Service) -> Answers:
    """Transform once, and lead the answer back."""

    def back() -> object:
        described = {**request.normalizer, **request.source}
        given = members(_transform(request, service)["output"])
        sent = {"y": given["y"]} if "y" in given else given
        return service.inverse({**described, **request.work(sent)})

    return stateless(request, service).beside(back=cache(back))


def streamed(request: Request, service: Service) -> Answers:
    """Transform a series at once, and again in its chunks with the returned state."""
    values = entries(request.given["x"])
    lengths = [int(str(length)) for length in entries(request.case.input.get("chunks", []))]

    # What stands beside the values is not cut: no case of several chunks has a mask.
    rest = {name: value for name, value in request.given.items() if name != "x"}

    def pieces() -> object:
        carried: dict[str, object] = {}
        joined: list[object] = []
        for chunk in _pieces(values, lengths or [len(values)]):
            output = members(
                _transform(request, service, {**rest, "x": chunk, **carried})["output"]
            )
            joined += entries(output["y"])
            carried = {STATE: output[STATE]}
        return {"y": joined}

    return stateless(request, service).beside(pieces=pieces)


def gathered(request: Request, service: Service) -> Answers:
    """Fold every part into open statistics of its own, and merge those."""

    def gather() -> str:
        names = [service.create(request.normalizer) for _ in request.parts]
        for name, part in zip(names, request.parts, strict=True):
            service.observe(name, part)
        return _merge(request, service, [f"{name}@open" for name in names])

    return _answers(request, **_kept(service, cache(gather)))


def merged(request: Request, service: Service) -> Answers:
    """Fit a version of every part, and merge the versions."""
    parts = cache(lambda: _versions(request, service, request.parts))
    whole = cache(lambda: _merge(request, service, parts()))

    def fitted_parts() -> object:
        return [service.look(part, "fitted") for part in parts()]

    return _answers(request, parts=fitted_parts, **_kept(service, whole))


def gone_on(request: Request, service: Service) -> Answers:
    """Fit on the first part, and go on from each version with the next; ``part_1`` is the first."""

    def go_on() -> list[str]:
        first, *others = request.parts
        name = service.create({**request.normalizer, **first})
        made = [f"{name}@1"]
        for part in others:
            made.append(service.add_version(name, {"from": "fit", "after": made[-1], **part}))
        return made

    made = cache(go_on)

    def kept(place: int) -> Question:
        return lambda: service.look(made()[place], "statistics")

    places = range(len(request.parts))
    return _answers(request, **{f"part_{place + 1}": kept(place) for place in places})


def subtracted(request: Request, service: Service) -> Answers:
    """Take versions out of others that they were never merged into."""

    def subtract() -> str:
        parts = _versions(request, service, request.parts)
        return _merge(request, service, parts, _versions(request, service, request.removed))

    return _answers(request, **_kept(service, cache(subtract)))


def removed(request: Request, service: Service) -> Answers:
    """Merge all parts, and take some of them out of the whole again."""
    gone = cache(lambda: _versions(request, service, request.removed))
    kept = cache(lambda: _versions(request, service, request.parts))
    whole = cache(lambda: _merge(request, service, [*kept(), *gone()]))
    rest = cache(lambda: _merge(request, service, [whole()], gone()))

    def before() -> object:
        return service.look(whole(), "fitted")

    return _answers(request, before=before, **_kept(service, rest))


def fused(request: Request, service: Service) -> Answers:
    """Fuse the runs of every query in a request of its own; ``first`` is the first answer."""
    head = {"method": request.method, **request.params, **request.options}

    def fuse() -> dict[str, object]:
        return {
            query: service.fuse({**head, "runs": runs}) for query, runs in request.given.items()
        }

    ask = cache(fuse)
    return _answers(request, fused=ask, first=lambda: next(iter(ask().values())))


def trained(request: Request, service: Service) -> Answers:
    """Fit a fusion, and fuse the runs of every query with it; see `fused`."""
    name = cache(lambda: service.create({**request.normalizer, **request.source}))

    def fuse() -> dict[str, object]:
        return {
            query: service.work(name(), "transform", request.work({"runs": runs}))
            for query, runs in request.given.items()
        }

    return _answers(request, fused=cache(fuse), **_kept(service, name))


def evaluated(request: Request, service: Service) -> Answers:
    """Measure what is given; ``answer`` is what the one measure says."""
    asked = {"measure": request.method, "params": request.params}

    def ask() -> object:
        return entries(service.evaluate({"measures": [asked], **request.given})["results"])[0]

    return _answers(request, answer=ask)


def measured(request: Request, service: Service) -> Answers:
    """Ask for every measure that is expected of what is given; each answers under its name."""
    asked = [{"measure": name, "params": params} for name, params in request.params.items()]

    def ask() -> object:
        results = entries(service.evaluate({"measures": asked, **request.given})["results"])
        return {str(members(one)["measure"]).partition("@")[0]: one for one in results}

    return _answers(request, answer=ask)


def _answers(request: Request, **questions: Question) -> Answers:
    case = request.case
    return Answers(
        {
            "fit": lambda: case.fit,
            "sent": lambda: case.input,
            "expected": lambda: case.expected,
            "params": lambda: {**request.params, **case.params},
            **questions,
        }
    )


def _kept(service: Service, reference: Callable[[], str]) -> dict[str, Question]:
    return {
        "statistics": lambda: service.look(reference(), "statistics"),
        "fitted": lambda: service.look(reference(), "fitted"),
        "report": lambda: service.look(reference(), "report"),
        "resolved": lambda: service.manifest(reference())["resolved"],
    }


def _transform(
    request: Request, service: Service, given: Members | None = None, params: Members | None = None
) -> dict[str, object]:
    work = request.work(request.given if given is None else given)
    changed = {"params": {**request.params, **(params or {})}}
    return service.transform({**request.normalizer, **changed, **request.source, **work})


def _versions(request: Request, service: Service, parts: Sequence[Members]) -> list[str]:
    return [f"{service.create({**request.normalizer, **part})}@1" for part in parts]


def _merge(
    request: Request, service: Service, references: Sequence[str], minus: Sequence[str] = ()
) -> str:
    body: dict[str, object] = {"from": "merge", "refs": references}
    if minus:
        body["minus"] = minus
    return service.add_version(service.create(request.normalizer), body)


def _pieces(values: Sequence[object], lengths: Sequence[int]) -> list[Sequence[object]]:
    ends = list(accumulate(lengths))
    return [values[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
