"""Text that is safe to print: without characters that move the cursor, and with blanks that can be seen."""

from __future__ import annotations

# Control characters are replaced, as a text must not move the cursor. Each is replaced by one character, so that
# positions in the text stay right.
_CONTROL = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def printable(text: str) -> str:
    """The text without control characters, which would move the cursor."""
    return text.translate(_CONTROL)


def visible(name: str) -> str:
    """A name in which spaces at the ends can be seen: pieces of words have them."""
    name = printable(name)
    return name.replace(" ", "␣") if name != name.strip() or name.startswith("chars") else name
