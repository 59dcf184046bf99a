from libc.stdint cimport int32_t, int64_t

# These functions do one step of a chain over all tags at once; rows.h says what each does.
cdef extern from "rows.h" nogil:
    void linnet_best_step(float *best, const float *before, const float *trans, int n, int stride, int pitch)
    float linnet_sum_step(float *out, const float *before, const float *E, const float *by, int n, int stride, int pitch)
    void linnet_back_step(float *out, const float *before, const float *E, const float *g, float most, int n, int stride,
                          int pitch, float negligible)
    void linnet_pairs(float *out, const float *E, const float *before, const float *g, const float *most, int n, int stride,
                      int pitch, int pitch_E, int64_t T, int64_t apart, int64_t apart_most, float negligible,
                      float *spare, int32_t *at)
    float linnet_times(float *out, const float *x, const float *y, int n)
    float linnet_most(const float *x, int n)
    void linnet_turn(float *out, const float *x, int n, int stride)
    void linnet_exp(float *out, const float *x, float most, int n)
