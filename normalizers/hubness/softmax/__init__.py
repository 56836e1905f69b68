"""Methods that compare a score with the same item's for other queries, by a softmax."""
