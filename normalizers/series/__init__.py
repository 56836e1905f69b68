"""Series and signals: windows, causal streams, stored channels, learned layers."""
