"""The description of the API as OpenAPI has it."""

from __future__ import annotations

from linnet import __version__
from linnet.core.types import Json

_TEXT: Json = {"type": "string", "description": "What a person types, as the task takes it."}
_TEXTS: Json = {"type": "array", "items": {"type": "string"}}
_EXAMPLES: Json = {
    "type": "array",
    "items": {"oneOf": [{"type": "object"}, {"type": "array"}]},
    "description": "Examples as `predict` takes them in Python: rows as objects, sentences as lists of words, pairs, lists.",
}
_WHOLE: Json = {"type": "integer", "minimum": 0}
_PAIRS: Json = {
    "type": "array",
    "items": {"type": "array", "items": _WHOLE, "minItems": 2, "maxItems": 2},
    "description": "[decision, choice], by their numbers in /decisions.",
}
_GIVEN: dict[str, Json] = {"text": _TEXT, "texts": _TEXTS, "examples": _EXAMPLES}
_TOP: Json = {"type": "integer", "minimum": 1}
_WATCHED: Json = {**_TEXTS, "description": "Texts whose answers are compared before and after."}

_QUESTIONS: dict[str, tuple[str, dict[str, Json]]] = {
    "predict": ("The outputs of one text, of several, or of examples.", _GIVEN),
    "answers": (
        "The answers as `linnet predict` writes them, with probabilities or with the next best.",
        {**_GIVEN, "proba": {"type": "boolean"}, "top": _TOP},
    ),
    "explain": ("What each feature adds to the score of the output of a text.", {"text": _TEXT, "top": _TOP}),
    "look": ("The answer to a text with its reasons, as HTML, and the best labels.", {"text": _TEXT, "top": _TOP}),
    "decisions": ("The decisions that the outputs of a text are made of, with their choices.", {"text": _TEXT}),
    "why": (
        "Why the best output with some decisions, and not the best with others.",
        {"text": _TEXT, "example": _WHOLE, "this": _PAIRS, "that": _PAIRS, "top": _TOP},
    ),
    "words": ("The features that cover one character of a text.", {"text": _TEXT, "at": _WHOLE}),
    "removal": ("The smallest set of words whose removal changes the answer.", {"text": _TEXT}),
    "teach": (
        "Learn that some decisions have other values, or that a text has a label, which may be new.",
        {"text": _TEXT, "example": _WHOLE, "wanted": _PAIRS, "label": {"type": "string"}, "watched": _WATCHED},
    ),
    "undo": ("Take back what was taught last.", {"watched": _WATCHED}),
    "save": ("Write what was taught as a new model.", {"name": {"type": "string", "maxLength": 64}}),
    "reload": ("Read the file of the model again.", {}),
}
_LOOKS: dict[str, str] = {
    "/api/v1/models": "What is known of each model.",
    "/api/v1/models/{model}": "What is known of a model.",
    "/api/v1/models/{model}/features": "The strongest features: label, search and sort (weight or name) are in the query.",
    "/api/v1/course/losses": "The losses over the margin, with their slopes.",
    "/api/v1/health": "Whether the server answers.",
    "/api/v1/metrics": "Counts and times, as Prometheus reads them.",
}
_HOW: dict[str, Json] = {
    "learner": {"type": "string"},
    "options": {"type": "object"},
    "epochs": {"type": "integer", "minimum": 1, "maximum": 20},
    "shuffle": {"type": "boolean"},
}
_LISTS: Json = {"type": "array", "items": {"type": "array"}}
_COURSE: dict[str, tuple[str, dict[str, Json]]] = {
    "plane": ("The steps of a learner on points [x, y, label] of a plane.", {"points": _LISTS, **_HOW}),
    "texts": (
        "The steps of a learner on texts, and why another text gets its label in the end.",
        {"texts": _TEXTS, "labels": _TEXTS, "text": _TEXT, **_HOW},
    ),
    "tags": (
        "The trellis of a sentence under a tagger of a few sentences, with weights that may be changed.",
        {"sentences": _TEXTS, "sentence": _TEXT, "changes": _LISTS, **_HOW},
    ),
}
_MODEL: Json = {"name": "model", "in": "path", "required": True, "schema": {"type": "string"}}
_SENTENCE: Json = {"application/json": {"schema": {"type": "object", "properties": {"error": {"type": "string"}}}}}
_ERROR: Json = {"description": "The request is at fault.", "content": _SENTENCE}
_BUSY: Json = {"description": "The answer would take too long, or too many wait for one.", "content": _SENTENCE}


def openapi() -> dict[str, Json]:
    """The description of all questions."""
    paths: dict[str, Json] = {
        path: {"post": _asked(path, summary, fields)}
        for under, questions in (("/api/v1/models/{model}", _QUESTIONS), ("/api/v1/course", _COURSE))
        for path, (summary, fields) in ((f"{under}/{name}", asked) for name, asked in questions.items())
    }
    paths |= {path: {"get": _described(path, summary)} for path, summary in _LOOKS.items()}
    paths["/api/v1/models/{model}/upload"] = {"post": _upload()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "linnet", "version": __version__, "description": "Linear models of language."},
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{}, {"token": []}],
    }


def _described(path: str, summary: str) -> dict[str, Json]:
    return {
        "summary": summary,
        "parameters": [_MODEL] if "{model}" in path else [],
        "responses": {"200": {"description": "The answer."}, "4XX": _ERROR, "503": _BUSY},
    }


def _asked(path: str, summary: str, fields: dict[str, Json]) -> dict[str, Json]:
    schema = {"type": "object", "properties": fields, "additionalProperties": False}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {**_described(path, summary), "requestBody": body}


def _upload() -> dict[str, Json]:
    ending = {"name": "ending", "in": "query", "schema": {"type": "string"}, "description": "Such as .csv or .jsonl."}
    body = {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
    found = _described("{model}", "The answers to a file, which is the body.")
    return {**found, "parameters": [_MODEL, ending], "requestBody": body}
