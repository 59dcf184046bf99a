"""A trained model, and the file that it is kept in."""

from linnet.model.base import Model

__all__ = ["Model"]
