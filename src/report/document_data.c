/* A document for programs. CSV: a row a figure. JSON of one shape for no run, one and
 * several: the data, the runs, a row a figure, a row a difference. */
#include "report/document.h"

#include <math.h>
#include <string.h>

#include "core/decimal.h"
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
    char number[IG_SHORTEST_SIZE];

    fprintf(out, "%s,", isfinite(value) ? ig_shortest(number, value) : "");
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

static void put_count(ig_json *out, const char *name, size_t count)
{
    ig_json_put(out, name, ig_json_count(count));
}

static void put_real(ig_json *out, const char *name, double value)
{
    ig_json_put(out, name, ig_json_real(value));
}

static void put_text(ig_json *out, const char *name, const char *text)
{
    ig_json_put(out, name, ig_json_text(text));
}

/* --- the data and the runs ------------------------------------------------------- */

static ig_json *sample_json(const ig_query_sample *s)
{
    ig_json *sample = ig_json_object();

    put_count(sample, "queries", s->rows + s->extra);
    put_count(sample, "of_rows", s->of_rows);
    put_count(sample, "meanings", s->meanings);
    put_count(sample, "of_meanings", s->of_meanings);
    put_count(sample, "seed", (size_t)s->seed);
    return sample;
}

static ig_json *data_json(const ig_document *d)
{
    const ig_dataset_notes *notes = &d->set->notes;
    ig_json *out = ig_json_object(), *languages = ig_json_object();

    put_text(out, "name", d->set->name);
    put_count(out, "rows", d->set->rows);
    put_count(out, "dims", d->set->dims);
    for (size_t k = 0; k < d->set->languages; k++)
        put_count(languages, d->set->language[k], d->set->language_rows[k]);
    ig_json_put(out, "languages", languages);
    put_text(out, "split", ig_document_split_name(d->split));
    put_count(out, "measured_rows", d->subset->rows);
    put_count(out, "pairs", d->subset->pairs);
    put_count(out, "meanings", d->subset->meanings);
    if (d->scores) {
        put_count(out, "scores", d->scored);
        put_count(out, "of_scores", d->of_scores);
    }
    if (d->original.sample.rows)
        ig_json_put(out, "sample", sample_json(&d->original.sample));
    put_count(out, "zero_rows", d->zero_rows);
    put_count(out, "repeated_ids", notes->repeated_ids);
    put_count(out, "single_languages", notes->single_languages);
    if (notes->sampled_from)
        put_count(out, "sampled_from", notes->sampled_from);
    put_count(out, "seed", (size_t)d->seed);
    return out;
}

static ig_json *run_json(const ig_document_run *r, const ig_dataset *set)
{
    ig_json *out = ig_json_object(), *unseen = ig_json_array();

    put_text(out, "run", r->name);
    put_text(out, "method", r->method);
    put_count(out, "epoch", r->epoch);
    ig_json_put(out, "transductive", ig_json_bool(r->transductive));
    ig_json_put(out, "trained_share", ig_json_real(r->trained));
    for (size_t k = 0; r->unseen && k < set->languages; k++)
        if (r->unseen[k])
            ig_json_push(unseen, ig_json_text(set->language[k]));
    ig_json_put(out, "unseen_languages", unseen);
    return out;
}

/* --- figures --------------------------------------------------------------------- */

static void write_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\": ", name);
    if (text)
        ig_json_put_text(out, text);
    else
        fputs("null", out);
    fputs(", ", out);
}

static void write_real(FILE *out, const char *name, double value)
{
    char number[IG_SHORTEST_SIZE];

    fprintf(out, "\"%s\": %s, ", name,
            isfinite(value) ? ig_shortest(number, value) : "null");
}

/* One row per line: many languages have hundreds of thousands. */
static void write_figure(FILE *out, const ig_document_column *c, const ig_figure *f)
{
    fputs("    {", out);
    write_text(out, "run", c->of);
    write_text(out, "version", c->version);
    write_text(out, "space", ig_space_name(c->space));
    write_text(out, "measure", f->measure->name);
    write_text(out, "from", f->from);
    write_text(out, "to", f->to);
    fprintf(out, "\"n\": %zu, ", f->n);
    write_real(out, "value", f->value);
    write_real(out, "chance", f->chance);
    write_real(out, "low", f->low);
    write_real(out, "high", f->high);
    fputs("\"reason\": ", out);
    if (f->reason)
        ig_json_put_text(out, f->reason);
    else
        fputs("null", out);
    fputc('}', out);
}

static ig_json *difference_json(const ig_document *d, const ig_document_difference *of,
                                const ig_difference *one)
{
    ig_json *out = ig_json_object();

    put_text(out, "run", d->run[of->second].name);
    put_text(out, "less", of->first == IG_NO_RUN ? NULL : d->run[of->first].name);
    put_text(out, "space", ig_space_name(of->space));
    put_text(out, "measure", one->measure->name);
    put_real(out, "value", one->value);
    put_real(out, "low", one->interval.low);
    put_real(out, "high", one->interval.high);
    put_count(out, "seeds", of->seeds[1]);
    put_count(out, "less_seeds", of->seeds[0]);
    ig_json_put(out, "these_runs_only", ig_json_bool(of->only));
    put_real(out, "p_holm", one->holm);
    ig_json_put(out, "significant", ig_json_bool(one->significant));
    put_real(out, "p", one->p);
    put_count(out, "parts", one->parts);
    put_count(out, "parts_greater", one->more);
    put_count(out, "parts_smaller", one->less);
    return out;
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

    put_count(frame, "isogloss", IG_JSON_SHAPE);
    ig_json_put(frame, "data", data_json(d));
    for (size_t r = 0; r < d->runs; r++)
        ig_json_push(runs, run_json(&d->run[r], d->set));
    ig_json_pack(frame, "runs:j figures:j", runs, ig_json_array());
    for (size_t i = 0; i < d->differences; i++)
        for (size_t f = 0; f < d->difference[i].count; f++)
            ig_json_push(differences, difference_json(d, &d->difference[i],
                                                      &d->difference[i].figure[f]));
    ig_json_put(frame, "differences", differences);
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
