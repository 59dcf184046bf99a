"""Labelling while a model learns: which text to ask for next, what was answered, and how good the model is by now.

Everything that people do is in a journal (journal.py), and replaying it gives the state (state.py). What a task says of itself
is its kind (kind.py). After each answer the pool is ranked anew: all of it where texts have labels (refitted.py), a part of it
where outputs have many parts (taught.py). A random part of the texts is never learned from, and tells how good the model is
(progress.py).
"""
