"""Arrays as the library holds them: dense, ragged, in batches, from frames."""
