"""Channels by what a fit stored of each."""
