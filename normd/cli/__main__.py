"""``python -m normd.cli`` is ``normd``."""

from normd.cli import main

raise SystemExit(main())
