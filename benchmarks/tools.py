"""Whole programs, from a training file to a model and to predictions, as each tool would be used from Python.

They are timed from start to end, so this module imports only what all of them need.
"""

from __future__ import annotations

from pathlib import Path

from peers import (
    TOKEN,
    convert,
    fasttext_label,
    json_lines,
    shuffled,
    vw_head,
    vw_label,
    vw_options,
    vw_run,
    words_only,
    write_predictions,
)


def linnet(train: str, test: str, model: str, out: str) -> None:
    import linnet

    learned = linnet.train(train)
    learned.save(model)
    write_predictions(Path(out), learned.predict(linnet.read(test, labelled=False).text))


def vw_train(train: str, model: str, passes: int) -> list[str]:
    """Convert the file and learn; return the labels in the order of VW."""
    documents = list(shuffled(train))
    labels = sorted({document["label"] for document in documents})
    data = Path(model + ".train")
    convert(documents, data, vw_head(labels))
    several = f"--passes {passes} --cache_file {model}.cache -k --holdout_off" if passes > 1 else ""
    vw_run(f"{vw_options(labels)} {several} -d {data} -f {model}")
    return labels


def vw(train: str, test: str, model: str, out: str, passes: int) -> None:
    labels = vw_train(train, model, passes)
    data, raw = Path(model + ".test"), Path(model + ".raw")
    convert(json_lines(test), data, lambda label: b"| ")
    vw_run(f"--quiet -t -i {model} -d {data} -p {raw}")
    write_predictions(Path(out), (vw_label(labels, float(line)) for line in raw.read_text().split()))


def fasttext(train: str, test: str, model: str, out: str) -> None:
    import fasttext

    data = Path(model + ".train")
    convert(shuffled(train), data, lambda label: f"__label__{label} ".encode())
    learned = fasttext.train_supervised(str(data), wordNgrams=2, epoch=5, dim=10, thread=1, lr=0.5, verbose=0)
    learned.save_model(model)
    texts = (words_only(document["text"]).decode() for document in json_lines(test))
    write_predictions(Path(out), (fasttext_label(learned, text) for text in texts))


def sklearn(train: str, test: str, model: str, out: str) -> None:
    import joblib
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    documents = list(json_lines(train))
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), token_pattern=TOKEN, sublinear_tf=True)
    pipeline = make_pipeline(vectorizer, LinearSVC(random_state=0))
    pipeline.fit([document["text"] for document in documents], [document["label"] for document in documents])
    joblib.dump(pipeline, model)
    write_predictions(Path(out), pipeline.predict([document["text"] for document in json_lines(test)]))


def vw_stream(train: str, model: str) -> None:
    """Train in one pass while converting a line at a time, for a file whose lines are in random order already."""
    from itertools import islice

    labels = sorted({document["label"] for document in islice(json_lines(train), 100)})
    data = Path(model + ".train")
    convert(json_lines(train), data, vw_head(labels))
    vw_run(f"{vw_options(labels)} -d {data} -f {model}")
