"""Tensors as the Open Inference Protocol carries them: in JSON, or as bytes behind it."""
