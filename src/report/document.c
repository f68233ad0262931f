/* The document of an evaluation: measuring. */
#include "report/document.h"

#include <math.h>
#include <string.h>

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

/* Measure a space: that of meaning also with the sum of both parts, those of a later
 * run also against the first run's. Figures that only intervals needed go then. */
static ig_status measure_space(ig_document *d, const ig_document_column *of,
                               const ig_rows *originals, ig_evaluation_spec spec,
                               ig_pool *pool, ig_progress *watch, ig_error *error)
{
    size_t r = of->run ? (size_t)(of->run - d->run) : 0;
    ig_evaluation *out = of->run ? &d->run[r].space[of->space] : &d->original;
    ig_measured m = {.rows = {*originals}}, first;
    ig_status status;

    if (of->run)
        ig_measured_open(&m, of->run->extractor, d->set, originals);
    if (of->run && of->run->asks)
        spec.queries = of->run->asks[of->space];
    spec.part = of->space == IG_SPACE_MEANING ? m.part : NULL;
    if (r && ig_document_space(d, 0, of->space)) {
        ig_measured_open(&first, d->run[0].extractor, d->set, originals);
        spec.other = &first.rows[of->space];
    }
    status = ig_evaluation_take(out, &m.rows[of->space], &spec, pool, watch, error);
    if (d->choice)
        ig_figures_choose(&out->figures, d->choice);
    return status;
}

/* --- differences ------------------------------------------------------------------ */

/* Runs that are equal but for the seed are one method; the same seed twice is not. */
static void group_runs(ig_document *d)
{
    for (size_t r = 0; r < d->runs; r++) {
        const char *recipe = d->run[r].recipe;
        bool same = false;

        d->run[r].group = r;
        for (size_t i = r; i-- > 0 && recipe && !d->run[r].fitted && !same;) {
            if (!d->run[i].recipe || strcmp(d->run[i].recipe, recipe) != 0)
                continue;
            same = d->run[i].info->options.seed == d->run[r].info->options.seed;
            d->run[r].group = same ? r : d->run[i].group;
        }
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

    *one = (ig_document_difference){
        .first = first,
        .second = second,
        .seeds = {a.count, b.count},
        .only = (first != IG_NO_RUN && a.count == 1 && !d->run[first].fitted) ||
                (b.count == 1 && !d->run[second].fitted),
        .space = space,
        .figure = ig_arena_array(&d->terms.arena, IG_CHOICE_MAX, sizeof *one->figure)};
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
    /* From the original space (i 0) by meaning alone. */
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++)
        for (size_t i = s != IG_SPACE_MEANING; i <= d->runs; i++)
            for (size_t b = i; b < d->runs && status == IG_OK; b++)
                if ((!i || d->run[i - 1].group == i - 1) && d->run[b].group == b)
                    status =
                        add_difference(d, i ? i - 1 : IG_NO_RUN, b, (ig_space)s, error);
    return status;
}

ig_status ig_document_measure(ig_document *d, const ig_rows *originals,
                              const ig_evaluation_spec *subject, ig_pool *pool,
                              const ig_progress *all, ig_error *error)
{
    ig_document_columns columns = ig_document_spaces(d, &d->terms.arena);
    double work = ig_evaluation_work(originals, subject);
    struct whole whole = {.watch = all, .work = (double)columns.count * work + 1};
    ig_progress watch = {.stop = all->stop, .tick = report_share, .context = &whole};
    ig_status status = columns.at ? IG_OK : ig_fail_memory(error, "the measures");

    group_runs(d);
    for (size_t c = 0; c < columns.count && status == IG_OK; c++)
        status =
            measure_space(d, &columns.at[c], originals, *subject, pool, &watch, error);
    return status == IG_OK && d->ci ? take_differences(d, error) : status;
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

ig_document_columns ig_document_spaces(const ig_document *first, ig_arena *arena)
{
    bool several = first->next || first->runs > 1;
    ig_document_columns out = {0};
    size_t most = 0;

    for (const ig_document *d = first; d; d = d->next)
        most += 1 + 2 * d->runs;
    out.at = ig_arena_array(arena, most, sizeof *out.at);
    for (const ig_document *d = first; d && out.at; d = d->next)
        for (size_t i = 0; i < 1 + 2 * d->runs; i++) {
            ig_document_column *c = &out.at[out.count];
            size_t r = i ? (i - 1) / 2 : 0;
            ig_space s = i ? (ig_space)(IG_SPACE_MEANING + (i - 1) % 2)
                           : IG_SPACE_ORIGINAL;
            const char *version = first->next ? d->set->version : "";
            const char *run = i && (!first->next || d->runs > 1) ? d->run[r].title : "";

            if (!ig_document_space(d, r, s))
                continue;
            *c = (ig_document_column){.measures = ig_document_space(d, r, s),
                                      .space = s,
                                      .run = i ? &d->run[r] : NULL,
                                      .version = d->set->version};
            snprintf(c->title, sizeof c->title, "%.40s%s%.90s", version,
                     *version && *run ? " " : "", run);
            snprintf(c->name, sizeof c->name, "%s%s%s", ig_space_name(s),
                     several && *c->title ? " of " : "", several ? c->title : "");
            out.count++;
        }
    return out;
}

const char *ig_document_split_name(int split)
{
    static const char *const names[] = {"all", "train", "valid", "holdout"};

    return names[split];
}
