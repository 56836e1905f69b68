"""What can be measured: every module here declares one kind of evidence as ``EVIDENCE``."""
