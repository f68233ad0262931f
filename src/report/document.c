/* The document of an evaluation: measuring. */
#include "report/document.h"

#include <math.h>
#include <string.h>

#include "core/array.h"

ig_status ig_document_init(ig_document *d, const ig_dataset *set, size_t runs,
                           ig_error *error)
{
    *d = (ig_document){.set = set};
    d->run = ig_alloc(runs, sizeof *d->run);
    return d->run ? IG_OK : ig_fail_memory(error, "the measures");
}

void ig_document_free(ig_document *d)
{
    for (size_t r = 0; r < d->runs; r++) {
        for (int s = 0; s < IG_SPACES; s++)
            ig_evaluation_free(&d->run[r].space[s]);
        ig_arena_free(&d->run[r].properties.arena);
    }
    ig_free(d->run);
    for (size_t i = 0; i < d->differences; i++)
        ig_free(d->difference[i].figure);
    ig_free(d->difference);
    ig_evaluation_free(&d->original);
    ig_arena_free(&d->properties.arena);
    ig_builder_free(&d->command);
    ig_arena_free(&d->arena);
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

/* Open a space of a run; for the meaning space of a run with language embeddings also
 * their sum, of a later run also the same space of the first. */
static ig_evaluation_spec open_space(ig_measured *m, ig_measured *first,
                                     const ig_document *d, size_t r, ig_space space,
                                     const ig_rows *originals,
                                     const ig_evaluation_spec *subject)
{
    ig_evaluation_spec out = *subject;

    ig_measured_open(m, d->run[r].extractor, d->set, originals);
    out.part = space == IG_SPACE_MEANING ? m->part : NULL;
    if (r && d->run[0].has[space]) {
        ig_measured_open(first, d->run[0].extractor, d->set, originals);
        out.other = &first->rows[space];
    }
    out.unseen = d->run[r].unseen;
    return out;
}

/* Progress of the current space, and its callback. */
struct reporter {
    ig_document_progress *progress;
    void *context;
    const char *what;
    double work; /* of all spaces */
};

static void report_progress(void *context, double done)
{
    const struct reporter *t = context;

    t->progress(t->context, t->what,
                t->work > 0 && done < t->work ? done / t->work : 1);
}

/* Total work in flops. */
static double count_work(const ig_document *d, const ig_rows *originals,
                         const ig_evaluation_spec *subject)
{
    double work = ig_evaluation_work(originals, subject);
    ig_measured source, first;

    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            if (d->run[r].has[s]) {
                ig_evaluation_spec of =
                    open_space(&source, &first, d, r, (ig_space)s, originals, subject);

                work += ig_evaluation_work(&source.rows[s], &of);
            }
    return work;
}

/* Keep the figures of the chosen measures; intervals may follow from others. */
static void choose_figures(ig_document *d)
{
    ig_figures_choose(&d->original.figures, d->choice);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            if (d->run[r].has[s])
                ig_figures_choose(&d->run[r].space[s].figures, d->choice);
}

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
                joins = d->run[i].group != g || d->run[i].seed != run->seed;
            to = joins ? g : r;
        }
        d->run[r].group = to;
    }
}

/* The runs of a method in a space; `room` (runs + 1). */
static ig_seeds seeds_of(const ig_document *d, size_t group, ig_space space,
                         const ig_evaluation **room)
{
    ig_seeds out = {.run = room};

    if (group == IG_NO_RUN)
        room[out.count++] = &d->original;
    for (size_t r = 0; r < d->runs; r++)
        if (d->run[r].group == group && ig_document_space(d, r, space))
            room[out.count++] = ig_document_space(d, r, space);
    return out;
}

/* Add the difference of two methods, where both have the space. */
static ig_status add_difference(ig_document *d, size_t first, size_t second,
                                ig_space space, const ig_evaluation **room,
                                ig_error *error)
{
    ig_seeds a = seeds_of(d, first, space, room);
    ig_seeds b = seeds_of(d, second, space, room + d->runs + 1);
    ig_document_difference *one = &d->difference[d->differences];
    size_t figures = 0;

    if (!a.count || !b.count)
        return IG_OK;
    while (ig_measure_at(figures))
        figures++;
    *one = (ig_document_difference){
        .first = first,
        .second = second,
        .seeds = {a.count, b.count},
        .only = (first != IG_NO_RUN && a.count == 1 && !d->run[first].fitted) ||
                (b.count == 1 && !d->run[second].fitted),
        .space = space};
    one->figure = ig_alloc(figures, sizeof *one->figure);
    if (!one->figure)
        return ig_fail_memory(error, "the differences");
    d->differences++;
    return ig_differences_take(one->figure, &one->count, a, b, error);
}

static ig_status take_differences(ig_document *d, ig_error *error)
{
    const ig_evaluation **room = ig_alloc(2 * d->runs + 2, sizeof(*room));
    ig_status status = IG_OK;

    d->difference = ig_alloc(d->runs * (d->runs + 1), sizeof *d->difference);
    if (!d->difference || !room)
        status = ig_fail_memory(error, "the differences");
    group_runs(d);
    for (size_t r = 0; r < d->runs && status == IG_OK; r++)
        if (d->run[r].group == r)
            status = add_difference(d, IG_NO_RUN, r, IG_SPACE_MEANING, room, error);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        for (size_t a = 0; a < d->runs; a++)
            for (size_t b = a + 1; b < d->runs && status == IG_OK; b++)
                if (d->run[a].group == a && d->run[b].group == b)
                    status = add_difference(d, a, b, (ig_space)s, room, error);
    ig_free(room);
    return status;
}

ig_status ig_document_measure(ig_document *d, const ig_rows *originals,
                              const ig_evaluation_spec *subject, ig_pool *pool,
                              const atomic_bool *stop, ig_document_progress *progress,
                              void *context, ig_error *error)
{
    struct reporter t = {.progress = progress, .context = context, .what = "original"};
    ig_progress watch = {
        .stop = stop, .tick = progress ? report_progress : NULL, .context = &t};
    ig_measured source, first;
    ig_status status;

    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
            d->run[r].has[s] = d->run[r].extractor &&
                               ig_extractor_serves(d->run[r].extractor, (ig_space)s);
    t.work = count_work(d, originals, subject);
    status = ig_evaluation_take(&d->original, originals, subject, pool, &watch, error);
    for (size_t r = 0; r < d->runs; r++)
        for (int s = IG_SPACE_MEANING; s < IG_SPACES && status == IG_OK; s++) {
            ig_evaluation_spec of;

            if (!d->run[r].has[s])
                continue;
            of = open_space(&source, &first, d, r, (ig_space)s, originals, subject);
            t.what = ig_space_name((ig_space)s);
            status = ig_evaluation_take(&d->run[r].space[s], &source.rows[s], &of, pool,
                                        &watch, error);
        }
    if (d->choice)
        choose_figures(d);
    if (status == IG_OK && d->ci)
        status = take_differences(d, error);
    return status;
}

/* --- reading ---------------------------------------------------------------------- */

const ig_evaluation *ig_document_space(const ig_document *d, size_t run, ig_space space)
{
    if (space == IG_SPACE_ORIGINAL)
        return &d->original;
    return run < d->runs && d->run[run].has[space] ? &d->run[run].space[space] : NULL;
}

const char *ig_document_split_name(ig_document_split split)
{
    static const char *const names[] = {"all", "valid", "train", "holdout"};

    return names[split];
}
