/* Figures of a cell, and the sentences behind it. */
#include "explorer/leakage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explorer/keymap.h"

#define VIEW(name, kind, space, measure, title, gain)                                  \
    {                                                                                  \
        name, IG_LEAKAGE_##kind, IG_SPACE_##space, measure, title, IG_GAIN_##gain      \
    }
static const ig_leakage_view views[] = {
    VIEW("findings", FINDINGS, MEANING, NULL, "findings", NONE),
    VIEW("summary", SUMMARY, MEANING, NULL, "main measures", NONE),
    VIEW("measures", SUMMARY, MEANING, NULL, "all measures", NONE),
    VIEW("meaning", RETRIEVAL, MEANING, "top1", "top-1", NONE),
    VIEW("language", RETRIEVAL, LANGUAGE, "top1", "top-1", NONE),
    VIEW("original", RETRIEVAL, ORIGINAL, "top1", "top-1", NONE),
    VIEW("xsim", RETRIEVAL, MEANING, "xsim", "xsim error", NONE),
    VIEW("overlap", RETRIEVAL, MEANING, "overlap5", "overlap@5", NONE),
    VIEW("rank", RETRIEVAL, MEANING, "mean_rank", "mean rank", NONE),
    VIEW("gain", RETRIEVAL, MEANING, "top1", "top-1 minus original", ORIGINAL),
    VIEW("versus", RETRIEVAL, MEANING, "top1", "top-1 minus run", RUN),
    VIEW("pool-meaning", POOL, MEANING, "pool_nearest", "nearest of all", NONE),
    VIEW("pool-language", POOL, LANGUAGE, "pool_nearest", "nearest of all", NONE),
    VIEW("pool-original", POOL, ORIGINAL, "pool_nearest", "nearest of all", NONE),
    VIEW("probe-meaning", PROBE, MEANING, "probe_read", "read as", NONE),
    VIEW("probe-language", PROBE, LANGUAGE, "probe_read", "read as", NONE),
    VIEW("probe-original", PROBE, ORIGINAL, "probe_read", "read as", NONE),
};
#undef VIEW

enum { VIEWS = sizeof views / sizeof *views };

const ig_leakage_view *ig_leakage_view_at(size_t i)
{
    return i < VIEWS ? &views[i] : NULL;
}

size_t ig_leakage_view_named(const char *name)
{
    size_t i = 0;

    while (strcmp(views[i].name, name) != 0)
        i++;
    return i;
}

ig_shown_evaluation ig_leakage_versus(const ig_shown_evaluation *run,
                                      const ig_shown_evaluation *other)
{
    const ig_evaluation *theirs = other->space[IG_SPACE_MEANING];
    ig_shown_evaluation both = *run;

    both.space[IG_SPACE_ORIGINAL] = theirs ? theirs : other->space[IG_SPACE_ORIGINAL];
    return both;
}

ig_space ig_leakage_space(const ig_leakage_view *view,
                          const ig_shown_evaluation *measured)
{
    return measured->space[view->space] ? view->space : IG_SPACE_ORIGINAL;
}

const ig_evaluation *ig_leakage_evaluation(const ig_leakage_view *view,
                                           const ig_shown_evaluation *measured)
{
    return measured->space[ig_leakage_space(view, measured)];
}

static const ig_figure *figure_of(const ig_leakage_view *view, const ig_evaluation *e,
                                  size_t from, size_t to)
{
    return e && view->measure
               ? ig_figures_find(&e->figures, ig_measure_named(view->measure), from, to)
               : NULL;
}

const ig_figure *ig_leakage_figure(const ig_leakage_view *view,
                                   const ig_shown_evaluation *measured, size_t from,
                                   size_t to)
{
    return figure_of(view, ig_leakage_evaluation(view, measured), from, to);
}

bool ig_leakage_counts(const ig_leakage_view *view)
{
    return view->kind == IG_LEAKAGE_PROBE || view->kind == IG_LEAKAGE_POOL;
}

bool ig_leakage_picks(const ig_leakage_view *view)
{
    return view->measure && strcmp(view->measure, "xsim") == 0;
}

/* --- cells ------------------------------------------------------------------------ */

static int tone_of(double gain)
{
    return (gain >= 0.0005) - (gain <= -0.0005);
}

/* The heat is the square root of the badness, to separate values near the good end. */
static void retrieval_cell(const ig_leakage_view *view,
                           const ig_shown_evaluation *measured, size_t from, size_t to,
                           ig_heat_cell *cell)
{
    const ig_evaluation *e = ig_leakage_evaluation(view, measured);
    bool mean = from == IG_ALL_LANGUAGES || to == IG_ALL_LANGUAGES;
    const ig_retrieval_score *score = mean ? NULL
                                           : ig_retrieval_find(&e->retrieval, from, to);
    const ig_figure *f = figure_of(view, e, from, to), *before;
    const ig_measure *measure = f ? f->measure : NULL;
    bool rank = measure && measure->unit == IG_UNIT_RANK;
    double share; /* 1: of rank 1 */

    cell->blank = from == to;
    if (!f)
        return;
    cell->value = f->value;
    if (view->gain) {
        before = figure_of(view, measured->space[IG_SPACE_ORIGINAL], from, to);
        cell->value -= before ? before->value : (double)NAN;
        cell->tone =
            tone_of(cell->value * ig_better(measure, ig_leakage_space(view, measured)));
        return;
    }
    if (score && ig_retrieval_degenerate(score))
        cell->mark = '=';
    if (isnan(f->value) || mean)
        return;
    share = rank ? 1 / f->value : f->value;
    cell->heat = sqrt((ig_better(measure, ig_leakage_space(view, measured)) > 0) != rank
                          ? 1 - share
                          : share);
    if (!cell->mark &&
        (f->value - f->chance) * ig_better(measure, IG_SPACE_MEANING) <= 1e-9)
        cell->mark = '~';
}

void ig_leakage_cell(const ig_leakage_view *view, const ig_shown_evaluation *measured,
                     size_t languages, size_t from, size_t to, ig_heat_cell *cell)
{
    const ig_figure *f = ig_leakage_figure(view, measured, from, to);

    if (!ig_leakage_evaluation(view, measured))
        return;
    if (view->kind == IG_LEAKAGE_RETRIEVAL) {
        retrieval_cell(view, measured, from == languages ? IG_ALL_LANGUAGES : from,
                       to == languages ? IG_ALL_LANGUAGES : to, cell);
    } else if (f) {
        cell->value = f->value;
        cell->heat = sqrt(f->value);
        if (from == to && f->value <= f->chance)
            cell->mark = '~';
    }
}

/* --- the sentences behind a cell -------------------------------------------------- */

struct source {
    const ig_dataset *set;
    const ig_evaluation *evaluation;
    const ig_retrieval_score *score;
    size_t from, to; /* languages */
};

/* A query of the cell's direction, its translation and the next candidate; returns by
 * how much the translation leads. */
static double describe_query(const ig_query_result *f, ig_sentence *line)
{
    bool alone = f->other == f->query;

    *line = (ig_sentence){.row = f->query,
                          .truth = f->truth,
                          .cosine = f->cosine,
                          .other = alone ? IG_NO_ROW : f->other,
                          .other_cosine = f->cosine - f->margin};
    return (double)f->margin;
}

static bool take_missed(const struct source *from, size_t i, ig_sentence *line)
{
    const ig_query_result *f =
        &from->evaluation->retrieval.found[from->score->first + i];

    describe_query(f, line);
    line->value = f->rank;
    return f->rank > 1;
}

static bool take_wrong_pick(const struct source *from, size_t i, ig_sentence *line)
{
    const ig_query_result *f =
        &from->evaluation->retrieval.found[from->score->first + i];

    describe_query(f, line);
    if (f->pick != f->other)
        line->other_cosine = NAN;
    line->other = f->pick;
    line->value = (double)f->pick_ratio - (double)f->ratio;
    return f->pick_counts && f->wrong_pick;
}

static bool take_found(const struct source *from, size_t i, ig_sentence *line)
{
    const ig_query_result *f =
        &from->evaluation->retrieval.found[from->score->first + i];

    line->value = describe_query(f, line);
    return f->rank == 1 && !f->tied;
}

static bool take_read(const struct source *from, size_t i, ig_sentence *line)
{
    const ig_probe *probe = &from->evaluation->probe;

    line->row = probe->row[i];
    line->value = fabs((double)probe->certainty[i]);
    return from->set->lang[probe->row[i]] == from->from && probe->read[i] == from->to;
}

static bool take_nearest(const struct source *from, size_t i, ig_sentence *line)
{
    const ig_pool_row *f = &from->evaluation->multilingual_pool.found[i];

    line->row = f->row;
    line->other = f->nearest;
    line->value = f->rank ? f->rank : NAN;
    return f->lang == from->from && from->set->lang[f->nearest] == from->to;
}

/* The lists of sentences. */
static const struct list_kind {
    /* Whether item i belongs to the list, and its line. */
    bool (*take)(const struct source *from, size_t i, ig_sentence *line);
    const char *behind;
    const char *between, *by; /* "en-de missed by meaning" */
    const char *value, *other, *file;
} missed = {take_missed, "Enter: list missed", "-",     "missed by",
            "rank",      "found instead",      "missed"},
  mispicked =
      {take_wrong_pick, "Enter: list missed", "-", "missed by ratio margin,", "behind",
       "found instead", "missed-margin"},
  leaked = {take_found, "Enter: list found", "-",    "leaked by",
            "lead",     "next best",         "leaks"},
  read_as = {take_read, "Enter: list rows", " read as ", "from", "lead", NULL, "read"},
  nearest = {take_nearest, "Enter: list rows", " nearest to ", "by",
             "rank",       "nearest of all",   "pool"};

static const struct list_kind *kind_of(const ig_leakage_view *view,
                                       const ig_shown_evaluation *measured)
{
    return view->kind == IG_LEAKAGE_PROBE                          ? &read_as
           : view->kind == IG_LEAKAGE_POOL                         ? &nearest
           : ig_leakage_picks(view)                                ? &mispicked
           : ig_leakage_space(view, measured) == IG_SPACE_LANGUAGE ? &leaked
                                                                   : &missed;
}

const char *ig_leakage_behind(const ig_leakage_view *view,
                              const ig_shown_evaluation *measured)
{
    return kind_of(view, measured)->behind;
}

static size_t count_items(const struct list_kind *kind, const struct source *from)
{
    const ig_evaluation *e = from->evaluation;

    if (!e)
        return 0;
    return kind == &read_as ? e->probe.answers
           : kind == &nearest
               ? (e->multilingual_pool.found ? e->multilingual_pool.rows : 0)
           : from->score ? from->score->pairs
                         : 0;
}

static void name_list(const struct list_kind *kind, const struct source *from,
                      const char *space, const ig_shown_evaluation *measured,
                      ig_sentences *list)
{
    const char *a = from->set->language[from->from], *b = from->set->language[from->to];
    bool ties = from->score && ig_retrieval_degenerate(from->score);
    char epoch[32] = "";

    if (measured->run)
        snprintf(epoch, sizeof epoch, ", epoch %zu", measured->epoch);
    snprintf(list->title, sizeof list->title, "%s%.16s%s%.16s %s %s%s",
             list->count ? ""
             : ties      ? "all candidates tie: "
                         : "no sentences: ",
             a, kind->between, b, kind->by, space, epoch);
    snprintf(list->file, sizeof list->file, "%s-%.12s-%.12s.csv", kind->file, a, b);
    list->value_name = kind->value;
    list->truth_name = "translation";
    list->other_name = kind->other;
}

ig_status ig_leakage_sentences(const ig_leakage_view *view,
                               const ig_shown_evaluation *measured,
                               const ig_dataset *set, size_t from, size_t to,
                               ig_sentences *list, ig_error *error)
{
    struct source source = {set, ig_leakage_evaluation(view, measured), NULL, from, to};
    const struct list_kind *kind = kind_of(view, measured);
    size_t items;

    *list = (ig_sentences){0};
    if (source.evaluation && !ig_leakage_counts(view))
        source.score = ig_retrieval_find(&source.evaluation->retrieval, from, to);
    items = count_items(kind, &source);
    list->item = ig_alloc(items + 1, sizeof *list->item);
    if (!list->item)
        return ig_fail_memory(error, "the sentences");
    for (size_t i = 0; i < items; i++) {
        list->item[list->count] = (ig_sentence){
            .truth = IG_NO_ROW, .other = IG_NO_ROW, .cosine = NAN, .other_cosine = NAN};
        list->count += kind->take(&source, i, &list->item[list->count]);
    }
    name_list(kind, &source, ig_space_name(ig_leakage_space(view, measured)), measured,
              list);
    return IG_OK;
}
