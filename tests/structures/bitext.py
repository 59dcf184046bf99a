"""A small made-up language and its translation: adjectives come behind their noun, articles before a verb are left out."""

import json

import numpy as np

NOUNS = {"dog": "chien", "cat": "chat", "horse": "cheval", "bird": "oiseau", "table": "table", "lion": "lion"}
ADJECTIVES = {"red": "rouge", "old": "vieux", "small": "petit", "black": "noir"}
VERBS = {"sees": "voit", "eats": "mange", "hears": "entend", "loves": "aime"}


def pairs(n, seed=0):
    """Source, target and links of n pairs."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        source, target, links = [], [], []

        def phrase(source=source, target=target, links=links):
            noun = str(rng.choice(list(NOUNS)))
            i, j = len(source), len(target)
            if rng.random() < 0.5:
                adjective = str(rng.choice(list(ADJECTIVES)))
                source += ["the", adjective, noun]
                target += ["le", NOUNS[noun], ADJECTIVES[adjective]]
                links += [(i, j), (i + 1, j + 2), (i + 2, j + 1)]
            else:
                source += ["the", noun]
                target += ["le", NOUNS[noun]]
                links += [(i, j), (i + 1, j + 1)]

        phrase()
        verb = str(rng.choice(list(VERBS)))
        links.append((len(source), len(target)))
        source.append(verb)
        target.append(VERBS[verb])
        phrase()
        links.append((len(source), len(target)))
        source.append(".")
        target.append(".")
        found.append((source, target, sorted(links)))
    return found


def jsonl(n, seed=0):
    return "".join(
        json.dumps({"source": source, "target": target, "sure": links, "possible": [*links, [0, 1]]}) + "\n"
        for source, target, links in pairs(n, seed)
    )


def lines(n, seed=0, *, links=False):
    """source ||| target, and links behind another |||."""
    return "".join(
        f"{' '.join(source)} ||| {' '.join(target)}"
        + (" ||| " + " ".join(f"{i}-{j}" for i, j in found) if links else "")
        + "\n"
        for source, target, found in pairs(n, seed)
    )
