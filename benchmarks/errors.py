"""The two reasons why a contestant has no figures."""


class MissingError(Exception):
    """Raised for a program or a data set that is not on this machine: it is left out, with a sentence."""


class FailedError(Exception):
    """Raised for a program that is on this machine and did not do its job."""
