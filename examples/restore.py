"""Full stops, commas and capitals for text that has none, such as speech that was written down: a task of one's own.

    linnet --with examples/restore.py train letters.prose -o letters.linnet      # well-written texts, one on each line
    linnet --with examples/restore.py predict letters.linnet spoken.txt

x are the words of a text in lower case, y says of each word how it is written and which mark follows it: "Xx," is a capital
and a comma, "x" is nothing at all. GEN(x) is a chain, so that a capital may depend on the mark before it. Any well-written
text is gold data: what was taken off its words is what is learned.
"""

import re
from collections import Counter
from html import escape

import numpy as np

from linnet.evaluate.sentences import per_sentence
from linnet.features.word_attributes import WORD_ATTRIBUTES, WordAttribute, each
from linnet.fitting.contract import Counts, Plan
from linnet.fitting.registry import TASKS
from linnet.learners import LEARNERS, Option, Preset
from linnet.losses.log import Log
from linnet.report.page import document
from linnet.report.reasons import STYLE, why
from linnet.steps.adagrad import AdaGrad
from linnet.tasks.sentences.rows import write_rows
from linnet.tasks.tag.terminal import tag_explanations
from linnet.tasks.tag.why import TagExplanations
from linnet.tasks.usual_commands import UsualCommands
from linnet.tasks.words.model import WordsModel
from linnet.tasks.words.task import WordsTask

WORD = re.compile(r"(\w(?:[\w'’@/.-]*\w)?)([,;:.?!]?)")
LABEL = re.compile(r"([xX]+)(.?)")
PLAIN, CAPITAL, CAPITALS, OWN = "x", "Xx", "XX", "xX"

# Features: a word attribute of its own, which goes into templates as all others do.

JOINTS = set(
    "and but or so because if when while though that which who what where why how then now well yes no please thanks i you he "
    "she it we they this there a the is are was were do does did can could will would have has had not to of in on at".split()
)
FEATURES = "w[-1..1] w[-1]|w w|w[1] suffix:2-3[0..1] joint[-2..3] joint|joint[1] joint[1]|joint[2] digit length min=2"


def joint(word):
    return word if word in JOINTS else f"-{word[-2:]}"


WORD_ATTRIBUTES.add(
    WordAttribute("joint", "the word if it joins or opens sentences, else its last letters", each(joint))
)

# A learner: loss = log sum_y exp(w.f(x, y) + cost(y_i, y)) - w.f(x, y_i) (Gimpel and Smith 2010), by averaged AdaGrad.

LEARNERS.add(
    Preset(
        name="softmax-margin",
        summary="log loss with a margin by averaged AdaGrad",
        loss=lambda options: Log(options["cost"], 1e-3),
        step=lambda options: AdaGrad(options["eta"], 0),
        options={
            "cost": Option(1.0, "added to the score of every wrong label while learning", least=0),
            "eta": Option(0.1, "the learning rate", least=0),
        },
        averaged=True,
        probabilistic=True,
    )
)


def case_of(word):
    """How a word is written."""
    if word == word.lower():
        return PLAIN
    return CAPITAL if word[1:] == word[1:].lower() else CAPITALS if word == word.upper() else OWN


class RestoreModel(WordsModel):
    task = "restore"

    @classmethod
    def words(cls, text):
        return [word.lower() for word, _ in WORD.findall(text)]

    def written(self, words, labels):
        return " ".join(map(self.word, words, labels))

    def word(self, word, label):
        case, mark = LABEL.fullmatch(label).groups()
        capital = word[0].upper() + word[1:]
        own = self.details["spelled"].get(word, capital)
        return {PLAIN: word, CAPITAL: capital, CAPITALS: word.upper(), OWN: own}[case] + mark


class RestoreCommands(UsualCommands):
    probable = "softmax-margin or crf"

    def write(self, file, batch, answers, asked):
        """Texts as lines; as JSON where that is asked for, or more than the texts."""
        if asked.as_json or asked.proba or asked.top:
            write_rows(file, answers)
        else:
            file.write_lines(answers["text"].to_pylist())

    def show(self, one, top):
        return tag_explanations(TagExplanations(one.words, one.tags, (word for word in one if word.tag != PLAIN)), top)

    def page(self, explained, title, top):
        """Each text with what was restored in colour, and below it why."""
        return document(title, "\n".join(self.text(one, top) for one in explained.found), STYLE)

    def text(self, words, top):
        line = " ".join(f"{escape(one.word)}<b class=for>{escape(one.tag.replace(PLAIN, ''))}</b>" for one in words)
        rows = "".join(
            f"<tr><td>{escape(one.word)}</td><td>{one.tag}</td><td class=dim>not {one.against}</td>"
            f"<td>{why([('', part.what, part.contribution) for part in one.contributions], top)}</td></tr>"
            for one in words
            if one.tag != PLAIN
        )
        return f"<p class=text>{line}</p>\n<table class=why>{rows}</table>"


class RestoreTask(WordsTask):
    name = "restore"
    description = "full stops, commas and capitals for the words of a text"
    extensions = (".prose",)
    model = RestoreModel

    @property
    def commands(self):
        return RestoreCommands(self)

    def labelled(self, text):
        return [(word.lower(), case_of(word) + mark) for word, mark in WORD.findall(text)]

    def details(self, texts, known):
        """Words that have a spelling of their own, such as iPhone."""
        found = Counter(word for text in texts for word, _ in WORD.findall(text) if case_of(word) == OWN)
        own = {word.lower(): word for word, _ in reversed(found.most_common())}
        return {"spelled": {**known.get("spelled", {}), **own}}

    def plan(self, spec, gold):
        return Plan(spec or FEATURES, "softmax-margin")

    def counts(self, gold, y_hat, y_hat_at):
        """The F1 of words that are not left as they are: 2 right / (gold + restored)."""
        plain = gold.labels.index(PLAIN) if PLAIN in gold.labels else -2
        wanted, found = gold.y != plain, y_hat != plain
        right, n_wanted, n_found = (
            per_sentence(flags, gold.y_at).astype(np.float64) for flags in (wanted & (gold.y == y_hat), wanted, found)
        )
        return Counts("F1", 2 * right, n_wanted + n_found)


TASKS.add(RestoreTask())
