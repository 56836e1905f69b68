"""What people type and import: the client, the command line, and the wire between."""
