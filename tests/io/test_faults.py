"""What is good before a fault is given before it is raised, in every format of sentences."""

import pytest

from linnet.errors import DataError
from linnet.io import read_sentence_batches

TREE = "1\t{}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
FILES = {
    "words.conll": ("dog N\nbarks V\n\ncat N\n\nbroken\n\nlast N\n", 6, ["dog", "barks", "cat"]),
    "begun.conll": ("dog N\n\ncat N\nbroken\n\n", 4, ["dog"]),
    "crlf.conll": ("dog N\r\n\r\ncat N\r\n \r\nbroken\r\n", 5, ["dog", "cat"]),
    "tree.conllu": (TREE.format("dog") + TREE.format("cat") + "1\tbroken\n\n", 5, ["dog", "cat"]),
    "words.jsonl": ('{"tokens": ["dog"]}\n\n{"tokens": ["cat"]}\n{"tokens": 7}\n', 4, ["dog", "cat"]),
    "first.conll": ("dog N\nbroken\n", 2, []),
    "bytes.conll": ("dog N\n\n" * 20_000 + "cat \udcff\n", 40_001, ["dog"] * 20_000),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("batch_bytes", [1 << 10, 8 << 20])
def test_nothing_before_a_fault_is_lost(tmp_path, name, batch_bytes):
    text, line, words = FILES[name]
    path = tmp_path / name
    path.write_bytes(text.encode(errors="surrogateescape"))
    found = []

    def read():
        for batch in read_sentence_batches(path, labelled=False, batch_bytes=batch_bytes):
            found.extend(batch.columns["w"].to_pylist())

    with pytest.raises(DataError) as error:
        read()
    assert error.value.line == line
    assert found == words
