/* One group of measures alone: measure_probe(&probe, &rows, spec, pool, watch). The result
 * is the caller's, to be freed by the group. */
#ifndef TESTS_MEASURED_H
#define TESTS_MEASURED_H

#include "measure/evaluation.h"

#define MEASURE_ALONE(member, NAME)                                                    \
    static inline ig_status measure_##member(ig_##member *out, const ig_rows *rows,    \
                                             ig_evaluation_spec spec, ig_pool *by,     \
                                             ig_progress *watch)                       \
    {                                                                                  \
        ig_evaluation e;                                                               \
        ig_status status;                                                              \
                                                                                       \
        spec.measures = IG_MEASURE_##NAME;                                             \
        status = ig_evaluation_take(&e, rows, &spec, by, watch, NULL);                 \
        *out = e.member;                                                               \
        e.member = (ig_##member){0};                                                   \
        ig_evaluation_free(&e);                                                        \
        return status;                                                                 \
    }
IG_MEASURE_GROUPS(MEASURE_ALONE)

#endif
