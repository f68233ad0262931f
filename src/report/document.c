/* The document of an evaluation: measuring. */
#include "report/document.h"

#include <math.h>
#include <string.h>

#include "core/array.h"

ig_status ig_document_init(ig_document *d, const ig_dataset *set, size_t runs,
                           ig_error *error)
{
    *d = (ig_document){.set = set};
    d->run = ig_arena_array(&d->terms.arena, runs, sizeof *d->run);
    return d->run ? IG_OK : ig_fail_memory(error, "the measures");
}

void ig_document_free(ig_document *d)
{
    for (size_t r = 0; r < d->runs; r++)
        for (int s = 0; s < IG_SPACES; s++)
            ig_evaluation_free(&d->run[r].space[s]);
    ig_evaluation_free(&d->original);
    ig_builder_free(&d->command);
    ig_table_free(&d->terms);
    *d = (ig_document){0};
}

/* --- measuring -------------------------------------------------------------------- */

void ig_measured_open(ig_measured *m, const ig_extractor *x, const ig_dataset *set,
                      const ig_rows *originals)
{
    m->rows[IG_SPACE_ORIGINAL] = *originals;
    m->rows[IG_SPACE_ORIGINAL].dims = x->dims;
    for (int s = 0; s < IG_SPACES; s++) {
        m->all[s] = &m->rows[s];
        m->context[s] =
            (ig_space_rows){x, (ig_space)s, &m->rows[IG_SPACE_ORIGINAL], set->lang};
        if (s != IG_SPACE_ORIGINAL && ig_extractor_serves(x, (ig_space)s))
            m->rows[s] = ig_rows_of_space(&m->context[s]);
    }
    m->part = ig_extractor_serves(x, IG_SPACE_LANGUAGE) ? m->all : NULL;
}

/* The progress of all, and its work in flops. */
struct whole {
    const ig_progress *watch;
    double work;
};

static void report_share(void *context, double done)
{
    const struct whole *w = context;

    w->watch->tick(w->watch->context, fmin(done / w->work, 1));
}

/* Measure a space of a run: the meaning space of one with language embeddings also with
 * their sum, a later run also against the same space of the first. */
static ig_status measure_space(ig_document *d, size_t r, ig_space space,
                               const ig_rows *originals, ig_evaluation_spec spec,
                               ig_pool *pool, ig_progress *watch, ig_error *error)
{
    ig_measured m, first;

    ig_measured_open(&m, d->run[r].extractor, d->set, originals);
    spec.part = space == IG_SPACE_MEANING ? m.part : NULL;
    if (r && ig_document_space(d, 0, space)) {
        ig_measured_open(&first, d->run[0].extractor, d->set, originals);
        spec.other = &first.rows[space];
    }
    spec.unseen = d->run[r].unseen;
    return ig_evaluation_take(&d->run[r].space[space], &m.rows[space], &spec, pool,
                              watch, error);
}

/* --- differences ------------------------------------------------------------------ */

/* Runs that are equal but for the seed are one method; the same seed twice is not. */
static void group_runs(ig_document *d)
{
    for (size_t r = 0; r < d->runs; r++) {
        const ig_document_run *run = &d->run[r];
        size_t to = r;

        for (size_t g = 0; g < r && to == r && run->recipe && !run->fitted; g++) {
            bool joins = d->run[g].group == g && d->run[g].recipe &&
                         strcmp(d->run[g].recipe, run->recipe) == 0;

            for (size_t i = g; i < r && joins; i++)
                joins = d->run[i].group != g ||
                        d->run[i].info->options.seed != run->info->options.seed;
            to = joins ? g : r;
        }
        d->run[r].group = to;
    }
}

/* The runs of a method in a space. */
static ig_seeds seeds_of(ig_document *d, size_t group, ig_space space)
{
    const ig_figures **run = ig_arena_array(&d->terms.arena, d->runs + 1, sizeof(*run));
    ig_seeds out = {.run = run};

    if (run && group == IG_NO_RUN)
        run[out.count++] = &d->original.figures;
    for (size_t r = 0; r < d->runs && run; r++)
        if (d->run[r].group == group && ig_document_space(d, r, space))
            run[out.count++] = &ig_document_space(d, r, space)->figures;
    return out;
}

/* Add the difference of two methods, where both have the space. */
static ig_status add_difference(ig_document *d, size_t first, size_t second,
                                ig_space space, ig_error *error)
{
    ig_seeds a = seeds_of(d, first, space), b = seeds_of(d, second, space);
    ig_document_difference *one = &d->difference[d->differences];
    size_t figures = 0;

    while (ig_measure_at(figures))
        figures++;
    *one = (ig_document_difference){
        .first = first,
        .second = second,
        .seeds = {a.count, b.count},
        .only = (first != IG_NO_RUN && a.count == 1 && !d->run[first].fitted) ||
                (b.count == 1 && !d->run[second].fitted),
        .space = space,
        .figure = ig_arena_array(&d->terms.arena, figures, sizeof *one->figure)};
    if (d->terms.arena.failed)
        return ig_fail_memory(error, "the differences");
    if (!a.count || !b.count)
        return IG_OK;
    d->differences++;
    one->count = ig_differences_take(one->figure, a, b);
    return IG_OK;
}

static ig_status take_differences(ig_document *d, ig_error *error)
{
    ig_status status = IG_OK;

    d->difference =
        ig_arena_array(&d->terms.arena, d->runs * (d->runs + 1), sizeof *d->difference);
    if (!d->difference)
        return ig_fail_memory(error, "the differences");
    group_runs(d);
    for (size_t r = 0; r < d->runs && status == IG_OK; r++)
        if (d->run[r].group == r)
            status = add_difference(d, IG_NO_RUN, r, IG_SPACE_MEANING, error);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        for (size_t a = 0; a < d->runs; a++)
            for (size_t b = a + 1; b < d->runs && status == IG_OK; b++)
                if (d->run[a].group == a && d->run[b].group == b)
                    status = add_difference(d, a, b, (ig_space)s, error);
    return status;
}

ig_status ig_document_measure(ig_document *d, const ig_rows *originals,
                              const ig_evaluation_spec *subject, ig_pool *pool,
                              const ig_progress *all, ig_error *error)
{
    struct whole whole = {.watch = all};
    ig_progress watch = {.stop = all->stop, .tick = report_share, .context = &whole};
    size_t spaces = 1;
    ig_status status;

    for (size_t i = 0; i < d->runs * IG_SPACES; i++)
        spaces += i % IG_SPACES != IG_SPACE_ORIGINAL &&
                  ig_document_space(d, i / IG_SPACES, (ig_space)(i % IG_SPACES));
    whole.work = (double)spaces * ig_evaluation_work(originals, subject) + 1;
    status = ig_evaluation_take(&d->original, originals, subject, pool, &watch, error);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++) {
            if (ig_document_space(d, r, (ig_space)s))
                status = measure_space(d, r, (ig_space)s, originals, *subject, pool,
                                       &watch, error);
        }
    /* Intervals may follow from measures that are not chosen. */
    if (d->choice)
        ig_figures_choose(&d->original.figures, d->choice);
    for (size_t r = 0; r < d->runs && d->choice; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            ig_figures_choose(&d->run[r].space[s].figures, d->choice);
    if (status == IG_OK && d->ci)
        status = take_differences(d, error);
    return status;
}

/* --- reading ---------------------------------------------------------------------- */

const ig_evaluation *ig_document_space(const ig_document *d, size_t run, ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return &d->original;
    return run < d->runs && d->run[run].extractor &&
                   ig_extractor_serves(d->run[run].extractor, space)
               ? &d->run[run].space[space]
               : NULL;
}

const char *ig_document_split_name(ig_document_split split)
{
    static const char *const names[] = {"all", "valid", "train", "holdout"};

    return names[split];
}
