"""What is wrong with data, said in one way for all of them."""

from __future__ import annotations


def problem(rows: list[int], what: str) -> list[str]:
    """None, or one sentence with the first of the rows."""
    if not rows:
        return []
    places = ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")
    return [f"{len(rows)} {what}: row {places}"]
