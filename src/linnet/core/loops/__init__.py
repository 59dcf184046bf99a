"""The loops over examples: what learns online, in batches, in the dual, by boosting, with kernels and with a network."""
