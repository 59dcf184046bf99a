"""How far an update goes: one file per step, and the registry of their names."""

STEPS = {
    "adagrad": "eta / sqrt(sum of squared gradients), per weight; lazy L2",
    "arow": "loss / (v + lam), v the norm^2 by variance; each weight by its variance",
    "constant": "1",
    "passive-aggressive": "min(C, loss / norm^2)",
    "passive-aggressive-2": "loss / (norm^2 + 1 / 2C)",
    "pegasos": "1 / (lam t), and w shrinks by 1 - 1/t",
    "scw": "as far as makes the margin sure enough, at most C; each weight by its variance",
    "scw-2": "the same, softened by 1 / 2C",
    "sgd": "eta, or decaying; lazy L2",
}
