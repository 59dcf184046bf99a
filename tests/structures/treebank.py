"""A small treebank that is made up: sentences of a few patterns, whose trees follow from them."""

import random

WORDS = {
    "DT": ["the", "a", "this", "every"],
    "JJ": ["old", "red", "small", "quiet", "green"],
    "NN": ["dog", "cat", "house", "river", "garden", "child", "letter", "bird"],
    "VBZ": ["sees", "likes", "finds", "follows", "paints"],
    "IN": ["in", "near", "behind"],
    "PRP": ["she", "he", "it"],
    ".": [".", "!"],
}
UPOS = {"DT": "DET", "JJ": "ADJ", "NN": "NOUN", "VBZ": "VERB", "IN": "ADP", "PRP": "PRON", ".": "PUNCT"}


def noun_phrase(rng, tokens):
    """Add one; the place of its head, from 1."""
    start = len(tokens)
    tokens.append(["DT", None, "det"])
    if rng.random() < 0.4:
        tokens.append(["JJ", None, "amod"])
    tokens.append(["NN", None, None])
    head = len(tokens)
    for i in range(start, head - 1):
        tokens[i][1] = head
    return head


def sentence(rng):
    """Tokens: tag, head and relation."""
    tokens = []
    if rng.random() < 0.4:
        tokens.append(["PRP", None, "nsubj"])
        subject = 1
    else:
        subject = noun_phrase(rng, tokens)
        tokens[subject - 1][2] = "nsubj"
    tokens.append(["VBZ", 0, "root"])
    verb = len(tokens)
    tokens[subject - 1][1] = verb
    object_ = noun_phrase(rng, tokens)
    tokens[object_ - 1][1:] = [verb, "obj"]
    if rng.random() < 0.5:
        tokens.append(["IN", None, "case"])
        preposition = len(tokens)
        place = noun_phrase(rng, tokens)
        tokens[preposition - 1][1] = place
        tokens[place - 1][1:] = [object_, "nmod"]
    tokens.append([".", verb, "punct"])
    return tokens


def conllu(n=60, seed=0):
    """The lines of n sentences."""
    rng = random.Random(seed)
    lines = []
    for i in range(1, n + 1):
        lines.append(f"# sent_id = {i}")
        for k, (tag, head, relation) in enumerate(sentence(rng), 1):
            word = rng.choice(WORDS[tag])
            lines.append(f"{k}\t{word}\t{word}\t{UPOS[tag]}\t{tag}\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"
