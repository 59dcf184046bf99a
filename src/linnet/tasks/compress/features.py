"""From sentences to the blocks of a compression: features of each token, and of each pair of kept neighbours.

Templates of tokens are those of `token_spec`. A template is one of pairs if it has one of these in it:

    <NAME     an attribute of the left one of two kept neighbours;  <NAME[1] of the token after it, kept or not
    >NAME     an attribute of the right one;  >NAME[-1] of the token before it
    gap       the number of tokens that are dropped between them

>>> features = CompressionFeatures("lower >lower|<lower gap|<lower[1]", ("w",))
>>> [str(template) for template in features.pair_templates]
['>lower|<lower', 'gap|<lower[1]']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.blocks import Block
from linnet.core.extract.templates import Templates
from linnet.core.named_arrays import arrays_of, flattened
from linnet.core.schema import Numbers, Record, Text, check_arrays
from linnet.core.types import I32, Array, Arrays, Json
from linnet.errors import UsageError
from linnet.features.learned_attributes import is_learned
from linnet.features.rows import SparseRows
from linnet.features.token_spec import LISTS, parse_templates
from linnet.features.tokens import TokenFeatures

PAIR_GRAMMAR = {
    "<NAME >NAME": "for compress: any of the token features, of the left or the right of two kept neighbours",
    "gap": "for compress: the number of tokens that are dropped between two kept neighbours",
}

REACH = 12
"""The largest distance of kept neighbours, in tokens, that has features of its own; all larger ones share theirs."""
_GAPS = ("0", "1", "2", "3", "4", "5-6", "7-9", "10+", "far")
_GAP_OF = np.array([0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7], np.int32)
"""The number among _GAPS of a gap of 0, 1, 2, ... tokens. "far", the last one, is for all neighbours beyond REACH."""
# The values of attributes outside a sentence: just before it and further before, just after it and further after.
_OUTSIDE = ("<s>", "<s><s>", "</s>", "</s></s>")

Ints = npt.NDArray[np.int64]
Columns = Mapping[str, pa.LargeStringArray]


@dataclass(frozen=True)
class PairPart:
    """One part of a template: an attribute of the token `offset` places from the left or right neighbour, or the gap, if `side`
    is ""."""

    side: str
    attribute: str
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.side}{self.attribute}[{self.offset}]" if self.offset else f"{self.side}{self.attribute}"


@dataclass(frozen=True)
class PairTemplate:
    """A template of features of pairs of kept neighbours."""

    parts: tuple[PairPart, ...]

    def __str__(self) -> str:
        return "|".join(map(str, self.parts))


class CompressionFeatures:
    """The features of a specification, which are numbered as they come up in sentences."""

    def __init__(self, spec: str, columns: Sequence[str], files: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.spec = " ".join(spec.split())
        of_pairs = [item for item in self.spec.split() if any(_is_pair(atom) for atom in item.split("|"))]
        of_tokens = [item for item in self.spec.split() if item not in of_pairs]
        found = (PairTemplate(parts) for item in of_pairs for parts in _pair_parts(item, columns))
        self.pair_templates = list(dict.fromkeys(found))
        if not self.pair_templates:
            raise UsageError(
                "expected features of pairs of kept neighbours, found none. For a start, use: gap <lower|>lower."
            )
        self.tokens = TokenFeatures(" ".join(of_tokens), columns, files)
        names = [part.attribute for template in self.pair_templates for part in template.parts if part.side]
        # These token features only give the codes of the attributes that pairs use.
        self._sides = TokenFeatures(" ".join(dict.fromkeys(names)) or "w", columns, files)
        self._parts = list(dict.fromkeys(part for template in self.pair_templates for part in template.parts))
        self._core = Templates(self._numbered())

    def _numbered(self) -> list[tuple[tuple[int, int], ...]]:
        number = {part: k for k, part in enumerate(self._parts)}
        return [tuple((number[part], 0) for part in template.parts) for template in self.pair_templates]

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.tokens.columns, *self._sides.columns)))

    @property
    def n_features(self) -> int:
        return self.tokens.n_features

    @property
    def n_pair_features(self) -> int:
        return int(self._core.n_features)

    def fit_blocks(
        self,
        columns: Columns,
        starts: Ints,
        pairs: Sequence[tuple[Ints, Ints]],
        y: I32 | None = None,
        tags: Sequence[str] = (),
    ) -> tuple[Block, Block]:
        """The blocks of the first sentences, given the pairs of each; all features in them are numbered."""
        tokens = self.tokens.fit_transform(columns, starts, y, tags)
        return self._blocks(tokens, columns, starts, pairs, grow=True)

    def grow_blocks(self, columns: Columns, starts: Ints, pairs: Sequence[tuple[Ints, Ints]]) -> tuple[Block, Block]:
        """The blocks of further sentences; features that are new in them get the next free numbers."""
        tokens = self.tokens.grow_rows(columns, starts)
        return self._blocks(tokens, columns, starts, pairs, grow=True)

    def blocks(self, columns: Columns, starts: Ints, pairs: Sequence[tuple[Ints, Ints]]) -> tuple[Block, Block]:
        """The blocks of sentences; features that are not known are left out."""
        return self._blocks(self.tokens.transform(columns, starts), columns, starts, pairs, grow=False)

    def _blocks(
        self, tokens: SparseRows, columns: Columns, starts: Ints, pairs: Sequence[tuple[Ints, Ints]], *, grow: bool
    ) -> tuple[Block, Block]:
        at = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(left) for left, _ in pairs], dtype=np.int64)])
        rows = self._core.rows(self._codes(columns, starts, pairs, at, grow=grow), np.array([0, at[-1]]), grow)
        return Block(*tokens, starts), Block(*rows, at)

    def _codes(
        self, columns: Columns, starts: Ints, pairs: Sequence[tuple[Ints, Ints]], at: Ints, *, grow: bool
    ) -> npt.NDArray[np.int32]:
        """The codes of pairs: a row for each part of a template, a column for each pair."""
        lengths = np.diff(at)
        begin, end = np.repeat(starts[:-1], lengths), np.repeat(starts[1:], lengths)
        left = np.concatenate([left for left, _ in pairs]) if pairs else np.zeros(0, np.int64)
        right = np.concatenate([right for _, right in pairs]) if pairs else np.zeros(0, np.int64)
        far = left < 0  # Neighbours beyond REACH are one pair for each right token, without a left one.
        of_token = self._sides.codes(columns, starts, grow=grow)
        codes = np.empty((len(self._parts), len(left)), np.int32)
        for k, part in enumerate(self._parts):
            if not part.side:
                codes[k] = np.where(far, len(_GAPS) - 1, _GAP_OF[np.clip(right - left - 1, 0, len(_GAP_OF) - 1)])
                continue
            # Pairs count tokens from 1; 0 is before the sentence.
            token = begin + (left if part.side == "<" else right) - 1 + part.offset
            inside = (token >= begin) & (token < end)
            row = of_token[self._sides.attributes.index(part.attribute)]
            codes[k, inside] = row[token[inside]]
            before = token < begin
            codes[k, before] = np.where(token[before] == begin[before] - 1, 0, 1)
            behind = token >= end
            codes[k, behind] = np.where(token[behind] == end[behind], 2, 3)
            if part.side == "<":
                codes[k, far] = -1  # gives the pair no feature with this part
        return codes

    def name(self, feature: int) -> str:
        """The name of a token feature."""
        return self.tokens.name(feature)

    def pair_name(self, feature: int) -> str:
        template, codes = self._core.codes(feature)
        parts = self.pair_templates[template].parts
        return f"{self.pair_templates[template]}=" + "|".join(map(self._value, parts, codes))

    def _value(self, part: PairPart, code: int) -> str:
        if not part.side:
            return _GAPS[code]
        if code < len(_OUTSIDE):
            return _OUTSIDE[code]
        value: str = self._sides._vocabularies[part.attribute].name(code - len(_OUTSIDE))
        return value

    def arrays(self) -> dict[str, Array]:
        """The arrays by which a model file keeps the features, beside `header()`."""
        return flattened({"tokens": self.tokens.arrays(), "sides": self._sides.arrays(), "pairs": self._core.arrays()})

    def header(self) -> dict[str, Json]:
        return {"spec": self.spec, "tokens": self.tokens.header(), "sides": self._sides.header()}

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays) -> CompressionFeatures:
        """Restore features from `header()` and `arrays()`. ValueError where they do not fit each other."""
        tokens = TokenFeatures.header_schema
        Record({"spec": Text(), "tokens": tokens, "sides": tokens}).check(header, "features")
        files = {**header["tokens"]["files"], **header["sides"]["files"]}
        columns = dict.fromkeys((*header["tokens"]["columns"], *header["sides"]["columns"]))
        self = cls(header["spec"], tuple(columns), files)
        wanted = self.tokens.spec, self._sides.spec
        self.tokens = TokenFeatures.from_arrays(header["tokens"], arrays_of("tokens", arrays))
        self._sides = TokenFeatures.from_arrays(header["sides"], arrays_of("sides", arrays))
        if (self.tokens.spec, self._sides.spec) != wanted:
            raise ValueError("the features of tokens are not those of the specification")
        pairs = arrays_of("pairs", arrays)
        check_arrays(pairs, {"nodes": Numbers(np.uint64), "features": Numbers(np.uint64)})
        codes = {name: len(_OUTSIDE) + len(known) for name, known in self._sides._vocabularies.items()}
        n_codes = [codes[part.attribute] if part.side else len(_GAPS) for part in self._parts]
        self._core = Templates.from_arrays(self._numbered(), pairs["nodes"], pairs["features"], n_codes)
        return self


def _is_pair(atom: str) -> bool:
    return atom == "gap" or atom.startswith(("<", ">"))


def _pair_parts(item: str, columns: Sequence[str]) -> list[tuple[PairPart, ...]]:
    choices = []
    for atom in item.split("|"):
        if atom == "gap":
            choices.append([PairPart("", "gap")])
            continue
        if not _is_pair(atom):
            raise UsageError(
                f"{atom!r} in {item!r}: expected < or > before it, for the left or the right of two neighbours, as "
                f"in <{atom} or >{atom}."
            )
        found = [template.parts[0] for template in parse_templates(atom[1:], columns) if not template.tags]
        if any(is_learned(part.attribute) or part.attribute in LISTS for part in found):
            raise UsageError(f"{atom!r} in {item!r} is for single tokens, not for pairs. Leave it out.")
        choices.append([PairPart(atom[0], part.attribute, part.offset) for part in found])
    return list(product(*choices))
