"""Labelling of outputs with many parts, without a browser: what the engine has for every kind."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest
from made_up import constituents, keeps, links, parts_of_speech, sentences, spans, translated, tree

import linnet
from linnet.errors import DataError, UsageError
from linnet.io.lists.lists import Candidate, CandidateList, Lists
from linnet.io.pairs.pairs import pairs_of
from linnet.labelling.events import as_answer
from linnet.labelling.export import export, table
from linnet.labelling.inputs import ListInputs, PairInputs, SentenceInputs, TextInputs
from linnet.labelling.kinds import KINDS
from linnet.labelling.labelling import Labelling
from linnet.labelling.pool import Pool
from linnet.labelling.review import agreement, doubts
from linnet.labelling.taught import _earlier

BIO = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
RIGHT = {
    "spans": spans,
    "tags": parts_of_speech,
    "compress": keeps,
    "parse": tree,
    "brackets": constituents,
    "align": lambda pair: links(pair[0]),
    "rerank": lambda one: [one["candidates"].index(one["source"])],
}
LABELS = {"spans": BIO, "tags": ["DET", "PROPN", "VERB", "X"], "parse": ["root", "DET", "PROPN", "VERB", "X"]} | {
    "brackets": ["S", "NP", "PP"]
}
MEASURE = {
    "spans": "F1",
    "tags": "token accuracy",
    "compress": "token F1",
    "parse": "LAS",
    "brackets": "F1",
    "align": "1 - AER",
    "rerank": "accuracy",
}


def inputs(what: str, n: int):
    """Examples to label."""
    some = sentences(n)
    if what == "parse":
        return SentenceInputs.of([[*zip(words, parts_of_speech(words), strict=True)] for words in some], ("w", "upos"))
    if what == "align":
        return PairInputs(pairs_of([translated(words) for words in some], None))
    if what == "rerank":
        texts = [" ".join(words) for words in some]
        turned = [" ".join(words[::-1]) for words in some]
        each = [
            (one, other) if i % 2 else (other, one) for i, (one, other) in enumerate(zip(texts, turned, strict=True))
        ]
        lists = [CandidateList([Candidate(text) for text in pair], x) for pair, x in zip(each, texts, strict=True)]
        return ListInputs(Lists(lists, "lists"))
    return SentenceInputs.of(some)


def begun(path, what: str = "spans", n: int = 80, **how) -> Labelling:
    task = "tag" if what in ("spans", "tags") else what
    return Labelling(Pool.of(inputs(what, n)), KINDS[task], path / "j.journal", labels=LABELS.get(what, ()), **how)


def answered(labelling: Labelling, what: str, n: int, by: str = "") -> list:
    shown = []
    for _ in range(n):
        one = labelling.next(by)
        shown.append(one)
        labelling.answer(one.row, RIGHT[what](one.drawn), by)
    return shown


@pytest.mark.parametrize("what", RIGHT)
def test_the_model_learns_and_its_guesses_become_right(tmp_path, what):
    labelling = begun(tmp_path, what)
    shown = answered(labelling, what, 30)
    assert [one.why == "held-out" for one in shown] == [i % 5 == 4 for i in range(30)]
    assert all(one.guess is None for one in shown if one.why == "held-out")
    assert {one.why for one in shown} == {"held-out", "random", "uncertain"}
    assert len({one.row for one in shown}) == 30
    assert sum(one.guess is not None for one in shown) >= 10
    accuracy = labelling.accuracy()
    assert (accuracy.measure, accuracy.n) == (MEASURE[what], 6)
    assert {"rerank": 0.5, "brackets": 0.7}.get(what, 0.8) < accuracy.share <= 1
    assert accuracy.low < accuracy.share <= accuracy.high


def test_the_least_sure_example_is_asked_for(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 21)
    belief = labelling.belief()
    left = [row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None]
    shown = labelling.next()
    assert shown.why == "uncertain"
    assert belief.margin[shown.row] == min(belief.margin[row] for row in left)
    best = belief.model.answers(labelling.pool.inputs.part(np.array([shown.row])), top=2)["best"].to_pylist()[0]
    assert belief.margin[shown.row] == pytest.approx(best[0]["score"] - best[1]["score"], rel=1e-5)


def test_a_large_pool_is_ranked_a_part_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(type(KINDS["tag"]), "looks", 50)
    labelling = begun(tmp_path, n=60)
    looked = []
    for _ in range(15):
        answered(labelling, "spans", 1)
        belief = labelling.belief()
        looked.append(0 if belief is None else int(np.isfinite(belief.margin).sum()))
    steps = np.diff(looked[2:])
    assert 0 < looked[4] < 40, "not all are looked at at once"
    assert steps.min() >= 0
    left = [row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None]
    assert np.isfinite(labelling.belief().margin[left]).all(), "all that are left have been looked at in the end"


def test_lessons_repeat_all_earlier_answers_and_not_the_first_ones_alone():
    answers = [(row, ()) for row in range(400)]
    again = Counter()
    for n in range(1, len(answers)):
        some = [row for row, _ in _earlier(answers, n)]
        assert 1 <= len(some) <= 8
        assert set(some) <= set(range(n))
        again.update(some)
    assert min(again[row] for row in range(200)) >= 5
    assert max(again[row] for row in range(200, 300)) <= 8


def test_undo_and_a_restart_give_the_same_model(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 20)
    before = [np.array(W) for W in labelling.belief().model.weights]
    answered(labelling, "spans", 4)
    for _ in range(4):
        labelling.undo()
    again = begun(tmp_path)
    for one in (labelling, again):
        assert all(np.array_equal(W, V) for W, V in zip(one.belief().model.weights, before, strict=True))
    assert again.state == labelling.state
    assert again.accuracy() == labelling.accuracy()
    for _ in range(20):
        labelling.undo()
    assert labelling.belief() is None


def test_the_rest_of_an_answer_is_found_again(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 20)
    row = next(row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None)
    guess = labelling.belief().guesses([row])[0]
    at = next(t for t, tag in enumerate(guess) if tag == "O")
    wanted = list(guess)
    wanted[at] = "B-LOC"
    found = labelling.again(row, wanted, [at])
    assert found[at] == "B-LOC"
    assert labelling.again(row, guess, list(range(len(guess)))) == guess
    wanted[at] = "B-NEW"
    assert labelling.again(row, wanted, [at]) == tuple(wanted), "what the model does not know stays as it is"
    held = int(labelling.queue.held[0])
    words = labelling.pool.inputs.shown(held)
    assert labelling.again(held, ["O"] * len(words), [0]) == ("O",) * len(words), "held-out answers are not swayed"


@pytest.mark.parametrize("what", RIGHT)
def test_what_is_right_stays_when_a_place_of_it_is_fixed_and_odd_wishes_change_nothing(tmp_path, what):
    labelling = begun(tmp_path, what)
    answered(labelling, what, 30)
    assert labelling.learner.lessons == (24, 24)
    row = next(row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None)
    given = as_answer(RIGHT[what](labelling.pool.inputs.shown(row)))
    found = labelling.again(row, given, [0])
    assert labelling.kind.check(labelling.pool.inputs, row, found, labelling.labels) == found
    assert what in ("brackets", "align") or found[0] == given[0]  # Their places are not the parts of the answer.
    for answer, fixed in ((given, [-1]), (given, [99]), (["odd"], [0]), ([[0, 99]], [0]), ([10**9], [0])):
        assert labelling.again(row, answer, fixed) == as_answer(answer)


def test_two_links_to_one_token_are_left_as_they_are(tmp_path):
    labelling = begun(tmp_path, "align")
    answered(labelling, "align", 10)
    row = next(row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None)
    assert labelling.again(row, [[0, 0], [1, 0]], [0]) == ((0, 0), (1, 0))


def test_when_all_are_answered_there_is_nothing_to_rank(tmp_path):
    labelling = begun(tmp_path, n=20)
    answered(labelling, "spans", 20)
    assert labelling.next() is None
    assert labelling.accuracy().n == 4


@pytest.mark.parametrize(
    ("what", "name", "content", "text", "label", "message"),
    [
        ("align", "a.bitext", "a ||| b\n", "source", None, "pairs of sentences have no columns to name"),
        ("align", "a.bitext", "a ||| b\n", None, "links", "pairs of sentences have no columns to name"),
        ("rerank", "a.jsonl", '{"candidates": ["a", "b"]}\n', None, "cost", "always under 'text'"),
        ("parse", "a.conllu", "1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", None, "tree", "CoNLL-U has fixed columns"),
        ("tag", "a.jsonl", '{"tokens": ["a"]}\n', None, "tags", "a.jsonl: the first sentence has no 'tags'"),
        ("compress", "a.txt", "a b\n", None, "keep", "the first sentence has no 'keep'"),
        (
            "brackets",
            "a.conll",
            "a X (S*)\n\na X (S*\nb Y *\n\n",
            None,
            "3",
            "a.conll: the brackets of sentence 2 do not form a tree: one bracket is never closed.",
        ),
    ],
)
def test_columns_that_a_file_cannot_have_and_what_they_hold_wrong_are_said(
    tmp_path, monkeypatch, what, name, content, text, label, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(content)
    with pytest.raises((UsageError, DataError), match=re.escape(message)):
        Pool.read([name], KINDS[what], text, label)


@pytest.mark.parametrize(
    ("none", "message"),
    [
        (TextInputs.of([]), "texts: there is nothing to label."),
        (SentenceInputs.of([]), "sentences: there is nothing to label."),
        (PairInputs(pairs_of([], None)), "the data: there is nothing to label."),
        (ListInputs(Lists([], "lists")), "lists: there is nothing to label."),
    ],
)
def test_without_examples_there_is_nothing_to_label(none, message):
    with pytest.raises(DataError, match=f"^{message}$"):
        Pool.of(none)


def test_a_model_needs_answers_and_mistakes_are_found_among_labels_of_texts(tmp_path):
    labelling = begun(tmp_path)
    with pytest.raises(UsageError, match="there are no answers to learn from. Answer some."):
        export(labelling, tmp_path / "m.linnet")
    for row in labelling.queue.rest[:2].tolist():
        labelling.answer(row, ["O"] * len(labelling.pool.inputs.shown(row)))
    with pytest.raises(UsageError, match="the answers are too few to learn from: .*two different tags.* Answer more."):
        export(labelling, tmp_path / "m.linnet")
    with pytest.raises(UsageError, match="suspected mistakes are found where each text has one label, and only there."):
        doubts(labelling)


@pytest.mark.parametrize(
    ("what", "answer", "message"),
    [
        ("spans", ["O"], "expected a tag for each of"),
        ("spans", lambda words: ["I-PER", *["O"] * (len(words) - 1)], "'I-PER' that continues nothing"),
        ("spans", lambda words: ["PER", *["O"] * (len(words) - 1)], "expected tags of spans"),
        ("spans", lambda words: [1] * len(words), "expected tags that are strings"),
        ("tags", lambda words: [""] * len(words), "expected a label as one line"),
        ("compress", lambda words: ["stay"] * len(words), "expected keep or drop"),
        ("parse", lambda words: [[2, "X"], [1, "X"], *([1, "X"] for _ in words[2:])], "are a cycle"),
        ("parse", lambda words: [[0, "X"] for _ in words], "root"),
        ("parse", lambda words: ["X"] * len(words), "expected the number of a head and a relation"),
        ("brackets", [], "expected constituents such as"),
        ("brackets", ["NP"], "expected constituents such as"),
        ("brackets", [[0, 1, "NP"], [0, 1, "VP"]], "each over other words"),
        ("brackets", [[0, 99, "NP"]], "found one from 0 to 99"),
        ("brackets", [[0, 1, "NP"], [1, 2, "VP"]], "from word 1 to word 2 crosses another one"),
        ("brackets", [[0, 1, "NP-SBJ"]], "without blanks, brackets and hyphens, found 'NP-SBJ'"),
        ("align", [[0, 99]], "expected links such as"),
        ("align", ["0-0"], "expected links such as"),
        ("rerank", [2], "expected the number of one candidate from 0 to 1"),
        ("rerank", [], "expected the number of one candidate"),
    ],
)
def test_what_is_no_answer_is_refused(tmp_path, what, answer, message):
    labelling = begun(tmp_path, what)
    shown = labelling.next()
    with pytest.raises(UsageError, match=message):
        labelling.answer(shown.row, answer if isinstance(answer, list) else answer(shown.drawn))
    assert labelling.state.n == 0


def test_export_to_conll_to_jsonl_and_to_a_model(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 25, "anna")
    export(labelling, tmp_path / "out.conll")
    export(labelling, tmp_path / "out.jsonl")
    export(labelling, tmp_path / "out.linnet")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert len(lines) == 25
    assert all(line["tags"] == spans(line["tokens"]) and line["by"] == "anna" for line in lines)
    assert lines == table(labelling).to_pylist()
    model = linnet.load(tmp_path / "out.linnet")
    words = ["today", "Anna", "Emma", "ran", "in", "Graz"]
    assert model.predict([words]) == [spans(words)]
    for name in ("out.conll", "out.jsonl"):
        again = linnet.train(tmp_path / name, task="tag", features="w lower", learner="averaged-perceptron")
        assert set(again.labels) >= {"O", "S-LOC", "S-PER"}
    with pytest.raises(UsageError, match=r"ends in one of \.conll"):
        export(labelling, tmp_path / "out.csv")


def test_tags_of_the_data_count_as_answers(tmp_path):
    path = tmp_path / "news.conll"
    path.write_text("Anna I-PER\nsaw O\nGraz I-LOC\n\nBen _\nran _\n\n")
    pool = Pool.read([str(path)], KINDS["tag"], label="2")
    assert pool.given == {0: ("B-PER", "O", "B-LOC")}
    path = tmp_path / "news.jsonl"
    path.write_text(
        '{"tokens": ["Anna", "saw"], "tags": ["I-PER", "O"]}\n{"tokens": ["Ben", "ran"], "tags": ["", ""]}\n'
    )
    pool = Pool.read([str(path)], KINDS["tag"])
    assert pool.given == {0: ("B-PER", "O")}
    assert Labelling(pool, KINDS["tag"], tmp_path / "j").kind.facts(["B-PER", "O"]) == {
        "labels": ["PER"],
        "spans": True,
    }


def test_prose_is_cut_into_sentences(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text("Anna saw Graz. Ben ran home, fast.\n")
    pool = Pool.read([str(path)], KINDS["tag"])
    assert [pool.inputs.shown(row) for row in range(2)] == [
        ["Anna", "saw", "Graz", "."],
        ["Ben", "ran", "home", ",", "fast", "."],
    ]


def test_other_sentences_are_other_data(tmp_path):
    answered(begun(tmp_path), "spans", 2)
    with pytest.raises(DataError, match="about other texts"):
        begun(tmp_path, n=79)


def test_annotators_agree_on_tokens(tmp_path):
    labelling = begun(tmp_path)
    row = int(labelling.queue.held[0])
    right = spans(labelling.pool.inputs.shown(row))
    labelling.answer(row, right, "anna")
    labelling.answer(row, ["O"] * len(right), "ben")
    found = agreement(labelling)
    assert found.n == found.pairs[0].n == len(right)
    assert found.pairs[0].kappa == 0
    assert found.differ[0][0] == row


def test_the_curve_goes_along_with_the_answers(tmp_path):
    labelling = begun(tmp_path)
    answered(labelling, "spans", 25)
    found = labelling.progress()
    assert [point.answers for point in found.curve] == [10, 20]
    assert found.curve[-1].held_out == labelling.accuracy()
    assert "5 held-out answers are too few" in found.advice


def test_a_head_and_a_link_that_are_corrected_stay(tmp_path):
    for what, wrong, places in (("parse", (3, "X"), [0]), ("align", (0, 0), [0])):
        (tmp_path / what).mkdir()
        labelling = begun(tmp_path / what, what, held_out=0)
        answered(labelling, what, 12)
        row = labelling.next().row
        guess = labelling.belief().guesses([row])[0]
        wanted = [wrong, *guess[1:]] if what == "parse" else [wrong, *(link for link in guess if link[1] != 0)]
        found = labelling.again(row, wanted, places)
        assert wrong in found
        assert labelling.again(row, wanted[:-1] if what == "parse" else [(99, 0)], places) != found
        assert KINDS[what].check(labelling.pool.inputs, row, found, labelling.labels) == found


def test_trees_go_to_conllu_and_come_back(tmp_path):
    labelling = begun(tmp_path, "parse")
    answered(labelling, "parse", 12)
    export(labelling, tmp_path / "out.conllu")
    export(labelling, tmp_path / "out.jsonl")
    text = (tmp_path / "out.conllu").read_text()
    pool = Pool.read([str(tmp_path / "out.conllu")], KINDS["parse"])
    assert len(pool.given) == 12
    assert {row: pool.inputs.column(row, "upos") for row in pool.given} == {
        row: parts_of_speech(pool.inputs.shown(row)) for row in pool.given
    }
    assert all(list(map(list, answer)) == tree(pool.inputs.shown(row)) for row, answer in pool.given.items())
    first = text.splitlines()[0].split("\t")
    (tmp_path / "none.conllu").write_text("\t".join([*first[:3], "_", *first[4:]]) + "\n\n")
    with pytest.raises(DataError, match="expected a tag for each token in the column UPOS"):
        Pool.read([str(tmp_path / "none.conllu")], KINDS["parse"])
    (tmp_path / "new.conllu").write_text("\t".join([*first[:6], "_", "_", *first[8:]]) + "\n\n")
    assert Pool.read([str(tmp_path / "new.conllu")], KINDS["parse"]).given == {}
    (tmp_path / "prose.txt").write_text("The dog barks.\n")
    with pytest.raises(
        DataError, match=r"prose.txt: trees are labelled in files of CoNLL-U .* Tag the sentences first"
    ):
        Pool.read([str(tmp_path / "prose.txt")], KINDS["parse"])


def test_constituents_that_are_given_and_taken_away_stay_so(tmp_path):
    labelling = begun(tmp_path, "brackets", held_out=0)
    answered(labelling, "brackets", 12)
    left = [row for row in labelling.queue.rest.tolist() if labelling.state.answer(row) is None]
    guesses = zip(left, labelling.belief().guesses(left), strict=True)
    row, guess = next((row, guess) for row, guess in guesses if "NP" in [label for *_, label in guess])
    words = labelling.pool.inputs.shown(row)
    place = {(a, b): b * (b + 1) // 2 + a for a in range(len(words)) for b in range(a, len(words))}
    gone = next(part for part in guess if part[2] == "NP")
    wanted = [part for part in guess if part != gone]
    found = labelling.again(row, wanted, [place[gone[:2]]])
    assert gone[:2] not in [part[:2] for part in found]
    new = next((a, a + 1) for a in range(len(words) - 1) if (a, a + 1) not in [part[:2] for part in guess])
    kept = [part for part in guess if part[1] < new[0] or part[0] > new[1] or part[2] == "S"]
    found = labelling.again(row, [*kept, (*new, "PP")], [place[new]])
    assert (*new, "PP") in found
    assert KINDS["brackets"].check(labelling.pool.inputs, row, found, labelling.labels) == found
    unknown = [*kept, (*new, "QP")]
    assert labelling.again(row, unknown, [place[new]]) == tuple(unknown), "what the model does not know stays as it is"


def test_constituents_go_to_brackets_and_come_back(tmp_path):
    labelling = begun(tmp_path, "brackets")
    answered(labelling, "brackets", 24)
    for name in ("out.mrg", "out.jsonl", "out.linnet"):
        export(labelling, tmp_path / name)
    pool = Pool.read([str(tmp_path / "out.mrg")], KINDS["brackets"])
    assert len(pool.given) == 24
    assert all(list(map(list, answer)) == constituents(pool.inputs.shown(row)) for row, answer in pool.given.items())
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["tree"] for line in lines] == (tmp_path / "out.mrg").read_text().splitlines()
    words = ["today", "Anna", "Emma", "ran", "in", "Graz"]
    expected = "( (S (X today) (NP (X Anna) (X Emma)) (X ran) (PP (X in) (X Graz))))"
    assert linnet.load(tmp_path / "out.linnet").predict([words]) == [expected]


def test_trees_of_the_data_that_have_tags_alone_are_asked_for(tmp_path):
    path = tmp_path / "trees.mrg"
    path.write_text("( (S (NP (DT The) (NN dog)) (VP (VBZ barks))))\n((DT A) (NN cat))\n( (S (VP (VB Go))))\n")
    pool = Pool.read([str(path)], KINDS["brackets"])
    assert pool.given == {0: ((0, 2, "S"), (0, 1, "NP"), (2, 2, "VP")), 2: ((0, 0, "S+VP"),)}
    assert pool.inputs.column(1, "tag") == ["DT", "NN"]
    labelling = Labelling(pool, KINDS["brackets"], tmp_path / "j", held_out=0)
    assert labelling.labels == ("S", "NP", "VP", "S+VP")
    assert labelling.next().row == 1
    labelling.answer(1, [[0, 1, "NP"]])
    assert table(labelling).to_pylist()[1]["tree"] == "( (NP (DT A) (NN cat)))"
    path.write_text("(" + "(X a)" * 151 + ")\n((X b))\n")
    pool = Pool.read([str(path)], KINDS["brackets"])
    assert [pool.inputs.shown(row) for row in range(len(pool))] == [["b"]], "what is too long for a tree is left out"


def test_links_go_to_lines_and_come_back(tmp_path):
    labelling = begun(tmp_path, "align")
    answered(labelling, "align", 12)
    for name in ("out.bitext", "out.jsonl"):
        export(labelling, tmp_path / name)
        pool = Pool.read([str(tmp_path / name)], KINDS["align"])
        assert len(pool.given) == 12
        assert all(list(map(list, answer)) == links(pool.inputs.shown(row)[0]) for row, answer in pool.given.items())


def test_candidates_go_to_jsonl_that_is_learned_from(tmp_path):
    labelling = begun(tmp_path, "rerank")
    answered(labelling, "rerank", 25)
    export(labelling, tmp_path / "out.jsonl")
    model = linnet.train(tmp_path / "out.jsonl", task="rerank")
    assert model.predict([["the dog ran home", "home ran dog the"]])
    pool = Pool.read([str(tmp_path / "out.jsonl")], KINDS["rerank"])
    assert len(pool) == 25
    (tmp_path / "one.jsonl").write_text('{"candidates": ["alone"]}\n')
    with pytest.raises(DataError, match="list 1 has one candidate"):
        Pool.read([str(tmp_path / "one.jsonl")], KINDS["rerank"])


@pytest.mark.parametrize(
    ("name", "text", "column", "given"),
    [
        ("alone.conll", "the\ndog\n\nit\n\n", None, {}),
        ("tagged.conll", "the DT\ndog NN\n\nit PRP\n\n", None, {}),
        ("kept.conll", "the 0\ndog 1\n\nit _\n\n", "2", {0: ("drop", "keep")}),
        ("tree.conllu", "1\tdogs\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", None, {}),
        (
            "both.jsonl",
            '{"tokens": ["the", "dog"], "tags": ["DT", "NN"], "keep": [0, 1]}\n',
            None,
            {0: ("drop", "keep")},
        ),
    ],
)
def test_what_files_say_of_the_tokens_to_keep(tmp_path, name, text, column, given):
    (tmp_path / name).write_text(text)
    assert KINDS["compress"].read([str(tmp_path / name)], None, column, {})[1] == given


def test_tags_are_not_taken_for_tokens_to_drop(tmp_path):
    (tmp_path / "tagged.conll").write_text("the DT\ndog NN\n\n")
    with pytest.raises(DataError, match="expected 1 for tokens that are kept and 0 for others, found 'DT'"):
        KINDS["compress"].read([str(tmp_path / "tagged.conll")], None, "2", {})


def test_labels_of_a_tree_and_labels_in_order(tmp_path):
    texts = [" ".join(words) for words in sentences(60)]

    def label(text: str) -> str:
        return f"{'far' if text.split()[-2] == 'in' else 'near'}/{'ran' if 'ran' in text else 'other'}"

    trees = Labelling(Pool.of(TextInputs.of(texts)), KINDS["hierarchy"], tmp_path / "t", features="words:1")
    orders = Labelling(
        Pool.of(TextInputs.of(texts)),
        KINDS["ranking"],
        tmp_path / "o",
        labels=["far", "near", "ran"],
        features="words:1",
    )
    for _ in range(25):
        one, other = trees.next(), orders.next()
        trees.answer(one.row, [label(one.text)])
        orders.answer(other.row, [part for part in label(other.text).split("/") if part != "other"])
    assert trees.accuracy().share > 0.5
    assert set(trees.labels) == {"far/ran", "far/other", "near/ran", "near/other"}
    assert orders.accuracy().measure == "average precision"
    assert orders.accuracy().share > 0.7
    assert set(orders.belief().guesses([0])[0]) == {"far", "near", "ran"}
    with pytest.raises(UsageError):
        trees.answer(trees.next().row, ["far"])
    for one, name in ((trees, "hierarchy"), (orders, "ranking")):
        export(one, tmp_path / f"{name}.linnet")
        assert linnet.load(tmp_path / f"{name}.linnet").task == name
