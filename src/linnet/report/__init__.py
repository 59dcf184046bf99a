"""Typed results as text for the terminal and as HTML."""
