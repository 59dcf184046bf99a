"""Citations of the lectures name a section, an equation, an algorithm or a slide that the lecture has.

They are written as `Eisenstein, section 3`, `Eisenstein, eq. 11-14`, `Carpuat, algorithm 3` or `Choi, "Learning Rate"`. Papers
have a year, so that they are told apart: `Crammer et al. 2006`, `Collins 2002`.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for folder, kinds in (
        ("src", ("py", "pyx", "pxd", "pyi")),
        ("docs", ("md",)),
        ("tests", ("py",)),
        ("examples", ("py",)),
    )
    for kind in kinds
    for path in (ROOT / folder).rglob(f"*.{kind}")
    if path.name not in ("reference.md", "test_citations.py")
)
LECTURES = {
    "Eisenstein": "Discriminative Classification",
    "Smith": "Going Discriminative",
    "Carpuat": "Linear Models: Naïve Bayes, Perceptron",
    "Choi": "Lecture 2: Text Classification",
    "Crammer": "Predicting & Naïve Bayes",
}
"""The lecturers, and the titles of their lectures."""
SLIDES = {
    "Eisenstein": {"Traffic lights", "Less Naive Bayes?", "Features"},
    "Smith": {
        "Perceptron for Structured Models",
        "Intuition Behind Perceptron Updates",
        "Theorems",
        "Comments",
        "Voted Perceptron",
        "Estimation Methods: A Guide",
        "Loss Functions",
        "Loss Functions for Binary Classification",
        "Boosting and Exp Loss",
        "See Also",
        "From Loss to Margin",
        "log loss",
        "0-1 loss",
        "Desiderata",
        "(Multiclass) Support Vector Machines",
        "Coming Soon",
    },
    "Carpuat": {
        "Linear Models for Multiclass Classification",
        "Naïve Bayes recap",
        "Prediction with Naïve Bayes",
        "The perceptron",
        "Multiclass perceptron",
        "Online vs batch learning algorithms",
        "Practical considerations",
        "Training error is not sufficient",
        "Overfitting",
        "Evaluating on test data",
        "Underfitting/Overfitting",
        "Averaged Perceptron improves generalization",
        "Properties of Linear Models we've seen so far",
    },
    "Choi": {
        "Log Linear Model",
        "Features",
        "Features: Sentiment Classification",
        "Classification Function",
        "Binary Classification",
        "Example: Sentiment Classification",
        "What is the best weights?",
        "Learning Objective",
        "Cross Entropy Loss",
        "Example: Loss",
        "Optimization",
        "Stochastic Gradient Descent",
        "Learning Rate",
        "Let's compute the gradient",
        "Implementation",
        "Overfitting",
        "Logistic Regression: Multinomial",
        "How well does this classifier work?",
        "Recap: Two Types of Classifiers",
        "Types of Supervised Classifiers",
        "Perceptron",
        "Geometric Interpretation: Separating Hyperplane",
    },
    "Crammer": {
        "Formal Setting - Predictions",
        "Formal Setting - Evaluation",
        "Loss Functions",
        "Bayes-Optimal Predictor",
        "Modeling",
        "Generative vs Discriminative",
        "Specific Generative Model: Labels",
        "Specific Generative Model: Documents",
        "Occam's Razor",
        "Naïve Bayes: Model",
        "Naïve Bayes: Inference",
        "Naïve Bayes: Learning",
        "Maximum Likelihood Estimation",
        "Example",
        "Need for Smoothing",
        "Smoothing",
        "Computational Properties",
        "Parametric vs. Non Parametric",
        "1-D Regression",
        "Summary: Naïve Bayes",
        "Multi Class Single Label",
        "Hierarchical Classification",
        "Phonetic Hierarchy",
        "Multi-Class Multi-Label",
        "Non-trivial Evaluation Measures",
        "Noun Phrase Chunking",
        "Named Entity Extraction",
        "Sentence Compression",
        "Dependency Parsing",
    },
}
"""The titles of slides and of paragraphs that can be cited."""
SECTIONS = {"Eisenstein": {"1", "2", "2.1", "3", "3.1", "4", "4.1", "4.2"}}
EQUATIONS = {"Eisenstein": {str(n) for n in range(1, 15)}, "Carpuat": {"2.35"}, "Choi": {"5.6"}}
ALGORITHMS = {"Carpuat": {"3", "4"}}
NAME = rf"\b(?P<name>{'|'.join(LECTURES)})"
WHAT = r"(?P<what>\"|eq\.|equations?|sections?|sec\.|algorithms?|alg\.)"
CITED = re.compile(rf"{NAME}(?:'s)?,?\s+(?:below\s+)?{WHAT}\s*(?P<rest>.{{0,90}})", re.DOTALL)


def numbers_at(text: str) -> list[str]:
    """The numbers with which a text begins, such as `3 and 4` or `11-14`.

    >>> numbers_at("3 and 4; Eisenstein"), numbers_at("11-14)"), numbers_at("3.1, which")
    (['3', '4'], ['11', '14'], ['3.1'])
    """
    found = re.match(r"\d+(?:\.\d+)?(?:(?:-| and |, )\d+(?:\.\d+)?)*", text)
    return re.findall(r"\d+(?:\.\d+)?", found[0]) if found else []


def plain(text: str) -> str:
    """A text without the marks of comments and the breaks of lines, as a title on two lines is one title."""
    return re.sub(r"\s+(?:#\s+)?", " ", text).strip()


def cited():
    """All citations of a lecture: file, line, lecturer, what kind of thing is cited, and the thing."""
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        for found in CITED.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            where, rest = f"{path.relative_to(ROOT)}:{line}", found["rest"]
            if found["what"] == '"':
                title = plain(rest.partition('"')[0])
                if not re.match(r"\d{4}", title):
                    yield where, found["name"], '"', title
                continue
            for number in numbers_at(rest):
                yield where, found["name"], found["what"][:2], number


def test_every_citation_of_a_lecture_is_there():
    known = {'"': SLIDES, "eq": EQUATIONS, "se": SECTIONS, "al": ALGORITHMS}
    found = list(cited())
    wrong = [
        f"{where}: {name}, {thing}" for where, name, kind, thing in found if thing not in known[kind].get(name, set())
    ]
    assert not wrong, "\n".join(wrong)
    assert {name for _, name, *_ in found} == set(LECTURES)
    assert len(found) > 40


def test_these_are_the_titles_of_the_lectures(shared_data):
    folder = shared_data.parent / "lectures"
    if not folder.is_dir():
        pytest.skip(f"the lectures are not here ({folder})")
    texts = [re.sub(r"\s+", " ", path.read_text(encoding="utf-8")) for path in folder.glob("*.txt")]
    for name, title in LECTURES.items():
        (text,) = (text for text in texts if title in text[:600])
        apostrophes = text.replace("’", "'")
        assert [slide for slide in SLIDES[name] if slide.casefold() not in apostrophes.casefold()] == []
