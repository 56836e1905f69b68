"""Hubness: corrections of similarities for items that are close to too many queries."""
