/* A document for readers: what was measured, then measures by spaces. One run has its
 * spaces next to the original one; several are next to one another, a block for each
 * space. Below are why figures are missing, notes on the data, and the language pairs.
 * Markdown and LaTeX have the figures alone. */
#include "report/tables.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"

enum {
    LABEL = 11, /* columns of the labels of lines */
    LISTED = 5, /* language pairs of a list */
    TEXT = 2048
};

typedef struct form {
    FILE *out;
    const ig_document *d;
    size_t width; /* columns of the terminal */
    bool utf8;
    ig_document_column *column; /* (columns) all spaces */
    size_t columns;
    ig_error *error;
    ig_status status; /* the first failure */
} form;

/* --- lines of words ------------------------------------------------------------- */

/* Words behind a label, broken before `columns`, control characters made visible. */
static void put_line(FILE *out, const char *label, const char *text, size_t columns)
{
    size_t at = LABEL;

    ig_text_put(out, label, strlen(label), LABEL, true);
    while (*text) {
        size_t length = strcspn(text, " "), width = ig_text_width(text, length);

        if (at > LABEL && at + 1 + width > columns) {
            fprintf(out, "\n%*s", LABEL, "");
            at = LABEL;
        } else if (at > LABEL) {
            fputc(' ', out);
            at++;
        }
        ig_text_put(out, text, length, SIZE_MAX, false);
        at += width;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

/* The same, printf-style. */
__attribute__((format(printf, 3, 4))) static void line(const form *f, const char *label,
                                                       const char *format, ...)
{
    char text[TEXT];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put_line(f->out, label, text, f->width);
}

/* --- measured data -------------------------------------------------------------- */

static void put_data(const form *f)
{
    const ig_dataset *set = f->d->set;
    const char *dot = f->utf8 ? " · " : ", ";
    char rows[IG_NUMBER_SIZE], from[IG_NUMBER_SIZE], sample[64] = "";
    char versions[128] = "";
    const ig_document *last = NULL;

    if (set->notes.sampled_from)
        snprintf(sample, sizeof sample, "%ssampled of %s rows", dot,
                 ig_count_format(from, set->notes.sampled_from));
    for (const ig_document *d = f->d->next; d; d = d->next)
        last = d;
    if (last)
        snprintf(versions, sizeof versions, "%sversions %.40s to %.40s", dot,
                 set->version, last->set->version);
    else if (set->version)
        snprintf(versions, sizeof versions, "%sversion %.40s", dot, set->version);
    line(f, "data", "%.200s%s%s row%s%s%zu language%s%s%zu dimension%s%s%s", set->name,
         dot, ig_count_format(rows, set->rows), set->rows == 1 ? "" : "s", dot,
         set->languages, set->languages == 1 ? "" : "s", dot, set->dims,
         set->dims == 1 ? "" : "s", versions, sample);
}

static void put_head_lines(const form *f)
{
    const ig_document *d = f->d;
    char measured[IG_DOCUMENT_MEASURED], some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    put_data(f);
    ig_document_measured(d, measured);
    line(f, "measured", "%s", measured);
    if (ig_document_sample(d, measured))
        line(f, "sample", "%s", measured);
    if (d->scores && d->scored == d->of_scores)
        line(f, "scores", "%.200s, %s pair%s", d->scores,
             ig_count_format(all, d->of_scores), d->of_scores == 1 ? "" : "s");
    else if (d->scores)
        line(f, "scores", "%.200s, %s of %s pairs", d->scores,
             ig_count_format(some, d->scored), ig_count_format(all, d->of_scores));
    for (size_t r = 0; r < d->runs; r++) {
        char label[32] = "run";

        if (d->runs > 1)
            snprintf(label, sizeof label, "run %zu", r + 1);
        line(f, label, "%s", d->run[r].origin);
    }
}

/* --- tables ---------------------------------------------------------------------- */

/* Print a table and free it. */
static void put_table(form *f, ig_table *table)
{
    if (f->status == IG_OK)
        fputc('\n', f->out);
    if (f->status == IG_OK)
        f->status = ig_table_print(table, f->out, f->utf8, f->error);
    ig_table_free(table);
}

/* The columns of a space, as many next to one another as fit; of several runs, the
 * original space always first. */
static void put_space(form *f, ig_space space)
{
    size_t kept = f->d->next ? 0 : 1, n = kept, shown;
    ig_document_column *of = ig_alloc(f->columns + 1, sizeof *of);

    if (!of)
        f->status = ig_fail_memory(f->error, "the table");
    for (size_t i = kept; of && i < f->columns; i++)
        if (f->column[i].space == space)
            of[n++] = f->column[i];
    for (size_t at = kept; of && at < n; at += shown) {
        ig_table table = {0};

        if (kept) /* in the place of a column that was shown */
            of[at - 1] = f->column[0];
        for (shown = n - at; shown; shown--) {
            ig_table_free(&table);
            ig_table_measures(&table, f->d, IG_TABLE_RUNS, f->d->full, of + at - kept,
                              kept + shown);
            if (table.failed || shown == 1 || ig_table_width(&table) <= f->width)
                break;
        }
        fprintf(f->out, "\nby %s", ig_space_name(space));
        put_table(f, &table);
    }
    ig_free(of);
}

/* Of one run from the original space; of several each from the first. */
static void put_differences(form *f)
{
    bool any = false, several = false;

    for (size_t i = 0; i < f->d->differences; i++)
        several |= f->d->difference[i].first != IG_NO_RUN;
    for (size_t i = 0; i < f->d->differences; i++) {
        const ig_document_difference *of = &f->d->difference[i];
        ig_table table;

        if (of->first != (several ? 0 : IG_NO_RUN) || of->count == 0)
            continue;
        ig_table_difference(&table, f->d, of, f->d->full);
        put_table(f, &table);
        any = true;
    }
    if (!any)
        return;
    fputc('\n', f->out);
    line(f, "signif.",
         "p < 5%% by t (variance over seeds and over paired draws of the meanings), "
         "after Holm over the figures of a table. Of one run each: language pairs "
         "where it is greater and smaller by a test over meanings, at 5%% "
         "after Holm%s",
         several ? "; --format json compares every two methods" : "");
}

/* --- language pairs -------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const ig_figure *x = *(const ig_figure *const *)a;
    const ig_figure *y = *(const ig_figure *const *)b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The worst and the best figures. */
static void put_list(form *f, const ig_document_column *column,
                     const ig_measure *measure)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure **row = ig_alloc(all->count, sizeof(*row));
    bool leaks = ig_better(measure, column->space) < 0;
    size_t n = 0;

    if (!row)
        f->status = ig_fail_memory(f->error, "the table");
    for (size_t i = 0; row && i < all->count; i++)
        if (all->row[i]->measure == measure && ig_figure_is_pair(all->row[i]) &&
            !isnan(all->row[i]->value))
            row[n++] = all->row[i];
    qsort(row, n, sizeof(*row), by_value);
    for (int end = 0; row && end < 2; end++) {
        char text[TEXT] = "";
        size_t used = 0;

        for (size_t i = 0; i < LISTED && i < n && used < sizeof text; i++) {
            const ig_figure *r = row[leaks == !end ? n - 1 - i : i];

            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%s%.60s%s%.60s%s%.1f", i ? ", " : "", r->from,
                                     f->utf8 ? "→" : ">", r->to,
                                     f->utf8 ? "\u00A0" : "=", 100 * r->value);
        }
        line(f,
             end     ? (leaks ? "least" : "best")
             : leaks ? "leaks most"
                     : "worst",
             "%s", text);
    }
    ig_free(row);
}

/* Measures that a table shows by language pair (top-1): a matrix where it fits, else
 * the worst and the best. */
static void put_pairs(form *f)
{
    const ig_measure *measure;

    for (size_t k = 0; (measure = ig_measure_at(k)) != NULL; k++)
        for (size_t i = 0; measure->is & IG_MATRIX_TEXT && i < f->columns; i++) {
            const ig_document_column *column = &f->column[i];
            const ig_figure *whole = ig_document_cell(column, measure, NULL);
            ig_table table = {0};
            size_t width = SIZE_MAX;

            if (whole && isnan(whole->value))
                continue;
            for (int decimals = 1; decimals >= 0 && width > f->width; decimals--) {
                ig_table_free(&table);
                if (!ig_table_pairs(&table, f->d, column, measure, decimals))
                    break;
                width = ig_table_width(&table);
            }
            if (table.failed)
                f->status = ig_fail_memory(f->error, "the table");
            if (f->status == IG_OK && width < SIZE_MAX) {
                fprintf(f->out, "\n%s in %%, ", measure->label);
                ig_table_print_caption(&table, f->out, f->utf8);
                table.caption = NULL;
                if (width > f->width)
                    put_list(f, column, measure);
                else
                    f->status = ig_table_print(&table, f->out, f->utf8, f->error);
            }
            ig_table_free(&table);
        }
}

/* --- notes ---------------------------------------------------------------------- */

/* False: out of memory. */
static bool put_notes(const form *f)
{
    const ig_document *d = f->d;
    ig_property_list notes = {0};
    char note[IG_SET_NOTES][IG_SET_NOTE_SIZE];
    size_t found;
    bool whole;

    if (d->no_pairs)
        line(f, "note", "%s", d->no_pairs);
    found = ig_dataset_list_notes(d->set, d->zero_rows, note);
    for (size_t i = 0; i < found; i++)
        line(f, "note", "%s", note[i]);
    for (size_t i = 0; i < d->set->notes.remarks; i++)
        line(f, "note", "%s", d->set->notes.remark[i]);
    for (size_t r = 0; r < d->runs; r++) {
        const ig_document_run *run = &d->run[r];

        if (!run->has[IG_SPACE_LANGUAGE])
            line(f, "note", "%.200s (%s) has no language embeddings", run->name,
                 ig_form_of(run->extractor->kind)->name);
        if (run->transductive)
            line(
                f, "note",
                "%.200s was fitted to rows that are measured (transductive); fit it to "
                "other rows with --train SET, or measure others with --split valid",
                run->name);
        if (run->trained > 0)
            line(f, "note",
                 "%.200s was trained on %.0f%% of the rows that are measured; --split "
                 "valid or holdout measures others",
                 run->name, 100 * run->trained);
        if (run->unknown)
            line(f, "note", "%zu of %zu languages are unknown to the run %.200s; %s",
                 run->unknown, d->set->languages, run->name,
                 ig_form_of(run->extractor->kind)->unknown);
    }
    ig_document_reasons(f->column, f->columns, d->full, &notes);
    ig_document_notes(d, &notes);
    for (size_t i = 0; i < notes.count; i++)
        line(f, notes.item[i].name, "%s", notes.item[i].value);
    whole = !notes.failed;
    ig_property_list_free(&notes);
    return whole;
}

/* --- document -------------------------------------------------------------------- */

ig_status ig_document_text(const ig_document *d, FILE *out, size_t columns, bool utf8,
                           ig_error *error)
{
    form f = {.out = out, .d = d, .width = columns, .utf8 = utf8, .error = error};
    ig_table table;

    f.column = ig_document_columns(d, &f.columns);
    if (!f.column)
        return ig_fail_memory(error, "the table");
    put_head_lines(&f);
    if (d->runs > 1 || d->next) {
        for (int s = d->next ? IG_SPACE_ORIGINAL : IG_SPACE_MEANING; s < IG_SPACES; s++)
            put_space(&f, (ig_space)s);
    } else {
        ig_table_measures(&table, d, IG_TABLE_SPACES, d->full, f.column, f.columns);
        put_table(&f, &table);
    }
    fputc('\n', out);
    line(&f, "better",
         "%s; chance is the expected value of guessing, for probes the share of the "
         "largest language",
         utf8 ? "↑ greater, ↓ smaller" : "^ greater, v smaller");
    if (!d->full)
        line(&f, "more",
             "--measures all: alignment, ranks, mining, isotropy and others");
    if (d->ci || d->original.sample.rows)
        line(&f, "intervals",
             "95%%, from %d draws of the meanings (for correlations, of "
             "connected items), below the figures",
             IG_DRAWS);
    if (!put_notes(&f) && f.status == IG_OK)
        f.status = ig_fail_memory(error, "the table");
    put_differences(&f);
    if (!d->next)
        put_pairs(&f);
    ig_free(f.column);
    return f.status;
}

/* --- Markdown and LaTeX ---------------------------------------------------------- */

ig_status ig_document_markup(const ig_document *d, FILE *out, bool latex,
                             ig_error *error)
{
    size_t columns;
    ig_document_column *column = ig_document_columns(d, &columns);
    ig_table table = {.failed = true};

    if (column)
        ig_table_measures(&table, d, IG_TABLE_PAPER, d->full, column, columns);
    if (!table.failed)
        ig_table_markup(&table, out, latex);
    ig_free(column);
    if (table.failed) {
        ig_table_free(&table);
        return ig_fail_memory(error, "the table");
    }
    ig_table_free(&table);
    return IG_OK;
}
