"""The face that scikit-learn asks for: tags, routing, targets, names of columns."""
