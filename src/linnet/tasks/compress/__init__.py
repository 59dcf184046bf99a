"""The task `compress`: which tokens of a sentence to keep, so that it gets shorter and still says what matters."""
