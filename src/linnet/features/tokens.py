"""Turn tokens into sparse rows: each attribute becomes a column of codes, and templates join these to features.

The rows are those of the blocks of a chain: of each token, and of each pair of neighbours if templates join y[-1] with
attributes. A feature of pairs has a weight for each pair of tags, which is many, so it is kept only if it was seen
twice or more. A feature that joins several attributes is kept if it was seen `min` times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import linnet.core.sparse as sparse
from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.extract.different import different
from linnet.core.extract.templates import Templates
from linnet.core.extract.vocabulary import Vocabulary
from linnet.core.long_arrays import pieces
from linnet.core.room import Room
from linnet.core.schema import DictOf, ListOf, Numbers, Record, Schema, Text, check_arrays
from linnet.core.small_files import small_text
from linnet.core.types import Array, Arrays, Json
from linnet.errors import DataError, UsageError
from linnet.features.ambiguity import Ambiguity
from linnet.features.equals import first_of_equals
from linnet.features.learned_attributes import Corpus, Tokens, is_learned, learn, learned_kind
from linnet.features.nearby import Nearby
from linnet.features.rows import RowsInMemory, SparseRows, renumbered
from linnet.features.rows_file import RowsFile
from linnet.features.token_spec import LISTS, TRIPLES, Part, Template, parse_least, parse_most, parse_templates
from linnet.features.word_attributes import WORD_ATTRIBUTES, lower
from linnet.features.word_values import WordValues

# The code of the first value of an attribute. The codes below it stand for the places outside of a sentence, _OUTSIDE.
_FIRST = 4
_LEAST_PAIRS = 2
"""How often a feature of pairs of tags must be seen at least."""
_PIECE = 128
"""The number of sentences whose rows are made at a time."""
_NONE = np.uint32(0xFFFFFFFF)
"""The new number of a feature that is left out."""
_OUTSIDE = ("<s>", "<s><s>", "</s>", "</s></s>")
"""The places one and two before a sentence, and one and two after it."""

Codes = npt.NDArray[np.int32]
Columns = Mapping[str, pa.LargeStringArray]


class TokenFeatures:
    """The features of a specification, once they have seen some sentences.

    Sentences are columns with a value for each token, the word under "w", and where each sentence starts.

    >>> words = pa.array(["the", "dog", "barks", "the", "end"], pa.large_string())
    >>> features = TokenFeatures("w w[-1]|w[0]", ("w",))
    >>> rows = features.fit_transform({"w": words}, np.array([0, 3, 5]))
    >>> features.names()[:4]
    ['w=the', 'w[-1]|w=<s>|the', 'w=dog', 'w[-1]|w=the|dog']
    """

    def __init__(self, spec: str, columns: Sequence[str], files: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.spec = " ".join(spec.split())
        self.least, self.most = parse_least(self.spec), parse_most(self.spec)
        templates = parse_templates(self.spec, columns)
        single = [template for template in templates if not template.tags]
        self.lists = [template.parts[0].attribute for template in single if template.is_list]
        # Templates are in the order in which the core counts them: lists come last.
        self.templates = sorted(single, key=lambda template: template.is_list)
        self.pair_templates = [template for template in templates if template.tags and template.parts]
        self.order = 2 if TRIPLES in templates else 1
        named = dict.fromkeys(part.attribute for template in templates for part in template.parts)
        self.attributes = [name for name in named if name not in LISTS]
        self.columns = ("w", *(name for name in columns if name != "w" and name in self.attributes))
        self.files = (
            dict(files) if files is not None else {name: _file(name) for name in self.attributes if _is_file(name)}
        )
        self._vocabularies = {name: Vocabulary() for name in (*self.attributes, *self.lists)}
        self._learned = {name: learned_kind(name).before() for name in self.attributes if is_learned(name)}
        self._core = Templates(self._numbered(self.templates), len(self.lists))
        self._pairs = Templates(self._numbered(self.pair_templates))

    def _numbered(self, templates: Sequence[Template]) -> list[tuple[tuple[int, int], ...]]:
        number = {name: k for k, name in enumerate(self.attributes)}
        return [
            tuple((number[part.attribute], part.offset) for part in template.parts)
            for template in templates
            if not template.is_list
        ]

    @property
    def learns_first(self) -> bool:
        """Whether attributes of words, such as the tags that they can have, must be learned before any row is made."""
        return bool(self._learned)

    @property
    def observed(self) -> bool:
        """Whether templates join pairs of tags with attributes, so that pairs have features of their own at every
        token."""
        return bool(self.pair_templates)

    @property
    def n_features(self) -> int:
        return int(self._core.n_features)

    @property
    def n_pair_features(self) -> int:
        return int(self._pairs.n_features)

    @property
    def n_codes(self) -> int:
        """A number that the codes of all attributes are below."""
        return _FIRST + max(map(len, self._vocabularies.values()), default=0)

    def fit_transform(
        self, columns: Columns, starts: npt.NDArray[np.int64], y: Codes | None = None, tags: Sequence[str] = ()
    ) -> SparseRows:
        """The rows of these tokens. Features that are new are added. `amb` needs the tags, as numbers y."""
        rows = self._fit_rows(self._new_codes(columns, starts, y, tags, None), columns, starts, None)
        assert isinstance(rows, RowsInMemory)
        return rows.joined()

    def _fit_rows(
        self, codes: Codes, columns: Columns, starts: npt.NDArray[np.int64], room: Room | None
    ) -> RowsInMemory | RowsFile:
        lists = self._list_codes(columns, starts, grow=True)
        rows = _kept(partial(self._core.rows, codes, grow=True, lists=lists), starts, starts - starts[0], room)
        if self.least > 1 or self.most:
            doubtful = self._core.joined() if self.least > 1 else np.zeros(self.n_features, np.bool_)
            self._core = _without_rare(self._core, rows, doubtful, self.least, self.most, self.name)
        return rows

    def transform(self, columns: Columns, starts: npt.NDArray[np.int64]) -> SparseRows:
        """The rows of these tokens. Features that are not known are passed over."""
        lists = self._list_codes(columns, starts, grow=False)
        return SparseRows(*self._core.rows(self.codes(columns, starts, grow=False), starts, lists=lists))

    def fit_blocks(
        self,
        columns: Columns,
        starts: npt.NDArray[np.int64],
        y: Codes | None = None,
        tags: Sequence[str] = (),
        room: Room | None = None,
        others: Tokens | None = None,
    ) -> tuple[Block, ...]:
        """The blocks of a chain over these sentences. Features that are new are added.

        room: where rows are kept that are more than memory holds; None: in memory.
        others: sentences without tags, from which attributes of words are learned, too.
        """
        codes = self._new_codes(columns, starts, y, tags, others, room)
        blocks = [
            self._fit_rows(codes, columns, starts, room).block(starts - starts[0]),
            _one_place_each(len(starts) - 1),
        ]
        if self.observed:
            places = _places_of_pairs(starts)
            pairs = _kept(partial(self._pairs.rows, codes, grow=True, skip=1), starts, places, room)
            doubtful = np.ones(self.n_pair_features, np.bool_)
            self._pairs = _without_rare(
                self._pairs, pairs, doubtful, max(self.least, _LEAST_PAIRS), self.most, self.pair_name
            )
            blocks[1] = pairs.block(places)
        return self._in_order(blocks, len(starts) - 1)

    def grow_blocks(self, columns: Columns, starts: npt.NDArray[np.int64]) -> tuple[Block, ...]:
        """The blocks of a chain over further sentences. What is new in them is added to the features, however rare it
        is. Learned attributes of words, such as the tags that they can have (`amb`), are not changed."""
        codes, pairs = self.codes(columns, starts, grow=True), None
        rows = self._grown_rows(codes, columns, starts)
        if self.observed:
            pairs = SparseRows(*self._pairs.rows(codes, starts, grow=True, skip=1))
        return self._blocks(rows, pairs, starts)

    def grow_rows(self, columns: Columns, starts: npt.NDArray[np.int64]) -> SparseRows:
        """The rows of further tokens. What is new in them is added to the features, however rare it is."""
        return self._grown_rows(self.codes(columns, starts, grow=True), columns, starts)

    def _grown_rows(self, codes: Codes, columns: Columns, starts: npt.NDArray[np.int64]) -> SparseRows:
        lists = self._list_codes(columns, starts, grow=True)
        return SparseRows(*self._core.rows(codes, starts, grow=True, lists=lists))

    def blocks(self, columns: Columns, starts: npt.NDArray[np.int64]) -> tuple[Block, ...]:
        """The blocks of a chain over these sentences. Features that are not known are passed over."""
        return next(self.pieces(columns, starts, max(len(starts) - 1, 1)))[1]

    def pieces(
        self, columns: Columns, starts: npt.NDArray[np.int64], size: int = _PIECE
    ) -> Iterator[tuple[slice, tuple[Block, ...]]]:
        """Yield the range of the tokens of `size` sentences at a time, and the blocks of these sentences. Rows of so
        few are still in the cache when they are used, and memory does not grow with the number of sentences."""
        codes = self.codes(columns, starts, grow=False)
        lists = self._list_codes(columns, starts, grow=False)
        for first in range(0, max(len(starts) - 1, 1), size):
            cut = starts[first : first + size + 1]
            rows = SparseRows(*self._core.rows(codes, cut, lists=lists))
            pairs = SparseRows(*self._pairs.rows(codes, cut, skip=1)) if self.observed else None
            yield slice(int(cut[0]), int(cut[-1])), self._blocks(rows, pairs, cut)

    def _blocks(self, rows: SparseRows, pairs: SparseRows | None, starts: npt.NDArray[np.int64]) -> tuple[Block, ...]:
        blocks = [Block(*rows, starts - starts[0]), _one_place_each(len(starts) - 1)]
        if pairs is not None:
            blocks[1] = Block(*pairs, _places_of_pairs(starts))
        return self._in_order(blocks, len(starts) - 1)

    def _in_order(self, blocks: list[Block], n: int) -> tuple[Block, ...]:
        """The blocks of n sentences as a chain of this order needs them: one of second order has a third block, of
        three tags."""
        return (*blocks, _one_place_each(n)) if self.order == 2 else tuple(blocks)

    def _new_codes(
        self,
        columns: Columns,
        starts: npt.NDArray[np.int64],
        y: Codes | None,
        tags: Sequence[str],
        others: Tokens | None,
        room: Room | None = None,
    ) -> Codes:
        of_tags = [name for name in self._learned if learned_kind(name).of_tags]
        if y is None and of_tags:
            raise UsageError(f"the feature {of_tags[0]!r} is learned from tags, and there are none. Leave it out.")
        corpus = Corpus((columns["w"], starts), np.zeros(0, np.int32) if y is None else y, tags, others)
        jackknifed = [name for name, learned in self._learned.items() if isinstance(learned, Ambiguity)]
        self._learned |= {name: learn(name, corpus) for name in self._learned if name not in jackknifed}
        codes = self.codes(columns, starts, grow=True, room=room)
        # So far the codes of `amb` and `lower-amb` come from what was known before. Jackknifed ones replace them.
        for name in jackknifed:
            self._learned[name] = ambiguity = learn(name, corpus)
            assert isinstance(ambiguity, Ambiguity)
            values = ambiguity.jackknifed(learned_kind(name).form(columns["w"]), corpus.y)
            codes[self.attributes.index(name)] = self._vocabularies[name].codes(values, grow=True) + _FIRST
        return codes

    def _list_codes(
        self, columns: Columns, starts: npt.NDArray[np.int64], *, grow: bool
    ) -> list[tuple[npt.NDArray[np.int64], Codes]]:
        """For each attribute with several values at a token (`lists`): where the values of each token begin and end,
        and their codes."""
        if not self.lists:
            return []
        nearby = Nearby(columns["w"], starts)
        found = []
        for name in self.lists:
            beside = nearby.beside(-1 if name == "near-left" else 1)
            known = self._vocabularies[name].codes(nearby.lower, grow=grow)
            known[known >= 0] += _FIRST
            # Beyond the sentence it is the code of <s> on the left, and of </s> on the right.
            codes = np.where(beside < 0, 0 if name == "near-left" else 2, known[beside]).astype(np.int32)
            found.append((nearby.indptr, codes))
        return found

    def codes(
        self, columns: Columns, starts: npt.NDArray[np.int64], *, grow: bool, room: Room | None = None
    ) -> npt.NDArray[np.int32]:
        """The codes of tokens: a row for each attribute, a column for each token; -1 where a token has no value, or one
        that is not known. With `grow`, values that are new get codes.

        room: where codes are kept that are more than memory holds; None: in memory. The codes are the same in both
            cases, since values are numbered in the order in which they are first seen.
        """
        missing = [name for name in self.columns if name not in columns]
        if missing:
            raise DataError(f"the data have no column {missing[0]!r}, which the features look at.")
        near = Nearby(columns["w"], starts).near() if "near" in self.attributes else None
        if room is None:
            return self._codes_of(columns, near, grow=grow)
        codes = room.array((len(self.attributes), len(columns["w"])), np.int32)
        for piece in pieces(len(columns["w"])):
            cut = partial(pa.LargeStringArray.slice, offset=piece.start, length=piece.stop - piece.start)
            some = {name: cut(column) for name, column in columns.items()}
            codes[:, piece] = self._codes_of(some, None if near is None else cut(near), grow=grow)
            room.give_back()
        return codes

    def _codes_of(self, columns: Columns, near: pa.LargeStringArray | None, *, grow: bool) -> npt.NDArray[np.int32]:
        """The codes of tokens, given the value of `near` for each of them. An attribute is computed once for each
        distinct word, or value of another column."""
        codes = np.empty((len(self.attributes), len(columns["w"])), np.int32)
        distinct: dict[str, tuple[pa.LargeStringArray, Codes]] = {}
        for k, name in enumerate(self.attributes):
            source = name if name in self.columns else "w"
            if source not in distinct:
                distinct[source] = different(columns[source])
            values, places = distinct[source]
            if name == "near":
                assert near is not None
                values, places = different(near)
            elif name != source:
                values = self._derived(name, values)
            found = self._vocabularies[name].codes(values, grow=grow)
            found[found >= 0] += _FIRST
            found[_lengths(values) == 0] = -1
            codes[k] = found[places]
        return codes

    def _derived(self, name: str, words: pa.LargeStringArray) -> pa.LargeStringArray:
        kind, _, argument = name.partition(":")
        if name in self._learned:
            return self._learned[name].look_up(learned_kind(name).form(words))
        if kind in ("lexicon", "cluster"):
            table = self.files[name]
            return arrow.texts(table.get(word.lower(), "") for word in words.to_pylist())
        if kind in _AFFIXES:
            return _AFFIXES[kind](words, int(argument))
        return WORD_ATTRIBUTES[kind].read(words)

    def known(self, columns: Columns) -> npt.NDArray[np.bool_]:
        """A flag for each word, set where the features have seen it."""
        name = next((name for name in ("w", "lower") if name in self.attributes), None)
        if name is None:
            return np.ones(len(columns["w"]), np.bool_)
        words = columns["w"] if name == "w" else lower(columns["w"])
        found: npt.NDArray[np.bool_] = self._vocabularies[name].codes(words) >= 0
        return found

    def name(self, feature: int) -> str:
        template, codes = self._core.codes(feature)
        return self._named(self.templates[template].parts, codes)

    def pair_name(self, feature: int) -> str:
        """The name of a feature of pairs of tags, without the tags."""
        template, codes = self._pairs.codes(feature)
        return self._named(self.pair_templates[template].parts, codes)

    def _named(self, parts: Sequence[Part], codes: Sequence[int]) -> str:
        return f"{Template(tuple(parts))}=" + "|".join(map(self._value, parts, codes))

    def _value(self, part: Part, code: int) -> str:
        if code < _FIRST:
            return _OUTSIDE[code]
        value: str = self._vocabularies[part.attribute].name(code - _FIRST)
        return value

    def names(self) -> list[str]:
        return [self.name(j) for j in range(self.n_features)]

    def without(self, wanted: npt.NDArray[np.bool_], pairs: npt.NDArray[np.bool_]) -> TokenFeatures:
        """The features that are wanted, given a flag for each feature of tokens and of pairs of tags."""
        small = copy(self)
        small._core = self._core.kept(wanted.view(np.uint8))
        if self.observed:
            small._pairs = self._pairs.kept(pairs.view(np.uint8))
        return small

    @classmethod
    def united(
        cls, several: Sequence[TokenFeatures]
    ) -> tuple[TokenFeatures, list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]]:
        """One object with the features of several that have the same specification. And for each of these, the new
        numbers of its features of tokens and of those of pairs of tags. Where they have learned different tags of a
        word (`amb`), those of the one that has seen the word most often are taken."""
        first = several[0]
        for one in several[1:]:
            if (one.columns, one.files) != (first.columns, first.files):
                raise UsageError("the models look at other columns or other files of words. Train them alike.")
        whole = cls(first.spec, first.columns, first.files)
        for name in first._learned:
            whole._learned[name] = WordValues.united([one._learned[name] for one in several], learned_kind(name).trust)
        codes = [
            [one._vocabularies[name].added_to(words) + _FIRST for name, words in whole._vocabularies.items()]
            for one in several
        ]
        outside = np.arange(_FIRST)
        codes = [[np.concatenate([outside, some]) for some in of_one] for of_one in codes]
        return whole, [
            (
                one._core.added_to(whole._core, of_one),
                one._pairs.added_to(whole._pairs, of_one[: len(whole.attributes)]),
            )
            for one, of_one in zip(several, codes, strict=True)
        ]

    def arrays(self) -> dict[str, Array]:
        """Arrays for the model file: what it keeps of the features, beside `header()`."""
        arrays: dict[str, Array] = dict(self._core.arrays())
        if self.observed:
            arrays |= {f"pairs.{part}": array for part, array in self._pairs.arrays().items()}
        for name, learned in self._learned.items():
            arrays |= {f"{name}.{part}": array for part, array in learned.arrays().items()}
        for k, name in enumerate((*self.attributes, *self.lists)):
            arrays |= {f"{k}.{part}": array for part, array in self._vocabularies[name].arrays().items()}
        return arrays

    def header(self) -> dict[str, Json]:
        return {
            "spec": self.spec,
            "columns": list(self.columns),
            "files": {k: dict(v) for k, v in self.files.items()},
            "learned": {name: learned.values for name, learned in self._learned.items()},
        }

    header_schema: ClassVar[Schema] = Record(
        {
            "spec": Text(),
            "columns": ListOf(Text(), 1, distinct=True),
            "files": DictOf(DictOf(Text())),
            "learned": DictOf(ListOf(Text(), 1)),
        }
    )
    """What `header()` may be, as a model file has it."""

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays) -> TokenFeatures:
        """Restore features from `header()` and `arrays()`. ValueError where they do not fit each other."""
        cls.header_schema.check(header, "features")
        self = cls(header["spec"], header["columns"], header["files"])
        files = [name for name in self.attributes if _is_file(name)]
        if set(files) != set(self.files) or set(self._learned) != set(header["learned"]):
            raise ValueError("the features look at other files or other learned attributes than there are")
        check_arrays(arrays, self._layout(header, arrays))
        for name in self._learned:
            info, pool, of = (arrays[f"{name}.{part}"] for part in ("info", "pool", "of"))
            words = Vocabulary.from_arrays(info, pool, len(info))
            self._learned[name] = WordValues(words, np.asarray(of, np.int32), list(header["learned"][name]))
        for k, name in enumerate((*self.attributes, *self.lists)):
            info, pool = arrays[f"{k}.info"], arrays[f"{k}.pool"]
            self._vocabularies[name] = Vocabulary.from_arrays(info, pool, len(info))
        self._core = Templates.from_arrays(
            self._numbered(self.templates), arrays["nodes"], arrays["features"], self._each_n_codes(), len(self.lists)
        )
        if self.observed:
            self._pairs = Templates.from_arrays(
                self._numbered(self.pair_templates),
                arrays["pairs.nodes"],
                arrays["pairs.features"],
                self._each_n_codes()[: len(self.attributes)],
            )
        return self

    def _layout(self, header: Mapping[str, Json], arrays: Arrays) -> dict[str, Numbers]:
        """What `arrays()` may be. Vocabularies and templates check the contents of their arrays themselves when they
        are restored."""
        layout = {"nodes": Numbers(np.uint64), "features": Numbers(np.uint64)}
        if self.observed:
            layout |= {f"pairs.{name}": numbers for name, numbers in layout.items()}
        vocabularies = [*map(str, range(len(self.attributes) + len(self.lists))), *self._learned]
        for name in vocabularies:
            layout |= {f"{name}.info": Numbers(np.uint64), f"{name}.pool": Numbers(np.uint8)}
        for name in self._learned:
            words = len(arrays.get(f"{name}.info", ()))
            layout[f"{name}.of"] = Numbers(np.uint32, (words,), 0, len(header["learned"][name]) - 1)
        return layout

    def _each_n_codes(self) -> list[int]:
        """The number of codes of each attribute, and then of each list."""
        return [_FIRST + len(self._vocabularies[name]) for name in (*self.attributes, *self.lists)]


def _kept(
    rows_of: Callable[[npt.NDArray[np.int64]], tuple[Array, Array, Array]],
    starts: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    room: Room | None,
) -> RowsInMemory | RowsFile:
    """The rows of sentences, in memory, or in a file where there is a room.

    rows_of: a function that gives the rows of some sentences, given their starts.
    places: the first row of each sentence, and the number of all rows.
    """
    if room is None:
        return RowsInMemory([SparseRows(*rows_of(starts))])
    return RowsFile(room, int(places[-1]), _made(rows_of, starts, room), places)


def _made(
    rows_of: Callable[[npt.NDArray[np.int64]], tuple[Array, Array, Array]], starts: npt.NDArray[np.int64], room: Room
) -> Iterator[SparseRows]:
    """Yield the rows of some sentences at a time, and give back the memory of what they were made of."""
    for first in range(0, len(starts) - 1, _PIECE):
        yield SparseRows(*rows_of(starts[first : first + _PIECE + 1]))
        room.give_back()


def _places_of_pairs(starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The first pair of neighbours of each sentence, and the number of all pairs."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.maximum(np.diff(starts) - 1, 0))])


def _without_rare(
    core: Templates,
    rows: RowsInMemory | RowsFile,
    doubtful: npt.NDArray[np.bool_],
    least: int,
    most: int,
    name: Callable[[int], str],
) -> Templates:
    """The templates without the features that are doubtful and occur less than `least` times; and, unless `most` is 0,
    with only the `most` frequent of the others, among equals the first by their names. The rows are changed to the new
    numbers of features."""
    often = np.zeros(len(doubtful), np.uint32)
    for some in rows:
        sparse.count_documents(often, some.indices)
    kept = ~doubtful | (often >= least)
    if most:
        kept = first_of_equals(often, kept, most, name)
    new = np.where(kept, np.cumsum(kept, dtype=np.uint32) - 1, _NONE).astype(np.uint32)
    rows.change(partial(renumbered, new), lambda some: None)
    return core.kept(kept.view(np.uint8))


def _one_place_each(n: int) -> Block:
    """A block with one place for each sentence, which has no features but the bias, so that its weights are the same
    everywhere."""
    return Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))


def _lengths(values: pa.LargeStringArray) -> npt.NDArray[np.int64]:
    offsets = np.frombuffer(values.buffers()[1], np.int64)[values.offset : values.offset + len(values) + 1]
    return np.diff(offsets)


def _affix(words: pa.LargeStringArray, start: int, stop: int | None, least: int) -> pa.LargeStringArray:
    """A piece of each word in lower case; empty for words that are shorter than it."""
    import pyarrow.compute as pc

    words = lower(words)
    piece = pc.utf8_slice_codeunits(words, start=start, stop=stop)
    return pc.if_else(pc.greater_equal(pc.utf8_length(words), arrow.number(least)), piece, arrow.text(""))


_AFFIXES: Mapping[str, Callable[[pa.LargeStringArray, int], pa.LargeStringArray]] = {
    "suffix": lambda words, n: _affix(words, -n, None, n),
    "prefix": lambda words, n: _affix(words, 0, n, n),
}


def _is_file(attribute: str) -> bool:
    return attribute.startswith(("lexicon:", "cluster:"))


def _file(attribute: str) -> dict[str, str]:
    """The words of a file in lower case, each with its cluster; for a lexicon, each with `yes`."""
    kind, _, path = attribute.partition(":")
    table: dict[str, str] = {}
    for number, line in enumerate(small_text(path).splitlines(), 1):
        word, tab, cluster = line.strip().partition("\t")
        if not word or (kind == "lexicon" and word.startswith(";")):
            continue
        if kind == "cluster" and not (tab and cluster.strip()):
            raise DataError("expected a word, a tab and its cluster.", path, number)
        table[word.lower()] = cluster.strip() if kind == "cluster" else "yes"
    return table
