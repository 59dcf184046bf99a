"""Features of two or three positions of a sentence, as one line of templates specifies them.

A template is one or more parts with `|` between them. A part is an attribute of a position: `h.NAME` of position h
itself, and `h.NAME[1]` of the token after it, where NAME is any of the token features. Or it is `dir`, the side of the
first position on which the second one is, or `dist`, the side and the distance. Subclasses say which positions there
are, and which blocks their features make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.blocks import Block
from linnet.core.extract.anchored import BETWEEN, DIRECTION, LENGTH, Anchored, length_name
from linnet.core.extract.places import Places
from linnet.core.named_arrays import arrays_of, flattened
from linnet.core.schema import Numbers, Record, Schema, Text, check_arrays
from linnet.core.types import U8, Array, Arrays, Json
from linnet.errors import UsageError
from linnet.features.anchored_keys import repacked, room_for
from linnet.features.learned_attributes import is_learned
from linnet.features.token_spec import LEAST, LISTS, parse_least, parse_templates
from linnet.features.tokens import TokenFeatures

_WHERE = {"dir": DIRECTION, "dist": LENGTH}
# Token features have this as the code of their first value, after four codes for places outside of a sentence. The core
# wants codes from 0, and adds codes of its own for what is no token: _OUTSIDE.
_FIRST = 4
_OUTSIDE = ("<s>", "</s>", "<root>", "<none>")

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.int32]
Columns = Mapping[str, pa.LargeStringArray]


@dataclass(frozen=True)
class AnchoredPart:
    """A part of a template."""

    who: str
    """The letter of a position; or dir or dist."""
    attribute: str = ""
    """The attribute of a token; empty for dir and dist."""
    offset: int = 0
    """How many tokens after the position the token is, which may be below 0."""

    def __str__(self) -> str:
        if not self.attribute:
            return self.who
        return f"{self.who}.{self.attribute}" + (f"[{self.offset}]" if self.offset else "")


@dataclass(frozen=True)
class AnchoredTemplate:
    parts: tuple[AnchoredPart, ...]
    mark: str = ""
    """The word that it begins with to say which block it belongs to, if there is one."""

    def looks_at(self, who: str) -> bool:
        return any(part.who == who for part in self.parts)

    def __str__(self) -> str:
        return "|".join([*([self.mark] if self.mark else []), *map(str, self.parts)])


class AnchoredFeatures:
    """The features that a specification asks for; they are learned from sentences with their outputs."""

    who: ClassVar[Mapping[str, int]]
    """The letters of positions, and which of the three positions each means."""
    kinds: ClassVar[Mapping[str, int]]
    """The blocks by name, and the kind of places that each has."""
    marks: ClassVar[tuple[str, ...]] = ()
    """The words that a template may begin with, to say which block it belongs to."""

    def __init__(self, spec: str, columns: Sequence[str], files: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.spec = " ".join(spec.split())
        self.least = parse_least(self.spec)
        items = [item for item in self.spec.split() if not item.startswith(LEAST)]
        found = dict.fromkeys(one for item in items for one in self._parse(item, columns))
        self.templates: dict[str, list[AnchoredTemplate]] = {name: [] for name in self.kinds}
        for template in found:
            self.templates[self.block_of(template)].append(template)
        first = next(iter(self.kinds))
        if not self.templates[first]:
            raise UsageError(f"the features name no template of {first}. {self.hint()}")
        names = [part.attribute for template in found for part in template.parts if part.attribute]
        # Token features are used here only to code the tokens.
        self._tokens = TokenFeatures(" ".join(dict.fromkeys(names)) or "w", columns, files)
        self._cores: dict[str, Anchored] = {}

    def block_of(self, template: AnchoredTemplate) -> str:
        """The name of the block that a template belongs to. UsageError where it belongs to none."""
        raise NotImplementedError

    def hint(self) -> str:
        """An example of a specification, for messages."""
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        return self._tokens.columns

    def n_features(self, block: str) -> int:
        return int(self._cores[block].n_features)

    def begin(self, columns: Columns, starts: Ints) -> Codes:
        """Begin to learn from these sentences. Return the codes of their tokens; the cores of the blocks (`core`) are
        new, and learn the features of places from these codes."""
        codes = self._codes(columns, starts, grow=True)
        n_codes = self._n_codes()
        try:
            self._cores = {name: Anchored(self._numbered(name), n_codes, kind) for name, kind in self.kinds.items()}
        except OverflowError as error:
            raise UsageError(f"a feature joins too many values ({error}). Use templates of fewer parts.") from None
        return codes

    def go_on(self, columns: Columns, starts: Ints) -> Codes:
        """Go on with further sentences, and return the codes of their tokens. Values that are new get codes, too. The
        key of a feature has as many bits for the code of a column as its values need; where they no longer fit, all
        keys are packed anew."""
        codes = self._codes(columns, starts, grow=True)
        n_codes = self._n_codes()
        for name, kind in self.kinds.items():
            core = self._cores[name]
            if any(n > known for n, known in zip(n_codes, core.n_codes, strict=True)):
                self._cores[name] = self._packed_anew(name, core, kind, n_codes)
        return codes

    def _packed_anew(self, name: str, core: Anchored, kind: int, n_codes: tuple[int, ...]) -> Anchored:
        room = tuple(map(room_for, n_codes))
        templates = self._numbered(name)
        try:
            keys = repacked(core.arrays()["keys"], templates, core.n_codes, room)
            return Anchored.from_arrays(templates, room, keys, kind)
        except OverflowError as error:
            raise UsageError(
                f"the words are too many for the features ({error}). Train again with templates of fewer parts."
            ) from None

    def end(self, block: str) -> None:
        """End the learning of a block: leave out the features that were seen too seldom."""
        if self.least > 1:
            self._cores[block] = self._cores[block].frequent(self.least)

    def core(self, block: str) -> Anchored:
        return self._cores[block]

    def blocks(self, columns: Columns, starts: Ints, names: Sequence[str], out: U8 | None = None) -> tuple[Block, ...]:
        """The blocks of these names over these sentences, in the order of the names. `out` has a flag for each arc of
        each sentence, set where the arc is not in GEN(x)."""
        codes = self._codes(columns, starts, grow=False)
        return tuple(Places(self._cores[name], codes, starts, out) for name in names)

    def _n_codes(self) -> tuple[int, ...]:
        return tuple(len(self._tokens._vocabularies[name]) for name in self._tokens.attributes)

    def _numbered(self, block: str) -> list[tuple[tuple[int, int, int], ...]]:
        number = {name: k for k, name in enumerate(self._tokens.attributes)}
        return [
            tuple(
                (self.who[part.who], number[part.attribute], part.offset)
                if part.attribute
                else (_WHERE[part.who], 0, 0)
                for part in template.parts
            )
            for template in self.templates[block]
        ]

    def _codes(self, columns: Columns, starts: Ints, *, grow: bool) -> Codes:
        codes = self._tokens.codes(columns, starts, grow=grow)
        return np.ascontiguousarray(np.where(codes >= 0, codes - _FIRST, -1), np.int32)

    def name(self, block: str, feature: int) -> str:
        t, codes = self._cores[block].codes(feature)
        template = self.templates[block][t]
        return f"{template}=" + "|".join(map(self._value, template.parts, codes))

    def _value(self, part: AnchoredPart, code: int) -> str:
        if not part.attribute:
            return str(length_name(code, part.who == "dir"))
        if code < len(_OUTSIDE):
            return _OUTSIDE[code]
        return str(self._tokens._vocabularies[part.attribute].name(code - len(_OUTSIDE)))

    def without(self, wanted: Mapping[str, npt.NDArray[np.bool_]]) -> Self:
        """A copy with fewer features. `wanted` has for each block that is to be made smaller a flag for each of its
        features, set where the feature is kept."""
        small = copy(self)
        small._cores = dict(self._cores)
        for name, flags in wanted.items():
            core = self._cores[name]
            keys = core.arrays()["keys"][flags]
            small._cores[name] = Anchored.from_arrays(self._numbered(name), core.n_codes, keys, self.kinds[name])
        return small

    def arrays(self) -> dict[str, Array]:
        """Arrays for the model file: what it keeps of the features, beside `header()`."""
        return flattened({"tokens": self._tokens.arrays()}) | {
            name: core.arrays()["keys"] for name, core in self._cores.items()
        }

    def header(self) -> dict[str, Json]:
        return {"spec": self.spec, "tokens": self._tokens.header()}

    header_schema: ClassVar[Schema] = Record({"spec": Text(), "tokens": TokenFeatures.header_schema})
    """What `header()` may be, as a model file has it."""

    @classmethod
    def from_arrays(cls, header: Mapping[str, Json], arrays: Arrays) -> Self:
        """Restore features from `header()` and `arrays()`. ValueError where they do not fit each other."""
        cls.header_schema.check(header, "features")
        own = {name: array for name, array in arrays.items() if not name.startswith("tokens.")}
        check_arrays(own, {name: Numbers(np.uint64) for name in cls.kinds})
        tokens = header["tokens"]
        self = cls(header["spec"], tuple(tokens["columns"]), tokens["files"])
        wanted = self._tokens.attributes
        self._tokens = TokenFeatures.from_arrays(tokens, arrays_of("tokens", arrays))
        if self._tokens.attributes != wanted:
            raise ValueError("the features look at other attributes than the tokens have")
        n_codes = self._n_codes()
        self._cores = {
            name: Anchored.from_arrays(self._numbered(name), n_codes, arrays[name], kind)
            for name, kind in self.kinds.items()
        }
        return self

    def _parse(self, item: str, columns: Sequence[str]) -> list[AnchoredTemplate]:
        atoms = item.split("|")
        mark = atoms[0] if atoms[0] in self.marks else ""
        choices = [self._parts(atom, item, columns) for atom in (atoms[1:] if mark else atoms)]
        if not choices:
            raise UsageError(f"{item!r} names nothing but a kind of features. {self.hint()}")
        found = [AnchoredTemplate(parts, mark) for parts in product(*choices)]
        between = [letter for letter, who in self.who.items() if who == BETWEEN]
        for some, what in ((_WHERE, "dir and dist"), (between, "parts between two tokens")):
            if sum(part.who in some for part in found[0].parts) > 1:
                raise UsageError(f"{item!r}: a template has only one of {what}.")
        return found

    def _parts(self, atom: str, item: str, columns: Sequence[str]) -> list[AnchoredPart]:
        if atom in _WHERE:
            return [AnchoredPart(atom)]
        who, dot, rest = atom.partition(".")
        if who not in self.who or not dot:
            example = ", ".join(f"{letter}.{atom}" for letter in list(self.who)[:3])
            raise UsageError(f"{atom!r} in {item!r}: expected dir, dist, or whose feature it is, as in {example}.")
        found = [template.parts[0] for template in parse_templates(rest, columns) if not template.tags]
        if any(is_learned(part.attribute) or part.attribute in LISTS for part in found):
            raise UsageError(f"{atom!r} in {item!r} is for single tokens. Leave it out.")
        if self.who[who] == BETWEEN and any(part.offset for part in found):
            raise UsageError(f"{atom!r} in {item!r}: of tokens between there are no neighbours. Leave out [..].")
        return [AnchoredPart(who, part.attribute, part.offset) for part in found]
