"""What brings the tables of an earlier release up to date: one module a schema number."""
