"""Rewards, choices and fields: numbers that mean something only relative to their group."""
