# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Rows that are read from a file, made by threads before they are asked for.

To read, unpack and weigh the rows of an example takes longer than to learn from it. Who knows the order in which examples will be
asked for says so by `begin`. From then on threads make the rows of some examples at a time, a chunk, and lay them into slots, which
chunks use in turn. `fetch` waits until the chunk of an example is there. Rows do not depend on who makes them, so what is learned
from them does not depend on the number of threads.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from linnet.core.blocks cimport Block, Maker, Sparse, first
from linnet.core.buffers cimport larger

import threading
from contextlib import contextmanager

from linnet.core.threads import available

cdef extern from "pthread.h" nogil:
    int pthread_mutex_init(pthread_mutex_t *mutex, void *how)
    int pthread_mutex_destroy(pthread_mutex_t *mutex)
    int pthread_mutex_lock(pthread_mutex_t *mutex)
    int pthread_mutex_unlock(pthread_mutex_t *mutex)
    int pthread_cond_init(pthread_cond_t *cond, void *how)
    int pthread_cond_destroy(pthread_cond_t *cond)
    int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
    int pthread_cond_broadcast(pthread_cond_t *cond)


def maker_of(Block block):
    """The Maker of the rows of a block, which makes them ahead where they come from a file and there may be threads; None where
    all rows are in memory."""
    cdef int64_t size = block.chunk()
    n = available()
    if size == 0 or n == 1:
        return block.maker()
    return ReadAhead(block, size, n)


@contextmanager
def made_ahead(maker, order, n):
    """Let threads make the rows of the examples in `order`, or of the n first ones one after the other where it is None, while
    the block runs, if the Maker makes rows ahead."""
    if not isinstance(maker, ReadAhead):
        yield
        return
    if order is None:
        maker.begin_from(0, n)
    else:
        maker.begin(order)
    try:
        yield
    finally:
        maker.end()


cdef class ReadAhead(Maker):
    """Makes the rows of a block by n threads, a chunk of `size` examples at a time."""

    def __cinit__(self, Block block, int64_t size, int n):
        pthread_mutex_init(&self.lock, NULL)
        pthread_cond_init(&self.changed, NULL)
        self.n_slots = 2 * n + 1
        self.slots = <Slot *>calloc(self.n_slots, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError("no memory for rows that are read ahead")

    def __init__(self, Block block, int64_t size, int n):
        self.own = block.maker()
        self.others = [block.maker() for _ in range(n)]
        self.x = block.x
        self.size = min(size, LARGEST_CHUNK)

    def __dealloc__(self):
        cdef int64_t k
        if self.slots != NULL:
            for k in range(self.n_slots):
                free(self.slots[k].indptr)
                free(self.slots[k].indices)
                free(self.slots[k].values)
                free(self.slots[k].out)
        free(self.slots)
        pthread_cond_destroy(&self.changed)
        pthread_mutex_destroy(&self.lock)

    def begin(self, const int64_t[::1] order, const uint8_t[::1] skipped=None):
        """Make the rows of the examples in `order`, which will be asked for in this order; some may be left out. Examples whose
        flag in `skipped` is set will probably not be asked for, and are not made ahead. `end` must follow."""
        self.order, self.skipped = order, skipped
        self._begin(0, order.shape[0])

    def begin_from(self, int64_t start, int64_t stop):
        """As `begin`, for the examples from `start` to `stop`, which will be asked for one after the other."""
        self.order = self.skipped = None
        self._begin(start, stop - start)

    def _begin(self, int64_t start, int64_t n):
        cdef int64_t k
        if n < 2 * self.size:
            return
        self.start, self.n = start, n
        self.at = self.taken = self.needed = 0
        self.got = -1
        self.ended = self.failed = False
        self.error = None
        for k in range(self.n_slots):
            self.slots[k].made, self.slots[k].busy = 0, False
        self.running = True
        self.threads = [threading.Thread(target=self._run, args=(maker,), daemon=True) for maker in self.others]
        for thread in self.threads:
            thread.start()

    def end(self):
        """Let the threads end. The rows that were fetched last stay where they are."""
        if not self.running:
            return
        pthread_mutex_lock(&self.lock)
        self.ended = True
        pthread_cond_broadcast(&self.changed)
        pthread_mutex_unlock(&self.lock)
        for thread in self.threads:
            thread.join()
        self.running = False
        self.order = self.skipped = None
        self.threads = self.error = None

    cdef int64_t example(self, int64_t k) noexcept nogil:
        """The number of the example that is asked for as number k."""
        return self.start + k if self.order is None else self.order[k]

    def _run(self, Maker maker):
        """Make chunks until there are no more; an error is kept for who asks for a chunk."""
        try:
            self.make(maker)
        except BaseException as error:
            self.error = error
            pthread_mutex_lock(&self.lock)
            self.failed = True
            pthread_cond_broadcast(&self.changed)
            pthread_mutex_unlock(&self.lock)

    cdef int make(self, Maker maker) except -1:
        cdef Sparse x = self.x
        cdef Slot *slot
        cdef int64_t chunk
        with nogil:
            while True:
                chunk = self.next_chunk()
                if chunk < 0:
                    break
                slot = self.slots + chunk % self.n_slots
                self.fill(slot, maker, &x, chunk)
                pthread_mutex_lock(&self.lock)
                slot.made = chunk + 1
                slot.busy = False
                pthread_cond_broadcast(&self.changed)
                pthread_mutex_unlock(&self.lock)
        return 0

    cdef int64_t next_chunk(self) noexcept nogil:
        """Take the next chunk that is to be made, when its slot is free; -1 where there is none."""
        cdef int64_t chunk, n = (self.n + self.size - 1) // self.size
        pthread_mutex_lock(&self.lock)
        chunk = max(self.taken, self.needed)        # nobody needs what is before `needed`
        self.taken = chunk + 1
        while not (self.ended or self.failed) and chunk < n and (
            chunk >= self.needed + self.n_slots or self.slots[chunk % self.n_slots].busy
        ):
            pthread_cond_wait(&self.changed, &self.lock)
        if self.ended or self.failed or chunk >= n:
            chunk = -1
        else:
            self.slots[chunk % self.n_slots].busy = True
        pthread_mutex_unlock(&self.lock)
        return chunk

    cdef int fill(self, Slot *slot, Maker maker, Sparse *x, int64_t chunk) except -1 nogil:
        """Make the rows of a chunk."""
        cdef int64_t k, p, i, begin, places, n, at = 0, total = 0
        cdef int64_t first_one = chunk * self.size, last = min(first_one + self.size, self.n)
        for k in range(first_one, last):
            slot.places[k - first_one], slot.features[k - first_one] = at, total
            if self.skipped is not None and self.skipped[k]:
                continue
            i = self.example(k)
            maker.fetch(x, i)
            begin = first(x, i)
            places = first(x, i + 1) - begin
            n = x.indptr[begin + places] - x.indptr[begin]
            slot.indptr = <int64_t *>larger(slot.indptr, &slot.indptr_size, at + places + 1, sizeof(int64_t))
            slot.indices = <uint32_t *>larger(slot.indices, &slot.indices_size, total + n, sizeof(uint32_t))
            slot.values = <float *>larger(slot.values, &slot.values_size, total + n, sizeof(float))
            for p in range(places + 1):
                slot.indptr[at + p] = x.indptr[begin + p] - x.indptr[begin]
            memcpy(slot.indices + total, x.indices + x.indptr[begin], n * sizeof(uint32_t))
            memcpy(slot.values + total, x.values + x.indptr[begin], n * sizeof(float))
            slot.flagged[k - first_one] = x.out != NULL
            if x.out != NULL:
                slot.out = <uint8_t *>larger(slot.out, &slot.out_size, at + places + 1, sizeof(uint8_t))
                memcpy(slot.out + at, x.out + begin, places)
            at += places + 1
            total += n
        return 0

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        cdef int64_t k, begin
        cdef Slot *slot
        if not self.running:
            return self.own.fetch(x, i)
        while self.at < self.n and self.example(self.at) != i:
            self.at += 1                            # it was not asked for
        if self.at == self.n:
            return self.own.fetch(x, i)
        k = self.at % self.size
        slot = self.slots + self.at // self.size % self.n_slots
        self.at += 1
        if self.skipped is not None and self.skipped[self.at - 1]:
            return self.own.fetch(x, i)
        self.wait_for((self.at - 1) // self.size)
        begin = first(x, i)
        x.indptr = slot.indptr + slot.places[k] - begin
        x.indices = slot.indices + slot.features[k]
        x.values = slot.values + slot.features[k]
        x.out = slot.out + slot.places[k] - begin if slot.flagged[k] else NULL
        return 0

    cdef int wait_for(self, int64_t chunk) except -1 nogil:
        """Wait until a chunk is made. Those before it are no longer needed."""
        cdef Slot *slot = self.slots + chunk % self.n_slots
        if chunk == self.got:
            return 0
        pthread_mutex_lock(&self.lock)
        self.needed = chunk
        pthread_cond_broadcast(&self.changed)
        while slot.made != chunk + 1 and not self.failed:
            pthread_cond_wait(&self.changed, &self.lock)
        self.got = chunk if slot.made == chunk + 1 else -1
        pthread_mutex_unlock(&self.lock)
        if self.got != chunk:
            with gil:
                raise self.error
        return 0
