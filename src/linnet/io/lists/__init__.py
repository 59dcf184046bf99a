"""Lists of candidates: what is read of them, and the formats that they come in."""
