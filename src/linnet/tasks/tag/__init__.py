"""A tag for each token of a sentence: parts of speech, chunks, entities."""
