"""The table of Pang, Lee and Vaithyanathan (2002, "Thumbs up?", figure 3): eight sets of features, three learners.

Their 1,400 reviews grew to the 2,000 of movie_reviews, which are used here; beside the published figures stand linnet's
and scikit-learn's, and below them every other learner of linnet with its own defaults. As in the paper:

    tokens      words and punctuation marks; NOT_ before each word from a negation to the next mark, but not in bigrams
    features    unigrams that occur 4 times in all reviews, bigrams that occur 7 times; 1 where present
    folds       three, the reviews of each label in the order of their ids, a third after the other
    learners    naive Bayes with add-one smoothing; maximum entropy with a Gaussian prior; a linear SVM over rows of length 1

Not as in the paper: parts of speech are those of linnet's tagger (EWT, lower-cased as the reviews are), a position is a
quarter of the text (theirs: first quarter, middle half, last quarter), and MaxEnt goes to its optimum (theirs: 10 iterations).

scikit-learn gets the same tokens from the few lines of Python below. linnet's MaxEnt has a w for each of the two labels, so
that 1/lam is half of LIBLINEAR's C n. All learners but naive Bayes and MaxEnt take rows of length 1.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import datasets
from accuracy import paired
from errors import MissingError
from measure import Contest, compete, job
from report import Table

NAME = "movie_reviews"
FOLDS = 3
C = 1.0
QUICK_DOCUMENTS = 300
QUICK_LEARNERS = 2


class Part(NamedTuple):
    """A group of features: their specification, the text that they are taken from, and which of them are kept."""

    spec: str
    least: int = 4
    """The least number of occurrences in all documents."""
    most: int | None = None
    """The number of most frequent features that are kept; None for all."""
    text: str = "text"


class Features(NamedTuple):
    """A row of the table: its features, and the published figures."""

    parts: tuple[Part, ...]
    published: tuple[float | None, ...]
    """The published accuracies of NB, MaxEnt and SVM."""
    presence: bool = True


UNIGRAMS, BIGRAMS = Part("words:1 punct not"), Part("words:2 punct", 7)
SETS = {
    "unigrams, frequency": Features((UNIGRAMS,), (78.7, None, 72.8), presence=False),
    "unigrams": Features((UNIGRAMS,), (81.0, 80.4, 82.9)),
    "unigrams + bigrams": Features((UNIGRAMS, BIGRAMS), (80.6, 80.8, 82.7)),
    "bigrams": Features((BIGRAMS,), (77.3, 77.4, 77.1)),
    "unigrams with POS": Features((Part("words:1 punct case", text="tagged"),), (81.5, 80.4, 81.9)),
    "adjectives": Features((Part("words:1 case", text="adjectives"),), (77.0, 77.7, 75.1)),
    "top 2633 unigrams": Features((Part("words:1 punct not", most=2633),), (80.3, 81.0, 81.4)),
    "unigrams with position": Features((Part("words:1 punct not position"),), (81.0, 80.1, 81.6)),
}
PUBLISHED = {"naive-bayes": "NB", "logistic": "MaxEnt", "svm": "SVM"}


def run(quick: bool = False, rounds: int = 1) -> list[Table]:
    """Run the benchmark once: the same seed gives the same result, so more rounds would change nothing."""
    datasets.file_path(f"{NAME}.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        given = {"path": str(Path(folder, "documents.jsonl")), "limit": QUICK_DOCUMENTS if quick else None}
        tags = compete({"linnet, parts of speech": partial(job, "pang2002:prepare", **given)}, 1)
        names = [name for name, features in SETS.items() if tags.runs or not _is_tagged(features)]
        sides = {
            f"{side}: {name}": partial(job, f"pang2002:{side}", path=given["path"], name=name, quick=quick)
            for name in names
            for side in ("linnet", "sklearn")
        }
        contest = compete(sides, 1)
    tables = [_published(names, contest, tags), _others(names, contest)]
    tables[0].details |= {"failed": contest.failed | tags.failed, "missing": contest.missing | tags.missing}
    return tables


def _is_tagged(features: Features) -> bool:
    return any(part.text != "text" for part in features.parts)


# The next functions write the texts, once as they are and once with parts of speech.


def prepare(path: str, limit: int | None) -> dict[str, float]:
    """Write the documents with their folds. Features are taken from the columns `text`, `tagged` and `adjectives`."""
    documents = datasets.read(NAME, "all", limit)
    rows = [
        {"text": text, "label": label, "fold": fold}
        for text, label, fold in zip(documents.texts, documents.labels, thirds(documents.labels), strict=True)
    ]
    _write(path, rows)
    tagger, right = _tagger()
    cuts = [[cut(line) for line in row["text"].split("\n")] for row in rows]
    tags = iter(tagger.predict([for_tagger(tokens) for lines in cuts for tokens in lines]))
    for row, lines in zip(rows, cuts, strict=True):
        row |= tagged([(token, tag) for tokens in lines for token, tag in zip(tokens, next(tags), strict=True)])
    _write(path, rows)
    return {} if right is None else {"tagger": right}


def thirds(labels: list[str]) -> list[int]:
    """The fold of each document: the first, second and last third of the documents of each label, in their order."""
    sizes, seen, folds = Counter(labels), Counter(), []
    for label in labels:
        folds.append(FOLDS * seen[label] // sizes[label])
        seen[label] += 1
    return folds


def _tagger() -> tuple[Any, float | None]:
    """Train linnet's tagger for text in lower case; return it with its accuracy on the test part, if there is one."""
    import linnet
    from linnet import io

    with tempfile.TemporaryDirectory() as folder:
        model = linnet.train(_lower(datasets.file_path("ewt-train.conllu"), folder), features="pos-fast")
        try:
            test = io.read_sentences(_lower(datasets.file_path("ewt-test.conllu"), folder))
        except MissingError:
            return model, None
        return model, 100 * model.evaluate(test).token_accuracy


def _lower(path: Path, folder: str) -> str:
    """Write a treebank with its words in lower case; return its path."""
    new = Path(folder, path.name.removesuffix(".gz"))
    with datasets.opened(path) as file, new.open("w", encoding="utf-8") as out:
        for line in file.read().decode().split("\n"):
            number, tab, rest = line.partition("\t")
            form, tabs, others = rest.partition("\t")
            out.write(f"{number}{tab}{form.lower()}{tabs}{others}\n")
    return str(new)


def for_tagger(tokens: list[str]) -> list[str]:
    """Split words as treebanks do: `don 't` becomes `do n't`."""
    words = tokens.copy()
    for i in range(1, len(words)):
        if words[i] == "'t" and words[i - 1].endswith("n"):
            words[i - 1], words[i] = words[i - 1][:-1] or "n", "n't"
    return words


def tagged(tokens: list[tuple[str, str]]) -> dict[str, str]:
    """The words of a text as NOT_word_TAG, where a punctuation mark is its own tag; and its adjectives alone as NOT_word."""
    marked = mark_negation([token for token, _ in tokens])
    words = [(word.replace("'", ""), tag) for word, (_, tag) in zip(marked, tokens, strict=True)]
    return {
        "tagged": " ".join(f"{word}_{tag}" if word.isidentifier() or word.isalnum() else word for word, tag in words),
        "adjectives": " ".join(word for word, tag in words if tag == "ADJ"),
    }


def _write(path: str, rows: list[dict[str, Any]]) -> None:
    Path(path).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


# The next functions make tokens for scikit-learn as linnet makes them.

TOKEN = re.compile(r"(?<=\w)'\w+|\w+|[^\w\s]")


def cut(text: str) -> list[str]:
    """The tokens of a text: words, endings after an apostrophe, and punctuation marks."""
    return TOKEN.findall(text)


def mark_negation(tokens: list[str]) -> list[str]:
    from linnet.features.sentiment import NEGATIONS

    marked, negated = [], False
    for before, token in zip(["", *tokens], tokens, strict=False):
        if not re.search(r"[\w']", token):
            negated = False
            marked.append(token)
            continue
        is_negation = token in NEGATIONS or (token == "t" and before == "'")
        marked.append(f"NOT_{token}" if negated and not is_negation else token)
        negated = negated or is_negation
    return marked


def tokens_of(spec: str, text: str) -> list[str]:
    """The features of a text by a specification, without those of several words."""
    words = spec.split()
    tokens = cut(text if "case" in words else text.lower())
    if "punct" not in words:
        tokens = [token for token in tokens if re.search(r"\w", token)]
    if "not" in words:
        tokens = mark_negation(tokens)
    if "position" in words:
        tokens = [f"{token}@{1 + 4 * i // len(tokens)}" for i, token in enumerate(tokens)]
    return [f"{a} {b}" for a, b in pairwise(tokens)] if "words:2" in words else tokens


# The next functions learn one set of features by linnet and by scikit-learn.


def linnet(path: str, name: str, quick: bool) -> dict[str, Any]:
    from linnet.learners import LEARNERS
    from linnet.sklearn import LinearClassifier, TextVectorizer

    def options(learner: str, n: int) -> dict[str, Any]:
        return {"logistic": {"by": "lbfgs", "lam": 2 / (C * n)}, "svm": {"loss": "hinge", "C": C}}.get(learner, {})

    others = [learner for learner in LEARNERS if learner not in PUBLISHED]
    learners = [*PUBLISHED, *others[: QUICK_LEARNERS if quick else None]]
    makers = {
        learner: lambda n, learner=learner: LinearClassifier(learner=learner, options=options(learner, n))
        for learner in learners
    }
    as_counts = {learner for learner in learners if LEARNERS[learner].generative}
    return _right(path, name, lambda spec: TextVectorizer(spec), makers, as_counts | {"logistic"})


def sklearn(path: str, name: str, quick: bool) -> dict[str, Any]:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.svm import LinearSVC

    makers = {
        "naive-bayes": lambda n: MultinomialNB(),
        "logistic": lambda n: LogisticRegression(solver="liblinear", C=C),
        "svm": lambda n: LinearSVC(loss="hinge", C=C, max_iter=100_000, random_state=0),
    }
    return _right(
        path, name, lambda spec: CountVectorizer(analyzer=partial(tokens_of, spec)), makers, {"naive-bayes", "logistic"}
    )


def _right(path: str, name: str, vectorizer: Any, makers: dict[str, Any], as_counts: set[str]) -> dict[str, Any]:
    """For each learner, a string of 0 and 1 that says whether it was right about each document. Learners other than those in
    `as_counts` take rows of length 1."""
    import numpy as np
    from sklearn.preprocessing import normalize

    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    labels, folds = np.array([row["label"] for row in rows]), np.array([row["fold"] for row in rows])
    X = matrix(rows, SETS[name], vectorizer)
    unit = normalize(X)
    right = {learner: np.zeros(len(rows), bool) for learner in makers}
    for fold in range(FOLDS):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        for learner, make in makers.items():
            values = X if learner in as_counts else unit
            model = make(len(train)).fit(values[train], labels[train])
            right[learner][test] = model.predict(values[test]) == labels[test]
    strings = {learner: "".join("01"[int(value)] for value in values) for learner, values in right.items()}
    return {"n_features": X.shape[1], "right": strings}


def matrix(rows: list[dict[str, Any]], features: Features, vectorizer: Any) -> Any:
    """The matrix of all documents, with those features of each part that are frequent enough."""
    import numpy as np
    from scipy.sparse import hstack

    kept = []
    for part in features.parts:
        counts = vectorizer(part.spec).fit_transform([row[part.text] for row in rows]).tocsc().astype(np.float64)
        how_often = np.asarray(counts.sum(axis=0)).ravel()
        frequent = np.flatnonzero(how_often >= part.least)
        if part.most is not None:
            frequent = np.sort(frequent[np.argsort(-how_often[frequent], kind="stable")[: part.most]])
        kept.append(counts[:, frequent])
    X = hstack(kept, format="csr")
    return X.sign() if features.presence else X


# The next functions make the tables that are shown.


def _answer(contest: Contest, side: str, name: str) -> Any:
    runs = contest.runs.get(f"{side}: {name}")
    return runs[0] if runs else None


def _percent(right: str) -> float:
    return 100 * right.count("1") / len(right)


def _published(names: list[str], contest: Contest, tags: Contest) -> Table:
    rows, details, differences = [], {}, []
    for name in names:
        ours, theirs = _answer(contest, "linnet", name), _answer(contest, "sklearn", name)
        found = [side["n_features"] for side in (ours, theirs) if side]
        row = [name, " / ".join(f"{n:,}" for n in dict.fromkeys(found))]
        details[name] = {}
        for learner, published in zip(PUBLISHED, SETS[name].published, strict=True):
            figures = [_percent(side["right"][learner]) if side else None for side in (ours, theirs)]
            row += ["" if figure is None else f"{figure:.1f}" for figure in (published, *figures)]
            difference = paired(ours["right"][learner], theirs["right"][learner]) if ours and theirs else None
            differences += [abs(difference[0])] if difference else []
            details[name][learner] = {"linnet": figures[0], "sklearn": figures[1], "difference": difference}
        rows.append(row)
    headings = ["", "features"]
    for learner in PUBLISHED.values():
        headings += [f"{learner} 2002", "linnet", "sklearn"]
    note = []
    if differences:
        note.append(
            f"linnet and scikit-learn differ by {statistics.fmean(differences):.2f} points on average, "
            f"{max(differences):.2f} at most."
        )
    for run in tags.runs.get("linnet, parts of speech", []):
        if "tagger" in run:
            note.append(f"The tagger is right on {run['tagger']:.1f}% of the tokens of EWT's test part in lower case.")
    absent = tags.missing | tags.failed | contest.missing | contest.failed
    note += [f"{who} is left out: {reason}" for who, reason in absent.items()]
    title = "Pang, Lee and Vaithyanathan (2002), accuracy %: theirs (1,400 reviews), linnet's and scikit-learn's"
    return Table(title, headings, rows, "\n".join(note), {"comparisons": details, "runs": contest.runs | tags.runs})


def _others(names: list[str], contest: Contest) -> Table:
    answers = {name: _answer(contest, "linnet", name) for name in names}
    answers = {name: answer for name, answer in answers.items() if answer}
    learners = [learner for learner in next(iter(answers.values()), {"right": ()})["right"] if learner not in PUBLISHED]
    rows = [
        [name, *(f"{_percent(answer['right'][learner]):.1f}" for learner in learners)]
        for name, answer in answers.items()
    ]
    return Table("the other learners of linnet on the same features, accuracy %", ["", *learners], rows)


if __name__ == "__main__":
    from run import main

    main(["pang2002"])
