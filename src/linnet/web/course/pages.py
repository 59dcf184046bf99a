"""The pages of the course, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from linnet.web.course.bodies import LOSSES, PLANE, TAGS, TEXTS


@dataclass(frozen=True)
class Page:
    """A page of the course."""

    path: str
    called: str
    title: str
    intro: str
    """What the page is for, in HTML."""
    main: str
    scripts: tuple[str, ...] = ()

    @property
    def body(self) -> str:
        """The main part of the page, with the way to the next one."""
        return (
            '<link rel="stylesheet" href="/static/course.css"><div class=course>'
            f"<h1>{self.title}</h1><p class=intro>{self.intro}</p>{self.main}{self._next}</div>"
        )

    @property
    def _next(self) -> str:
        at = PAGES.index(self)
        if at + 1 == len(PAGES):
            return f'<p class=next><a href="{PAGES[0].path}">Back to the beginning of the course</a></p>'
        after = PAGES[at + 1]
        return f'<p class=next>Next: <a href="{after.path}">{after.title}</a></p>'


_LESSONS = (
    Page(
        "/course/plane",
        "Points",
        "A line between two labels",
        "Each text is a point: how often it has one word is x₁, another x₂. A learner looks for a line with all + on one side "
        "and all − on the other. Go through its steps, move a point, turn C, and watch the line, the margin and the mistakes.",
        PLANE,
        ("course_plane.js",),
    ),
    Page(
        "/course/texts",
        "Texts",
        "Weights of words",
        "A label scores <b>w</b>·<b>f</b>(x, y): the sum of the weights that the words of a text have for it. Go through the "
        "texts one by one, and see which weights each of them moves; then change a text, a label or the learner.",
        TEXTS,
        ("course_texts.js",),
    ),
    Page(
        "/course/losses",
        "Losses",
        "Five losses over the margin",
        "The margin is how far the right label is ahead of the best other one. Learners differ in what they make of it: drag "
        "it from wrong to right, and see what each loss costs, and how hard it pulls.",
        LOSSES,
        ("course_losses.js",),
    ),
    Page(
        "/course/tags",
        "Tags",
        "The best of all sequences of tags",
        "A sentence of T words has L<sup>T</sup> sequences of L tags, and Viterbi finds the best one in T L² steps. Type a "
        "sentence, see the way through the trellis, and change a weight to see it turn.",
        TAGS,
        ("course_tags.js",),
    ),
)


def _contents() -> Iterator[str]:
    for n, page in enumerate(_LESSONS, 1):
        yield f'<li class=card><h2>{n}. <a href="{page.path}">{page.title}</a></h2><p>{page.intro}</p></li>'


PAGES = (
    Page(
        "/course",
        "Course",
        "The course",
        "Four pages on linear models, ŷ = argmax<sub>y</sub> <b>w</b>·<b>f</b>(x, y), to step through and to play with. What "
        "moves on them is what linnet learns: each page sends its data to this server, which trains on them and sends back "
        "every step.",
        f"<ol class=contents>{''.join(_contents())}</ol>",
    ),
    *_LESSONS,
)
"""The pages in their order; each leads to the next."""
