"""JSON lines that threads parse, block by block, are read as by one thread."""

from __future__ import annotations

import json

import pytest

from linnet.core.threads import limited
from linnet.errors import DataError
from linnet.io import read_batches

THREADS = (1, 2, 4, 8)


def rows(path, threads: int) -> list[dict[str, object]]:
    with limited(threads):
        return [row for batch in read_batches(path, batch_bytes=300) for row in batch.rows().to_pylist()]


def lines(n: int = 200) -> list[str]:
    """Objects whose values change their kind after a while, with an escape, a blank line and a missing value among them."""
    found = []
    for i in range(n):
        number = i if i < n // 2 else i + 0.5
        found.append(
            json.dumps({"text": f"text {i} é", "label": "ab"[i % 2], "number": number}, ensure_ascii=i % 3 == 0)
        )
    found[40] = found[40].replace('"number": 40', '"number": null')
    found.insert(60, "")
    return found


@pytest.mark.parametrize("threads", THREADS)
def test_rows_and_their_order(tmp_path, threads):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    found = rows(path, threads)
    assert [row["text"] for row in found] == [f"text {i} é" for i in range(200)]
    assert found == rows(path, 1)


@pytest.mark.parametrize("threads", THREADS)
def test_what_is_good_before_an_error_is_given_before_it(tmp_path, threads):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join([*lines(100), '{"text": "no end', *lines(100)]), encoding="utf-8")
    found: list[str] = []
    with limited(threads), pytest.raises(DataError, match=r"a\.jsonl:102: malformed JSON"):
        put_into(found, path)
    assert found == [f"text {i} é" for i in range(len(found))]
    assert len(found) > 80


def put_into(found: list[str], path) -> None:
    for batch in read_batches(path, batch_bytes=300):
        found += batch.text.to_pylist()
