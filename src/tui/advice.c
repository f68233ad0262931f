/* What can be done. */
#include "tui/advice.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* Fewer rows are few; a loss that changes by less has hardly moved. */
enum { FEW_ROWS = 200 };
static const double MOVED = 0.02;

typedef ig_advice_facts facts;

/* --- a set ------------------------------------------------------------------------ */

static bool has_no_pairs(const facts *f)
{
    return f->pairs == 0;
}

static void say_no_pairs(const facts *f, char *out, size_t size)
{
    if (f->languages < 2)
        snprintf(out, size,
                 "One language has no pairs to learn from: abtt needs none, "
                 "or give one more.");
    else
        snprintf(out, size,
                 "No pairs to learn from: give an id column or --pairs FILE. centre, "
                 "lir, lsar and leace need none (m).");
}

static bool has_few_rows(const facts *f)
{
    return f->rows < FEW_ROWS && f->pairs > 0;
}

static void say_few_rows(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "%zu rows are few: try :set lr 1e-2 and :set epochs 500.",
             f->rows);
}

static bool has_many_dims(const facts *f)
{
    return f->dims > f->rows;
}

static void say_many_dims(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "%zu dimensions, %zu rows: anything fits. Try --dims 64.",
             f->dims, f->rows);
}

/* --- a run ------------------------------------------------------------------------ */

static bool has_failed(const facts *f)
{
    return f->failed && f->lr > 0;
}

static void say_failed(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "It went astray: try smaller steps, :set lr %g.", f->lr / 10);
}

static bool has_hardly_moved(const facts *f)
{
    return !f->failed && f->epochs > 0 && f->lr > 0 && isfinite(f->first) &&
           isfinite(f->least) && fabs(f->first - f->least) <= MOVED * fabs(f->first);
}

static void say_hardly_moved(const facts *f, char *out, size_t size)
{
    snprintf(out, size, "The loss hardly moved (%.4g to %.4g): try :set lr %g.",
             f->first, f->least, 10 * f->lr);
}

static bool is_best_at_the_end(const facts *f)
{
    return !f->failed && f->epochs > 0 && f->best == f->epochs &&
           f->epochs >= f->most && f->lr > 0;
}

static void say_best_at_the_end(const facts *f, char *out, size_t size)
{
    snprintf(out, size,
             "The last epoch was the best: more may be better, :set epochs %zu.",
             f->most < 100 ? 100 : 2 * f->most);
}

/* --- the table -------------------------------------------------------------------- */

static const struct advice {
    bool of_run;
    bool (*holds)(const facts *f);
    void (*say)(const facts *f, char *out, size_t size);
} table[] = {
    {false, has_no_pairs, say_no_pairs},
    {false, has_few_rows, say_few_rows},
    {false, has_many_dims, say_many_dims},
    {true, has_failed, say_failed},
    {true, has_hardly_moved, say_hardly_moved},
    {true, is_best_at_the_end, say_best_at_the_end},
};

static size_t advise(const facts *f, bool of_run,
                     char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table && n < IG_ADVICE_MOST; i++)
        if (table[i].of_run == of_run && table[i].holds(f))
            table[i].say(f, out[n++], IG_ADVICE_SIZE);
    return n;
}

size_t ig_advice_for_set(const ig_advice_facts *f,
                         char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    return advise(f, false, out);
}

size_t ig_advice_for_run(const ig_advice_facts *f,
                         char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    return advise(f, true, out);
}
