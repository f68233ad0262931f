/* Sets that the runs of a sweep are measured on, and the columns of their figures. */
#include "cli/sweep_sets.h"

#include <math.h>
#include <string.h>

#include "cli/interrupt.h"
#include "data/set.h"

/* --- sets ------------------------------------------------------------------------- */

ig_status ig_sweep_set_open(ig_sweep_set *s, const ig_test *test, size_t dims,
                            ig_inputs *inputs, ig_error *error)
{
    ig_set_options data = {.meta = test->meta, .dims = dims, .inputs = inputs};
    ig_error none;
    ig_status status;

    *s = (ig_sweep_set){0};
    status = ig_set_open(&s->set, &test->set, 1, &data, error);
    if (status == IG_OK)
        status = ig_set_check(s->set, NULL, ig_interrupt_flag(), error);
    if (status == IG_OK && test->scores)
        status = ig_scores_read(&s->scores, s->set, test->scores, error);
    if (status == IG_OK) {
        status = ig_pairs_derive(&s->pairs, s->set, "all", &none);
        if (status == IG_VALUE) /* it is measured as far as it goes */
            status = IG_OK;
        else if (status != IG_OK)
            status = ig_fail(error, status, "%s", none.message);
    }
    if (status == IG_OK)
        status = ig_subset_take(&s->subset, s->set, &s->pairs, NULL, 0, 0, error);
    if (status != IG_OK)
        ig_sweep_set_free(s);
    return status;
}

void ig_sweep_set_free(ig_sweep_set *s)
{
    ig_subset_free(&s->subset);
    ig_scores_free(&s->scores);
    ig_pairs_free(&s->pairs);
    ig_set_free(s->set);
    *s = (ig_sweep_set){0};
}

/* --- columns ---------------------------------------------------------------------- */

/* What is asked of one set. */
typedef struct asked {
    size_t set;
    char name[80]; /* before its figures: "sts.", or "" */
    bool scores;
    ig_measure_choice choice;
} asked;

/* The name of a file without its folder and ending, and with a number where an earlier
 * --test has the same. */
static void name_test(const ig_options *o, size_t number, char out[80])
{
    const char *name[2];
    size_t length[2], alike = 1;

    for (size_t i = 0; i <= number; i++) {
        const char *slash = strrchr(o->test[number - i].set, '/'), *dot;
        size_t k = i > 0;

        name[k] = slash && slash[1] ? slash + 1 : o->test[number - i].set;
        dot = strrchr(name[k], '.');
        length[k] = dot && dot > name[k] ? (size_t)(dot - name[k]) : strlen(name[k]);
        alike += k && length[0] == length[1] && !memcmp(name[0], name[1], length[0]);
    }
    if (length[0] > 60)
        length[0] = 60;
    if (alike > 1)
        snprintf(out, 80, "%.*s~%zu.", (int)length[0], name[0], alike);
    else
        snprintf(out, 80, "%.*s.", (int)length[0], name[0]);
}

static bool counts(const asked *a, const ig_measure *measure)
{
    return a->scores ||
           !(ig_family_at((size_t)measure->family)->needs & IG_NEEDS_SCORES);
}

/* Add the columns of one set; its families are those that have one. */
static ig_status add_columns(ig_sweep_columns *columns, const asked *a,
                             unsigned *measures, ig_error *error)
{
    for (size_t i = 0; i < a->choice.count; i++) {
        const ig_measure *measure = a->choice.measure[i];

        if (!counts(a, measure))
            continue;
        *measures |= 1u << measure->family;
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
            ig_builder text = {0};
            char *name;

            ig_builder_add(&text, "%s%s_%s", a->name, measure->name,
                           ig_space_name((ig_space)s));
            name = ig_builder_take(&text);
            columns->column[columns->count++] = (ig_sweep_column){
                .name = name ? ig_arena_text(&columns->arena, name, strlen(name))
                             : NULL,
                .set = a->set,
                .space = (ig_space)s,
                .measure = measure};
            ig_free(name);
            if (!columns->column[columns->count - 1].name)
                return ig_fail_memory(error, "the columns of a sweep");
        }
    }
    return IG_OK;
}

/* What is measured of a set: what is asked for, or what its kind is usually asked. */
static ig_status choose(asked *a, const ig_options *o, bool test, ig_error *error)
{
    a->choice = (ig_measure_choice){0};
    if (o->measures)
        return ig_measures_choose(&a->choice, "--measures", o->measures, error);
    if (a->scores)
        return ig_measures_choose(&a->choice, "--measures", "similarity", error);
    return test ? ig_measures_choose(&a->choice, "--measures", "top1", error) : IG_OK;
}

ig_status ig_sweep_columns_make(ig_sweep_columns *columns, const ig_options *o,
                                ig_error *error)
{
    size_t most = (size_t)2 * IG_CHOICE_MOST * (o->tests + 1);
    asked a = {.set = SIZE_MAX, .name = "", .scores = o->scores != NULL};
    ig_status status = choose(&a, o, false, error);

    *columns = (ig_sweep_columns){0};
    columns->column = ig_arena_alloc(&columns->arena, most * sizeof *columns->column);
    columns->test =
        ig_arena_alloc(&columns->arena, (o->tests + 1) * sizeof *columns->test);
    if (!columns->column || !columns->test)
        return ig_fail_memory(error, "the columns of a sweep");
    if (status == IG_OK)
        status = add_columns(columns, &a, &columns->data, error);
    for (size_t i = 0; i < o->tests && status == IG_OK; i++) {
        a.set = i;
        a.scores = o->test[i].scores != NULL;
        name_test(o, i, a.name);
        columns->test[i] = 0;
        status = choose(&a, o, true, error);
        if (status == IG_OK)
            status = add_columns(columns, &a, &columns->test[i], error);
    }
    if (status == IG_OK && o->measures && columns->count == 0)
        status = ig_fail(error, IG_USAGE,
                         "--measures %s: similarity is to scores, and there are no "
                         "--scores FILE",
                         o->measures);
    return status;
}

void ig_sweep_columns_free(ig_sweep_columns *columns)
{
    ig_arena_free(&columns->arena);
    *columns = (ig_sweep_columns){0};
}

/* --- measuring -------------------------------------------------------------------- */

void ig_sweep_keep(const ig_sweep_figures *figures, size_t column,
                   const ig_measure *measure, const ig_evaluation *e)
{
    const ig_figure *row = ig_figures_whole(&e->figures, measure->name);

    figures->value[column] = row ? row->value : (double)NAN;
    if (!figures->interval || !row || !row->draw)
        return;
    figures->interval[column] = (ig_interval){row->low, row->high};
    memcpy(figures->draw + column * IG_DRAWS, row->draw,
           IG_DRAWS * sizeof *figures->draw);
}

ig_status ig_sweep_measure(const ig_sweep_columns *columns, size_t of,
                           const ig_extractor *x, const ig_set *set,
                           const ig_subject *subject, const ig_resampling *resampling,
                           ig_space space, ig_pool *pool, const atomic_bool *stop,
                           const ig_sweep_figures *figures, ig_evaluation *taken,
                           ig_error *error)
{
    ig_rows originals = ig_rows_of_set(set);
    ig_space_rows context[IG_SPACES];
    ig_rows rows[IG_SPACES];
    const ig_rows *parts[IG_SPACES];
    ig_subject whole = *subject;
    ig_watch watch = {.stop = stop};
    ig_status status = IG_OK;

    *taken = (ig_evaluation){0};
    if (!subject->measures || !ig_extractor_serves(x, space))
        return IG_OK;
    for (int s = 0; s < IG_SPACES; s++) {
        context[s] = (ig_space_rows){x, (ig_space)s, &originals, set->lang};
        parts[s] = s == IG_SPACE_ORIGINAL ? &originals : &rows[s];
        if (s != IG_SPACE_ORIGINAL && ig_extractor_serves(x, (ig_space)s))
            rows[s] = ig_rows_of_space(&context[s]);
    }
    if (space == IG_SPACE_MEANING && ig_extractor_serves(x, IG_SPACE_LANGUAGE))
        whole.part = parts;
    status = ig_evaluation_take(taken, &rows[space], &whole, pool, &watch, error);
    if (status == IG_OK && resampling)
        status = ig_bootstrap_take(taken, resampling, pool, error);
    for (size_t i = 0; i < columns->count && status == IG_OK; i++) {
        const ig_sweep_column *c = &columns->column[i];

        if (c->set == of && c->space == space)
            ig_sweep_keep(figures, i, c->measure, taken);
    }
    if (status != IG_OK)
        ig_evaluation_free(taken);
    return status;
}
