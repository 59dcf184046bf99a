"""Structures of one's own, in Python: features, learning and models of them."""
