"""`python -m linnet` is the command line, as `linnet` is."""

from linnet.cli.process import process

process()
