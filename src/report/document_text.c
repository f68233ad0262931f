/* A document for readers: what was measured, then measures by spaces. One run has its
 * spaces next to the original one; several are next to one another, a table for each
 * space. Below are why figures are missing, notes on the data, and the language pairs.
 * Markdown and LaTeX have the figures alone. */
#include "report/tables.h"

#include <math.h>
#include <stdarg.h>
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

/* Words behind a label, printf-style. */
__attribute__((format(printf, 3, 4))) static void line(const form *f, const char *label,
                                                       const char *format, ...)
{
    char text[TEXT];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ig_text_put(f->out, label, strlen(label), LABEL, true);
    ig_text_wrap(f->out, text, LABEL, f->width);
}

/* --- measured data -------------------------------------------------------------- */

static void put_data(const form *f)
{
    const ig_dataset *set = f->d->set;
    const char *dot = f->utf8 ? " · " : ", ";
    char rows[IG_NUMBER_SIZE], from[IG_NUMBER_SIZE], sample[64] = "";
    char versions[128] = "";
    const ig_document *last = f->d;

    if (set->notes.sampled_from)
        snprintf(sample, sizeof sample, "%ssampled of %s rows", dot,
                 ig_count_format(from, set->notes.sampled_from));
    while (last->next)
        last = last->next;
    if (last != f->d)
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

/* Print a table after a blank line, and free it. */
static void put_table(form *f, ig_table *table, size_t width)
{
    fputc('\n', f->out);
    if (f->status == IG_OK)
        f->status = ig_table_print(table, f->out, width, f->utf8, f->error);
    ig_table_free(table);
}

/* A table of measures for each space: of several runs with the original first. */
static void put_spaces(form *f)
{
    bool versions = f->d->next != NULL;
    ig_document_column *of = ig_alloc(f->columns, sizeof *of);

    if (!of)
        f->status = ig_fail_memory(f->error, "the table");
    for (int s = versions ? IG_SPACE_ORIGINAL : IG_SPACE_MEANING; of && s < IG_SPACES;
         s++) {
        size_t n = 0;
        ig_table table;

        for (size_t i = 0; i < f->columns; i++)
            if ((int)f->column[i].space == s || (!versions && i == 0))
                of[n++] = f->column[i];
        if (n == !versions)
            continue;
        ig_table_measures(&table, f->d, IG_TABLE_RUNS, f->d->full, of, n);
        table.caption = ig_table_text_of(&table, "by %s", ig_space_name((ig_space)s));
        put_table(f, &table, f->width);
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
        put_table(f, &table, SIZE_MAX);
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

/* The lowest or the greatest figures of a measure. */
static void put_list(const form *f, const ig_document_column *column,
                     const ig_measure *measure, bool greatest, const char *label)
{
    const ig_figures *all = &column->measures->figures;
    const ig_figure *first[LISTED] = {NULL};
    char text[TEXT] = "";

    for (size_t i = 0; i < all->count; i++) {
        const ig_figure *row = all->row[i];
        size_t at = LISTED;

        if (row->measure != measure || !ig_figure_is_pair(row) || isnan(row->value))
            continue;
        while (at > 0 &&
               (!first[at - 1] || (greatest ? row->value > first[at - 1]->value
                                            : row->value < first[at - 1]->value)))
            at--;
        if (at == LISTED)
            continue;
        memmove(&first[at + 1], &first[at], (LISTED - 1 - at) * sizeof *first);
        first[at] = row;
    }
    for (size_t i = 0; i < LISTED && first[i]; i++)
        ig_text_append(text, sizeof text, "%s%.60s%s%.60s%s%.1f", i ? ", " : "",
                       first[i]->from, f->utf8 ? "→" : ">", first[i]->to,
                       f->utf8 ? "\u00A0" : "=", 100 * first[i]->value);
    line(f, label, "%s", text);
}

/* A measure that tables show by language pair (top-1): a matrix where it fits, else the
 * worst and the best. */
static void put_pairs(form *f, const ig_document_column *column,
                      const ig_measure *measure)
{
    const ig_figure *whole = ig_document_cell(column, measure, NULL);
    bool leaks = ig_better(measure, column->space) < 0, any = true;
    ig_table table = {0};

    if (whole && isnan(whole->value))
        return;
    for (int decimals = 1; decimals >= 0 && any; decimals--) {
        ig_table_free(&table);
        any = ig_table_pairs(&table, f->d, column, measure, decimals);
        if (any && ig_table_width(&table) <= f->width)
            break;
    }
    if (any) {
        fprintf(f->out, "\n%s in %%, ", measure->label);
        if (ig_table_width(&table) <= f->width) {
            f->status = ig_table_print(&table, f->out, f->width, f->utf8, f->error);
        } else {
            ig_table_print_text(f->out, table.caption, f->utf8);
            fputc('\n', f->out);
            put_list(f, column, measure, leaks, leaks ? "leaks most" : "worst");
            put_list(f, column, measure, !leaks, leaks ? "least" : "best");
        }
    } else if (table.arena.failed) {
        f->status = ig_fail_memory(f->error, "the table");
    }
    ig_table_free(&table);
}

/* --- notes ---------------------------------------------------------------------- */

static void put_notes(form *f)
{
    const ig_document *d = f->d;
    ig_property_list notes = {0};
    char note[IG_SET_NOTES][IG_SET_NOTE_SIZE];
    size_t found = ig_dataset_list_notes(d->set, d->zero_rows, note);

    if (d->no_pairs)
        line(f, "note", "%s", d->no_pairs);
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
    if (notes.arena.failed)
        f->status = ig_fail_memory(f->error, "the table");
    for (size_t i = 0; i < notes.count && f->status == IG_OK; i++)
        line(f, notes.item[i].name, "%s", notes.item[i].value);
    ig_arena_free(&notes.arena);
}

/* --- document -------------------------------------------------------------------- */

ig_status ig_document_text(const ig_document *d, FILE *out, size_t columns, bool utf8,
                           ig_error *error)
{
    form f = {.out = out, .d = d, .width = columns, .utf8 = utf8, .error = error};
    const ig_measure *measure;
    ig_table table;

    f.status = ig_document_columns(d, &f.column, &f.columns, error);
    if (f.status != IG_OK)
        return f.status;
    put_head_lines(&f);
    if (d->runs > 1 || d->next) {
        put_spaces(&f);
    } else {
        ig_table_measures(&table, d, IG_TABLE_SPACES, d->full, f.column, f.columns);
        put_table(&f, &table, SIZE_MAX);
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
    put_notes(&f);
    put_differences(&f);
    for (size_t k = 0; !d->next && (measure = ig_measure_at(k)); k++)
        for (size_t i = 0; measure->is & IG_MATRIX_TEXT && i < f.columns; i++)
            if (f.status == IG_OK)
                put_pairs(&f, &f.column[i], measure);
    ig_free(f.column);
    return f.status;
}

ig_status ig_document_markup(const ig_document *d, FILE *out, bool latex,
                             ig_error *error)
{
    size_t columns;
    ig_document_column *column;
    ig_table table;
    ig_status status = ig_document_columns(d, &column, &columns, error);

    if (status != IG_OK)
        return status;
    ig_table_measures(&table, d, IG_TABLE_PAPER, d->full, column, columns);
    status = ig_table_markup(&table, out, latex, error);
    ig_table_free(&table);
    ig_free(column);
    return status;
}
