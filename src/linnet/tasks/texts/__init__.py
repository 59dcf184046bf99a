"""What the tasks over texts share."""
