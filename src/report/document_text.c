/* A document for readers: what was measured, then measures by spaces. One run has its
 * spaces next to the original one; several are next to one another, a block for each
 * space. Below are why figures are missing, notes on the data, and the language pairs.
 * Markdown and LaTeX have the figures alone. */
#include "report/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "report/matrices.h"

enum {
    LABEL = 11, /* columns of the labels of lines */
    VALUE = 9,
    ARROW = 2,
    TEXT = 2048
};

typedef struct form {
    FILE *out;
    const ig_document *d;
    size_t width; /* columns of the terminal */
    bool utf8;
    ig_document_column *column; /* (columns) all spaces */
    size_t columns;
    const ig_measure *measure[IG_DOCUMENT_LINES]; /* (measures) the lines */
    size_t measures;
    size_t label; /* columns of the measures' names */
    size_t gap;   /* spaces still to be written, when something follows */
    bool ci;      /* some figure has an interval */
} form;

static const char *dash(const form *f)
{
    return f->utf8 ? "–" : "-";
}

/* --- lines of words -------------------------------------------------------------- */

void ig_document_line(FILE *out, const char *label, const char *text, size_t columns)
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

/* The same of a text made on the spot. */
__attribute__((format(printf, 3, 4))) static void line(const form *f, const char *label,
                                                       const char *format, ...)
{
    char text[TEXT];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ig_document_line(f->out, label, text, f->width);
}

/* A text whole, or cut to so many columns and filled up to them. */
static void put(const form *f, const char *text, size_t columns)
{
    ig_text_put(f->out, text, strlen(text), columns, columns != SIZE_MAX);
}

/* --- what was measured ----------------------------------------------------------- */

static void put_data(const form *f)
{
    const ig_set *set = f->d->set;
    const char *dot = f->utf8 ? " · " : ", ";
    char rows[IG_NUMBER_SIZE], from[IG_NUMBER_SIZE], sample[64] = "";

    if (set->notes.sampled_from)
        snprintf(sample, sizeof sample, "%ssampled of %s rows", dot,
                 ig_count_format(from, set->notes.sampled_from));
    line(f, "data", "%.200s%s%s row%s%s%zu language%s%s%zu dimension%s%s", set->name,
         dot, ig_count_format(rows, set->rows), set->rows == 1 ? "" : "s", dot,
         set->languages, set->languages == 1 ? "" : "s", dot, set->dims,
         set->dims == 1 ? "" : "s", sample);
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

/* --- values ---------------------------------------------------------------------- */

/* Columns of a figure: intervals are wider. */
static size_t value_columns(const form *f)
{
    return f->ci ? VALUE + 2 : VALUE;
}

/* A text at the right end of so many columns; no line ends with spaces. */
static void put_cell(form *f, const char *text, size_t columns)
{
    size_t width = ig_text_width(text, strlen(text));

    width = width < columns ? width : columns;
    f->gap += columns - width;
    if (width == 0)
        return;
    fprintf(f->out, "%*s", (int)f->gap, "");
    ig_text_put(f->out, text, strlen(text), width, false);
    f->gap = 0;
}

static void end_line(form *f)
{
    fputc('\n', f->out);
    f->gap = 0;
}

/* Scaled as it is written, without −0.0. */
static double scale(const ig_measure *measure, double value)
{
    value *= measure->unit == IG_UNIT_SHARE ? 100 : 1;
    return fabs(value) < 0.5 * pow(10, -measure->decimals) ? 0 : value;
}

static void put_value(form *f, const ig_measure *measure, double value,
                      const char *missing)
{
    char number[IG_NUMBER_SIZE], text[IG_NUMBER_SIZE + 2];

    if (isnan(value))
        snprintf(text, sizeof text, "%s", missing);
    else
        snprintf(text, sizeof text, "%s%s",
                 ig_fixed_format(number, scale(measure, value), measure->decimals, 1),
                 measure->unit == IG_UNIT_SHARE ? "%" : "");
    put_cell(f, text, value_columns(f) + 1);
}

/* "91.5–93.1", as far right as the arrow of a figure; "-1.96…-1.94", which leaves a
 * column between two intervals. */
static void put_interval(form *f, const ig_measure *measure, double low, double high,
                         size_t columns)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], text[2 * IG_NUMBER_SIZE + 4] = "";

    if (!isnan(low) && !isnan(high))
        snprintf(text, sizeof text, "%s%s%s",
                 ig_fixed_format(a, scale(measure, low), measure->decimals, 1),
                 scale(measure, low) >= 0 ? (f->utf8 ? "–" : "..")
                                          : (f->utf8 ? "…" : ","),
                 ig_fixed_format(b, scale(measure, high), measure->decimals, 1));
    put_cell(f, text, columns);
}

static const char *arrow_of(const form *f, int better)
{
    if (better == 0)
        return "";
    if (!f->utf8)
        return better > 0 ? "^" : "v";
    return better > 0 ? "↑" : "↓";
}

/* --- blocks ---------------------------------------------------------------------- */

/* Some of the columns, arrows in the cells or once behind the label. A block of several
 * runs is of one space. */
typedef struct block {
    ig_document_column of[2 + 16];
    size_t count;
    bool arrows_once;
    ig_space space;
} block;

/* The intervals below a line's figures, where there are any. */
static void put_intervals(form *f, const block *b, const ig_measure *measure,
                          const char *part)
{
    const ig_figure *row[sizeof b->of / sizeof *b->of];
    bool any = false;

    for (size_t i = 0; i < b->count; i++) {
        row[i] = ig_document_cell(&b->of[i], measure, part);
        any |= row[i] && ig_figure_has_interval(row[i]);
    }
    if (!any)
        return;
    f->gap = f->label + (b->arrows_once ? ARROW : 0);
    for (size_t i = 0; i < b->count; i++)
        put_interval(f, measure, row[i] ? row[i]->low : (double)NAN,
                     row[i] ? row[i]->high : (double)NAN,
                     value_columns(f) + 1 + (b->arrows_once ? 0 : ARROW));
    end_line(f);
}

/* The line of a measure, or of a part of it. */
static void put_figure(form *f, const block *b, const ig_measure *measure,
                       const char *part)
{
    size_t indent = part ? 2 : 0;

    fprintf(f->out, "%*s", (int)indent, "");
    put(f, part ? part : measure->label, f->label - indent);
    if (b->arrows_once)
        put_cell(f, arrow_of(f, measure->better[b->space]), ARROW);
    for (size_t i = 0; i < b->count; i++) {
        const ig_figure *row = ig_document_cell(&b->of[i], measure, part);
        double value = row ? row->value : (double)NAN;

        put_value(f, measure, value, dash(f));
        if (!b->arrows_once)
            put_cell(f,
                     isnan(value) ? "" : arrow_of(f, measure->better[b->of[i].space]),
                     ARROW);
    }
    if (!part)
        put_value(f, measure, ig_document_chance(b->of, b->count, measure), "");
    end_line(f);
    put_intervals(f, b, measure, part);
}

static void put_head(form *f, const block *b)
{
    fputc('\n', f->out);
    f->gap = f->label + (b->arrows_once ? ARROW : 0);
    for (size_t i = 0; i < b->count; i++) {
        const ig_document_column *c = &b->of[i];
        char head[160];

        if (b->arrows_once && c->space != IG_SPACE_ORIGINAL)
            snprintf(head, sizeof head, "%zu %s", c->run + 1, f->d->run[c->run].method);
        else
            snprintf(head, sizeof head, "%s", ig_space_name(c->space));
        put_cell(f, "", 1);
        put_cell(f, head, value_columns(f));
        put_cell(f, "", b->arrows_once ? 0 : ARROW);
    }
    put_cell(f, "chance", value_columns(f) + 1);
    end_line(f);
}

static void put_block(form *f, const block *b)
{
    const char *part;

    put_head(f, b);
    for (size_t i = 0; i < f->measures; i++) {
        put_figure(f, b, f->measure[i], NULL);
        for (size_t k = 0;
             (part = ig_document_part(b->of, b->count, f->measure[i], k)) != NULL; k++)
            put_figure(f, b, f->measure[i], part);
    }
}

/* The runs that have a space, as many next to one another as fit, the original space
 * always first. */
static void put_runs(form *f, ig_space space)
{
    size_t most = sizeof((block *)0)->of / sizeof((block *)0)->of[0];
    size_t room = f->width > f->label + ARROW ? f->width - f->label - ARROW : 0;
    size_t fit = room / (value_columns(f) + 1); /* the chance takes one */
    block b = {.of = {f->column[0]}, .count = 1, .arrows_once = true, .space = space};

    fit = fit < 3 ? 2 : fit > most ? most : fit - 1;
    for (size_t i = 1; i < f->columns; i++) {
        if (f->column[i].space != space)
            continue;
        if (b.count == fit) {
            put_block(f, &b);
            b.count = 1;
        }
        if (b.count == 1)
            fprintf(f->out, "\nby %s",
                    space == IG_SPACE_MEANING ? "meaning" : "language");
        b.of[b.count++] = f->column[i];
    }
    if (b.count > 1)
        put_block(f, &b);
}

static void choose_lines(form *f)
{
    const char *part;

    f->measures =
        ig_document_lines(f->column, f->columns, f->measure, IG_DOCUMENT_LINES);
    for (size_t i = 0; i < f->measures; i++) {
        size_t width =
            ig_text_width(f->measure[i]->label, strlen(f->measure[i]->label));

        f->label = width > f->label ? width : f->label;
        for (size_t k = 0;
             (part = ig_document_part(f->column, f->columns, f->measure[i], k)) != NULL;
             k++) {
            width = 2 + ig_text_width(part, strlen(part));
            f->label = width > f->label ? width : f->label;
        }
        for (size_t c = 0; c < f->columns; c++) {
            const ig_figure *row = ig_document_cell(&f->column[c], f->measure[i], NULL);

            f->ci |= row && ig_figure_has_interval(row);
        }
    }
    if (f->label > 32)
        f->label = 32;
}

/* --- differences ----------------------------------------------------------------- */

/* "+31 −2 of 56": parts where the second is greater, smaller, of those tested. */
static const char *parts_text(const form *f, const ig_difference *d, char out[48])
{
    if (!isnan(d->p))
        snprintf(out, 48, d->p < 0.001 ? "p < 0.001" : "p = %.3f", d->p);
    else if (d->parts)
        snprintf(out, 48, "+%zu %s%zu of %zu", d->more, f->utf8 ? "−" : "-", d->less,
                 d->parts);
    else
        out[0] = '\0';
    return out;
}

static void put_difference(form *f, const ig_document_difference *of)
{
    char name[160], text[48];

    ig_document_difference_name(f->d, of, name, sizeof name);
    fprintf(f->out, "\n%s, by %s\n", name, ig_space_name(of->space));
    f->gap = f->label;
    put_cell(f, "difference", VALUE + 3);
    put_cell(f, "95%", VALUE + 7);
    put_cell(f, "significant", VALUE + 3);
    put_cell(f, "tests", VALUE + 7);
    end_line(f);
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *d = &of->figure[i];

        put(f, d->measure->label, f->label);
        put_value(f, d->measure, d->value, dash(f));
        put_interval(f, d->measure, d->interval.low, d->interval.high, VALUE + 7);
        put_cell(f, ig_document_finding(d, of->space), VALUE + 3);
        put_cell(f, parts_text(f, d, text), VALUE + 7);
        end_line(f);
    }
}

/* Of one run from the original space; of several each from the first. */
static void put_differences(form *f)
{
    bool any = false;

    for (size_t i = 0; i < f->d->differences; i++) {
        const ig_document_difference *of = &f->d->difference[i];

        if (of->first != (f->d->runs == 1 ? IG_NO_RUN : 0) || of->count == 0)
            continue;
        put_difference(f, of);
        any = true;
    }
    if (!any)
        return;
    end_line(f);
    line(f, "signif.",
         "the 95%% interval, of paired draws, is without 0. Tests: language pairs "
         "where it is greater and smaller by McNemar's exact test, kinds of scored "
         "pairs by Williams' (p: all of them together), at 5%% after Holm%s",
         f->d->runs > 1 ? "; every two runs are in --format json" : "");
}

/* --- notes ----------------------------------------------------------------------- */

/* "3 rows are …", when there are any. */
static void put_count(const form *f, size_t count, const char *one, const char *many)
{
    char number[IG_NUMBER_SIZE];

    if (count)
        line(f, "note", "%s %s", ig_count_format(number, count),
             count == 1 ? one : many);
}

/* False: memory was short. */
static bool put_notes(const form *f)
{
    const ig_document *d = f->d;
    ig_property_list notes = {0};
    bool whole;

    if (d->no_pairs)
        line(f, "note", "%s", d->no_pairs);
    put_count(f, d->zero_rows, "row is a zero vector, and was kept",
              "rows are zero vectors, and were kept");
    put_count(f, d->set->notes.repeated_ids,
              "row repeats an id within its language: all are candidates",
              "rows repeat an id within their language: all are candidates");
    put_count(f, d->set->notes.single_languages, "language has a single row",
              "languages have a single row");
    for (size_t r = 0; r < d->runs; r++) {
        const ig_document_run *run = &d->run[r];

        if (!run->has[IG_SPACE_LANGUAGE])
            line(f, "note", "%.200s (%s) has no language embeddings", run->name,
                 ig_extractor_name(run->extractor->kind));
        if (run->transductive)
            line(f, "note",
                 "%.200s was fitted to rows that are measured (transductive): --train "
                 "SET fits it to others, --split valid measures others",
                 run->name);
        if (run->unknown)
            line(f, "note", "%zu of %zu languages were not in the run %.200s; %s",
                 run->unknown, d->set->languages, run->name,
                 ig_form_of(run->extractor->kind)->unknown);
    }
    ig_document_reasons(f->column, f->columns, &notes);
    ig_document_notes(d, &notes);
    for (size_t i = 0; i < notes.count; i++)
        line(f, notes.item[i].name, "%s", notes.item[i].value);
    whole = !notes.failed;
    ig_property_list_free(&notes);
    return whole;
}

/* --- all of it ------------------------------------------------------------------- */

static ig_status begin(form *f, ig_error *error)
{
    f->column = ig_document_columns(f->d, &f->columns);
    if (!f->column)
        return ig_fail_memory(error, "the table");
    choose_lines(f);
    return IG_OK;
}

ig_status ig_document_text(const ig_document *d, FILE *out, size_t columns, bool utf8,
                           ig_error *error)
{
    form f = {.out = out, .d = d, .width = columns, .utf8 = utf8};
    bool whole;

    if (begin(&f, error) != IG_OK)
        return IG_NOMEM;
    put_head_lines(&f);
    if (d->runs > 1) {
        put_runs(&f, IG_SPACE_MEANING);
        put_runs(&f, IG_SPACE_LANGUAGE);
    } else {
        block b = {.count = f.columns};

        memcpy(b.of, f.column, f.columns * sizeof *b.of);
        put_block(&f, &b);
    }
    fputc('\n', out);
    line(&f, "better",
         "%s; chance is what guessing gives, of the probe the largest language's share",
         utf8 ? "↑ greater, ↓ smaller" : "^ greater, v smaller");
    if (f.ci)
        line(&f, "intervals",
             "95%%, from %d draws of the meanings (of the scored pairs for "
             "correlations), below their figures",
             IG_DRAWS);
    whole = put_notes(&f);
    put_differences(&f);
    whole &= ig_report_matrices_text(d, f.column, f.columns, out, columns, utf8);
    ig_free(f.column);
    return whole ? IG_OK : ig_fail_memory(error, "the table");
}

/* --- Markdown and LaTeX ---------------------------------------------------------- */

/* A text of which characters that a form reads are quoted. */
static void put_quoted(FILE *out, const char *text, bool latex)
{
    for (; *text; text++) {
        if (strchr(latex ? "#$%&_{}" : "|*_`<", *text))
            fputc('\\', out);
        if (latex && strchr("\\^~", *text))
            fprintf(out, "\\char%d ", *text);
        else
            fputc(*text, out);
    }
}

/* "97.2% (96.1% – 98.0%)" */
static void put_marked(const form *f, const ig_measure *measure, const ig_figure *row,
                       bool latex)
{
    char text[40];
    double of[3] = {row ? row->value : (double)NAN, row ? row->low : (double)NAN,
                    row ? row->high : (double)NAN};
    static const char *const before[][3] = {{"", " (", " – "}, {"", " (", "--"}};
    bool interval = row && ig_figure_has_interval(row);

    for (int i = 0; i < (interval ? 3 : 1); i++) {
        fputs(before[latex][i], f->out);
        ig_document_figure(text, measure->unit, measure->decimals, of[i]);
        put_quoted(f->out, isnan(of[i]) && latex ? "--" : text, latex);
    }
    if (interval)
        fputc(')', f->out);
}

static ig_status put_markup(const ig_document *d, FILE *out, bool latex,
                            ig_error *error)
{
    form f = {.out = out, .d = d, .utf8 = true};
    const char *next = latex ? " & " : " | ", *end = latex ? " \\\\\n" : " |\n";

    if (begin(&f, error) != IG_OK)
        return IG_NOMEM;
    fputs(latex ? "\\begin{tabular}{l" : "| measure", out);
    for (size_t c = 0; latex && c < f.columns; c++)
        fputc('r', out);
    fputs(latex ? "}\n\\toprule\nmeasure" : "", out);
    for (size_t c = 0; c < f.columns; c++) {
        fputs(next, out);
        put_quoted(out, f.column[c].name, latex);
    }
    fputs(end, out);
    fputs(latex ? "\\midrule\n" : "| :--", out);
    for (size_t c = 0; !latex && c < f.columns; c++)
        fputs(" | --:", out);
    fputs(latex ? "" : " |\n", out);
    for (size_t i = 0; i < f.measures; i++) {
        fputs(latex ? "" : "| ", out);
        put_quoted(out, f.measure[i]->label, latex);
        for (size_t c = 0; c < f.columns; c++) {
            fputs(next, out);
            put_marked(&f, f.measure[i],
                       ig_document_cell(&f.column[c], f.measure[i], NULL), latex);
        }
        fputs(end, out);
    }
    fputs(latex ? "\\bottomrule\n\\end{tabular}\n" : "", out);
    ig_free(f.column);
    return IG_OK;
}

ig_status ig_document_markdown(const ig_document *d, FILE *out, ig_error *error)
{
    return put_markup(d, out, false, error);
}

ig_status ig_document_latex(const ig_document *d, FILE *out, ig_error *error)
{
    return put_markup(d, out, true, error);
}
