"""HTTP in, HTTP out: the service around the library."""
