"""From gold examples to a model: what every task offers, how learning is prepared and run, and how progress is told."""
