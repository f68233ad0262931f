/* Tables by language pair, for readers and for programs. */
#include "report/tables.h"

#include <math.h>

#include "core/json.h"

static void put_cell(ig_table *t, const ig_measure *m, double mean, double deviation)
{
    char text[40], other[40];

    ig_document_figure(text, m, mean, "");
    ig_document_figure(other, m, deviation, "");
    ig_table_add(t, isnan(deviation) ? "%s" : "%s±%s", text, other)->number = mean;
}

/* Append the rows of a block, below heads if it is the first: cells for readers, or
 * means and deviations for programs. Returns whether some are missing. */
static bool put_block(ig_table *t, ig_pivot_block b, bool programs)
{
    const ig_pivot *p = b.pivot;
    bool missing = false;

    if (!t->cols) {
        for (size_t i = 0; i < p->heads; i++)
            ig_table_text(t, p->head[i]);
        ig_table_heads(t, programs ? "seeds data rows space measure" : "seeds");
        for (size_t c = 0; c < b.columns; c++) {
            ig_table_text(t, b.column[c].name)->below = b.column[c].group;
            if (programs)
                ig_table_add(t, "%s_std", b.column[c].name);
        }
        ig_table_heads(t, programs ? "source" : "");
        ig_table_end_row(t);
    }
    for (size_t row = 0; row < p->rows && !t->arena.failed; row++) {
        for (size_t i = 0; i < p->heads; i++)
            ig_table_text(t, p->row[row].text[i]);
        if (!programs) {
            ig_table_add(t, p->row[row].original ? "–" : "%zu", p->row[row].runs);
        } else {
            ig_table_count(t, p->row[row].runs);
            ig_table_text(t, b.title->data);
            ig_table_count(t, p->uneven ? p->row[row].measured : b.title->rows);
            ig_table_text(t, ig_space_name((ig_space)b.title->space));
            ig_table_text(t, b.title->measure->name);
        }
        for (size_t c = 0; c < b.columns; c++) {
            const double *value = b.column[c].value + row * p->runs;
            double deviation, mean = ig_pivot_mean(value, p->runs, &deviation);

            missing |= isnan(mean);
            if (programs) {
                ig_table_number(t, mean);
                ig_table_number(t, deviation);
            } else {
                put_cell(t, b.title->measure, mean, deviation);
            }
        }
        if (programs)
            ig_table_text(t, p->note && *p->note ? p->note + 2 : NULL);
        ig_table_end_row(t);
    }
    bool best = !programs && !p->uneven && !(b.title->measure->is & IG_PARTS);

    for (size_t c = 0; c < b.columns && best && !t->arena.failed; c++)
        ig_table_mark_best(t, p->heads + 1 + c, b.title->measure, b.title->space);
    return missing;
}

static ig_table make_table(const ig_pivot *p, size_t block)
{
    static const char *const by[] = {"language pair", "direction", "language"};
    const ig_measure *m = p->title[block].measure;
    ig_table t = {.first = p->heads};
    ig_pivot_block b = ig_pivot_take(p, block, false, &t.arena);
    bool dash = put_block(&t, b, false);
    const char *n = p->uneven ? "" : ig_table_text_of(&t, ", %zu rows", b.title->rows);

    t.caption = ig_table_text_of(
        &t, "%s%s by %s: %s space of %s%s%s%s%s", m->label,
        m->unit == IG_UNIT_SHARE ? " in %" : "", by[p->by],
        ig_space_name((ig_space)b.title->space), b.title->data, n,
        m->group == IG_GROUP_SIMILARITY  ? "; –: fewer than 10 scored pairs"
        : m->group != IG_GROUP_RETRIEVAL ? ""
        : p->few                         ? "; no direction has 20 candidates"
        : dash || p->left_out ? "; left out: fewer than 20 candidates, or undefined"
                              : "",
        p->runs > 1 && !block ? "; mean ± standard deviation over the seeds" : "",
        p->note && !block ? p->note : "");
    return t;
}

static void add_tables(ig_sections *out, const ig_pivot *p)
{
    for (size_t b = 0; b < p->blocks; b++)
        ig_sections_add(out, b ? NULL : "Comparison")->table = make_table(p, b);
}

ig_status ig_pivot_print(const ig_pivot *p, FILE *out, ig_table_format format,
                         size_t columns, bool utf8, ig_error *error)
{
    bool json = format == IG_AS_JSON;
    ig_sections sections = {0};
    ig_table records = {.digits = 9};
    ig_status status;

    if (!json && format != IG_AS_CSV) {
        add_tables(&sections, p);
        return ig_sections_print(&sections, out, format, columns, utf8, error);
    }
    for (size_t i = 0; i < p->blocks; i++)
        put_block(&records, ig_pivot_take(p, i, true, &records.arena), true);
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

    add_tables(&sections, p);
    return ig_sections_write(&sections, path, "isogloss: comparison", error);
}
