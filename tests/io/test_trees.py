"""Trees of CoNLL-U: read and written as one column, and refused by line where they are none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet import io
from linnet.errors import DataError
from linnet.io.sentences.conllu import FOREST, UNCHECKED, tree_row
from linnet.io.sentences.heads import first_fault, wrong_sentences


def conllu(*sentences):
    return "".join(
        "".join(f"{i}\tw{i}\t_\tX\t_\t_\t{head}\tr{head}\t_\t_\n" for i, head in enumerate(heads, 1)) + "\n"
        for heads in sentences
    )


def test_head_and_relation_are_one_column(tmp_path):
    path, out = tmp_path / "a.conllu", tmp_path / "b.conllu"
    path.write_text(conllu([2, 0], [0]))
    sentences = io.read_sentences(path, label_col="tree")
    assert sentences.tags.to_pylist() == ["2\tr2", "0\tr0", "0\tr0"]
    assert "head" not in sentences.columns
    trees = ["0\troot", "1\tobj", "0\tr0"]
    io.write_sentences(out, sentences, [tree_row(upos, "", "", tree) for upos, tree in zip("XXX", trees, strict=True)])
    assert out.read_text() == conllu([2, 0], [0]).replace("2\tr2", "0\troot").replace("0\tr0", "1\tobj", 1)


FAULTS = {
    "range": ([3, 0], 3, "expected a head from 0 to 2 other than the word itself, found 3"),
    "itself": ([2, 2], 4, "other than the word itself, found itself"),
    "cycle": ([2, 1], 3, "the heads 1 -> 2 -> 1 are a cycle"),
    "no number": (["_", 0], 3, "found no such number"),
    "a digit that is no number": (["²", 0], 3, "found no such number"),
    "a digit of another script": (["٢", 0], 3, "found no such number"),
    "a number of 18 digits": (["9" * 18, 0], 3, f"found {'9' * 18}"),
    "a number of 20 digits": (["9" * 20, 0], 3, "found no such number"),
    "a number of 5,000 digits": (["9" * 5000, 0], 3, "found no such number"),
    "two roots": ([0, 0], 4, "a second root"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_tree_is_refused_by_line(name, tmp_path):
    heads, line, message = FAULTS[name]
    path = tmp_path / "a.conllu"
    path.write_text(conllu([0], heads))
    with pytest.raises(DataError, match=rf"a.conllu:{line}: .*{message}"):
        io.read_sentences(path, label_col="tree")


def test_without_trees_they_need_not_be_any(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(conllu(["_", "9" * 5000]))
    assert len(io.read_sentences(path, label_col="tree", labelled=False)) == 1


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), min_size=1, max_size=3))
def test_a_fault_is_found_where_there_is_one(sentences):
    def is_tree(heads):
        for m in range(1, len(heads) + 1):
            for _ in range(len(heads) + 1):
                if m:
                    if not 0 <= heads[m - 1] <= len(heads):
                        return False
                    m = heads[m - 1]
            if m:
                return False
        return True

    starts = np.concatenate([[0], np.cumsum([len(heads) for heads in sentences])])
    found = first_fault(np.concatenate(sentences).astype(np.int64), starts)
    wrong = [i for i, heads in enumerate(sentences) if not is_tree(heads)]
    assert (found is not None) == bool(wrong)
    if found is not None:
        assert np.searchsorted(starts, found.token, "right") - 1 == wrong[0]


def test_several_roots_and_what_is_no_tree_can_be_asked_for(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(conllu([0, 0], [2, 1], [2, 0]))
    with pytest.raises(DataError, match="cycle"):
        io.read_sentences(path, label_col=FOREST)
    assert len(io.read_sentences(path, label_col=UNCHECKED)) == 3


@given(st.lists(st.lists(st.integers(-1, 4), min_size=1, max_size=4), max_size=6), st.booleans())
def test_all_wrong_sentences_are_found(sentences, one_root):
    starts = np.cumsum([0, *map(len, sentences)])
    heads = np.array([head for sentence in sentences for head in sentence], np.int64)
    alone = [
        i
        for i, sentence in enumerate(sentences)
        if first_fault(np.array(sentence, np.int64), np.array([0, len(sentence)]), one_root) is not None
    ]
    assert wrong_sentences(heads, starts, one_root).tolist() == alone


def test_the_cycle_is_named_that_the_first_wrong_token_leads_into():
    heads, starts = np.array([0, 2, 3, 4, 3]), np.array([0, 1, 5])  # 1 -> 2 -> 3 -> 4 -> 3 in the second sentence
    assert first_fault(heads, starts) == (
        1,
        "the heads 3 -> 4 -> 3 are a cycle, so the sentence is no tree. Correct one of them.",
    )


def test_of_several_faults_the_first_sentence_counts_and_then_the_kind():
    second_root_then_cycle = np.array([0, 0, 4, 3])
    assert first_fault(second_root_then_cycle, np.array([0, 4]), one_root=True).token == 2
    assert first_fault(second_root_then_cycle, np.array([0, 4])).message.startswith("the heads 3 -> 4")
