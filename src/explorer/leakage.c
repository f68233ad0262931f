/* The views of the leakage panel, and the sentences behind a cell. */
#include "explorer/leakage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

const ig_leakage_view *ig_leakage_view_at(size_t i)
{
    return i < sizeof views / sizeof *views ? &views[i] : NULL;
}

/* --- the sentences behind a cell -------------------------------------------------- */

enum list { MISSED, MISPICKED, LEAKED, READ, NEAREST };

static const struct list_of {
    const char *behind, *between, *by; /* "en-de missed by meaning" */
    const char *value, *other, *file;
} lists[] = {
    [MISSED] = {"Enter: list missed", "-", "missed by", "rank", "found instead",
                "missed"},
    [MISPICKED] = {"Enter: list missed", "-", "missed by ratio margin,", "behind",
                   "found instead", "missed-margin"},
    [LEAKED] = {"Enter: list found", "-", "leaked by", "lead", "next best", "leaks"},
    [READ] = {"Enter: list rows", " read as ", "from", "lead", NULL, "read"},
    [NEAREST] = {"Enter: list rows", " nearest to ", "by", "rank", "nearest of all",
                 "pool"},
};

static enum list list_of(const ig_leakage_view *view, ig_space space)
{
    return view->kind == IG_LEAKAGE_PROBE       ? READ
           : view->kind == IG_LEAKAGE_POOL      ? NEAREST
           : strcmp(view->measure, "xsim") == 0 ? MISPICKED
           : space == IG_SPACE_LANGUAGE         ? LEAKED
                                                : MISSED;
}

const char *ig_leakage_behind(const ig_leakage_view *view, ig_space space)
{
    return lists[list_of(view, space)].behind;
}

/* Whether a query of the cell's direction belongs to a list, and its line: with its
 * translation and the next candidate. */
static bool take_query(enum list list, const ig_query_result *f, ig_sentence *line)
{
    *line = (ig_sentence){.row = f->query,
                          .truth = f->truth,
                          .cosine = f->cosine,
                          .other = f->other == f->query ? IG_NO_ROW : f->other,
                          .other_cosine = f->cosine - f->margin,
                          .value = f->rank};
    if (list == MISSED)
        return f->rank > 1;
    line->value = (double)f->margin;
    if (list == LEAKED)
        return f->rank == 1 && !f->tied;
    if (f->pick != f->other)
        line->other_cosine = NAN;
    line->other = f->pick;
    line->value = (double)f->pick_ratio - (double)f->ratio;
    return f->pick_counts && f->wrong_pick;
}

ig_status ig_leakage_sentences(const ig_leakage_view *view, ig_space space,
                               const ig_shown_evaluation *measured,
                               const ig_dataset *set, size_t from, size_t to,
                               ig_sentences *list, ig_error *error)
{
    const ig_evaluation *e = measured->space[space];
    enum list which = list_of(view, space);
    const struct list_of *of = &lists[which];
    const ig_retrieval_score *score =
        which <= LEAKED ? ig_retrieval_find(&e->retrieval, from, to) : NULL;
    const ig_pool_row *pool = e->multilingual_pool.found;
    size_t n = which == READ      ? e->probe.answers
               : which == NEAREST ? (pool ? e->multilingual_pool.rows : 0)
               : score            ? score->pairs
                                  : 0;
    char epoch[32] = "";

    *list = (ig_sentences){.value_name = of->value,
                           .truth_name = "translation",
                           .other_name = of->other,
                           .item = ig_alloc(n + 1, sizeof *list->item)};
    if (!list->item)
        return ig_fail_memory(error, "the sentences");
    for (size_t i = 0; i < n; i++) {
        ig_sentence *line = &list->item[list->count];

        *line = (ig_sentence){
            .truth = IG_NO_ROW, .other = IG_NO_ROW, .cosine = NAN, .other_cosine = NAN};
        if (which == READ) {
            line->row = e->probe.row[i];
            line->value = fabs((double)e->probe.certainty[i]);
            list->count += set->lang[line->row] == from && e->probe.read[i] == to;
        } else if (which == NEAREST) {
            line->row = pool[i].row;
            line->other = pool[i].nearest;
            line->value = pool[i].rank ? pool[i].rank : NAN;
            list->count += pool[i].lang == from && set->lang[pool[i].nearest] == to;
        } else {
            list->count +=
                take_query(which, &e->retrieval.found[score->first + i], line);
        }
    }
    if (measured->run)
        snprintf(epoch, sizeof epoch, ", epoch %zu", measured->epoch);
    snprintf(list->title, sizeof list->title, "%s%.16s%s%.16s %s %s%s",
             list->count                               ? ""
             : score && ig_retrieval_degenerate(score) ? "all candidates tie: "
                                                       : "no sentences: ",
             set->language[from], of->between, set->language[to], of->by,
             ig_space_name(space), epoch);
    snprintf(list->file, sizeof list->file, "%s-%.12s-%.12s.csv", of->file,
             set->language[from], set->language[to]);
    return IG_OK;
}
