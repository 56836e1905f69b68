"""Files in and out: one form a module, read as tables of columns, written by rename."""
