"""What the benchmarks with few labels compare: functions that learn from some labelled texts and others without labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Texts = Sequence[str]
Ints = Sequence[int]
Predict = Callable[[Texts], Sequence[str]]
Learn = Callable[[Ints, Texts], Predict]

PLAIN = "tf-idf + logistic regression"
ALONE = "linnet"
TAUGHT = "linnet --unlabelled"
IN_NUMPY = "the same idea in NumPy"
MINILM = "MiniLM + logistic regression"
MINILM_TAUGHT = "MiniLM, self-training"
BESIDE = "linnet, n-grams + MiniLM"
CS = (1, 10)
"""The C of the logistic regression over embeddings. The figures are those of the best one on the test part, which nobody can
know before: they flatter the embeddings a little."""
WEIGHT = 0.1
"""The weight of what a teacher has labelled, in the self-training of embeddings, too."""


def plain(texts: Texts) -> Learn:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    def learn(few: Ints, labels: Texts) -> Predict:
        words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        model = make_pipeline(words, LogisticRegression(C=100, max_iter=1000))
        return model.fit([texts[i] for i in few], labels).predict

    return learn


def alone(texts: Texts) -> Learn:
    import linnet

    return lambda few, labels: linnet.train([texts[i] for i in few], labels, estimate=False).predict


def taught(texts: Texts) -> Learn:
    """linnet with all other texts as unlabelled ones."""
    import linnet

    def learn(few: Ints, labels: Texts) -> Predict:
        labelled = set(few)
        rest = {"text": [text for i, text in enumerate(texts) if i not in labelled]}
        return linnet.train([texts[i] for i in few], labels, unlabelled=rest, estimate=False).predict

    return learn


def in_numpy(texts: Texts) -> Learn:
    from few_recipe import recipe

    return recipe(texts)


TOOLS: dict[str, Callable[[Texts], Learn]] = {PLAIN: plain, ALONE: alone, TAUGHT: taught, IN_NUMPY: in_numpy}
"""Each gets all texts, and gives a function that learns from the numbers of some and their labels."""


def beside(texts: Texts, x: np.ndarray, labels: Texts) -> Callable[[Texts, np.ndarray], Sequence[str]]:
    """linnet over the features that it has by default and embeddings, in one linear model."""
    import linnet
    from linnet.features.columns import as_text
    from linnet.tasks.texts.presets import default_features

    spec = f"{default_features(as_text(list(texts)))} embedding:minilm*0.7"
    data = {"text": list(texts), "label": list(labels), "minilm": x}
    model = linnet.train(data, features=spec, learner="nb-svm", estimate=False)
    return lambda some, vectors: model.predict({"text": list(some), "minilm": vectors})


def of_embeddings(x: np.ndarray, labels: Texts, others: np.ndarray, test: np.ndarray, right: Texts) -> dict[str, Any]:
    """The accuracy of a logistic regression over embeddings, and of one that learns from what the first says of others."""
    from sklearn.linear_model import LogisticRegression

    found: dict[str, list[float]] = {MINILM: [], MINILM_TAUGHT: []}
    for C in CS:
        teacher = LogisticRegression(C=C, max_iter=1000).fit(x, labels)
        found[MINILM].append(float(np.mean(teacher.predict(test) == np.asarray(right))))
        weight = np.concatenate([np.ones(len(x)), np.full(len(others), WEIGHT)])
        student = LogisticRegression(C=C, max_iter=1000).fit(
            np.concatenate([x, others]), [*labels, *teacher.predict(others)], weight
        )
        found[MINILM_TAUGHT].append(float(np.mean(student.predict(test) == np.asarray(right))))
    return {name: max(values) for name, values in found.items()}
