"""What the workbench shows of a text: the answer with its reasons, the next best, and what would change it."""

from __future__ import annotations

import gc
import re
import threading
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from linnet.core.budget import within
from linnet.core.types import Data, Json
from linnet.explain import Strong
from linnet.explain.removal import smallest_removal
from linnet.limits import EXPLAINED_MS
from linnet.model.base import Model
from linnet.report.fragment import parts_of
from linnet.report.reasons import STYLE, why
from linnet.tasks import named
from linnet.tasks.explained import Explained
from linnet.tasks.texts.model import TextModel
from linnet.tasks.texts.why import Explanation
from linnet.web.problems import RefusedError

_TITLE = re.compile(r' title="[^"]*"')
"""What each word of a text adds, which pages show to who points at the word. The workbench shows all features of the word
then. So it does without these numbers, which change for all words with each keystroke."""
_BEST = 5
"""The number of labels that are shown with their probabilities or scores."""
_STRONGEST = 100_000
"""The number of features, of all labels together, among which features are searched for."""
_STEP = 100
"""The number of rows of answers that are made at a time."""
_MOST_WORDS = 2000
"""The number of words of a text up to which removals are tried."""


def look(model: Model, text: str, top: int) -> dict[str, Json]:
    """The answer to a text as HTML with its reasons, and the best labels, if it has labels."""
    if not text.strip():
        return {"html": "", "best": []}
    explained = explained_in_time(model, text, top)
    _, body = parts_of(replace(explained, strongest_of=dict).page("", top))
    if not isinstance(model, TextModel):
        return {"html": body, "best": []}
    return {"html": _TITLE.sub("", body), "best": _best(model, text, _labels_in(explained.found))}


def explained_in_time(model: Model, text: str, top: int) -> Explained:
    """Why a text has its output, as far as the time goes that the server takes for an explanation."""
    with within(EXPLAINED_MS.most / 1000):
        return named(model.task).commands.explain(model, None, text, top)


def answered_in_time(model: Model, data: Data, proba: bool, top: int | None) -> dict[str, Json]:
    """The answers to examples; with `top` as many of the best as are found in the same time."""
    with within(EXPLAINED_MS.most / 1000) as budget:
        answers = _rows(model.answers(data, proba=proba, top=top))
    return {"answers": answers} | ({"left_out": budget.left_out} if budget.left_out else {})


def _rows(answers: pa.Table) -> Json:
    """The rows of a table, made in steps between which other threads go on."""
    return [row for some in answers.to_batches(max_chunksize=_STEP) for row in some.to_pylist()]


def _labels_in(found: Sequence[Explanation | Sequence[Explanation]]) -> set[str]:
    """The labels that are explained."""
    return {one.label for some in found for one in ([some] if isinstance(some, Explanation) else some)}


def _best(model: TextModel, text: str, chosen: set[str]) -> list[Json]:
    """The best labels of a text, each with its probability as `share`, or with its score where there are no probabilities, and
    whether the answer has it: of ratings, the answer need not be the most probable one."""
    values = model.predict_proba([text])[0] if model.has_probabilities else model.scores([text])[0]
    labels = model.label_values
    key = "share" if model.has_probabilities else "score"
    best = [(str(labels[k]), float(values[k])) for k in (-values).argsort(kind="stable")[:_BEST].tolist()]
    return [{"label": label, key: value, "chosen": label in chosen} for label, value in best]


def style_of(model: Model) -> str:
    """The style sheet of the explanations of a model, which is the same for all of its texts."""
    commands = named(model.task).commands
    shown = commands.explain(model, None, "", 1)
    empty: Explained = replace(shown, found=[], strongest_of=dict)
    style, _ = parts_of(empty.page_of(empty, "", 1))
    return style + STYLE


def features_at(model: Model, text: str, at: int) -> dict[str, Json]:
    """The features of a text that cover the character with this number, each with what it adds, the largest first."""
    explanation = _text_model(model).explain(text)
    found = [
        {"feature": c.feature, "contribution": c.contribution, "weight": c.weight, "value": c.value}
        for c in explanation.contributions
        if any(start <= at < end for start, end in c.spans)
    ]
    return {"label": explanation.label, "against": explanation.against, "features": found}


def removal(model: Model, text: str) -> dict[str, Json]:
    """The smallest set of words whose removal changes the answer to a text; null where none does."""
    texts = _text_model(model)
    (answer,) = texts.predict([text])
    words = [((word.start, word.end), word.contribution) for word in texts.explain(text).words]
    if len(words) > _MOST_WORDS:
        raise RefusedError(422, f"removals are tried for texts of at most {_MOST_WORDS:,} words, found {len(words):,}.")
    found = smallest_removal(text, words, answer, texts.predict)
    if found is None:
        return {"answer": answer, "removal": None}
    removed = [{"start": a, "end": b, "word": text[a:b]} for a, b in found.spans]
    return {"answer": answer, "removal": {"words": removed, "text": found.text, "answer": found.answer}}


def _text_model(model: Model) -> TextModel:
    if not isinstance(model, TextModel):
        raise RefusedError(422, f"this is for models of texts with labels, and the model is for task {model.task!r}.")
    return model


def why_not(model: Model, reasons: list[tuple[str, str, float]], top: int) -> dict[str, Json]:
    """Why one output and not another: the difference of their scores, and its reasons, as HTML and as values."""
    return {
        "score": sum(contribution for *_, contribution in reasons),
        "html": why(reasons, top),
        "reasons": [{"where": where, "what": what, "contribution": value} for where, what, value in reasons[:top]],
        "n": len(reasons),
    }


class StrongestFeatures:
    """The strongest features of each label, kept for the model that was asked for last."""

    def __init__(self) -> None:
        self._found: tuple[Model, dict[str, list[Strong]]] | None = None
        self._lock = threading.Lock()

    def of(self, model: Model) -> dict[str, list[Strong]]:
        """The strongest features of each label of a model."""
        with self._lock:
            if self._found is None or self._found[0] is not model:
                n = max(20, _STRONGEST // max(1, len(model.labels)))
                self._found = model, model.strongest(n)
                gc.freeze()  # So many rows stay, and the collector need not look at them again and again.
            return self._found[1]

    def search(self, model: Model, label: str, part: str, by_name: bool, most: int) -> dict[str, Json]:
        """The features whose names contain `part`, of one label or, where `label` is "", of all, ordered by weight or
        by name; at most `most` of them, and the number of all."""
        every = self.of(model)
        if label and label not in every:
            raise RefusedError(422, f"there is no label {label!r:.60}.")
        low = part.lower()
        rows = [
            (name, one)
            for name, features in every.items()
            if not label or name == label
            for one in features
            if low in one.feature.lower()
        ]
        rows.sort(key=(lambda row: (row[1].feature, row[0])) if by_name else (lambda row: -row[1].weight))
        found = [{"label": name, **one._asdict()} for name, one in rows[:most]]
        return {"labels": list(every), "n": len(rows), "features": found}
