"""What learning minimises: one file per loss, and the registry of their names."""

LOSSES = {
    "exponential": "1 / p(y | x) - 1",
    "hinge": "the margin is as wide as the cost, or it costs",
    "likelihood": "counts of f(x, y), for generative models",
    "log": "-log p(y | x)",
    "mh": "exp of each outcome's score by itself, against its sign: AdaBoost.MH",
    "one-vs-rest": "the hinge of each outcome against the rest, summed",
    "one-vs-rest-squared": "their squares, summed",
    "perceptron": "by how much the best output beats the right one",
    "pointwise-exponential": "1 / p - 1 of each place's own probability, summed",
    "pointwise-log": "-log p of each place's own probability, summed",
}
