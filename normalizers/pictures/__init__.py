"""Pictures of what a fit, an evaluation or a comparison found: matplotlib, extra ``plot``."""
