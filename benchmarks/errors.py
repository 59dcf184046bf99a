"""The two ways in which a contestant has no figures."""


class MissingError(Exception):
    """A program or a data set that is not here: it is left out, with a sentence."""


class FailedError(Exception):
    """A program that is here and did not do its job."""
