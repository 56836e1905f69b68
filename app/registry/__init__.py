"""Names, versions, aliases and observations: what outlives a process.

The registry knows no method: it keeps bytes, JSON and the order of things.
"""
