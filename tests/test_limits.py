"""The limits of linnet: each is in the table of SECURITY.md, and has a test that shows it."""

from pathlib import Path

import pytest

from linnet.limits import limits, table

TESTS = Path(__file__).parent


@pytest.mark.parametrize("name", limits())
def test_the_test_that_a_limit_names_is_there(name):
    file, _, function = limits()[name].test.partition("::")
    assert f"\ndef {function}(" in (TESTS / file).read_text()


def test_security_has_the_table():
    """Copy what `python -c "from linnet.limits import table; print(table())"` prints."""
    assert table() in (TESTS.parent / "SECURITY.md").read_text()
