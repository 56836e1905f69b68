"""Routes: each decodes a body, calls the service, encodes the answer."""
