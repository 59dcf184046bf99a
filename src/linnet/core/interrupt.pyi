def heard() -> None:
    """Tell that a signal has come."""

def handled() -> None:
    """Tell that the handler of a signal runs."""
