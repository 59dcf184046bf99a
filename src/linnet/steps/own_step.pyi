from linnet.core.form import Step

class Own(Step):
    """The compiled side of a step that is written in Python."""
