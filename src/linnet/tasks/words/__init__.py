"""A label for each word of a text, by which the text is answered: the base of tasks of one's own over words."""
