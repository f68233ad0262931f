/* What the findings say of a cell. */
#include "tui/leaks.h"

#include "base/array.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const ig_leak_view views[] = {
    {"summary", IG_LEAK_SUMMARY, IG_SPACE_MEANING, NULL, "all measures"},
    {"meaning", IG_LEAK_RETRIEVAL, IG_SPACE_MEANING, "top1", "top-1"},
    {"language", IG_LEAK_RETRIEVAL, IG_SPACE_LANGUAGE, "top1", "top-1"},
    {"original", IG_LEAK_RETRIEVAL, IG_SPACE_ORIGINAL, "top1", "top-1"},
    {"xsim", IG_LEAK_RETRIEVAL, IG_SPACE_MEANING, "xsim", "xsim error"},
    {"overlap", IG_LEAK_RETRIEVAL, IG_SPACE_MEANING, "overlap5", "overlap@5"},
    {"rank", IG_LEAK_RETRIEVAL, IG_SPACE_MEANING, "mean_rank", "mean rank"},
    {"probe-meaning", IG_LEAK_PROBE, IG_SPACE_MEANING, NULL, "read as"},
    {"probe-language", IG_LEAK_PROBE, IG_SPACE_LANGUAGE, NULL, "read as"},
    {"probe-original", IG_LEAK_PROBE, IG_SPACE_ORIGINAL, NULL, "read as"},
};

enum { VIEWS = sizeof views / sizeof *views };

const ig_leak_view *ig_leak_view_at(size_t i)
{
    return i < VIEWS ? &views[i] : NULL;
}

long ig_leak_view_named(const char *name)
{
    size_t length = strlen(name), found = 0;
    long view = -1;

    for (size_t i = 0; i < VIEWS; i++) {
        if (strcmp(views[i].name, name) == 0)
            return (long)i;
        if (strncmp(views[i].name, name, length) == 0) {
            view = (long)i;
            found++;
        }
    }
    return found == 1 ? view : -1;
}

ig_space ig_leak_space(const ig_leak_view *view, const ig_findings *findings)
{
    return findings->space[view->space] ? view->space : IG_SPACE_ORIGINAL;
}

const ig_evaluation *ig_leak_evaluation(const ig_leak_view *view,
                                        const ig_findings *findings)
{
    return findings->space[ig_leak_space(view, findings)];
}

/* Scores stand in the order of (from, to). */
struct wanted {
    const ig_retrieval_score *score;
    size_t from, to;
};

static bool score_before(const void *context, size_t i)
{
    const struct wanted *w = context;

    return w->score[i].from < w->from ||
           (w->score[i].from == w->from && w->score[i].to < w->to);
}

const ig_retrieval_score *ig_leak_score(const ig_evaluation *evaluation, size_t from,
                                        size_t to)
{
    const ig_retrieval *r = &evaluation->retrieval;
    const struct wanted wanted = {r->score, from, to};
    size_t at = ig_array_bisect(r->count, score_before, &wanted);

    return at < r->count && r->score[at].from == from && r->score[at].to == to
               ? &r->score[at]
               : NULL;
}

size_t ig_leak_confused(const ig_evaluation *evaluation, size_t language, size_t read,
                        size_t *tested)
{
    const ig_probe *probe = &evaluation->probe;

    *tested = 0;
    if (!probe->confusion || language >= probe->languages || read >= probe->languages)
        return 0;
    for (size_t i = 0; i < probe->languages; i++)
        *tested += probe->confusion[language * probe->languages + i];
    return probe->confusion[language * probe->languages + read];
}

/* Languages with tested rows. */
static size_t probed_languages(const ig_evaluation *evaluation)
{
    size_t n = 0, tested;

    for (size_t i = 0; i < evaluation->probe.languages; i++) {
        ig_leak_confused(evaluation, i, i, &tested);
        n += tested > 0;
    }
    return n;
}

/* --- cells ------------------------------------------------------------------------ */

/* How bad a figure is, 0 … 1. Its root is the heat, so that the good end, where good
 * spaces differ, can be told apart. */
static double badness(const ig_measure_entry *entry, ig_space space, double value)
{
    double good = entry->unit == IG_UNIT_RANK ? 1 / value : value;
    bool falls = entry->unit == IG_UNIT_RANK; /* the figure, as `good` rises */
    int better = falls ? -entry->better[space] : entry->better[space];

    return better > 0 ? 1 - good : good;
}

/* Each direction has candidates of its own, and so a chance of its own. Of overlap@5
 * none is known. */
static double chance_of(const ig_leak_view *view, const ig_retrieval_score *s)
{
    return ig_measure_chance_of_pair(ig_measure_named(view->measure), s);
}

/* As bad as guessing, or worse: at its level. */
static bool is_chance(const ig_leak_view *view, const ig_retrieval_score *s,
                      double value)
{
    double chance = chance_of(view, s), least = 1e-9;

    return ig_measure_named(view->measure)->better[IG_SPACE_MEANING] > 0
               ? value <= chance + least
               : value >= chance - least;
}

static void retrieval_cell(const ig_leak_view *view, const ig_findings *findings,
                           size_t from, size_t to, ig_heat_cell *cell)
{
    const ig_retrieval_score *s =
        ig_leak_score(ig_leak_evaluation(view, findings), from, to);
    const ig_measure_entry *entry = ig_measure_named(view->measure);

    cell->blank = from == to;
    if (!s || !entry || !entry->pair_at)
        return;
    cell->value = ig_measure_of_pair(entry, s);
    if (ig_retrieval_blind(s))
        cell->mark = '=';
    if (isnan(cell->value))
        return;
    cell->heat = sqrt(badness(entry, ig_leak_space(view, findings), cell->value));
    if (!cell->mark && is_chance(view, s, cell->value))
        cell->mark = '~';
}

/* The share of the row; only where the language is read itself does chance matter. */
static void probe_cell(const ig_leak_view *view, const ig_findings *findings,
                       size_t from, size_t to, ig_heat_cell *cell)
{
    size_t tested,
        n = ig_leak_confused(ig_leak_evaluation(view, findings), from, to, &tested);

    if (tested == 0)
        return;
    cell->value = (double)n / (double)tested;
    cell->heat = sqrt(cell->value);
    if (from == to && cell->value <= ig_leak_chance(view, findings, from, to))
        cell->mark = '~';
}

void ig_leak_cell(const ig_leak_view *view, const ig_findings *findings, size_t from,
                  size_t to, ig_heat_cell *cell)
{
    if (!ig_leak_evaluation(view, findings))
        return;
    if (view->kind == IG_LEAK_RETRIEVAL)
        retrieval_cell(view, findings, from, to, cell);
    else if (view->kind == IG_LEAK_PROBE)
        probe_cell(view, findings, from, to, cell);
}

double ig_leak_chance(const ig_leak_view *view, const ig_findings *findings,
                      size_t from, size_t to)
{
    const ig_evaluation *evaluation = ig_leak_evaluation(view, findings);
    const ig_retrieval_score *score;
    size_t n;

    if (!evaluation || view->kind == IG_LEAK_SUMMARY)
        return NAN;
    if (view->kind == IG_LEAK_PROBE) {
        n = probed_languages(evaluation);
        return n ? 1 / (double)n : NAN;
    }
    score = ig_leak_score(evaluation, from, to);
    return score ? chance_of(view, score) : NAN;
}
