"""The task `tag`: a tag for each token of a sentence, such as parts of speech, chunks or entities."""
