/* One group of measures alone. */
#pragma once

#include "measure/evaluation.h"

/* The evaluation of one group is the caller's, empty unless IG_OK. */
static inline ig_status measure_group(ig_evaluation *out, unsigned group,
                                      const ig_rows *rows, ig_evaluation_spec spec,
                                      ig_pool *by, ig_progress *watch)
{
    spec.measures = group;
    return ig_evaluation_take(out, rows, &spec, by, watch, NULL);
}
