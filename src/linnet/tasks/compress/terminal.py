"""The report on compressions, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from linnet.report.printable import printable
from linnet.tasks.compress.gold import KEEP
from linnet.tasks.compress.measures import CompressionReport
from linnet.tasks.tag.terminal import tag_explanations
from linnet.tasks.tag.why import TagExplanations


def compression_report(report: CompressionReport) -> RenderableType:
    """How right the kept tokens are, and what share of the tokens they are."""
    return Group(
        Text(
            f"{report.n_tokens:,} tokens in {report.n_sentences:,} sentences   accuracy {100 * report.accuracy:.2f}%   "
            f"whole sentences {100 * report.sentence_accuracy:.2f}%"
        ),
        Text(
            f"kept tokens: precision {100 * report.precision:.2f}   recall {100 * report.recall:.2f}   "
            f"F1 {100 * report.token_f1:.2f}   (mean over sentences {100 * report.mean_f1:.2f})"
        ),
        Text(f"kept {100 * report.rate:.1f}% of the tokens, the reference {100 * report.gold_rate:.1f}%"),
    )


def compression_explanation(sentence: TagExplanations, top: int = 4) -> RenderableType:
    """The sentence with the words that are dropped struck out, and a row for each token with what speaks for keeping or
    dropping it."""
    text = Text(" ").join(
        Text(printable(word), "" if tag == KEEP else "dim strike")
        for word, tag in zip(sentence.words, sentence.tags, strict=True)
    )
    return Group(text, Text(), tag_explanations(sentence, top))
