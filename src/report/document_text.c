/* A document for readers: what was measured, then measures by spaces. One run has its
 * spaces beside the original one; several stand beside one another, a block for each
 * space. Below stand why figures are missing, what of the data has a part in them, and
 * the language pairs. */
#include "report/document.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "measure/catalogue.h"
#include "report/matrices.h"

enum {
    LABEL = 11, /* columns of the labels of lines */
    VALUE = 9,
    ERROR = 7, /* columns of " ±0.04" */
    ARROW = 2,
    TEXT = 2048,
    REASONS = 32,
    KINDS = 6 /* of scored pairs without a correlation that are named */
};

typedef struct form {
    FILE *out;
    const ig_document *d;
    size_t width; /* columns of the terminal */
    bool utf8;
    ig_document_column *column; /* (columns) all spaces */
    size_t columns;
    size_t label; /* columns of the measures' names */
    size_t error; /* of standard errors beside their figures; 0: below them, or none */
    size_t gap;   /* spaces still to be written, when something follows */
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

/* A text with +- for ±, in place. */
static const char *in_ascii(char *text)
{
    for (char *at = text; (at = strstr(at, "±")) != NULL; at += 2)
        memcpy(at, "+-", 2);
    return text;
}

static void put_head_lines(const form *f)
{
    const ig_document *d = f->d;
    char measured[IG_DOCUMENT_MEASURED], some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    put_data(f);
    ig_document_measured(d, measured);
    line(f, "measured", "%s", measured);
    if (ig_document_sample(d, measured))
        line(f, "sample", "%s", f->utf8 ? measured : in_ascii(measured));
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
    return f->d->ci ? VALUE + 2 : VALUE;
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

static void put_value(form *f, const ig_measure_entry *entry, double value,
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
    put_cell(f, text, value_columns(f) + 1);
}

/* "91.5–93.1", as far right as the arrow beside a figure; "-1.96…-1.94", which leaves
 * a column between two intervals. */
static void put_interval(form *f, const ig_measure_entry *entry, ig_interval interval,
                         size_t columns)
{
    double scale = entry->unit == IG_UNIT_SHARE ? 100 : 1;
    double least = 0.5 * pow(10, -entry->decimals);
    double end[2] = {scale * interval.low, scale * interval.high};
    char low[IG_NUMBER_SIZE], high[IG_NUMBER_SIZE], text[2 * IG_NUMBER_SIZE + 4] = "";

    for (int i = 0; i < 2; i++)
        end[i] = fabs(end[i]) < least ? 0 : end[i]; /* no -0.000 */
    if (ig_interval_is(interval))
        snprintf(text, sizeof text, "%s%s%s",
                 ig_fixed_format(low, end[0], entry->decimals, 1),
                 end[0] >= 0 ? (f->utf8 ? "–" : "..") : (f->utf8 ? "…" : ","),
                 ig_fixed_format(high, end[1], entry->decimals, 1));
    put_cell(f, text, columns);
}

/* "±0.3", with more places where these say nothing; "" without a standard error. */
static const char *error_text(const form *f, const ig_measure_entry *entry,
                              double error, char text[IG_NUMBER_SIZE + 4])
{
    int places = entry->decimals;
    char number[IG_NUMBER_SIZE];

    error *= entry->unit == IG_UNIT_SHARE ? 100 : 1;
    while (error > 0 && error < 0.95 * pow(10, -places) && places < 4)
        places++;
    *text = '\0';
    if (!isnan(error))
        snprintf(text, IG_NUMBER_SIZE + 4, "%s%s", f->utf8 ? "±" : "+-",
                 ig_fixed_format(number, error, places, 1));
    return text;
}

static const char *arrow_of(const form *f, int better)
{
    if (better == 0)
        return "";
    if (!f->utf8)
        return better > 0 ? "^" : "v";
    return better > 0 ? "↑" : "↓";
}

/* Whether a line is worth its place: where some space has something to tell, and
 * without pairs nothing that needs them (the reasons name those measures). */
static bool is_shown(const form *f, const ig_measure_entry *entry)
{
    bool told = false;

    if (f->d->subset->pairs == 0 && entry->family->needs & IG_NEEDS_PAIRS)
        return false;
    for (size_t i = 0; i < f->columns; i++)
        told |= ig_measure_tells(entry, f->column[i].measures);
    return told;
}

/* --- blocks ---------------------------------------------------------------------- */

/* Some of the columns, arrows in the cells or once behind the label. A block of several
 * runs is of one space. */
typedef struct block {
    const ig_document_column *of[2 + 16];
    size_t count;
    bool arrows_once;
    ig_space space;
} block;

static double value_of(const ig_measure_entry *entry, const ig_evaluation *e,
                       size_t kind)
{
    if (kind == SIZE_MAX)
        return ig_measure_read(entry, e);
    return ig_measure_of_kind(entry, &e->similarity.by_pair[kind]);
}

static ig_interval interval_of(const ig_measure_entry *entry, const ig_evaluation *e,
                               size_t kind)
{
    return kind == SIZE_MAX ? ig_measure_interval(entry, e)
                            : ig_measure_interval_of_kind(entry, e, kind);
}

/* The intervals below a line's figures, where there are any. */
static void put_intervals(form *f, const block *b, const ig_measure_entry *entry,
                          size_t kind)
{
    bool any = false;

    for (size_t i = 0; i < b->count; i++)
        any |= ig_interval_is(interval_of(entry, b->of[i]->measures, kind));
    if (!any)
        return;
    f->gap = f->label + (b->arrows_once ? ARROW : 0);
    for (size_t i = 0; i < b->count; i++)
        put_interval(f, entry, interval_of(entry, b->of[i]->measures, kind),
                     value_columns(f) + 1 + (b->arrows_once ? 0 : ARROW));
    end_line(f);
}

/* The same of standard errors. */
static void put_errors(form *f, const block *b, const ig_measure_entry *entry)
{
    char text[IG_NUMBER_SIZE + 4];
    bool any = false;

    for (size_t i = 0; i < b->count; i++)
        any |= !isnan(ig_measure_error(entry, b->of[i]->measures));
    if (!any || f->error)
        return;
    f->gap = f->label + (b->arrows_once ? ARROW : 0);
    for (size_t i = 0; i < b->count; i++)
        put_cell(
            f, error_text(f, entry, ig_measure_error(entry, b->of[i]->measures), text),
            value_columns(f) + 1 + (b->arrows_once ? 0 : ARROW));
    end_line(f);
}

/* Beside a figure: its standard error, or the room of one. */
static void put_error(form *f, const ig_measure_entry *entry, const ig_evaluation *e)
{
    char text[IG_NUMBER_SIZE + 4];
    size_t width;

    if (!f->error)
        return;
    error_text(f, entry, ig_measure_error(entry, e), text);
    width = *text ? 1 + ig_text_width(text, strlen(text)) : 0;
    width = width < f->error ? width : f->error;
    put_cell(f, text, width);
    f->gap += f->error - width;
}

/* The line of a measure, or (kind) of its value for one kind of scored pairs. */
static void put_figure(form *f, const block *b, const ig_measure_entry *entry,
                       size_t kind)
{
    const ig_evaluation *first = b->of[0]->measures;
    size_t indent = kind == SIZE_MAX ? 0 : 2;

    fprintf(f->out, "%*s", (int)indent, "");
    put(f, kind == SIZE_MAX ? entry->name : first->similarity.by_pair[kind].pair,
        f->label - indent);
    if (b->arrows_once)
        put_cell(f, arrow_of(f, entry->better[b->space]), ARROW);
    for (size_t i = 0; i < b->count; i++) {
        double value = value_of(entry, b->of[i]->measures, kind);

        put_value(f, entry, value, dash(f));
        if (!b->arrows_once)
            put_cell(f, isnan(value) ? "" : arrow_of(f, entry->better[b->of[i]->space]),
                     ARROW);
        if (kind == SIZE_MAX)
            put_error(f, entry, b->of[i]->measures);
    }
    if (kind == SIZE_MAX && ig_measure_has_chance(entry))
        put_value(f, entry, ig_measure_chance(entry, first), "");
    end_line(f);
    put_intervals(f, b, entry, kind);
    if (kind == SIZE_MAX)
        put_errors(f, b, entry);
}

static void put_head(form *f, const block *b)
{
    fputc('\n', f->out);
    f->gap = f->label + (b->arrows_once ? ARROW : 0);
    for (size_t i = 0; i < b->count; i++) {
        const ig_document_column *c = b->of[i];
        char head[160];

        if (b->arrows_once && c->space != IG_SPACE_ORIGINAL)
            snprintf(head, sizeof head, "%zu %s", c->run + 1, f->d->run[c->run].method);
        else
            snprintf(head, sizeof head, "%s", ig_space_name(c->space));
        put_cell(f, "", 1);
        put_cell(f, head, value_columns(f));
        put_cell(f, "", b->arrows_once ? 0 : ARROW);
        put_cell(f, "", f->error);
    }
    put_cell(f, "chance", value_columns(f) + 1);
    end_line(f);
}

static void put_block(form *f, const block *b)
{
    const ig_measure_entry *entry;

    put_head(f, b);
    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++) {
        if (!is_shown(f, entry))
            continue;
        put_figure(f, b, entry, SIZE_MAX);
        for (size_t k = 0; entry->kind_at && k < b->of[0]->measures->similarity.kinds;
             k++)
            put_figure(f, b, entry, k);
    }
}

/* The runs that have a space, as many beside one another as fit, the original space
 * always first. */
static void put_runs(form *f, ig_space space)
{
    size_t most = sizeof((block *)0)->of / sizeof((block *)0)->of[0];
    size_t room = f->width > f->label + ARROW ? f->width - f->label - ARROW : 0;
    size_t fit = room / (value_columns(f) + 1 + f->error); /* the chance takes one */
    block b = {.of = {&f->column[0]}, .count = 1, .arrows_once = true, .space = space};

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
        b.of[b.count++] = &f->column[i];
    }
    if (b.count > 1)
        put_block(f, &b);
}

static void measure_labels(form *f)
{
    const ig_measure_entry *entry;
    const ig_similarity *s = &f->column[0].measures->similarity;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++) {
        size_t width = ig_text_width(entry->name, strlen(entry->name));

        if (is_shown(f, entry) && width > f->label)
            f->label = width;
    }
    for (size_t i = 0; i < s->kinds; i++) {
        size_t width = 2 +
                       ig_text_width(s->by_pair[i].pair, strlen(s->by_pair[i].pair));

        if (width > f->label)
            f->label = width;
    }
    if (f->label > 32)
        f->label = 32;
}

/* Standard errors stand beside the figures of one run where there is room. */
static void place_errors(form *f)
{
    size_t figures = f->d->runs > 1 ? 2 : f->columns;
    size_t width = f->label + figures * (value_columns(f) + 1 + ARROW + ERROR) +
                   value_columns(f) + 1;

    f->error = f->d->original.sample.rows && width <= f->width ? ERROR : 0;
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

/* Whether it stands, and for whom. */
static const char *verdict(const ig_difference *d, ig_space space)
{
    int better = d->entry->better[space];

    if (!d->stands)
        return "";
    return better == 0 ? "yes" : better * d->value > 0 ? "better" : "worse";
}

static void put_difference(form *f, const ig_document_difference *of)
{
    char name[160], text[48];

    ig_document_difference_name(f->d, of, name, sizeof name);
    fprintf(f->out, "\n%s, by %s\n", name, ig_space_name(of->space));
    f->gap = f->label;
    put_cell(f, "difference", VALUE + 3);
    put_cell(f, "95%", VALUE + 7);
    put_cell(f, "stands", VALUE);
    put_cell(f, "tests", VALUE + 7);
    end_line(f);
    for (size_t i = 0; i < of->count; i++) {
        const ig_difference *d = &of->figure[i];

        if (!is_shown(f, d->entry))
            continue;
        put(f, d->entry->name, f->label);
        put_value(f, d->entry, d->value, dash(f));
        put_interval(f, d->entry, d->interval, VALUE + 7);
        put_cell(f, verdict(d, of->space), VALUE);
        put_cell(f, parts_text(f, d, text), VALUE + 7);
        end_line(f);
    }
}

/* Of one run from the original space; of several each from the first. */
static void put_differences(form *f)
{
    size_t told = 0;

    for (size_t i = 0; i < f->d->differences; i++) {
        const ig_document_difference *of = &f->d->difference[i];

        if (of->first != (f->d->runs == 1 ? IG_NO_RUN : 0) || of->count == 0)
            continue;
        put_difference(f, of);
        told++;
    }
    if (!told)
        return;
    end_line(f);
    line(f, "stands",
         "the 95%% interval, of paired draws, is without 0. Tests: language pairs "
         "where it is greater and smaller by McNemar's exact test, kinds of scored "
         "pairs by Williams' (p: all of them together), at 5%% after Holm%s",
         f->d->runs > 1 ? "; every two runs are in --json" : "");
}

/* --- missing figures ------------------------------------------------------------- */

/* Figures that are missing in the same spaces for the same reason. */
typedef struct missing {
    const char *reason;
    uint64_t spaces;  /* a bit for each column; those past 63 share the last */
    uint64_t entries; /* a bit for each entry of the catalogue */
} missing;

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
static size_t gather(const form *f, const ig_measure_entry *entry, size_t number,
                     missing *all, size_t count)
{
    uint64_t done = 0;

    for (size_t i = 0; i < f->columns; i++) {
        const char *reason = ig_measure_reason(entry, f->column[i].measures);
        missing one = {reason, 0, bit(number)};

        if (!reason || done & bit(i))
            continue;
        for (size_t k = i; k < f->columns; k++) {
            const char *other = ig_measure_reason(entry, f->column[k].measures);

            if (other && strcmp(other, reason) == 0)
                one.spaces |= bit(k);
        }
        done |= one.spaces;
        count = add_missing(all, count, one);
    }
    return count;
}

static void append(char text[TEXT], const char *before, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, TEXT - used, "%s%s", used ? before : "", more);
}

static void put_reason(const form *f, const missing *m)
{
    const ig_measure_entry *entry;
    char text[TEXT] = "", spaces[TEXT] = "";
    bool everywhere = true;

    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        if (m->entries & bit(i))
            append(text, ", ", entry->name);
    for (size_t i = 0; i < f->columns; i++)
        if (m->spaces & bit(i))
            append(spaces, ", ", f->column[i].name);
        else
            everywhere = false;
    if (!everywhere) {
        append(text, " (", spaces);
        append(text, ")", "");
    }
    append(text, ": ", m->reason);
    ig_document_line(f->out, dash(f), text, f->width);
}

/* Kinds of scored pairs without a correlation. */
static void put_kinds(const form *f)
{
    const ig_similarity *first = &f->d->original.similarity;
    size_t told = 0, more = 0;

    for (size_t k = 0; k < first->kinds; k++)
        for (size_t i = 0; i < f->columns; i++) {
            const ig_correlation *c = &f->column[i].measures->similarity.by_pair[k];

            if (!c->reason)
                continue;
            if (told++ < KINDS)
                line(f, dash(f), "similarity of %.200s (%s): %s", c->pair,
                     f->column[i].name, c->reason);
            else
                more++;
            break;
        }
    if (more)
        line(f, dash(f), "similarity of %zu more kinds of pairs", more);
}

static void put_missing(const form *f)
{
    const ig_measure_entry *entry;
    const ig_evaluation *original = &f->d->original;
    size_t count = 0;
    missing all[REASONS];

    /* What has nothing to tell (ties where there are none) lacks nothing. */
    for (size_t i = 0; (entry = ig_measure_at(i)) != NULL; i++)
        if (ig_measure_taken(entry, original) &&
            (!entry->tells || (entry->silent && ig_measure_tells(entry, original))))
            count = gather(f, entry, i, all, count);
    for (size_t i = 0; i < count; i++)
        put_reason(f, &all[i]);
    put_kinds(f);
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
    ig_document_notes(d, &notes);
    for (size_t i = 0; i < notes.count; i++)
        line(f, notes.item[i].name, "%s", notes.item[i].value);
    whole = !notes.failed;
    ig_property_list_free(&notes);
    return whole;
}

/* --- all of it ------------------------------------------------------------------- */

ig_status ig_document_text(const ig_document *d, FILE *out, size_t columns, bool utf8,
                           ig_error *error)
{
    form f = {.out = out, .d = d, .width = columns, .utf8 = utf8};
    bool whole;

    f.column = ig_document_columns(d, &f.columns);
    if (!f.column)
        return ig_fail_memory(error, "the table");
    measure_labels(&f);
    place_errors(&f);
    put_head_lines(&f);
    if (d->runs > 1) {
        put_runs(&f, IG_SPACE_MEANING);
        put_runs(&f, IG_SPACE_LANGUAGE);
    } else {
        block b = {.count = f.columns};

        for (size_t i = 0; i < f.columns; i++)
            b.of[i] = &f.column[i];
        put_block(&f, &b);
    }
    fputc('\n', out);
    line(&f, "better",
         "%s; chance is what guessing gives, of the probe the largest language's share",
         utf8 ? "↑ greater, ↓ smaller" : "^ greater, v smaller");
    if (d->ci)
        line(&f, "intervals",
             "95%%, from %d draws of the meanings (of the scored pairs for "
             "correlations), below their figures",
             IG_DRAWS);
    put_missing(&f);
    whole = put_notes(&f);
    put_differences(&f);
    whole = whole &&
            ig_report_matrices_text(d, f.column, f.columns, out, columns, utf8);
    ig_free(f.column);
    return whole ? IG_OK : ig_fail_memory(error, "the table");
}
