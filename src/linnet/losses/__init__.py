"""Losses, which learning minimises: one file per loss, and the registry of their names."""

LOSSES = {
    "each-exponential": "exp of each question's margin, the mean: AdaBoost.MH",
    "each-hinge": "the hinge of each question with yes or no, summed: one against the rest",
    "each-log": "-log p of each question's right answer, summed",
    "each-perceptron": "by how much each question is answered wrongly, summed",
    "each-squared-hinge": "the squared hinge of each question, summed",
    "exponential": "1 / p(y | x) - 1",
    "hinge": "the margin is as wide as the cost, or it costs",
    "likelihood": "counts of f(x, y), for generative models",
    "log": "-log p(y | x)",
    "perceptron": "by how much the best output beats the right one",
    "pointwise-exponential": "1 / p - 1 of each place's own probability, summed",
    "pointwise-log": "-log p of each place's own probability, summed",
}
