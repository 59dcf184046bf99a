"""Constituent trees: the sample of the Penn Treebank, labelled F1 as evalb counts it, beside a treebank grammar.

    linnet           as `linnet train` does it, with tags of its own; and from the tags of the treebank
    PCFG             NLTK's induce_pcfg after collapse_unary and chomsky_normal_form(horzMarkov=2), as its documentation has it;
                     the best tree by CKY over arrays (below), for words, and for the tags of the treebank
                     ViterbiParser    the same grammar with NLTK's own search. It takes seconds for 7 words and minutes for
                     15, so it gets sentences of at most 8 words; what it finds is as probable as what CKY finds, which is
                     checked

Trees are without traces and function tags. For the grammar, words that occur once are classes: their shape and their ending.
What it finds no tree for gets one bracket around all words. Features, learner and options of linnet were chosen on dev.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import datasets
from measure import Run, compete, job, section
from report import Column, Table, contest_table

SHORT = 8
QUICK_TREES = 200
LEARNERS = ("averaged-mira", "averaged-perceptron", "crf")
ENDINGS = ("ing", "ed", "ly", "ion", "al", "er", "s", "y")
COLUMNS = (
    Column("train CPU s", "cpu"),
    Column("peak above MB", "above_mb", ".0f"),
    Column("words / CPU s", "speed", ",.0f"),
    Column("F1", "f1"),
    Column("precision", "precision"),
    Column("recall", "recall"),
    Column("exact", "exact"),
    Column(f"F1, up to {SHORT} words", "f1_short"),
)


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: only the times would differ between rounds."""
    prepared = job("constituents:prepare", limit=QUICK_TREES if quick else None)
    given = {part: prepared[part] for part in ("train", "test")}
    contestants = {
        f"linnet, {learner}": partial(job, "constituents:linnet", **given, learner=learner, tags="own")
        for learner in (LEARNERS[:1] if quick else LEARNERS)
    }
    contestants[f"linnet, {LEARNERS[0]}, given tags"] = partial(
        job, "constituents:linnet", **given, learner=LEARNERS[0], tags="given"
    )
    contestants["PCFG"] = partial(job, "constituents:pcfg", **given, tags="own")
    contestants["PCFG, given tags"] = partial(job, "constituents:pcfg", **given, tags="given")
    contestants["PCFG, ViterbiParser"] = partial(job, "constituents:viterbi", **given)
    return [contest_table("The sample of the Penn Treebank", compete(contestants, 1), COLUMNS, pairs={})]


def prepare(limit: int | None) -> dict[str, str]:
    """Write one tree on each line, without traces and function tags."""
    from linnet import io

    paths = {}
    for part in ("train", "test"):
        trees = io.read_sentences(datasets.file_path(f"ptb-sample-{part}.mrg"), label_col="tree")
        path = datasets.cache() / f"ptb-sample-{part}{'' if limit is None else f'-{limit}'}.mrg"
        with datasets.replacing(path) as new:
            io.write_sentences(new, trees, trees.tags)
            new.write_text("".join(new.read_text().splitlines(keepends=True)[:limit]))
        paths[part] = str(path)
    return paths


def linnet(train: str, test: str, learner: str, tags: str) -> Run:
    from linnet import io
    from linnet.training.train import train as learn

    with section() as run:
        model = learn(
            train, task="brackets", learner=None if learner == LEARNERS[0] else learner, options={"tags": tags}
        )
    gold = io.read_sentences(test, label_col="tree")
    began = time.process_time()
    bits = model.bracket(gold)[1]
    return run | {"speed": gold.n_tokens / (time.process_time() - began)} | figures(gold, bits)


def pcfg(train: str, test: str, tags: str) -> Run:
    """Parse with an induced grammar, by CKY."""
    with section() as run:
        lexicon = Lexicon(read(train), tags)
        grammar = Grammar(lexicon.productions())
    return run | _searched(test, lexicon, lambda words: grammar.best(words)[1])


def viterbi(train: str, test: str) -> Run:
    """Parse short sentences with the induced grammar by NLTK's own parser, and check that CKY finds the same probabilities."""
    import nltk

    with section() as run:
        lexicon = Lexicon(read(train), "own")
        productions = nltk.induce_pcfg(nltk.Nonterminal("TOP"), lexicon.productions()).productions()
    grammar = Grammar(lexicon.productions())
    nltk.PCFG.EPSILON = (
        math.inf
    )  # Words that are not in the sentence are left out, so probabilities sum to less than 1.

    def search(words: Sequence[str]) -> Any:
        if len(words) > SHORT:
            return None
        used = [rule for rule in productions if not rule.is_lexical() or rule.rhs()[0] in words]
        if not {rule.rhs()[0] for rule in used if rule.is_lexical()} >= set(words):
            return None
        found = next(nltk.ViterbiParser(nltk.PCFG(nltk.Nonterminal("TOP"), used), max_time=None).parse(words), None)
        logp = grammar.best(words)[0]
        if not math.isclose(math.log(found.prob()) if found is not None else -math.inf, logp, abs_tol=1e-6):
            raise AssertionError(f"ViterbiParser and CKY differ on {words}")
        return None if found is None else nltk.Tree.convert(found)  # The tree without its probability.

    found = _searched(test, lexicon, search)
    return run | {"f1_short": found["f1_short"]}


def read(path: str) -> list[Any]:
    import nltk

    with open(path, encoding="utf-8") as file:
        return [nltk.Tree.fromstring(line, remove_empty_top_bracketing=True) for line in file]


class Lexicon:
    """What stands for the words of trees in a grammar: frequent words, classes of rare words, or tags."""

    def __init__(self, trees: Sequence[Any], tags: str) -> None:
        self.count = Counter(word for tree in trees for word in tree.leaves())
        self.trees = trees
        self.by_tag = tags == "given"

    def words(self, tree: Any) -> list[str]:
        return [f"<{tag}>" if self.by_tag else self._word(word) for word, tag in tree.pos()]

    def _word(self, word: str) -> str:
        return word if self.count[word] > 1 else class_of(word)

    def productions(self) -> list[Any]:
        import nltk

        found = []
        for tree in self.trees:
            copy = nltk.Tree("TOP", [tree.copy(deep=True)])
            for place, word in zip(copy.treepositions("leaves"), self.words(tree), strict=True):
                copy[place] = word
            copy.collapse_unary()
            copy.chomsky_normal_form(horzMarkov=2)
            found += copy.productions()
        return found


def class_of(word: str) -> str:
    """The class of a rare word, by its shape and its ending.

    >>> class_of("Vinken"), class_of("61-year-old"), class_of("nonexecutively")
    ('<capital>', '<digit>', '<lower-ly>')
    """
    if any(character.isdigit() for character in word):
        return "<digit>"
    shape = "capital" if word[:1].isupper() else "hyphen" if "-" in word else "lower"
    ending = next((one for one in ENDINGS if word.lower().endswith(one)), "")
    return f"<{shape}-{ending}>" if ending else f"<{shape}>"


class Grammar:
    """The search for the best trees of an induced grammar in Chomsky normal form, by CKY over arrays of rules."""

    def __init__(self, productions: Iterable[Any]) -> None:
        import nltk
        import numpy as np

        rules = nltk.induce_pcfg(nltk.Nonterminal("TOP"), list(productions)).productions()
        names = {
            symbol for rule in rules for symbol in (rule.lhs(), *rule.rhs()) if isinstance(symbol, nltk.Nonterminal)
        }
        self.symbols = sorted(str(name) for name in names)
        number = {name: k for k, name in enumerate(self.symbols)}
        self.top = number["TOP"]
        self.lexical: dict[str, list[tuple[int, float]]] = {}
        unary, binary = [], []
        for rule in rules:
            parent, logp = number[str(rule.lhs())], rule.logprob() * math.log(2)
            if rule.is_lexical():
                self.lexical.setdefault(rule.rhs()[0], []).append((parent, logp))
            elif len(rule.rhs()) == 1:
                unary.append((parent, number[str(rule.rhs()[0])], logp))
            else:
                binary.append((parent, *(number[str(child)] for child in rule.rhs()), logp))
        self.unary = unary
        table = np.array(sorted(binary))
        self.parent, self.left, self.right = table[:, :3].astype(np.int64).T
        self.logp = table[:, 3]

    def best(self, words: Sequence[str]) -> tuple[float, Any]:
        """The logarithm of the probability of the best tree, and the tree, or None if there is no tree."""
        import numpy as np

        n, size = len(words), len(self.symbols)
        chart = np.full((n, n, size), -np.inf)
        tagged = np.full((n, size), -np.inf)
        for i, word in enumerate(words):
            for symbol, logp in self.lexical.get(word, ()):
                tagged[i, symbol] = logp
            chart[i, i] = tagged[i]
            for parent, child, logp in self.unary:
                chart[i, i, parent] = max(chart[i, i, parent], tagged[i, child] + logp)
        for width in range(1, n):
            for i in range(n - width):
                j = i + width
                has_left = np.isfinite(chart[i, i:j]).any(axis=0)[self.left]
                rules = np.flatnonzero(has_left & np.isfinite(chart[i + 1 : j + 1, j]).any(axis=0)[self.right])
                if len(rules):
                    first = np.flatnonzero(np.diff(self.parent[rules], prepend=-1))
                    scores = self._scores(chart, i, j, rules).max(axis=0)
                    chart[i, j, self.parent[rules][first]] = np.maximum.reduceat(scores, first)
        whole = [(chart[0, n - 1, child] + logp, child) for parent, child, logp in self.unary if parent == self.top]
        logp, root = max(whole)
        logp = max(logp, float(chart[0, n - 1, self.top]))
        if logp == -math.inf:
            return logp, None
        return logp, self._tree(chart, tagged, words, 0, n - 1, root if max(whole)[0] == logp else self.top)

    def _scores(self, chart: Any, i: int, j: int, rules: Any) -> Any:
        """The scores of a span: a row for each point where it can be split, a column for each rule."""
        left = chart[i, i:j][:, self.left[rules]]
        right = chart[i + 1 : j + 1, j][:, self.right[rules]]
        return left + right + self.logp[rules]

    def _tree(self, chart: Any, tagged: Any, words: Sequence[str], i: int, j: int, symbol: int) -> Any:
        import nltk
        import numpy as np

        label = self.symbols[symbol]
        if i == j:
            value = chart[i, i, symbol]
            if tagged[i, symbol] == value:
                return nltk.Tree(label, [words[i]])
            child = next(c for parent, c, logp in self.unary if parent == symbol and tagged[i, c] + logp == value)
            return nltk.Tree(label, [nltk.Tree(self.symbols[child], [words[i]])])
        rules = np.flatnonzero(self.parent == symbol)
        scores = self._scores(chart, i, j, rules)
        k, rule = np.unravel_index(scores.argmax(), scores.shape)
        left, right = int(self.left[rules[rule]]), int(self.right[rules[rule]])
        middle = i + int(k)
        parts = [
            self._tree(chart, tagged, words, i, middle, left),
            self._tree(chart, tagged, words, middle + 1, j, right),
        ]
        return nltk.Tree(label, parts)


def _searched(test: str, lexicon: Lexicon, search: Any) -> Run:
    """Measure the speed and the F1 of a search for trees."""
    from linnet import io
    from linnet.io.sentences.mrg import sentences_of

    gold = io.read_sentences(test, label_col="tree")
    began, trees = time.process_time(), []
    for tree in read(test):
        found = search(lexicon.words(tree))
        if found is None:
            trees.append("(S " + " ".join(f"({tag} x)" for _, tag in tree.pos()) + ")")
            continue
        found.un_chomsky_normal_form()
        trees.append(str(found))
    speed = gold.n_tokens / (time.process_time() - began)
    return {"speed": speed} | figures(gold, sentences_of(trees).tags.to_pylist())


def figures(gold: Any, bits: Sequence[str]) -> Run:
    """The measures in %, over all sentences and over the short ones."""
    import numpy as np

    from linnet.tasks.brackets.measures import evaluate_brackets

    def report(rows: Any) -> Any:
        part, tokens = gold.part(rows)
        wanted, found = (np.array(values, object)[tokens].tolist() for values in (gold.tags.to_pylist(), bits))
        return evaluate_brackets(wanted, found, part.columns["tag"].to_pylist(), part.starts)

    sizes = np.diff(gold.starts)
    whole, short = report(np.arange(len(gold))), report(np.flatnonzero(sizes <= SHORT))
    names = ("f1", "precision", "recall", "exact")
    return {name: 100 * getattr(whole, name) for name in names} | {"f1_short": 100 * short.f1}


if __name__ == "__main__":
    from run import main

    main(["constituents"])
