from linnet.core.form import Structure

class Parted(Structure):
    """The base of structures whose k best outputs are found by cutting GEN(x) into parts."""
