"""Files of word vectors, as GloVe, word2vec and fastText write them."""
