"""Learning from shards of the examples, here or by the workers of a cluster.

What is learned follows from the number of shards, and not from the workers. Each task is a pure function of a shard and of what
all shards begin a pass with, and results are summed in the order of the shards. So it does not matter how many workers there
are, which of them does what, and whether one dies and another does its work again.

    cutting.py     examples into shards
    place.py       where tasks are done: in this process
    on_dask.py     where tasks are done: by workers of Dask
    differences.py arrays that travel as differences
    a_pass.py      one pass over all shards, in pieces
    mixing.py      online learners, and those that count
    summing.py     learners by gradients of all examples
    dual_blocks.py learners in the dual
    spreading.py   the learner of a name, over shards
"""
