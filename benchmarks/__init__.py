"""What the speed of the product is held to, as ratios measured side by side in one run."""
