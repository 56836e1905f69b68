"""``python -m app.cli`` is ``normd``."""

from app.cli import main

raise SystemExit(main())
