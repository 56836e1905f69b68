"""The golden cases, sent through the public REST API."""
