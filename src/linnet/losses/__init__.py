"""What learning minimises: one file per loss, and the registry of their names."""

LOSSES = {
    "hinge": "the margin is as wide as the cost, or it costs",
    "likelihood": "counts of f(x, y), for generative models",
    "log": "-log p(y | x)",
    "perceptron": "by how much the best output beats the right one",
}
