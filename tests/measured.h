/* One group of measures alone: its figures (measure_group); or its result,
 * measure_probe(&probe, &rows, spec, pool, watch), which is the caller's, to be freed by the
 * group. */
#ifndef TESTS_MEASURED_H
#define TESTS_MEASURED_H

#include "measure/evaluation.h"

/* The evaluation of one group is the caller's, empty unless IG_OK. */
static inline ig_status measure_group(ig_evaluation *out, unsigned group,
                                      const ig_rows *rows, ig_evaluation_spec spec,
                                      ig_pool *by, ig_progress *watch)
{
    spec.measures = group;
    return ig_evaluation_take(out, rows, &spec, by, watch, NULL);
}

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
IG_RESULT_GROUPS(MEASURE_ALONE)

#endif
