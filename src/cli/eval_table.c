/* eval for readers: what was measured, then measures by spaces. One run has its spaces
 * beside the original one; several stand beside one another, a block for each space. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cli/eval_print.h"
#include "cli/output.h"
#include "draw/axes.h"
#include "measure/catalogue.h"

enum { VALUE = 9, ARROW = 2, TEXT = 1024 };

typedef struct table {
    FILE *out;
    const ig_evaluated *e;
    size_t width; /* columns of the terminal */
    bool utf8;
    ig_eval_column *column; /* (columns) all spaces */
    size_t columns;
    size_t label; /* columns of the labels */
    size_t gap;   /* spaces still to be written, when something follows */
} table;

/* A line of the table: a measure, or its value for one kind of scored pairs. */
typedef struct figure {
    const ig_measure_entry *entry;
    size_t kind; /* SIZE_MAX: all together */
} figure;

/* --- what was measured ----------------------------------------------------------- */

static void put_data(const table *t)
{
    const ig_set *set = t->e->loaded.set;
    const char *dot = t->utf8 ? " \u00B7 " : ", ";
    char rows[IG_NUMBER_SIZE], from[IG_NUMBER_SIZE], text[TEXT];
    int n = snprintf(text, sizeof text,
                     "%.200s%s%s row%s%s%zu language%s%s%zu dimension%s", set->name,
                     dot, ig_count_format(rows, set->rows), set->rows == 1 ? "" : "s",
                     dot, set->languages, set->languages == 1 ? "" : "s", dot,
                     set->dims, set->dims == 1 ? "" : "s");

    if (set->notes.sampled_from)
        snprintf(text + n, sizeof text - (size_t)n, "%ssampled of %s rows", dot,
                 ig_count_format(from, set->notes.sampled_from));
    ig_eval_put_lines(t->out, "data", text, t->width);
}

void ig_eval_measured(const ig_evaluated *e, char text[IG_EVAL_MEASURED])
{
    const ig_portion *p = &e->portion;
    const ig_options *o = e->options;
    char rows[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE], pairs[IG_NUMBER_SIZE];
    char meanings[IG_NUMBER_SIZE], which[IG_EVAL_MEASURED / 2];

    ig_count_format(rows, p->rows);
    ig_count_format(all, e->loaded.set->rows);
    if (e->part == IG_PART_ALL)
        snprintf(which, sizeof which, "all rows");
    else
        snprintf(which, sizeof which, "%s of %s rows, the ids that %.200s %s", rows,
                 all, e->runs > 1 ? "the runs" : e->run[0].name,
                 e->part == IG_PART_VALID ? "held out" : "trained on");
    if (p->pairs == 0)
        snprintf(text, IG_EVAL_MEASURED, "%s; there are no pairs", which);
    else
        snprintf(text, IG_EVAL_MEASURED, "%s; %s pair%s of %s meaning%s (%.200s)",
                 which, ig_count_format(pairs, p->pairs), p->pairs == 1 ? "" : "s",
                 ig_count_format(meanings, p->meanings), p->meanings == 1 ? "" : "s",
                 o->pairs     ? o->pairs
                 : o->pairing ? o->pairing
                              : "all languages");
}

static void put_measured(const table *t)
{
    char text[IG_EVAL_MEASURED];

    ig_eval_measured(t->e, text);
    ig_eval_put_lines(t->out, "measured", text, t->width);
}

static void put_scores(const table *t)
{
    const ig_evaluated *e = t->e;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE], text[TEXT];

    if (!e->has_scores)
        return;
    if (e->loaded.scores.count == e->of_scores)
        snprintf(text, sizeof text, "%.200s, %s pair%s", e->options->scores,
                 ig_count_format(all, e->of_scores), e->of_scores == 1 ? "" : "s");
    else
        snprintf(text, sizeof text, "%.200s, %s of %s pairs", e->options->scores,
                 ig_count_format(some, e->loaded.scores.count),
                 ig_count_format(all, e->of_scores));
    ig_eval_put_lines(t->out, "scores", text, t->width);
}

static void put_runs(const table *t)
{
    for (size_t i = 0; i < t->e->runs; i++) {
        const ig_evaluated_run *r = &t->e->run[i];
        char label[32], text[TEXT];
        int n;

        if (t->e->runs > 1)
            snprintf(label, sizeof label, "run %zu", i + 1);
        else
            snprintf(label, sizeof label, "run");
        if (r->run)
            n = snprintf(text, sizeof text, "%.200s, trained now: epoch %zu of %zu",
                         r->method, r->epoch, r->run->records - 1);
        else
            n = snprintf(text, sizeof text, "%.200s: %s, epoch %zu", r->name, r->method,
                         r->epoch);
        if (r->stored.has_data && r->stored.checksum != t->e->loaded.set->checksum)
            snprintf(text + n, sizeof text - (size_t)n, ", trained on %s",
                     r->stored.data);
        ig_eval_put_lines(t->out, label, text, t->width);
    }
}

/* --- values ---------------------------------------------------------------------- */

static double value_of(const figure *f, const ig_evaluation *e)
{
    const ig_correlation *c;

    if (f->kind == SIZE_MAX)
        return ig_measure_read(f->entry, e);
    c = &e->similarity.by_pair[f->kind];
    return ig_measure_of_kind(f->entry, c);
}

static const char *label_of(const figure *f, const ig_evaluation *e)
{
    return f->kind == SIZE_MAX ? f->entry->name : e->similarity.by_pair[f->kind].pair;
}

/* A text at the right end of so many columns; no line ends with spaces. */
static void put_cell(table *t, const char *text, size_t columns)
{
    size_t width = ig_text_width(text, strlen(text));

    width = width < columns ? width : columns;
    t->gap += columns - width;
    if (width == 0)
        return;
    fprintf(t->out, "%*s", (int)t->gap, "");
    ig_put_text(t->out, text, width, false);
    t->gap = 0;
}

static void end_line(table *t)
{
    fputc('\n', t->out);
    t->gap = 0;
}

static void put_value(table *t, const ig_measure_entry *entry, double value,
                      const char *missing)
{
    char number[IG_NUMBER_SIZE], text[IG_NUMBER_SIZE + 2];
    bool share = entry->unit == IG_UNIT_SHARE;

    value *= share ? 100 : 1;
    if (fabs(value) < 0.5 * pow(10, -entry->decimals))
        value = 0; /* no -0.000 */
    if (isnan(value))
        snprintf(text, sizeof text, "%s", missing);
    else
        snprintf(text, sizeof text, "%s%s",
                 ig_fixed_format(number, value, entry->decimals, 1), share ? "%" : "");
    put_cell(t, text, VALUE + 1);
}

static const char *arrow_of(const table *t, int better)
{
    if (better == 0)
        return "";
    if (!t->utf8)
        return better > 0 ? "^" : "v";
    return better > 0 ? "\u2191" : "\u2193";
}

/* Whether a line is worth its place: ties only where there are some, kinds of pairs
 * where the scores name them, and without pairs nothing that needs them (the reasons
 * name those measures). */
static bool is_shown(const table *t, const ig_measure_entry *entry)
{
    const ig_evaluation *original = t->column[0].measures;
    bool told = false;

    if (!ig_measure_taken(entry, original))
        return false;
    if (t->e->portion.pairs == 0 && entry->family->needs & IG_NEEDS_PAIRS)
        return false;
    for (size_t i = 0; i < t->columns; i++)
        told |= ig_measure_tells(entry, t->column[i].measures);
    return told;
}

/* --- blocks ---------------------------------------------------------------------- */

/* Columns first … first+count−1 of `of`, arrows in the cells or (`beside`) once behind
 * the label, for `space`. */
typedef struct block {
    const ig_eval_column *of[2 + 16];
    size_t count;
    bool beside;
    ig_space space;
} block;

static void put_figure(table *t, const block *b, const figure *f)
{
    const ig_evaluation *first = b->of[0]->measures;
    const signed char *better = f->entry->better;
    size_t indent = f->kind == SIZE_MAX ? 0 : 2;

    fprintf(t->out, "%*s", (int)indent, "");
    ig_put_text(t->out, label_of(f, first), t->label - indent, true);
    if (b->beside)
        put_cell(t, arrow_of(t, better[b->space]), ARROW);
    for (size_t i = 0; i < b->count; i++) {
        double value = value_of(f, b->of[i]->measures);

        put_value(t, f->entry, value, t->utf8 ? "\u2013" : "-");
        if (!b->beside)
            put_cell(t, isnan(value) ? "" : arrow_of(t, better[b->of[i]->space]),
                     ARROW);
    }
    if (f->kind == SIZE_MAX && ig_measure_has_chance(f->entry))
        put_value(t, f->entry, ig_measure_chance(f->entry, first), "");
    end_line(t);
}

static void put_kinds(table *t, const block *b, const figure *of)
{
    for (size_t i = 0; i < b->of[0]->measures->similarity.kinds; i++) {
        figure kind = *of;

        kind.kind = i;
        put_figure(t, b, &kind);
    }
}

static void put_head(table *t, const block *b)
{
    fputc('\n', t->out);
    t->gap = t->label + (b->beside ? ARROW : 0);
    for (size_t i = 0; i < b->count; i++) {
        const ig_eval_column *c = b->of[i];
        char head[160];

        if (b->beside && c->space != IG_SPACE_ORIGINAL)
            snprintf(head, sizeof head, "%zu %s", c->run + 1, t->e->run[c->run].method);
        else
            snprintf(head, sizeof head, "%s", ig_space_name(c->space));
        put_cell(t, "", 1);
        put_cell(t, head, VALUE);
        put_cell(t, "", b->beside ? 0 : ARROW);
    }
    put_cell(t, "chance", VALUE + 1);
    end_line(t);
}

static void put_block(table *t, const block *b)
{
    const ig_measure_entry *entry;

    put_head(t, b);
    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++) {
        figure f = {entry, SIZE_MAX};

        if (!is_shown(t, entry))
            continue;
        put_figure(t, b, &f);
        if (entry->kind_at)
            put_kinds(t, b, &f);
    }
}

/* The runs that have a space, as many beside one another as fit, the original space
 * always first. */
static void put_beside(table *t, ig_space space)
{
    size_t most = sizeof((block *)0)->of / sizeof((block *)0)->of[0];
    size_t room = t->width > t->label + ARROW ? t->width - t->label - ARROW : 0;
    size_t fit = room / (VALUE + 1); /* the chance takes one */
    block b = {.of = {&t->column[0]}, .count = 1, .beside = true, .space = space};

    fit = fit < 3 ? 2 : fit > most ? most : fit - 1;
    for (size_t i = 1; i < t->columns; i++) {
        if (t->column[i].space != space)
            continue;
        if (b.count == fit) {
            put_block(t, &b);
            b.count = 1;
        }
        if (b.count == 1)
            fprintf(t->out, "\nby %s",
                    space == IG_SPACE_MEANING ? "meaning" : "language");
        b.of[b.count++] = &t->column[i];
    }
    if (b.count > 1)
        put_block(t, &b);
}

static void measure_labels(table *t)
{
    const ig_measure_entry *entry;
    const ig_similarity *s = &t->column[0].measures->similarity;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++) {
        size_t width = ig_text_width(entry->name, strlen(entry->name));

        if (is_shown(t, entry) && width > t->label)
            t->label = width;
    }
    for (size_t i = 0; i < s->kinds; i++) {
        size_t width = 2 +
                       ig_text_width(s->by_pair[i].pair, strlen(s->by_pair[i].pair));

        if (width > t->label)
            t->label = width;
    }
    if (t->label > 32)
        t->label = 32;
}

void ig_eval_put_table(FILE *out, const ig_evaluated *e, size_t columns, bool utf8)
{
    table t = {.out = out, .e = e, .width = columns, .utf8 = utf8};

    t.column = ig_eval_columns(e, &t.columns);
    if (!t.column) {
        ig_complain("out of memory for the table");
        return;
    }
    measure_labels(&t);
    put_data(&t);
    put_measured(&t);
    put_scores(&t);
    put_runs(&t);
    if (e->runs > 1) {
        put_beside(&t, IG_SPACE_MEANING);
        put_beside(&t, IG_SPACE_LANGUAGE);
    } else {
        block b = {.count = t.columns};

        for (size_t i = 0; i < t.columns; i++)
            b.of[i] = &t.column[i];
        put_block(&t, &b);
    }
    fputc('\n', out);
    ig_free(t.column);
    ig_eval_put_notes(out, e, columns, utf8);
    ig_eval_put_matrices(out, e, columns, utf8);
}
