"""Code that the tasks over texts share."""
