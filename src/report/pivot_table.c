/* Tables by language pair, for readers and for programs. */
#include "report/pivot_table.h"

#include <math.h>

#include "core/file.h"
#include "core/json.h"
#include "report/tables.h"

/* Whether the mean of a row is the best of its column, as far as it is shown. */
static bool is_best(const ig_pivot_block *b, size_t row, const ig_pivot_column *c,
                    const ig_pivot_title *title, double unit)
{
    int better = ig_better(title->measure, title->space);
    double none, own = ig_pivot_mean(b, row, c, &none);

    for (size_t i = 0; i < b->pivot->rows && better; i++)
        if (better * (ig_pivot_mean(b, i, c, &none) - own) > unit)
            return false;
    return better && b->pivot->rows > 1 && !isnan(own);
}

static void put_cell(ig_table *t, const ig_pivot_block *b, size_t row,
                     const ig_pivot_column *c, const ig_pivot_title *title)
{
    const ig_measure *m = title->measure;
    double scale = m->unit == IG_UNIT_SHARE ? 100 : 1, deviation;
    double mean = ig_pivot_mean(b, row, c, &deviation);
    bool best = is_best(b, row, c, title, 0.5 * pow(10, -m->decimals) / scale);
    char text[40], other[40];

    ig_document_figure(text, IG_UNIT_NUMBER, m->decimals, scale * mean);
    ig_document_figure(other, IG_UNIT_NUMBER, m->decimals, scale * deviation);
    ig_table_add(t, "%s%s%s", text, isnan(deviation) ? "" : "±",
                 isnan(deviation) ? "" : other)
        ->best = best;
}

/* Append what tells rows apart, or its heads. */
static void put_heads(ig_table *t, const ig_pivot *p, const char *const *text)
{
    for (size_t i = 0; i < p->heads; i++)
        ig_table_text(t, text[i]);
}

static ig_table make_table(const ig_pivot *p, size_t block)
{
    static const char *const by[] = {"language pair", "direction", "language"};
    const ig_pivot_title *title = &p->title[block];
    ig_table t = {.first = p->heads};
    ig_pivot_block b = ig_pivot_take(p, block, false, &t.arena);

    t.caption = ig_table_text_of(
        &t, "%s%s by %s: %s space of %s, %zu rows%s%s%s", title->measure->label,
        title->measure->unit == IG_UNIT_SHARE ? " in %" : "", by[p->by],
        ig_space_name((ig_space)title->space), title->data, title->rows,
        p->runs > 1 ? "; mean ± standard deviation over the seeds" : "",
        p->note ? "; " : "", p->note ? p->note : "");
    put_heads(&t, p, p->head);
    ig_table_text(&t, "seeds");
    for (size_t c = 0; c < b.columns; c++)
        ig_table_text(&t, b.column[c].name)->below = b.column[c].group;
    ig_table_end_row(&t);
    for (size_t row = 0; row < p->rows; row++) {
        put_heads(&t, p, p->row[row].text);
        ig_table_add(&t, "%zu", p->row[row].runs);
        for (size_t c = 0; c < b.columns; c++)
            put_cell(&t, &b, row, &b.column[c], title);
        ig_table_end_row(&t);
    }
    return t;
}

static void add_tables(ig_sections *out, const ig_pivot *p)
{
    for (size_t b = 0; b < p->blocks; b++)
        ig_sections_add(out, b ? NULL : "Comparison")->table = make_table(p, b);
}

static void put_records(ig_table *t, const ig_pivot *p)
{
    ig_pivot_block b = ig_pivot_take(p, 0, true, &t->arena);

    put_heads(t, p, p->head);
    ig_table_heads(t, "seeds data rows space measure");
    for (size_t c = 0; c < b.columns; c++) {
        ig_table_text(t, b.column[c].name);
        ig_table_add(t, "%s_std", b.column[c].name);
    }
    ig_table_end_row(t);
    for (size_t at = 0; at < p->blocks * p->rows && !t->arena.failed; at++) {
        size_t row = at % p->rows;
        const ig_pivot_title *title = &p->title[at / p->rows];

        if (row == 0)
            b = ig_pivot_take(p, at / p->rows, true, &t->arena);
        put_heads(t, p, p->row[row].text);
        ig_table_count(t, p->row[row].runs);
        ig_table_text(t, title->data);
        ig_table_count(t, title->rows);
        ig_table_text(t, ig_space_name((ig_space)title->space));
        ig_table_text(t, title->measure->name);
        for (size_t c = 0; c < b.columns; c++) {
            double deviation, mean = ig_pivot_mean(&b, row, &b.column[c], &deviation);

            ig_table_number(t, mean);
            ig_table_number(t, deviation);
        }
        ig_table_end_row(t);
    }
}

ig_status ig_pivot_print(const ig_pivot *p, FILE *out, ig_table_format format,
                         size_t columns, bool utf8, ig_error *error)
{
    bool json = format == IG_AS_JSON, programs = json || format == IG_AS_CSV;
    ig_sections sections = {0};
    ig_table records = {.digits = 9};
    ig_status status = IG_OK;

    if (!programs) {
        add_tables(&sections, p);
        status = ig_sections_print(&sections, out, format, columns, utf8, error);
        ig_sections_free(&sections);
        return status;
    }
    put_records(&records, p);
    if (json)
        fprintf(out, "{\"isogloss\": %d, \"rows\": [", IG_JSON_SHAPE);
    ig_table_flush(&records, out, format, ',');
    fputs(json ? "\n]}\n" : "", out);
    status = records.arena.failed ? ig_fail_memory(error, "the tables") : IG_OK;
    ig_table_free(&records);
    return status;
}

ig_status ig_pivot_write(const ig_pivot *p, const char *path, ig_error *error)
{
    ig_sections sections = {0};
    ig_writer writer = {0};
    ig_status status = ig_writer_open(&writer, path, error);

    if (status != IG_OK)
        return status;
    add_tables(&sections, p);
    status = ig_sections_check(&sections, error);
    if (status == IG_OK)
        ig_sections_html(&sections, writer.file, "isogloss: comparison");
    ig_sections_free(&sections);
    return ig_writer_end(&writer, status, error);
}
