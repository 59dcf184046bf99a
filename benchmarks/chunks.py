"""CoNLL-2000 for the benchmarks of tagging: the files, the template of CRF++ in the syntax of each tool, and F1.

The sets are `conll2000-{train,test}.txt`, plain or gzipped, in the folder named by LINNET_DATA: word, tag and chunk (IOB2)
on a line, with a blank line after each sentence. They are read with the standard library only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import datasets

Token = list[str]
"""The columns of a token: word, tag and, in gold data, chunk."""

_ALONE = [((column, offset),) for column in (0, 1) for offset in (-2, -1, 0, 1, 2)]
_PAIRS = [((0, -1), (0, 0)), ((0, 0), (0, 1)), *(((1, k), (1, k + 1)) for k in (-2, -1, 0, 1))]
_TRIPLES = [((1, k), (1, k + 1), (1, k + 2)) for k in (-2, -1, 0)]
# Words and tags in a window of two, and conjunctions: each template is a tuple of (column, offset).
TEMPLATE: list[tuple[tuple[int, int], ...]] = [*_ALONE, *_PAIRS, *_TRIPLES]


def linnet_spec() -> str:
    """The template in the syntax of linnet, where the second column of a file is called col2."""
    return " ".join("|".join(f"{('w', 'col2')[c]}[{k}]" for c, k in parts) for parts in TEMPLATE)


def wapiti_patterns() -> str:
    """The template in the syntax of Wapiti and CRF++, with a weight for each pair of labels."""
    lines = [f"U{i:02}:" + "/".join(f"%x[{k},{c}]" for c, k in parts) for i, parts in enumerate(TEMPLATE)]
    return "\n".join([*lines, "B"]) + "\n"


def crfsuite_features(sentence: Sequence[Token]) -> list[list[str]]:
    """The features of CRFsuite as strings, with the template written out, which is the quickest way in Python."""
    w = ["<<", "<", *(token[0] for token in sentence), ">", ">>"]
    p = ["<<", "<", *(token[1] for token in sentence), ">", ">>"]
    rows = []
    for i in range(len(sentence)):
        a, b, c, d, e = w[i : i + 5]
        A, B, C, D, E = p[i : i + 5]
        rows.append(
            [
                *(f"0={a}", f"1={b}", f"2={c}", f"3={d}", f"4={e}"),
                *(f"5={A}", f"6={B}", f"7={C}", f"8={D}", f"9={E}"),
                *(f"10={b}/{c}", f"11={c}/{d}", f"12={A}/{B}", f"13={B}/{C}", f"14={C}/{D}", f"15={D}/{E}"),
                *(f"16={A}/{B}/{C}", f"17={B}/{C}/{D}", f"18={C}/{D}/{E}"),
            ]
        )
    return rows


def prepare(limit: int | None = None) -> dict[str, str]:
    """Write plain files: train, test, `train-bioes` with twice as many labels, and `untagged`, which is train and test without
    chunks."""
    paths = {}
    parts = {"train": list(_read("train"))[:limit], "test": list(_read("test"))[:limit]}
    parts["train-bioes"] = [bioes(sentence) for sentence in parts["train"]]
    parts["untagged"] = [[token[:2] for token in sentence] for part in ("train", "test") for sentence in parts[part]]
    for part, sentences in parts.items():
        path = datasets.cache() / f"conll2000-{part}{'' if limit is None else f'-{limit}'}.conll"
        with datasets.replacing(path) as new, new.open("w", encoding="utf-8") as file:
            for sentence in sentences:
                file.write("".join(f"{' '.join(token)}\n" for token in sentence) + "\n")
        paths[part] = str(path)
    return paths


def sentences(path: str | Path) -> Iterator[list[Token]]:
    """Yield the sentences of a file in columns."""
    with open(path, encoding="utf-8") as file:
        yield from _sentences(file)


def bioes(sentence: Sequence[Token]) -> list[Token]:
    """The chunks of one sentence with their ends marked: S- for one token, E- for the last of several."""
    tags = [token[2] for token in sentence] + ["O"]
    ends = {"B": "S", "I": "E"}
    last = [not following.startswith("I-") for following in tags[1:]]
    marked = [tag if tag == "O" or not end else ends[tag[0]] + tag[1:] for tag, end in zip(tags, last, strict=False)]
    return [[word, tag, new] for (word, tag, _), new in zip(sentence, marked, strict=True)]


def f1(gold: Iterable[Sequence[str]], found: Iterable[Sequence[str]]) -> float:
    """100 F1 of the chunks, both in IOB2; an I- that continues nothing begins a chunk, as conlleval has it."""
    right = n_gold = n_found = 0
    for ours, theirs in zip(gold, found, strict=True):
        a, b = _spans(ours), _spans(theirs)
        right, n_gold, n_found = right + len(a & b), n_gold + len(a), n_found + len(b)
    return 200 * right / max(n_gold + n_found, 1)


def _spans(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    spans, start = set(), 0
    for i, (tag, following) in enumerate(zip(tags, [*tags[1:], "O"], strict=True)):
        if tag == "O":
            continue
        if tag[0] == "B" or i == 0 or tags[i - 1][2:] != tag[2:]:
            start = i
        if following != f"I-{tag[2:]}":
            spans.add((start, i + 1, tag[2:]))
    return spans


def _read(part: str) -> Iterator[list[Token]]:
    with datasets.opened(datasets.file_path(f"conll2000-{part}.txt")) as file:
        yield from _sentences(line.decode() for line in file)


def _sentences(lines: Iterable[str]) -> Iterator[list[Token]]:
    sentence: list[Token] = []
    for line in lines:
        if line.strip():
            sentence.append(line.split())
        elif sentence:
            yield sentence
            sentence = []
    if sentence:
        yield sentence
