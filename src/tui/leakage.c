/* What an evaluation says of a cell, and the sentences behind it. */
#include "tui/leakage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/keymap.h"

static const ig_leakage_view views[] = {
    {"verdict", IG_LEAKAGE_VERDICT, IG_SPACE_MEANING, NULL, "what it comes to",
     IG_GAIN_NONE},
    {"summary", IG_LEAKAGE_SUMMARY, IG_SPACE_MEANING, NULL, "all measures",
     IG_GAIN_NONE},
    {"meaning", IG_LEAKAGE_RETRIEVAL, IG_SPACE_MEANING, "top1", "top-1", IG_GAIN_NONE},
    {"language", IG_LEAKAGE_RETRIEVAL, IG_SPACE_LANGUAGE, "top1", "top-1",
     IG_GAIN_NONE},
    {"original", IG_LEAKAGE_RETRIEVAL, IG_SPACE_ORIGINAL, "top1", "top-1",
     IG_GAIN_NONE},
    {"xsim", IG_LEAKAGE_RETRIEVAL, IG_SPACE_MEANING, "xsim", "xsim error",
     IG_GAIN_NONE},
    {"overlap", IG_LEAKAGE_RETRIEVAL, IG_SPACE_MEANING, "overlap5", "overlap@5",
     IG_GAIN_NONE},
    {"rank", IG_LEAKAGE_RETRIEVAL, IG_SPACE_MEANING, "mean_rank", "mean rank",
     IG_GAIN_NONE},
    {"gain", IG_LEAKAGE_RETRIEVAL, IG_SPACE_MEANING, "top1", "top-1 less original",
     IG_GAIN_ORIGINAL},
    {"versus", IG_LEAKAGE_RETRIEVAL, IG_SPACE_MEANING, "top1", "top-1 less run",
     IG_GAIN_RUN},
    {"pool-meaning", IG_LEAKAGE_POOL, IG_SPACE_MEANING, "pool_nearest",
     "nearest of all", IG_GAIN_NONE},
    {"pool-language", IG_LEAKAGE_POOL, IG_SPACE_LANGUAGE, "pool_nearest",
     "nearest of all", IG_GAIN_NONE},
    {"pool-original", IG_LEAKAGE_POOL, IG_SPACE_ORIGINAL, "pool_nearest",
     "nearest of all", IG_GAIN_NONE},
    {"probe-meaning", IG_LEAKAGE_PROBE, IG_SPACE_MEANING, "probe_read", "read as",
     IG_GAIN_NONE},
    {"probe-language", IG_LEAKAGE_PROBE, IG_SPACE_LANGUAGE, "probe_read", "read as",
     IG_GAIN_NONE},
    {"probe-original", IG_LEAKAGE_PROBE, IG_SPACE_ORIGINAL, "probe_read", "read as",
     IG_GAIN_NONE},
};

enum { VIEWS = sizeof views / sizeof *views };

const ig_leakage_view *ig_leakage_view_at(size_t i)
{
    return i < VIEWS ? &views[i] : NULL;
}

static const char *view_name(const void *ignored, size_t i)
{
    (void)ignored;
    return i < VIEWS ? views[i].name : NULL;
}

long ig_leakage_view_named(const char *name)
{
    return ig_abbreviation_find(name, view_name, NULL);
}

ig_shown_evaluation ig_leakage_versus(const ig_shown_evaluation *run,
                                      const ig_shown_evaluation *other)
{
    const ig_evaluation *theirs = other->space[IG_SPACE_MEANING];

    return (ig_shown_evaluation){
        .run = run->run,
        .epoch = run->epoch,
        .held_out = run->held_out,
        .ids = run->ids,
        .of_ids = run->of_ids,
        .rows = run->rows,
        .of_rows = run->of_rows,
        .space = {[IG_SPACE_ORIGINAL] = theirs ? theirs
                                               : other->space[IG_SPACE_ORIGINAL],
                  [IG_SPACE_MEANING] = run->space[IG_SPACE_MEANING],
                  [IG_SPACE_LANGUAGE] = run->space[IG_SPACE_LANGUAGE]}};
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

/* A figure of two languages in a space; NULL: there is none. */
static const ig_figure *figure_of(const ig_leakage_view *view,
                                  const ig_evaluation *evaluation, size_t from,
                                  size_t to)
{
    return evaluation && view->measure
               ? ig_figures_find(&evaluation->figures, ig_measure_named(view->measure),
                                 from, to)
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

bool ig_leakage_has_matrix(const ig_leakage_view *view)
{
    return view->kind != IG_LEAKAGE_VERDICT && view->kind != IG_LEAKAGE_SUMMARY;
}

/* --- cells ------------------------------------------------------------------------ */

/* How bad a figure is, 0 … 1. Its root is the heat, so that the good end, where good
 * spaces differ, can be told apart. */
static double badness(const ig_measure *entry, ig_space space, double value)
{
    double good = entry->unit == IG_UNIT_RANK ? 1 / value : value;
    bool falls = entry->unit == IG_UNIT_RANK; /* the figure, as `good` rises */
    int better = falls ? -entry->better[space] : entry->better[space];

    return better > 0 ? 1 - good : good;
}

/* As bad as guessing, or worse: at its level. */
static bool is_chance(const ig_figure *f)
{
    double least = 1e-9;

    return f->measure->better[IG_SPACE_MEANING] > 0 ? f->value <= f->chance + least
                                                    : f->value >= f->chance - least;
}

/* What a figure is more than the original's, and whether that is good. */
static void gain_cell(const ig_leakage_view *view, const ig_shown_evaluation *measured,
                      size_t from, size_t to, const ig_measure *measure,
                      ig_heat_cell *cell)
{
    const ig_figure *o = figure_of(view, measured->space[IG_SPACE_ORIGINAL], from, to);
    double gain = o ? cell->value - o->value : (double)NAN;
    double good = gain * measure->better[ig_leakage_space(view, measured)];

    cell->value = gain;
    cell->heat = NAN;
    cell->mark = 0;
    cell->tone = good >= 0.0005 ? 1 : good <= -0.0005 ? -1 : 0;
}

static bool all_tie(const ig_evaluation *e, size_t from, size_t to)
{
    const ig_retrieval_score *score = ig_retrieval_find(&e->retrieval, from, to);

    return score && ig_retrieval_blind(score);
}

static void retrieval_cell(const ig_leakage_view *view,
                           const ig_shown_evaluation *measured, size_t from, size_t to,
                           ig_heat_cell *cell)
{
    const ig_figure *f = ig_leakage_figure(view, measured, from, to);

    cell->blank = from == to;
    if (!f)
        return;
    cell->value = f->value;
    if (all_tie(ig_leakage_evaluation(view, measured), from, to))
        cell->mark = '=';
    if (isnan(cell->value))
        return;
    cell->heat = sqrt(badness(f->measure, ig_leakage_space(view, measured), f->value));
    if (!cell->mark && is_chance(f))
        cell->mark = '~';
    if (view->gain)
        gain_cell(view, measured, from, to, f->measure, cell);
}

/* The mean of a row or of a column of figures; of both: nothing. */
static void mean_cell(const ig_leakage_view *view, const ig_shown_evaluation *measured,
                      size_t languages, size_t from, size_t to, ig_heat_cell *cell)
{
    double sum = 0;
    size_t n = 0;

    cell->blank = from == languages && to == languages;
    for (size_t i = 0; i < languages && !cell->blank; i++) {
        ig_heat_cell one = {NAN, NAN, false, 0, 0};

        retrieval_cell(view, measured, from == languages ? i : from,
                       to == languages ? i : to, &one);
        if (one.blank || isnan(one.value) || one.mark == '=')
            continue;
        sum += one.value;
        n++;
    }
    cell->value = n ? sum / (double)n : NAN;
    if (view->gain && n)
        cell->tone = cell->value >= 0.0005 ? 1 : cell->value <= -0.0005 ? -1 : 0;
}

/* The share of the row; only where the language is read itself does chance matter. */
static void counted_cell(const ig_leakage_view *view,
                         const ig_shown_evaluation *measured, size_t from, size_t to,
                         ig_heat_cell *cell)
{
    const ig_figure *f = ig_leakage_figure(view, measured, from, to);

    if (!f)
        return;
    cell->value = f->value;
    cell->heat = sqrt(cell->value);
    if (from == to && f->value <= f->chance)
        cell->mark = '~';
}

void ig_leakage_cell(const ig_leakage_view *view, const ig_shown_evaluation *measured,
                     size_t languages, size_t from, size_t to, ig_heat_cell *cell)
{
    if (!ig_leakage_evaluation(view, measured))
        return;
    if (view->kind == IG_LEAKAGE_RETRIEVAL && (from == languages || to == languages))
        mean_cell(view, measured, languages, from, to, cell);
    else if (view->kind == IG_LEAKAGE_RETRIEVAL)
        retrieval_cell(view, measured, from, to, cell);
    else if (ig_leakage_counts(view))
        counted_cell(view, measured, from, to, cell);
}

double ig_leakage_chance(const ig_leakage_view *view,
                         const ig_shown_evaluation *measured, size_t from, size_t to)
{
    const ig_figure *f = ig_leakage_figure(view, measured, from, to);

    return f ? f->chance : (double)NAN;
}

/* --- the sentences behind a cell -------------------------------------------------- */

/* A sentence with what it is ordered by, and then by row. */
struct ranked {
    ig_sentence sentence;
    double first, second; /* greatest first */
};

static int worst_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->first != y->first)
        return x->first > y->first ? -1 : 1;
    if (x->second != y->second)
        return x->second > y->second ? -1 : 1;
    return (x->sentence.row > y->sentence.row) - (x->sentence.row < y->sentence.row);
}

/* --- retrieval -------------------------------------------------------------------- */

/* Rows of one meaning: a pick of another row of the id is no error. */
static bool same_meaning(const ig_set *set, uint32_t a, uint32_t b)
{
    return a == b ||
           (set->has_ids && set->id[a] != IG_NO_ID && set->id[a] == set->id[b]);
}

/* By how much another row is ahead of the translation. */
static double lead_of(const ig_found *f)
{
    return (double)f->other_cosine - (double)f->cosine;
}

static bool take_missed(const ig_set *set, const ig_found *f, struct ranked *line)
{
    (void)set;
    line->sentence.value = line->first = f->rank;
    line->second = f->other == f->query ? 0 : lead_of(f);
    return f->rank > 1;
}

static bool take_leaked(const ig_set *set, const ig_found *f, struct ranked *line)
{
    bool alone = f->other == f->query;

    (void)set;
    line->sentence.value = alone ? NAN : -lead_of(f);
    line->first = alone ? -INFINITY : -lead_of(f);
    line->second = f->cosine;
    return f->rank == 1 && !f->tied;
}

static bool take_wrong_pick(const ig_set *set, const ig_found *f, struct ranked *line)
{
    line->sentence.other = f->pick;
    if (f->pick != f->other)
        line->sentence.other_cosine = NAN;
    line->sentence.value = line->first = (double)f->pick_ratio - (double)f->ratio;
    line->second = f->other == f->query ? 0 : lead_of(f);
    return !same_meaning(set, f->pick, f->truth);
}

/* Which sentences a view lists, and what is said of them. */
static const struct kind {
    /* Whether a query belongs to the list, and what it is ordered by. */
    bool (*take)(const ig_set *set, const ig_found *found, struct ranked *line);
    const char *behind, *title, *value, *other, *file;
    bool whole;
} missed = {take_missed, "Enter: those missed", "missed by",
            "rank",      "found instead",       "missed",
            true},
  leaked = {take_leaked, "Enter: those found", "leaks by", "lead", "next best", "leaks",
            false},
  wrong_pick = {take_wrong_pick,
                "Enter: wrong picks",
                "wrong by xsim,",
                "ahead",
                "picked instead",
                "xsim",
                false};

static const struct kind *kind_of(const ig_leakage_view *view,
                                  const ig_shown_evaluation *measured)
{
    if (strcmp(view->measure, "xsim") == 0)
        return &wrong_pick;
    return ig_leakage_space(view, measured) == IG_SPACE_LANGUAGE ? &leaked : &missed;
}

const char *ig_leakage_behind(const ig_leakage_view *view,
                              const ig_shown_evaluation *measured)
{
    return ig_leakage_counts(view) ? "Enter: these rows"
                                   : kind_of(view, measured)->behind;
}

static size_t gather_found(const struct kind *kind, const ig_evaluation *evaluation,
                           const ig_retrieval_score *score, const ig_set *set,
                           struct ranked *line)
{
    const ig_found *found = evaluation->retrieval.found + score->first;
    size_t n = 0;

    for (size_t i = 0; i < score->pairs; i++) {
        const ig_found *f = &found[i];
        bool alone = f->other == f->query;

        line[n].sentence = (ig_sentence){.row = f->query,
                                         .truth = f->truth,
                                         .other = alone ? IG_NO_ROW : f->other,
                                         .cosine = f->cosine,
                                         .other_cosine = alone ? NAN : f->other_cosine};
        n += kind->take(set, f, &line[n]);
    }
    return n;
}

static void name_found(const struct kind *kind, const char *space, const char *from,
                       const char *to, ig_sentences *list)
{
    snprintf(list->title, sizeof list->title, "%.16s-%.16s %s %s", from, to,
             kind->title, space);
    snprintf(list->file, sizeof list->file, "%s-%.12s-%.12s.csv", kind->file, from, to);
    list->value_name = kind->value;
    list->other_name = kind->other;
    list->whole = kind->whole;
}

/* Why a list is empty. */
static void say_nothing_found(const struct kind *kind, bool tied, const char *space,
                              const char *from, const char *to, ig_sentences *list)
{
    if (tied)
        snprintf(list->title, sizeof list->title,
                 "rows of %.16s tie for all of %.16s: being found says nothing", to,
                 from);
    else if (kind == &leaked)
        snprintf(list->title, sizeof list->title,
                 "nothing leaks: no sentence of %.16s finds its translation in %.16s",
                 from, to);
    else
        snprintf(list->title, sizeof list->title,
                 "every sentence of %.16s finds its translation in %.16s by %s", from,
                 to, space);
}

/* --- probe ------------------------------------------------------------------------ */

/* Tested rows of a language that are read as `read`, by how sure that is. */
static size_t gather_read(const ig_probe *probe, const ig_set *set, size_t language,
                          size_t read, struct ranked *line)
{
    size_t n = 0;

    for (size_t i = 0; i < probe->answers; i++) {
        double sure = fabs((double)probe->certainty[i]);

        if (set->lang[probe->row[i]] != language || probe->read[i] != read)
            continue;
        line[n++] = (struct ranked){{.row = probe->row[i],
                                     .truth = IG_NO_ROW,
                                     .other = IG_NO_ROW,
                                     .value = sure,
                                     .cosine = NAN,
                                     .other_cosine = NAN},
                                    sure,
                                    0};
    }
    return n;
}

static void name_read(const char *space, const char *language, const char *read,
                      bool right, ig_sentences *list)
{
    if (right)
        snprintf(list->title, sizeof list->title, "%.16s still read from %s", language,
                 space);
    else
        snprintf(list->title, sizeof list->title, "%.16s read as %.16s from %s",
                 language, read, space);
    list->value_name = "sure";
    snprintf(list->file, sizeof list->file, "read-%.12s-%.12s.csv", language, read);
}

/* --- pool ------------------------------------------------------------------------- */

/* Rows of a language whose nearest row is of another (or the same), those first whose
 * translation is farthest. */
static size_t gather_met(const ig_mixed_pool *mixed, const ig_set *set, size_t language,
                         size_t met, struct ranked *line)
{
    size_t n = 0;

    for (size_t i = 0; mixed->found && i < mixed->rows; i++) {
        const ig_pool_row *f = &mixed->found[i];

        if (f->lang != language || set->lang[f->nearest] != met)
            continue;
        line[n++] = (struct ranked){{.row = f->row,
                                     .truth = IG_NO_ROW,
                                     .other = f->nearest,
                                     .value = f->rank ? f->rank : NAN,
                                     .cosine = NAN,
                                     .other_cosine = NAN},
                                    f->rank,
                                    0};
    }
    return n;
}

static void name_met(const char *space, const char *language, const char *met,
                     ig_sentences *list)
{
    snprintf(list->title, sizeof list->title, "%.16s nearest to %.16s by %s", language,
             met, space);
    list->value_name = "rank";
    list->other_name = "nearest of all";
    list->whole = true;
    snprintf(list->file, sizeof list->file, "pool-%.12s-%.12s.csv", language, met);
}

/* --- either ----------------------------------------------------------------------- */

static void add_epoch(const ig_shown_evaluation *measured, ig_sentences *list)
{
    size_t used = strlen(list->title);

    if (measured->run)
        snprintf(list->title + used, sizeof list->title - used, ", epoch %zu",
                 measured->epoch);
}

static ig_status take_lines(struct ranked *line, size_t n, ig_sentences *list,
                            ig_error *error)
{
    list->item = ig_alloc(n, sizeof *list->item);
    if (!list->item)
        return ig_fail_memory(error, "the sentences");
    qsort(line, n, sizeof *line, worst_first);
    for (size_t i = 0; i < n; i++)
        list->item[i] = line[i].sentence;
    list->count = n;
    return IG_OK;
}

ig_status ig_leakage_sentences(const ig_leakage_view *view,
                               const ig_shown_evaluation *measured, const ig_set *set,
                               size_t from, size_t to, ig_sentences *list,
                               ig_error *error)
{
    const ig_evaluation *evaluation = ig_leakage_evaluation(view, measured);
    const ig_probe *probe =
        evaluation && view->kind == IG_LEAKAGE_PROBE ? &evaluation->probe : NULL;
    const ig_mixed_pool *mixed =
        evaluation && view->kind == IG_LEAKAGE_POOL ? &evaluation->mixed_pool : NULL;
    const ig_retrieval_score *score =
        evaluation && view->kind == IG_LEAKAGE_RETRIEVAL
            ? ig_retrieval_find(&evaluation->retrieval, from, to)
            : NULL;
    const char *a = set->language[from], *b = set->language[to];
    const char *space = ig_space_name(ig_leakage_space(view, measured));
    size_t most = probe   ? probe->answers
                  : mixed ? mixed->rows
                  : score ? score->pairs
                          : 0;
    struct ranked *line = ig_alloc(most + 1, sizeof *line);
    ig_status status = IG_OK;
    size_t n = 0;

    *list = (ig_sentences){0};
    if (!line)
        return ig_fail_memory(error, "the sentences");
    if (score) {
        const struct kind *kind = kind_of(view, measured);

        n = gather_found(kind, evaluation, score, set, line);
        if (n)
            name_found(kind, space, a, b, list);
        else
            say_nothing_found(kind, ig_retrieval_blind(score), space, a, b, list);
    } else if (probe) {
        n = gather_read(probe, set, from, to, line);
        if (n)
            name_read(space, a, b, from == to, list);
        else if (probe->reason)
            snprintf(list->title, sizeof list->title, "no row is read: %.60s",
                     probe->reason);
        else
            snprintf(list->title, sizeof list->title,
                     "no row of %.16s is read as %.16s", a, b);
    } else if (mixed) {
        n = gather_met(mixed, set, from, to, line);
        if (n)
            name_met(space, a, b, list);
        else
            snprintf(list->title, sizeof list->title,
                     "no row of %.16s has its nearest row in %.16s", a, b);
    } else {
        snprintf(list->title, sizeof list->title,
                 from == to ? "a cell is of two languages, not of %.16s alone"
                            : "no pairs of %.16s and %.16s are measured",
                 a, b);
    }
    if (n) {
        status = take_lines(line, n, list, error);
        add_epoch(measured, list);
    }
    ig_free(line);
    return status;
}
