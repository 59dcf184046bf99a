"""What a training has to tell about its model, in sentences: for the terminal and for pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linnet.core.types import Json
from linnet.learners.theory import in_words
from linnet.model import Model
from linnet.report.printable import visible

_LONGEST = 100
"""The number of characters of the features from which on they are cut when shown."""
_MOST_LABELS = 6
"""The largest number of labels that are shown with their counts."""
_SKEWED = 0.6
"""The share of the most frequent label from which on accuracy alone says little."""


def short(text: str) -> str:
    """A specification of features that is not too long for a line."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition(' ')[0]} ..."


def tried(model: Model) -> Iterator[str]:
    """What `auto` tried, the best first, each with its score on held-out examples."""
    for item in model.report.get("tried", ()):
        options = "".join(
            f" {key}={value if isinstance(value, str) else format(value, 'g')}"
            for key, value in item["options"].items()
        )
        score = f"{item['score']:.4f}" if item["less_is_better"] else f"{100 * item['score']:.2f}%"
        yield f"{item['measure']} {score}, {item['n']:,} examples: {item['learner']}{options}, {short(item['features'])}"


def data(model: Model) -> Iterator[str]:
    """Where the data are from, how many examples there are, and how often each label is."""
    columns = [repr(name) for name in model.details.get("columns", {}).values() if name is not None]
    where = f" in the column{'s' if len(columns) > 1 else ''} {' and '.join(columns)}" if columns else ""
    origin = model.provenance
    of = f"{origin['data']}: {origin['examples']:,} examples{where}, " if {"data", "examples"} <= origin.keys() else ""
    said = f"{of}task {model.task}"
    counts = model.report.get("counts")
    if counts:
        most = sorted(zip(counts, model.labels, strict=False), key=lambda pair: -pair[0])
        shown = ", ".join(f"{visible(label)} {n:,}" for n, label in most[:_MOST_LABELS])
        more = f" and {len(most) - _MOST_LABELS} more" if len(most) > _MOST_LABELS else ""
        yield f"{said}, {len(most)} labels: {shown}{more}"
    else:
        yield said + (f", {len(model.labels)} labels" if len(model.labels) > 1 else "")


def mended(model: Model) -> Iterator[str]:
    """What was left out of the data, or mended in them."""
    if model.details.get("skipped"):
        yield f"left out {model.details['skipped']:,} sentences whose heads do not form a tree"
    if model.details.get("left out"):
        long = model.details["left out"]
        yield (
            f"left out {long:,} sentences that are too long to learn from"
            if long > 1
            else "left out a sentence that is too long to learn from"
        )
    if model.details.get("repaired"):
        yield f"repaired {model.details['repaired']:,} tags that no scheme allows, such as an I- that continues nothing"


def learned(model: Model) -> Iterator[str]:
    """What the training began with, its learner and its features."""
    if model.report.get("start"):
        yield model.report["start"]
    yield f"learner {model.learner}, {model.features.n_features:,} features: {short(str(model.features.spec))}"
    if model.reranker is not None:
        yield (
            f"a second model chooses among the {model.reranker.details['k']} best outputs by "
            f"{model.reranker.features.n_features:,} features of whole outputs"
        )
    if "lexicon" in model.report:
        yield f"also learned from {model.report['lexicon']['examples']:,} words and texts whose labels the lexicon says"
    if "unlabelled" in model.report:
        found = model.report["unlabelled"]
        which = f"; the model is the {found['model']}" if "model" in found else ""
        kind = ", which are of another kind than those with labels" if found.get("other kind") else ""
        n = found["examples"]
        yield f"also learned from {n:,} example{'' if n == 1 else 's'} without labels{kind}{which}"


def judged(model: Model) -> Iterator[str]:
    """What can be expected of the model on new data, as far as held-out examples tell, or those of a stream before they were
    learned from."""
    found = model.report.get("expected")
    if found is not None:
        yield _expected(found)
    else:
        yield from _held_out(model)
    yield from _progressive(model)


def _expected(found: Mapping[str, Json]) -> str:
    if "micro_f1" in found:
        return (
            f"expected on new data like these: micro F1 {100 * found['micro_f1']:.1f}, {100 * found['whole']:.1f}% of all sets "
            f"right as a whole ({found['n']:,} held out)"
        )
    line = f"expected on new data like these: {100 * found['accuracy']:.1f}% right"
    line += f" (+- {100 * found['error']:.1f}, {found['n']:,} held out)"
    if found["always"] >= _SKEWED:
        line += f", macro F1 {100 * found['macro_f1']:.1f}"
    if found["cost_name"]:
        line += f", {found['cost_name']} {found['cost']:.2f}"
    line += f"; always {found['label']!r} would be {100 * found['always']:.1f}%"
    if found["cost_name"]:
        line += f", the best constant answer {found['always_cost']:.2f}"
    return line


def _held_out(model: Model) -> Iterator[str]:
    epochs = model.report.get("trial", model.report).get("epochs", [])
    found = [epoch["dev"] for epoch in epochs if epoch["dev"] is not None]
    if found:
        n = model.provenance.get("held_out")
        yield f"accuracy on held-out data: {100 * max(found):.1f}%" + (f" ({n:,} examples)" if n else "")


def _progressive(model: Model) -> Iterator[str]:
    found = model.report.get("progressive")
    if found is None:
        return
    parts = {"all": "in all", "last": f"the last {found['last']['examples']:,}"}
    said = [
        f"{name}: {found[part]['mistakes']:,} mistakes in {found[part]['judged']:,} examples "
        f"({100 * found[part]['mistakes'] / max(found[part]['judged'], 1):.1f}%), mean loss {found[part]['loss']:.3f}"
        for part, name in parts.items()
    ]
    yield f"each example predicted before it was learned from: {'; '.join(said)}"


def course(model: Model) -> Iterator[str]:
    """How learning went, how it ended, and what theory says about the result; nothing where the model was not learned as it is,
    as after merging."""
    if not model.report:
        return
    trial = model.report.get("trial")
    if trial is not None:
        yield f"with a part held out: {_epochs(trial)}, {trial['stopped']}; the best was epoch {trial['best']}"
    passes = _epochs(model.report) if model.report["epochs"] else "one pass"
    yield f"{passes}, {model.report['stopped']}"
    likelihood, n = model.report.get("likelihood"), model.provenance.get("examples")
    if likelihood is not None and n:
        yield f"joint likelihood of the data: ln P(x, y) = {likelihood:.6g}, {likelihood / n:.4g} per example on average"
    theory = in_words(model.report.get("theory") or {})
    if theory:
        yield theory


def _epochs(course: Mapping[str, Json]) -> str:
    n = len(course["epochs"])
    return "1 epoch" if n == 1 else f"{n} epochs"
