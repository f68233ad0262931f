/* A document for programs. CSV: a row a figure. JSON of one shape for no run, one and
 * several: the data, the runs, a row a figure, a row a difference. */
#include "report/document.h"

#include <math.h>
#include <string.h>

#include "core/file.h"

/* --- CSV ------------------------------------------------------------------------- */

static void put_field(FILE *out, const char *text)
{
    if (text)
        ig_field_put(out, text, ',');
    fputc(',', out);
}

static void put_value(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.15g", value);
    fputc(',', out);
}

void ig_document_csv(const ig_document *d, FILE *out)
{
    size_t columns;
    ig_document_column *column = ig_document_columns(d, &columns);

    fputs("run,version,space,measure,from,to,n,value,chance,low,high,reason\n", out);
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < column[c].measures->figures.count; i++) {
            const ig_figure *f = &column[c].measures->figures.row[i];

            put_field(out, column[c].of);
            put_field(out, column[c].version);
            put_field(out, ig_space_name(column[c].space));
            put_field(out, f->measure->name);
            put_field(out, f->from);
            put_field(out, f->to);
            fprintf(out, "%zu,", f->n);
            put_value(out, f->value);
            put_value(out, f->chance);
            put_value(out, f->low);
            put_value(out, f->high);
            if (f->reason)
                ig_field_put(out, f->reason, ',');
            fputc('\n', out);
        }
    ig_free(column);
}

/* --- JSON ------------------------------------------------------------------------ */

static ig_json *data_json(const ig_document *d)
{
    const ig_dataset_notes *notes = &d->set->notes;
    const ig_query_sample *s = &d->original.sample;
    ig_json *languages = ig_json_object(), *out;

    for (size_t k = 0; k < d->set->languages; k++)
        ig_json_put(languages, d->set->language[k],
                    ig_json_count(d->set->language_rows[k]));
    out = ig_json_pack(NULL,
                       "name:s rows:n dims:n languages:j split:s measured_rows:n "
                       "pairs:n meanings:n",
                       d->set->name, d->set->rows, d->set->dims, languages,
                       ig_document_split_name(d->split), d->subset->rows,
                       d->subset->pairs, d->subset->meanings);
    if (d->scores)
        ig_json_pack(out, "scores:n of_scores:n", d->scored, d->of_scores);
    if (s->rows)
        ig_json_put(out, "sample",
                    ig_json_pack(NULL,
                                 "queries:n of_rows:n meanings:n of_meanings:n seed:n",
                                 s->rows + s->extra, s->of_rows, s->meanings,
                                 s->of_meanings, (size_t)s->seed));
    ig_json_pack(out, "zero_rows:n repeated_ids:n single_languages:n", d->zero_rows,
                 notes->repeated_ids, notes->single_languages);
    if (notes->sampled_from)
        ig_json_pack(out, "sampled_from:n", notes->sampled_from);
    return ig_json_pack(out, "seed:n", (size_t)d->seed);
}

static ig_json *run_json(const ig_document_run *r, const ig_dataset *set)
{
    ig_json *unseen = ig_json_array();

    for (size_t k = 0; r->unseen && k < set->languages; k++)
        if (r->unseen[k])
            ig_json_push(unseen, ig_json_text(set->language[k]));
    return ig_json_pack(NULL,
                        "run:s method:s epoch:n transductive:b trained_share:d "
                        "unseen_languages:j",
                        r->name, r->method, r->epoch, r->transductive, r->trained,
                        unseen);
}

/* --- figures --------------------------------------------------------------------- */

static void write_text(FILE *out, const char *name, const char *text, const char *end)
{
    fprintf(out, "\"%s\": ", name);
    if (text)
        ig_json_put_text(out, text);
    else
        fputs("null", out);
    fputs(end, out);
}

static void write_real(FILE *out, const char *name, double value)
{
    if (isfinite(value))
        fprintf(out, "\"%s\": %.15g, ", name, value);
    else
        fprintf(out, "\"%s\": null, ", name);
}

/* One row per line: many languages have hundreds of thousands. */
static void write_figure(FILE *out, const ig_document_column *c, const ig_figure *f)
{
    fputs("    {", out);
    write_text(out, "run", c->of, ", ");
    write_text(out, "version", c->version, ", ");
    write_text(out, "space", ig_space_name(c->space), ", ");
    write_text(out, "measure", f->measure->name, ", ");
    write_text(out, "from", f->from, ", ");
    write_text(out, "to", f->to, ", ");
    fprintf(out, "\"n\": %zu, ", f->n);
    write_real(out, "value", f->value);
    write_real(out, "chance", f->chance);
    write_real(out, "low", f->low);
    write_real(out, "high", f->high);
    write_text(out, "reason", f->reason, "}");
}

static ig_json *difference_json(const ig_document *d, const ig_document_difference *of,
                                const ig_difference *one)
{
    return ig_json_pack(
        NULL,
        "run:s less:s space:s measure:s value:d low:d high:d seeds:n less_seeds:n "
        "these_runs_only:b p_holm:d significant:b parts:n parts_greater:n "
        "parts_smaller:n",
        d->run[of->second].name, of->first == IG_NO_RUN ? NULL : d->run[of->first].name,
        ig_space_name(of->space), one->measure->name, one->value, one->interval.low,
        one->interval.high, of->seeds[1], of->seeds[0], of->only, one->holm,
        one->significant, one->parts, one->more, one->less);
}

ig_status ig_document_json(const ig_document *d, FILE *out, ig_error *error)
{
    static const char figures[] = "\"figures\": [";
    ig_json *frame = ig_json_object(), *runs = ig_json_array();
    ig_json *differences = ig_json_array();
    size_t columns;
    ig_document_column *column = ig_document_columns(d, &columns);
    char *text, *rest;
    bool any = false;

    for (size_t r = 0; r < d->runs; r++)
        ig_json_push(runs, run_json(&d->run[r], d->set));
    for (size_t i = 0; i < d->differences; i++)
        for (size_t f = 0; f < d->difference[i].count; f++)
            ig_json_push(differences, difference_json(d, &d->difference[i],
                                                      &d->difference[i].figure[f]));
    ig_json_pack(frame, "isogloss:n data:j runs:j figures:j differences:j",
                 (size_t)IG_JSON_SHAPE, data_json(d), runs, ig_json_array(),
                 differences);
    text = ig_json_format(frame);
    if (!text || !column) {
        ig_free(text);
        ig_free(column);
        return ig_fail_memory(error, "the JSON document");
    }
    /* No text holds the name of the member: its quotes would be escaped. */
    rest = strstr(text, figures) + sizeof figures - 1;
    fwrite(text, 1, (size_t)(rest - text), out);
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < column[c].measures->figures.count; i++) {
            fputs(any ? ",\n" : "\n", out);
            write_figure(out, &column[c], &column[c].measures->figures.row[i]);
            any = true;
        }
    fputs(any ? "\n  " : "", out);
    fputs(rest, out);
    ig_free(text);
    ig_free(column);
    return IG_OK;
}
