"""HTTP in, HTTP out: the service around the library."""

# Other projects have a package of this name too: who imports it asks for this.
SERVICE = "normd"
