"""Anchors of known quality that the package brings, with their licences."""
