"""Bare applications that ours is measured against, each started by ``create_app``."""
