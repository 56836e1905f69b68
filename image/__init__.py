"""The container image: what runs in it, and a replay of its Dockerfile without a container."""
