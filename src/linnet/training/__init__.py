"""From data to a model: read, hold out, make features, learn, and finish."""

from linnet.training.data_to_model import parse_class_weight
from linnet.training.train import train

__all__ = ["parse_class_weight", "train"]
