/* The sentences behind a cell of the leakage panel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/leaks.h"

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

/* Which of them a view lists. */
enum list { NOT_FOUND, LEAKED, WRONG_PICK };

static enum list list_of(const ig_leak_view *view, ig_space space)
{
    if (strcmp(view->measure, "xsim") == 0)
        return WRONG_PICK;
    return space == IG_SPACE_LANGUAGE ? LEAKED : NOT_FOUND;
}

const char *ig_leak_behind(const ig_leak_view *view, const ig_findings *findings)
{
    static const char *const behind[] = {[NOT_FOUND] = "Enter: those missed",
                                         [LEAKED] = "Enter: those found",
                                         [WRONG_PICK] = "Enter: wrong picks"};

    return view->kind == IG_LEAK_PROBE
               ? "Enter: these rows"
               : behind[list_of(view, ig_leak_space(view, findings))];
}

/* Rows of one meaning: a pick of another row of the id is no error. */
static bool same_meaning(const ig_set *set, uint32_t a, uint32_t b)
{
    return a == b ||
           (set->has_ids && set->id[a] != IG_NO_ID && set->id[a] == set->id[b]);
}

/* Whether a query belongs to the list, and its line. */
static bool take_found(enum list list, const ig_set *set, const ig_found *f,
                       struct ranked *line)
{
    bool alone = f->other == f->query;
    double ahead = alone ? 0 : (double)f->other_cosine - (double)f->cosine;

    line->sentence = (ig_sentence){.row = f->query,
                                   .truth = f->truth,
                                   .other = alone ? IG_NO_ROW : f->other,
                                   .cosine = f->cosine,
                                   .other_cosine = alone ? NAN : f->other_cosine};
    switch (list) {
    case NOT_FOUND:
        line->sentence.value = line->first = f->rank;
        line->second = ahead;
        return f->rank > 1;
    case LEAKED:
        line->sentence.value = alone ? NAN : -ahead;
        line->first = alone ? -INFINITY : -ahead;
        line->second = f->cosine;
        return f->rank == 1 && !f->tied;
    case WRONG_PICK:
        line->sentence.other = f->pick;
        if (f->pick != f->other)
            line->sentence.other_cosine = NAN;
        line->sentence.value = (double)f->pick_ratio - (double)f->ratio;
        line->first = line->sentence.value;
        line->second = ahead;
        return !same_meaning(set, f->pick, f->truth);
    }
    return false;
}

static size_t gather_found(const ig_leak_view *view, const ig_findings *findings,
                           const ig_set *set, size_t from, size_t to,
                           struct ranked *line)
{
    const ig_evaluation *evaluation = ig_leak_evaluation(view, findings);
    const ig_retrieval_score *s = ig_leak_score(evaluation, from, to);
    const ig_found *found = evaluation->retrieval.found + s->first;
    enum list list = list_of(view, ig_leak_space(view, findings));
    size_t n = 0;

    for (size_t i = 0; i < s->pairs; i++)
        n += take_found(list, set, &found[i], &line[n]);
    return n;
}

static void name_found(const ig_leak_view *view, const ig_findings *findings,
                       const char *from, const char *to, ig_sentences *list)
{
    ig_space space = ig_leak_space(view, findings);
    const char *name = ig_space_name(space);

    switch (list_of(view, space)) {
    case NOT_FOUND:
        snprintf(list->title, sizeof list->title, "%.16s-%.16s missed by %s", from, to,
                 name);
        snprintf(list->value_name, sizeof list->value_name, "rank");
        snprintf(list->other_name, sizeof list->other_name, "found instead");
        snprintf(list->file, sizeof list->file, "missed-%.12s-%.12s.csv", from, to);
        list->whole = true;
        break;
    case LEAKED:
        snprintf(list->title, sizeof list->title, "%.16s-%.16s leaks by %s", from, to,
                 name);
        snprintf(list->value_name, sizeof list->value_name, "lead");
        snprintf(list->other_name, sizeof list->other_name, "next best");
        snprintf(list->file, sizeof list->file, "leaks-%.12s-%.12s.csv", from, to);
        break;
    case WRONG_PICK:
        snprintf(list->title, sizeof list->title, "%.16s-%.16s wrong by xsim, %s", from,
                 to, name);
        snprintf(list->value_name, sizeof list->value_name, "ahead");
        snprintf(list->other_name, sizeof list->other_name, "picked instead");
        snprintf(list->file, sizeof list->file, "xsim-%.12s-%.12s.csv", from, to);
        break;
    }
}

/* Why a list is empty. */
static void say_nothing_found(const ig_leak_view *view, const ig_findings *findings,
                              bool tied, const char *from, const char *to,
                              ig_sentences *list)
{
    ig_space space = ig_leak_space(view, findings);

    if (tied) {
        snprintf(list->title, sizeof list->title,
                 "rows of %.16s tie for all of %.16s: being found says nothing", to,
                 from);
        return;
    }
    switch (list_of(view, space)) {
    case NOT_FOUND:
    case WRONG_PICK:
        snprintf(list->title, sizeof list->title,
                 "every sentence of %.16s finds its translation in %.16s by %s", from,
                 to, ig_space_name(space));
        break;
    case LEAKED:
        snprintf(list->title, sizeof list->title,
                 "nothing leaks: no sentence of %.16s finds its translation in %.16s",
                 from, to);
        break;
    }
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
    snprintf(list->value_name, sizeof list->value_name, "sure");
    snprintf(list->file, sizeof list->file, "read-%.12s-%.12s.csv", language, read);
}

/* --- both ------------------------------------------------------------------------- */

static void add_epoch(const ig_findings *findings, ig_sentences *list)
{
    size_t used = strlen(list->title);

    if (findings->run)
        snprintf(list->title + used, sizeof list->title - used, ", epoch %zu",
                 findings->epoch);
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

ig_status ig_leak_sentences(const ig_leak_view *view, const ig_findings *findings,
                            const ig_set *set, size_t from, size_t to,
                            ig_sentences *list, ig_error *error)
{
    const ig_evaluation *evaluation = ig_leak_evaluation(view, findings);
    const ig_probe *probe =
        evaluation && view->kind == IG_LEAK_PROBE ? &evaluation->probe : NULL;
    const ig_retrieval_score *score = evaluation && view->kind == IG_LEAK_RETRIEVAL
                                          ? ig_leak_score(evaluation, from, to)
                                          : NULL;
    const char *a = set->language[from], *b = set->language[to];
    size_t most = probe ? probe->answers : score ? score->pairs : 0;
    struct ranked *line = ig_alloc(most + 1, sizeof *line);
    ig_status status = IG_OK;
    size_t n = 0;

    *list = (ig_sentences){.from = IG_PANEL_LEAKAGE};
    if (!line)
        return ig_fail_memory(error, "the sentences");
    if (score) {
        n = gather_found(view, findings, set, from, to, line);
        if (n)
            name_found(view, findings, a, b, list);
        else
            say_nothing_found(view, findings, ig_retrieval_blind(score), a, b, list);
    } else if (probe) {
        n = gather_read(probe, set, from, to, line);
        if (n)
            name_read(ig_space_name(ig_leak_space(view, findings)), a, b, from == to,
                      list);
        else if (probe->reason)
            snprintf(list->title, sizeof list->title, "no row is read: %.60s",
                     probe->reason);
        else
            snprintf(list->title, sizeof list->title,
                     "no row of %.16s is read as %.16s", a, b);
    } else {
        snprintf(list->title, sizeof list->title,
                 from == to ? "a cell is of two languages, not of %.16s alone"
                            : "no pairs of %.16s and %.16s are measured",
                 a, b);
    }
    if (n) {
        status = take_lines(line, n, list, error);
        add_epoch(findings, list);
    }
    ig_free(line);
    return status;
}
