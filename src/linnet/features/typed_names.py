"""Make a vocabulary of features whose names a person types, instead of learning it from texts.

A name is what `TextFeatures.name` gives: `not bad` of words, `chars=ing` of another block beside words, `sentiment=positive` of
a hand-made feature. The only block of a specification needs no prefix. `words=bias` is the word bias, and `bias` is the
bias.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from linnet.core.extract.text import Analyser
from linnet.core.extract.vocabulary import Vocabulary
from linnet.errors import UsageError, meant
from linnet.features.spec import KINDS_OF_STRINGS, FeatureSpec

_POSITION = re.compile(r"(.+)(@[1-4])")
_NEGATED = "NOT_"
_WORDS, _CHARS, _ACROSS, _START, _SKIP, _SHAPES, _HANDMADE = range(len(KINDS_OF_STRINGS) + 1)


class FeatureNameError(UsageError):
    """A typed name that is not the name of a feature, or names the same feature as another typed name."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


def check_typed(spec: FeatureSpec) -> None:
    """Raise UsageError for a specification whose features, or their values, cannot be known without data."""
    for is_asked, what, advice in (
        (spec.hash_bits, "hash= keeps no names, so that no weight can be typed for a feature", "Leave out hash="),
        (spec.idf != "none", f"{spec.idf} needs the document frequencies of data", "Use counts, presence or log"),
        (
            (spec.min_df, spec.max_df, spec.top, spec.most, spec.labelled) != (1, 1.0, 0, 0, 1),
            "min=, max=, top=, most= and labelled= choose among the features of data",
            "Leave them out",
        ),
        (spec.value == "sequence", "features with 'sequence' have no weights", "Leave out 'sequence'"),
    ):
        if is_asked:
            raise UsageError(f"{what}, and typed weights come without data. {advice}.")


def vocabulary_of(
    names: Sequence[str], spec: FeatureSpec, analyser: Analyser, columns: Sequence[str] = ()
) -> Vocabulary:
    """The vocabulary whose features are those of the names, in their order, and then all other hand-made ones. Raise
    FeatureNameError for a name that no feature of a text could have.

    analyser: one whose vocabulary has no features but hand-made ones. Those of the names are added to it.
    columns: the names of the features of columns, for messages.
    """
    assert analyser.vocabulary is not None
    grown = analyser.vocabulary
    handmade = range(grown.n_features)
    known = [*map(grown.name, handmade), *columns]
    name_of: dict[int, str] = {}
    for name in names:
        first = name_of.setdefault(_added(name, spec, analyser, grown, known), name)
        if first != name:
            raise FeatureNameError(name, f"{first!r} and {name!r} are the same feature. Leave one out.")
    return grown.kept(np.array([*name_of, *(j for j in handmade if j not in name_of)], np.uint32))


def _added(name: str, spec: FeatureSpec, analyser: Analyser, grown: Vocabulary, known: Sequence[str]) -> int:
    """The number of a feature in the vocabulary, to which it is added if it is new."""
    found = grown.find(name.encode(), _HANDMADE)
    if found is not None:
        return found
    block = _block(name, spec)
    if block is None:
        some = f" They are: {', '.join(known)}." if known else ""
        raise FeatureNameError(
            name, f"there is no feature {name!r} among those of {str(spec)!r}.{meant(name, known)}{some}"
        )
    kind, body = block
    parts = _parts(kind, body, spec, analyser)
    if not parts:
        raise FeatureNameError(
            name,
            f"no text has the feature {name!r} of {str(spec)!r}.{_nearest(kind, body, spec, analyser, known)} Features are "
            "named as texts show them: in lower case without `case`, without marks if there is no `punct`, and as long as the "
            "specification says.",
        )
    node = grown.add(parts[0].encode(), kind)
    for part in parts[1:]:
        node = grown.add_pair(node, grown.add(part.encode(), _SHAPES if kind == _SHAPES else _WORDS))
    return node


def _block(name: str, spec: FeatureSpec) -> tuple[int, str] | None:
    """The kind of a feature and its name without the prefix of its block; None where the specification has no block for it."""
    there = [kind for kind, span in enumerate(spec.ranges) if span != (0, 0)]
    for kind in there:
        prefix = f"{KINDS_OF_STRINGS[kind]}="
        if name.startswith(prefix):
            return kind, name.removeprefix(prefix)
    alone = len(there) == 1 and not spec.handmade
    usual = _WORDS if _WORDS in there else there[0] if alone else None
    return None if usual is None else (usual, name)


def _parts(kind: int, body: str, spec: FeatureSpec, analyser: Analyser) -> list[str]:
    """The strings that a feature is made of: an n-gram of characters by itself, or the words of an n-gram; [] where no text has
    such a feature."""
    least, most = spec.ranges[kind]
    if kind in (_CHARS, _ACROSS):
        is_cased = body == (body if spec.case else body.lower())
        return [body] if least <= len(body) <= most and is_cased else []
    parts = body.split(" ") if kind == _SHAPES else _words(body, spec, analyser)
    size = (2, 2) if kind == _SKIP else (least, most)
    return parts if size[0] <= len(parts) <= size[1] and all(parts) else []


def _words(body: str, spec: FeatureSpec, analyser: Analyser) -> list[str]:
    """The words of an n-gram, each with the marks of negation and position that it was typed with; [] where they are not words
    as the analyser finds them."""
    words: list[str] = []
    for typed in body.split(" "):
        place = _POSITION.fullmatch(typed) if spec.position else None
        word, at = (typed, "") if place is None else place.groups()
        negated = _NEGATED if spec.negation and word.startswith(_NEGATED) else ""
        plain = word.removeprefix(negated)
        found = analyser.tokens(plain)
        if not found or "".join(found) != plain or (spec.position and not at):
            return []
        words += [f"{negated}{one}{at}" for one in found]
    return words


def _nearest(kind: int, body: str, spec: FeatureSpec, analyser: Analyser, known: Sequence[str]) -> str:
    """A sentence, with a space before it, that names the feature that was probably meant; empty where none is near."""
    written = " ".join(analyser.tokens(body)) if kind == _WORDS else body.lower()
    if written != body and _parts(kind, written, spec, analyser):
        return f" Did you mean {written!r}?"
    return meant(body, known)
