"""Every verb of a client, listed once for both."""

from __future__ import annotations

from normd.client import verbs
from normd.client.verb import pages, verb


class VerbTable:
    """The verbs as methods; how each is waited for follows from the client, see `Verb`."""

    transform = verb(verbs.work.transform)
    apply_to = verb(verbs.work.apply_to)
    inverse = verb(verbs.work.inverse)
    fuse = verb(verbs.fusion.fuse)
    fuse_queries = verb(verbs.fusion.fuse_queries)
    evaluate = verb(verbs.evaluation.evaluate)
    drift = verb(verbs.evaluation.drift)
    diagnose = verb(verbs.evaluation.diagnose)
    create = verb(verbs.names.create)
    fit = verb(verbs.names.fit)
    show = verb(verbs.names.show)
    delete = verb(verbs.names.delete)
    names = pages(verbs.names.names)
    add_version = verb(verbs.versions.add_version)
    merge = verb(verbs.versions.merge)
    join = verb(verbs.versions.join)
    versions = pages(verbs.versions.versions)
    observe = verb(verbs.observations.observe)
    observed = verb(verbs.observations.observed)
    discard = verb(verbs.observations.discard)
    statistics = verb(verbs.contents.statistics)
    fitted = verb(verbs.contents.fitted)
    report = verb(verbs.contents.report)
    version_method = verb(verbs.contents.version_method)
    export = verb(verbs.contents.export)
    save = verb(verbs.contents.save)
    import_ = verb(verbs.contents.import_)
    alias = verb(verbs.aliases.alias)
    aliases = verb(verbs.aliases.aliases)
    delete_alias = verb(verbs.aliases.delete_alias)
    methods = verb(verbs.operations.methods)
    method = verb(verbs.operations.method)
    limits = verb(verbs.operations.limits)
    ready = verb(verbs.operations.ready)
