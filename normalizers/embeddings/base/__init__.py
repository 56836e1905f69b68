"""What methods of embeddings share."""
