"""The task `hierarchy`: one label for each text, where labels are leaves of a tree."""
