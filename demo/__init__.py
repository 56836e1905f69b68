"""A demonstration that ends by itself: the real service, real data, and what normalization did."""
