"""The commands, one noun a file; each file is loaded when its command is called."""
