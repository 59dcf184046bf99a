"""Code that the tasks over sentences share."""
