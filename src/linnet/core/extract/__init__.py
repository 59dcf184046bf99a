"""From text and tokens to sparse rows of features: tokens, n-grams, vocabularies, templates, keys."""
