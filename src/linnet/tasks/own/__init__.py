"""Structures that users define in Python (structures/interface.py): their features, learning, and models."""
