"""What fusions learn from judged queries."""
