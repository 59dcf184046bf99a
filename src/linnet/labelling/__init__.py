"""Labelling while a model learns: which text to ask for next, what was answered, and how good the model is by now.

Everything that people do is in a journal (journal.py), and replaying it gives the state (state.py). The whole pool of texts is
ranked anew after each answer (learner.py, queue.py). A random part of the texts is never learned from, and tells how good the
model is (progress.py).
"""
