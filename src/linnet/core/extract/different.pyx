# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The different strings of a column, and the number of each string among them.

pyarrow's `dictionary_encode` gives the same, but hashes by constants that everybody can read: 60,000 words of 16 letters, chosen
to have one hash, take it 4 s, and twice as many four times as long. Here the hash follows from a secret (lookup.h).
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcmp

from linnet.core.extract.tables cimport (
    Secret, Table, free_table, grow_table, hash_of, line_of, new_secret, put,
)

import numpy as np
import pyarrow as pa

from linnet.core.arrow import numbers


def different(column):
    """Each different string of a large_string array without nulls once, in the order of first sight, and the number of each string
    among these.

    >>> strings, places = different(pa.array(["b", "a", "b"], pa.large_string()))
    >>> strings.to_pylist(), places.tolist()
    (['b', 'a'], [0, 1, 0])
    """
    cdef int64_t i, n = len(column), n_found = 0
    cdef uint64_t hash, at, length
    cdef uint32_t id
    cdef Table table
    cdef Secret secret = new_secret()
    if column.null_count:
        raise ValueError("the strings of a column with nulls cannot be numbered")
    places, firsts = np.empty(n, np.int32), np.empty(n, np.int64)
    if n == 0:
        return column, places
    cdef int32_t[::1] place = places
    cdef int64_t[::1] first = firsts
    _, offsets_buffer, data_buffer = column.buffers()
    cdef const int64_t *offsets = <const int64_t *><uintptr_t>offsets_buffer.address + <int64_t>column.offset
    cdef const unsigned char *data = NULL
    if data_buffer is not None:
        data = <const unsigned char *><uintptr_t>data_buffer.address
    table.slots, table.mask, table.count = NULL, 0, 0
    try:
        with nogil:
            grow_table(&table)
            for i in range(n):
                length = <uint64_t>(offsets[i + 1] - offsets[i])
                hash = hash_of(secret, data + offsets[i], length)
                at = line_of(&table, hash)
                while table.slots[at].id_plus_1:
                    if table.slots[at].key == hash:
                        id = table.slots[at].id_plus_1 - 1
                        if (offsets[first[id] + 1] - offsets[first[id]] == <int64_t>length
                                and memcmp(data + offsets[first[id]], data + offsets[i], length) == 0):
                            break
                    at = (at + 1) & table.mask
                else:
                    if 2 * table.count > table.mask:
                        grow_table(&table)
                    id = <uint32_t>n_found
                    put(&table, hash, id)
                    first[n_found] = i
                    n_found += 1
                place[i] = <int32_t>id
    finally:
        free_table(&table)
    return column.take(numbers(firsts[:n_found])), places
