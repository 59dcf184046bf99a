"""The helpers of benchmarks/: no peer, no data folder and no compiled code is needed."""

import importlib
import itertools
import json
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
MODULES = (
    "errors",
    "measure",
    "datasets",
    "report",
    "peers",
    "accuracy",
    "chunks",
    "optimum",
    "pang2002",
    "reuters",
    "trec_hierarchy",
    "constituents",
    "ratings",
    "costs",
    "reranking",
    "second_look",
    "unspaced",
    "suspects",
    "small_models",
    "large_models",
    "confidence",
    "few_labels",
    "few_tasks",
    "few_defaults",
    "few_sentences",
    "few_draws",
    "few_tools",
    "few_recipe",
    "active_orders",
    "domain_shift",
    "minilm",
    "lexicon",
)


@pytest.fixture(scope="module")
def bench():
    """The modules of the benchmarks by name; they find each other as scripts do, by the folder they are in."""
    sys.path.insert(0, str(FOLDER))
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        sys.path.remove(str(FOLDER))
        for name in MODULES:
            sys.modules.pop(name, None)


@pytest.fixture
def memory_as_it_is(bench, monkeypatch):
    """Contests of nothing need no memory that was touched before, which takes seconds for each turn."""
    monkeypatch.setattr(bench["measure"], "touch_memory", lambda: None)


@pytest.mark.usefixtures("memory_as_it_is")
def test_everyone_runs_once_before_anyone_runs_twice(bench):
    order = []

    def contestant(name):
        return lambda: order.append(name) or {"cpu": 1.0}

    contest = bench["measure"].compete({name: contestant(name) for name in "ABC"}, rounds=2)
    assert order == ["A", "B", "C", "A", "B", "C"]
    assert [len(contest.runs[name]) for name in "ABC"] == [2, 2, 2]


@pytest.mark.usefixtures("memory_as_it_is")
def test_a_missing_or_failing_contestant_is_left_out_and_the_others_go_on(bench):
    errors = bench["errors"]

    def missing():
        raise errors.MissingError("the module x is not installed")

    def failing():
        raise errors.FailedError("x ended with 1: no")

    contest = bench["measure"].compete({"A": missing, "B": failing, "C": lambda: {"cpu": 2.0}}, rounds=2)
    assert contest.runs == {"C": [{"cpu": 2.0}, {"cpu": 2.0}]}
    assert contest.missing == {"A": "the module x is not installed"}
    assert contest.failed == {"B": "x ended with 1: no"}


def test_ratios_are_taken_within_rounds(bench):
    # The machine is three times slower in the second round: ratios 1/2, 3/6, 1/4 have median 1/2.
    runs = {"linnet": [{"cpu": 1.0}, {"cpu": 3.0}, {"cpu": 1.0}], "peer": [{"cpu": 2.0}, {"cpu": 6.0}, {"cpu": 4.0}]}
    contest = bench["measure"].Contest(runs)
    assert contest.median("peer", "cpu") == 4.0
    assert contest.ratio("linnet", "peer", "cpu") == 0.5


def test_the_table_compares_every_peer_with_linnet(bench):
    contest = bench["measure"].Contest({"linnet": [{"cpu": 1.0}], "peer": [{"cpu": 4.0}]}, missing={"other": "why"})
    table = bench["report"].contest_table("t", contest, [bench["report"].Column("CPU s", "cpu", ".1f")])
    assert table.headings == ["", "CPU s", "linnet / this"]
    assert table.rows == [["linnet", "1.0", ""], ["peer", "4.0", "0.250"]]
    assert table.note == "other is left out: why"


@pytest.mark.parametrize("power", [0.5, 1.0, 1.7])
def test_exponent_of_exact_data(bench, power):
    sizes = [10, 100, 1000, 5000]
    assert bench["measure"].exponent(sizes, [3 * n**power for n in sizes]) == pytest.approx(power)


def test_spawn_sees_the_cpu_time_of_the_child(bench):
    burn = "import time; end = time.process_time() + 0.1\nwhile time.process_time() < end: pass"
    started = time.perf_counter()
    usage = bench["measure"].spawn([sys.executable, "-c", burn])
    assert 0.1 <= usage.cpu <= time.perf_counter() - started + 0.1
    assert usage.wall >= 0.1
    assert usage.peak_mb > 1


def test_spawn_quotes_the_last_line_of_a_failure(bench):
    with pytest.raises(bench["errors"].FailedError, match="ended with 3: the reason"):
        bench["measure"].spawn([sys.executable, "-c", "import sys; print('the reason', file=sys.stderr); sys.exit(3)"])


def test_usage_of_two_processes_adds_times_and_keeps_the_larger_peak(bench):
    usage = bench["measure"].Usage
    assert usage(1, 2, 30) + usage(4, 5, 6) == usage(5, 7, 30)


TEXTS = ["a fine film with a good story and a fine end", "a dull film , badly told and far too long", ""]
LABELS = ["pos", "neg", "neg"]


def test_resampled_documents_depend_on_the_seed_only(bench):
    resample = bench["datasets"].resample
    first = list(resample(TEXTS, LABELS, 50))
    assert first == list(resample(TEXTS, LABELS, 50))
    assert first != list(resample(TEXTS, LABELS, 50, seed=1))
    assert {label for _, label in first} == {"pos", "neg"}


def test_a_smaller_growth_set_is_the_beginning_of_a_larger_one(bench):
    resample = bench["datasets"].resample
    assert list(resample(TEXTS, LABELS, 20)) == list(itertools.islice(resample(TEXTS, LABELS, 80), 20))


def test_the_vocabulary_of_a_growth_set_keeps_growing(bench):
    seen, sizes = set(), {}
    for n, (text, _) in enumerate(bench["datasets"].resample(TEXTS, LABELS, 800), start=1):
        seen.update(text.split())
        sizes[n] = len(seen)
    assert sizes[200] > 1.5 * sizes[50]
    assert sizes[800] > 1.5 * sizes[200]


def test_parts_of_a_set_are_read_and_sampled(bench, tmp_path, monkeypatch):
    datasets = bench["datasets"]
    monkeypatch.setenv("LINNET_DATA", str(tmp_path))
    monkeypatch.setenv("LINNET_BENCH_CACHE", str(tmp_path / "cache"))
    datasets.write(tmp_path / "trec-train.jsonl", [("who ?", "HUM:ind"), ("é when ?", "NUM:date"), ("why ?", "DESC:x")])
    assert datasets.read("trec", "train").labels == ["HUM", "NUM", "DESC"]
    assert datasets.read("trec-fine", "train").labels == ["HUM:ind", "NUM:date", "DESC:x"]
    assert datasets.plain("trec-fine", "train").read_bytes() == (tmp_path / "trec-train.jsonl").read_bytes()
    assert len(datasets.read("trec", "train", limit=2).texts) == 2
    assert datasets.available(["imdb", "trec"]) == ["trec"]
    assert list((tmp_path / "cache").iterdir()) == [tmp_path / "cache" / "trec-fine-train.jsonl"]


def test_the_weights_of_the_peers_nb_svm_are_log_count_ratios(bench):
    # Counts of a 1 + (2, 1), of the others 1 + (0, 2): r = ln(3/5) - ln(1/4) and ln(2/5) - ln(3/4).
    sparse = pytest.importorskip("scipy.sparse")
    pytest.importorskip("sklearn")
    X, y = sparse.csr_matrix([[1.0, 0], [1, 1], [0, 1], [0, 1]]), np.array(["a", "a", "b", "b"])
    machine = bench["peers"].NbSvm().fit(X, y)
    assert machine._machines[0][0] == pytest.approx(np.log([12 / 5, 8 / 15]))
    assert machine.predict(X).tolist() == y.tolist()


def test_standard_error_of_paired_documents(bench):
    # Differences +100, 0, 0, -100, +100: mean 20, variance (3 * 10000)/5 - 400 = 5600, sqrt(5600/5) = 33.47.
    assert bench["accuracy"].paired("11001", "01010") == pytest.approx((20.0, 33.4664), abs=1e-3)


CHUNKS = """Mr. NNP B-NP
Ng NNP I-NP
rose VBD B-VP

Up IN B-ADVP
. . O
"""


def test_the_template_means_the_same_to_every_tool(bench):
    chunks = bench["chunks"]
    sentence = [["Mr.", "NNP"], ["Ng", "NNP"], ["rose", "VBD"]]
    around = [["<<", "<<"], ["<", "<"], *sentence, [">", ">"], [">>", ">>"]]
    for t, row in enumerate(chunks.crfsuite_features(sentence)):
        assert row == [
            f"{i}=" + "/".join(around[t + 2 + offset][column] for column, offset in parts)
            for i, parts in enumerate(chunks.TEMPLATE)
        ]
    spec, patterns = chunks.linnet_spec().split(), chunks.wapiti_patterns().split("\n")
    assert len(spec) == len(chunks.TEMPLATE) == 19
    assert spec[10] == "w[-1]|w[0]"
    assert patterns[10] == "U10:%x[-1,0]/%x[0,0]"
    assert spec[16] == "col2[-2]|col2[-1]|col2[0]"
    assert patterns[16:] == ["U16:%x[-2,1]/%x[-1,1]/%x[0,1]", *patterns[17:19], "B", ""]


def test_ends_of_chunks_are_marked(bench, tmp_path):
    (tmp_path / "a.conll").write_text(CHUNKS)
    first, second = map(bench["chunks"].bioes, bench["chunks"].sentences(tmp_path / "a.conll"))
    assert [token[2] for token in first] == ["B-NP", "E-NP", "S-VP"]
    assert [token[2] for token in second] == ["S-ADVP", "O"]


def test_f1_of_chunks(bench):
    # Gold: NP 0-2, VP 2-3, PP 4-5. Found: NP 0-2, VP 2-4, PP 4-5 (an I- that continues nothing): 2 of 3 and 3.
    gold = [["B-NP", "I-NP", "B-VP", "O", "B-PP"]]
    found = [["B-NP", "I-NP", "B-VP", "I-VP", "I-PP"]]
    assert bench["chunks"].f1(gold, found) == pytest.approx(200 * 2 / 6)
    assert bench["chunks"].f1(gold, gold) == 100


def test_files_of_chunks_are_prepared_from_the_folder(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("LINNET_DATA", str(tmp_path))
    monkeypatch.setenv("LINNET_BENCH_CACHE", str(tmp_path / "cache"))
    with pytest.raises(bench["errors"].MissingError, match="conll2000-train.txt is not in the folder"):
        bench["chunks"].prepare()
    for part in ("train", "test"):
        (tmp_path / f"conll2000-{part}.txt").write_text(CHUNKS)
    paths = bench["chunks"].prepare(limit=1)
    assert Path(paths["train-bioes"]).read_text() == "Mr. NNP B-NP\nNg NNP E-NP\nrose VBD S-VP\n\n"
    assert Path(paths["untagged"]).read_text() == 2 * "Mr. NNP\nNg NNP\nrose VBD\n\n"


def test_thirds_of_each_label_in_their_order(bench):
    # 4 of label a: 0 0 1 2 (3 i / 4); 3 of label b: 0 1 2.
    assert bench["pang2002"].thirds(list("aabaabb")) == [0, 0, 0, 1, 2, 1, 2]


REVIEW = "it isn't a good film , 'tis not dull ! no one'll love it ( or not ) - isn''t it ? never mind"


def test_the_features_of_the_table_mean_the_same_to_scikit_learn(bench):
    from linnet.features import TextFeatures

    pang2002 = bench["pang2002"]
    text = {"text": REVIEW, **pang2002.tagged([(token, "ADJ") for token in pang2002.cut(REVIEW)])}
    parts = {part for features in pang2002.SETS.values() for part in features.parts}
    assert len(parts) == 6
    for part in parts:
        features = TextFeatures(part.spec)
        rows = features.fit_transform([text[part.text]])
        counts = dict(zip(features.names(), rows.values[np.argsort(rows.indices)].tolist(), strict=True))
        assert counts == Counter(pang2002.tokens_of(part.spec, text[part.text]))


def test_parts_of_speech_are_joined_to_negated_words(bench):
    pang2002 = bench["pang2002"]
    tokens = pang2002.cut("i don't like dull films .")
    assert pang2002.for_tagger(tokens) == ["i", "do", "n't", "like", "dull", "films", "."]
    tags = ["PRON", "AUX", "PART", "VERB", "ADJ", "NOUN", "PUNCT"]
    assert pang2002.tagged(list(zip(tokens, tags, strict=True))) == {
        "tagged": "i_PRON don_AUX t_PART NOT_like_VERB NOT_dull_ADJ NOT_films_NOUN .",
        "adjectives": "NOT_dull",
    }


def test_features_are_chosen_by_how_often_they_occur(bench):
    from sklearn.feature_extraction.text import CountVectorizer

    pang2002 = bench["pang2002"]
    rows = [{"text": "a a a b b c"}, {"text": "a b"}]  # 4 times a, 3 times b, once c
    make = lambda spec: CountVectorizer(analyzer=str.split)  # noqa: E731
    part = pang2002.Part("words:1", least=3)
    counts = pang2002.Features((part,), (), presence=False)
    assert pang2002.matrix(rows, counts, make).toarray().tolist() == [[3, 2], [1, 1]]
    assert pang2002.matrix(rows, pang2002.Features((part,), ()), make).toarray().tolist() == [[1, 1], [1, 1]]
    most = pang2002.Features((part._replace(least=1, most=1), part), (), presence=False)
    assert pang2002.matrix(rows, most, make).toarray().tolist() == [[3, 3, 2], [1, 1, 1]]


def test_the_table_of_2002_in_small(bench, tmp_path, monkeypatch):
    """Adjectives tell the labels, so that everyone who sees them is right about every review."""
    pang2002 = bench["pang2002"]
    monkeypatch.setenv("LINNET_DATA", str(tmp_path))
    words = {"pos": ("fine", "good"), "neg": ("dull", "poor")}
    reviews = [(f"a {words[label][i % 2]} film\nit is .", label) for i in range(12) for label in words]
    bench["datasets"].write(tmp_path / "movie_reviews.jsonl", reviews)
    path = str(tmp_path / "documents.jsonl")
    with pytest.raises(bench["errors"].MissingError, match="ewt-train.conllu is not in the folder"):
        pang2002.prepare(path, None)
    tags = ["DET", "ADJ", "NOUN", "PRON", "AUX", "PUNCT"]
    tree = "".join(
        "".join(f"{i}\t{w}\t_\t{t}\t_\t_\t0\tdep\t_\t_\n" for i, (w, t) in enumerate(zip(tokens, tags, strict=True), 1))
        + "\n"
        for tokens in (f"A {word} film It is .".split() for pair in words.values() for word in pair * 5)
    )
    (tmp_path / "ewt-train.conllu").write_text(tree)
    assert pang2002.prepare(path, None) == {}
    for name in ("unigrams with POS", "adjectives", "unigrams, frequency"):
        ours, theirs = pang2002.linnet(path, name, True), pang2002.sklearn(path, name, True)
        assert ours["n_features"] == theirs["n_features"] == (4 if name == "adjectives" else 9)
        assert theirs["right"] == dict.fromkeys(["naive-bayes", "logistic", "svm"], "1" * 24)
        assert theirs["right"].items() <= ours["right"].items()
        assert list(ours["right"])[3:] == ["perceptron", "averaged-perceptron"]
    contest = bench["measure"].Contest({"linnet: adjectives": [ours], "sklearn: adjectives": [theirs]})
    table = pang2002._published(["adjectives"], contest, bench["measure"].Contest({}))
    assert table.rows == [
        ["adjectives", "9", "77.0", "100.0", "100.0", "77.7", "100.0", "100.0", "75.1", "100.0", "100.0"]
    ]


def test_sets_of_topics_in_small(bench, tmp_path, monkeypatch):
    """Words tell the topics. Of the three topics one is in the training part alone: no one is asked for it."""
    reuters, datasets = bench["reuters"], bench["datasets"]
    monkeypatch.setenv("LINNET_DATA", str(tmp_path))
    monkeypatch.setenv("LINNET_BENCH_CACHE", str(tmp_path / "cache"))
    rows = [("wheat rose", ["wheat"]), ("wheat and corn", ["corn", "wheat"]), ("no news", []), ("corn fell", ["corn"])]
    for part, more in (("train", [("gold rose", ["gold"])]), ("test", [])):
        lines = (json.dumps({"text": text, "labels": labels}) for text, labels in (rows + more) * 5)
        (tmp_path / f"reuters-{part}.jsonl").write_text("\n".join(lines))
    assert list(datasets.label_sets("reuters", "test"))[:4] == rows
    paths = reuters.prepare(None)
    assert json.loads(Path(paths["train"]).read_text().splitlines()[4]) == {"text": "gold rose", "labels": []}
    found = [reuters.linnet(**paths, measure=measure) for measure in ("none", "micro", "macro")] + [
        reuters.sklearn(**paths)
    ]
    for run in found:
        assert {"micro_f1": 100, "macro_f1": 100, "one_error": 0, "average_precision": 100}.items() <= run.items()
        assert run["coverage"] == pytest.approx(1 / 3)  # of the sets that have a label, one has two


def test_the_coarsest_criterion_that_comes_near_enough_is_taken(bench):
    # Of 1,000, 1e-4 is 0.1: of 0.5, 0.2, 0.1, 0.05, 0.02 ... the first whose 4.9-fold is not more is 0.02.
    optimum = bench["optimum"]
    assert optimum._coarsest(lambda stop: 1000 + 4.9 * stop, 1000.0) == pytest.approx(0.02)
    assert optimum._coarsest(lambda stop: 2000, 1000.0) == optimum.LADDER[-1] == pytest.approx(1e-5)


def test_two_sides_of_a_tree_by_hand(bench):
    """Flat: 2 and 4 edges, in both runs; over the tree 0 and 2. Of two runs that are both better, chance has 1/2."""
    gold, flat, tree = ["a:x", "a:x"], [["a:y", "b:z"]] * 2, [["a:x", "a:y"]] * 2
    found = bench["trec_hierarchy"].compared(gold, flat, tree)
    assert (found["loss"], found["accuracy"]) == ([3, 1], [0, 50])
    assert (found["runs_lower"], found["p_runs"], found["sd"]) == (2, 0.5, [0, 0])


def test_ratings_are_measured_by_how_far_off_they_are(bench):
    found = bench["ratings"]._measured([1, 4, 10], [1, 7, 8])
    assert (found["error"], found["right"], found["squared"]) == pytest.approx((5 / 3, 1 / 3, 13 / 3))


def test_texts_without_blanks_are_tested_on_the_first_tenth_and_sorted_ones_on_every_tenth(
    bench, tmp_path, monkeypatch
):
    monkeypatch.setenv("LINNET_DATA", str(tmp_path))
    for name in ("zh-hotel", "sentence_polarity"):
        bench["datasets"].write(
            tmp_path / f"{name}.jsonl", [(f"{name} {i}", "pos" if i < 10 else "neg") for i in range(20)]
        )
    (texts, labels), tests = bench["unspaced"].data(["zh-hotel", "sentence_polarity"], None)
    assert tests == [
        (["zh-hotel 0", "zh-hotel 1"], ["pos", "pos"]),
        (["sentence_polarity 0", "sentence_polarity 10"], ["pos", "neg"]),
    ]
    assert (len(texts), labels.count("pos")) == (36, 17)
    right = bench["unspaced"]._right(lambda texts: ["pos"] * len(texts), tests)
    assert right == [0.75, 1, 0.5]
    assert len(bench["unspaced"].data(["zh-hotel"], 10)[0][0]) == 9


def test_costs_of_the_benchmarks(bench):
    cost = bench["costs"].cost
    assert [cost("imdb", "neg", "pos"), cost("imdb", "pos", "neg"), cost("imdb", "pos", "pos")] == [5, 1, 0]
    assert [cost("20news", "rec.autos", "rec.motorcycles"), cost("20news", "rec.autos", "sci.med")] == [1, 4]
    assert cost("trec-fine", "NUM:date", "NUM:count") == 2


def test_rare_words_are_classes(bench):
    class_of = bench["constituents"].class_of
    assert [class_of(word) for word in ("Vinken", "61-year-old", "slowly", "so-called", "dog")] == [
        "<capital>",
        "<digit>",
        "<lower-ly>",
        "<hyphen-ed>",
        "<lower>",
    ]


def test_trees_of_an_induced_grammar_are_the_most_probable(bench):
    nltk = pytest.importorskip("nltk")
    trees = [
        nltk.Tree.fromstring(tree)
        for tree in (
            "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
            "(S (NP (PRP it)) (VP (VBZ sees) (NP (DT the) (NN cat)) (PP (IN in) (NP (NN rain)))))",
            "(S (VP (VB go) (PRT (RP on))))",
        )
    ]
    productions = bench["constituents"].Lexicon(2 * trees, "own").productions()
    grammar = bench["constituents"].Grammar(productions)
    parser = nltk.ViterbiParser(nltk.induce_pcfg(nltk.Nonterminal("TOP"), productions), max_time=None)
    for text in ("it sees the dog in the rain", "go on", "the rain barks"):
        logp, tree = grammar.best(text.split())
        best = next(parser.parse(text.split()))
        assert logp == pytest.approx(np.log(best.prob()))
        assert tree.leaves() == text.split()
    assert grammar.best(["dog", "the"])[1] is None


def test_translations_of_the_benchmarks(bench):
    """Of the first list "a c d" is nearer to the reference, and better; of the second nothing is."""
    rows = [
        {"reference": "a b c d", "hypotheses": ["x y", "a c d"], "rank": [0, 3]},
        {"reference": "a", "hypotheses": ["a", "a"], "rank": [1, 1]},
    ]
    module = bench["reranking"]
    lists = module.lists_of(rows)
    assert {(c.text, c.cost) for c in lists.lists[0].candidates} == {("x y", 0), ("a c d", -3)}
    right = [[-c.cost for c in one.candidates] for one in lists.lists]
    found = module.table("", lists, {"length": module.length(lists), "none": [[0, 0], [0, 0]]}, {"linnet": right})
    assert [row[:2] for row in found.rows] == [["length", "100.00"], ["none", "50.00"], ["linnet", "100.00"]]
    assert [row[4] for row in found.rows] == ["2.000", "1.250", "2.000"]


def test_a_random_fifth_is_tested_where_there_is_no_test_part(bench, tmp_path, monkeypatch):
    monkeypatch.setenv("LINNET_DATA", str(tmp_path))
    rows = [(f"text {i}", "pos" if i % 2 else "neg") for i in range(500)]
    bench["datasets"].write(tmp_path / "some.jsonl", rows)
    (texts, labels), (new, gold) = bench["confidence"].data("some", bench["confidence"].FIFTH)
    assert 70 < len(new) < 130
    assert sorted([*zip(texts, labels, strict=True), *zip(new, gold, strict=True)]) == sorted(rows)


def test_the_difference_of_two_tools_is_taken_draw_by_draw(bench):
    ours, theirs = [[0.6, 0.7], [0.5, 0.9]], [[0.5, 0.7], [0.3, 0.9]]
    # With the first number of labels +10 and +20 points: the mean is 15, the standard deviation 7.07, over the root of 2.
    assert bench["few_labels"]._differences(ours, theirs) == ["+15.0 ± 5.0", "+0.0 ± 0.0"]


def test_the_recipe_in_numpy_knows_a_word_that_no_labelled_text_has(bench):
    films, songs = (
        ["a film of the cinema screen", "the screen, a movie"],
        ["a song of the radio music", "the music, a tune"],
    )
    texts = [*films, *songs] * 10
    predict = bench["few_recipe"].recipe(texts)([0, 2], ["film", "song"])
    assert predict(["movie", "tune"]) == ["film", "song"]


def test_five_draws_of_a_set_with_folds_test_on_all_of_it(bench, monkeypatch):
    few_draws = bench["few_draws"]
    texts = [str(i) for i in range(30)]
    whole = SimpleNamespace(texts=texts, labels=["a"] * 30, folds=[i % 10 for i in range(30)])
    monkeypatch.setattr(few_draws.datasets, "read", lambda name: whole)
    parts = [few_draws.parts("movie_reviews", seed) for seed in range(5)]
    assert sorted(text for _, _, test, _ in parts for text in test) == sorted(texts)
    assert all(sorted([*train, *test]) == sorted(texts) for train, _, test, _ in parts)


def test_a_set_of_one_file_is_tested_on_its_first_tenth(bench, monkeypatch):
    few_tasks = bench["few_tasks"]
    rows = [{"text": str(i), "label": "ab"[i % 2]} for i in range(50)]
    monkeypatch.setattr(few_tasks, "_rows", lambda file: rows)
    (texts, labels), (tested, right) = few_tasks._parts(few_tasks.CASES["zh-hotel"])
    assert (texts, labels) == ([str(i) for i in range(5, 50)], ["ab"[i % 2] for i in range(5, 50)])
    assert sorted(zip(tested, right, strict=True)) == [(str(i), "ab"[i % 2]) for i in range(5)]


def test_labels_are_drawn_at_random_or_as_many_of_each(bench):
    labels = ["a"] * 90 + ["b"] * 8 + ["c"] * 2
    few_draws = bench["few_draws"]
    at_random, equal = (few_draws.order(labels, 0, draw) for draw in few_draws.DRAWS)
    assert sorted(at_random.tolist()) == sorted(equal.tolist()) == list(range(100))
    assert [labels[i] for i in equal[:6].tolist()].count("c") == 2
    assert [labels[i] for i in equal[:14].tolist()].count("b") == 6
    assert [i for i in equal.tolist() if labels[i] == "a"] == [i for i in at_random.tolist() if labels[i] == "a"]
