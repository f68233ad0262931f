/* eval for readers: what stands under the table. How it is read, why figures are
 * missing, and what of the data has a part in them. */
#include <math.h>
#include <string.h>

#include "cli/eval_print.h"
#include "cli/output.h"
#include "draw/axes.h"
#include "measure/catalogue.h"

enum { TEXT = 2048, REASONS = 32, KINDS = 6, FEW = 20 };

typedef struct notes {
    FILE *out;
    const ig_evaluated *e;
    size_t width;
    const char *dash;
    ig_eval_column *column;
    size_t columns;
} notes;

/* Figures that are missing in the same spaces for the same reason. */
typedef struct missing {
    const char *reason;
    uint64_t spaces;  /* a bit for each column; those past 63 share the last */
    uint64_t entries; /* a bit for each entry of the catalogue */
} missing;

static void append(char text[TEXT], const char *before, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, TEXT - used, "%s%s", used ? before : "", more);
}

/* --- missing figures ------------------------------------------------------------- */

static uint64_t bit(size_t i)
{
    return (uint64_t)1 << (i < 63 ? i : 63);
}

static size_t add_missing(missing *all, size_t count, missing one)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].spaces == one.spaces && strcmp(all[i].reason, one.reason) == 0) {
            all[i].entries |= one.entries;
            return count;
        }
    if (count < REASONS)
        all[count++] = one;
    return count;
}

/* The reasons of one entry, each with its spaces, joined to those of the others. */
static size_t gather(const notes *n, const ig_measure_entry *entry, size_t number,
                     missing *all, size_t count)
{
    uint64_t done = 0;

    for (size_t i = 0; i < n->columns; i++) {
        const char *reason = ig_measure_reason(entry, n->column[i].measures);
        missing one = {reason, 0, bit(number)};

        if (!reason || done & bit(i))
            continue;
        for (size_t k = i; k < n->columns; k++) {
            const char *other = ig_measure_reason(entry, n->column[k].measures);

            if (other && strcmp(other, reason) == 0)
                one.spaces |= bit(k);
        }
        done |= one.spaces;
        count = add_missing(all, count, one);
    }
    return count;
}

static void put_reason(const notes *n, const missing *m)
{
    const ig_measure_entry *entry;
    char text[TEXT] = "", spaces[TEXT] = "";
    bool everywhere = true;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        if (m->entries & bit(i))
            append(text, ", ", entry->name);
    for (size_t i = 0; i < n->columns; i++)
        if (m->spaces & bit(i))
            append(spaces, ", ", n->column[i].name);
        else
            everywhere = false;
    if (!everywhere) {
        append(text, " (", spaces);
        append(text, ")", "");
    }
    append(text, ": ", m->reason);
    ig_eval_put_lines(n->out, n->dash, text, n->width);
}

/* Kinds of scored pairs without a correlation. */
static void put_kinds(const notes *n)
{
    const ig_similarity *first = &n->e->original.similarity;
    size_t told = 0, more = 0;

    for (size_t k = 0; k < first->kinds; k++)
        for (size_t i = 0; i < n->columns; i++) {
            const ig_correlation *c = &n->column[i].measures->similarity.by_pair[k];
            char text[TEXT];

            if (!c->reason)
                continue;
            if (told == KINDS) {
                more++;
                break;
            }
            told++;
            snprintf(text, sizeof text, "similarity of %.200s (%s): %s", c->pair,
                     n->column[i].name, c->reason);
            ig_eval_put_lines(n->out, n->dash, text, n->width);
            break;
        }
    if (more) {
        char text[TEXT];

        snprintf(text, sizeof text, "similarity of %zu more kinds of pairs", more);
        ig_eval_put_lines(n->out, n->dash, text, n->width);
    }
}

static void put_missing(const notes *n)
{
    const ig_measure_entry *entry;
    size_t count = 0;
    missing all[REASONS];

    /* What has nothing to tell (ties where there are none) lacks nothing. */
    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        if (ig_measure_taken(entry, &n->e->original) &&
            (!entry->tells ||
             (entry->silent && ig_measure_tells(entry, &n->e->original))))
            count = gather(n, entry, i, all, count);
    for (size_t i = 0; i < count; i++)
        put_reason(n, &all[i]);
    put_kinds(n);
}

/* --- notes ----------------------------------------------------------------------- */

/* "3 rows are …", when there are any. */
static void put_count(const notes *n, size_t count, const char *one, const char *many)
{
    char number[IG_NUMBER_SIZE], text[TEXT];

    if (!count)
        return;
    snprintf(text, sizeof text, "%s %s", ig_count_format(number, count),
             count == 1 ? one : many);
    ig_eval_put_lines(n->out, "note", text, n->width);
}

static void put_data_notes(const notes *n)
{
    const ig_evaluated *e = n->e;

    if (*e->why_no_pairs)
        ig_eval_put_lines(n->out, "note", e->why_no_pairs, n->width);
    put_count(n, e->loaded.zero_rows, "row is a zero vector, and was kept",
              "rows are zero vectors, and were kept");
    put_count(n, e->loaded.set->notes.repeated_ids,
              "row repeats an id within its language: all are candidates",
              "rows repeat an id within their language: all are candidates");
    put_count(n, e->loaded.set->notes.single_languages, "language has a single row",
              "languages have a single row");
}

static void put_run_notes(const notes *n)
{
    for (size_t i = 0; i < n->e->runs; i++) {
        const ig_evaluated_run *r = &n->e->run[i];
        char text[TEXT];

        if (!r->has[IG_SPACE_LANGUAGE]) {
            snprintf(text, sizeof text, "%.200s (%s) has no language embeddings",
                     r->name, ig_extractor_name(r->extractor->kind));
            ig_eval_put_lines(n->out, "note", text, n->width);
        }
        if (r->strangers) {
            snprintf(text, sizeof text,
                     "%zu of %zu languages were not in the run %.200s; their means are "
                     "taken over the rows at hand",
                     r->strangers, n->e->loaded.set->languages, r->name);
            ig_eval_put_lines(n->out, "note", text, n->width);
        }
    }
}

/* With few candidates guessing does well, and the mean counts every direction alike. */
static void put_few(const notes *n)
{
    const ig_retrieval *r = &n->e->original.retrieval;
    size_t few = 0, least = SIZE_MAX;
    char text[TEXT], alone[80] = "";

    for (size_t i = 0; i < r->count; i++) {
        few += r->score[i].candidates < FEW;
        least = r->score[i].candidates < least ? r->score[i].candidates : least;
    }
    if (!few)
        return;
    if (r->alone)
        snprintf(alone, sizeof alone, " but the %zu with one alone, which say nothing",
                 r->alone);
    snprintf(text, sizeof text,
             "%zu of %zu directions have fewer than %d candidates, the least %zu, and "
             "the means count every direction alike%s%s",
             few, r->count, FEW, least, alone,
             n->e->options->pairing || n->e->options->pairs || few == r->count
                 ? ""
                 : " (--pairing chooses languages)");
    ig_eval_put_lines(n->out, "note", text, n->width);
}

/* With about as many rows as dimensions a probe reads little of what is there. */
static void put_probe(const notes *n)
{
    const ig_probe *p = &n->e->original.probe;
    size_t dims = n->e->loaded.set->dims;
    char fitted[IG_NUMBER_SIZE], text[TEXT];

    if (!ig_probe_is_thin(p, dims))
        return;
    snprintf(text, sizeof text,
             "the probe learns from %s rows of %zu dimensions: from so few it reads "
             "less than there is",
             ig_count_format(fitted, p->fitted), dims);
    ig_eval_put_lines(n->out, "note", text, n->width);
}

/* Directions without ranks beside others that have them. */
static void put_blind(const notes *n)
{
    for (size_t i = 0; i < n->columns; i++) {
        const ig_eval_column *c = &n->column[i];
        const ig_retrieval *r = &c->measures->retrieval;
        size_t all = r->count;
        char text[TEXT];

        if (r->blind == 0 || r->blind + r->alone == all)
            continue;
        snprintf(
            text, sizeof text,
            "%s: in %zu of %zu directions all candidates tie; the means leave them "
            "out",
            c->name, r->blind, all);
        ig_eval_put_lines(n->out, "note", text, n->width);
    }
}

void ig_eval_put_notes(FILE *out, const ig_evaluated *e, size_t columns, bool utf8)
{
    notes n = {.out = out, .e = e, .width = columns, .dash = utf8 ? "\u2013" : "-"};

    n.column = ig_eval_columns(e, &n.columns);
    if (!n.column)
        return;
    ig_eval_put_lines(out, "better",
                      utf8 ? "\u2191 greater, \u2193 smaller; chance is what guessing "
                             "gives, of the probe the largest language's share"
                           : "^ greater, v smaller; chance is what guessing gives, of "
                             "the probe the largest language's share",
                      columns);
    put_missing(&n);
    put_data_notes(&n);
    put_run_notes(&n);
    put_few(&n);
    put_probe(&n);
    put_blind(&n);
    ig_free(n.column);
}
