"""Texts with labels and other columns: what is read of them, and the formats that they come in."""
