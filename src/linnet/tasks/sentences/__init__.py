"""What the tasks over sentences share."""
