from linnet.structures.siblings import SiblingTree

class GrandTree(SiblingTree):
    """Sibling trees that also score each child with the head of its head."""
