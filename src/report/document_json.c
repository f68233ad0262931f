/* A document as JSON, of one shape for no run, one and several: the data, the runs, a
 * row a figure, a row a difference. */
#include "report/document.h"

#include <math.h>

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

    put_count(sample, "queries", s->rows + s->beside);
    put_count(sample, "of_rows", s->of_rows);
    put_count(sample, "meanings", s->meanings);
    put_count(sample, "of_meanings", s->of_meanings);
    put_count(sample, "seed", (size_t)s->seed);
    return sample;
}

static ig_json *data_json(const ig_document *d)
{
    const ig_set_notes *notes = &d->set->notes;
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

static ig_json *run_json(const ig_document_run *r, const ig_set *set)
{
    ig_json *out = ig_json_object(), *unseen = ig_json_array();

    put_text(out, "run", r->name);
    put_text(out, "method", r->method);
    put_count(out, "epoch", r->epoch);
    ig_json_put(out, "transductive", ig_json_bool(r->transductive));
    for (size_t k = 0; r->unseen && k < set->languages; k++)
        if (r->unseen[k])
            ig_json_push(unseen, ig_json_text(set->language[k]));
    ig_json_put(out, "unseen_languages", unseen);
    return out;
}

/* --- figures --------------------------------------------------------------------- */

static ig_json *figure_json(const ig_document_column *c, const ig_figure *f)
{
    ig_json *out = ig_json_object();

    put_text(out, "run", c->of);
    put_text(out, "version", f->version);
    put_text(out, "space", ig_space_name(c->space));
    put_text(out, "measure", f->measure->name);
    put_text(out, "from", f->from);
    put_text(out, "to", f->to);
    put_count(out, "n", f->n);
    put_real(out, "value", f->value);
    put_real(out, "chance", f->chance);
    put_real(out, "low", f->low);
    put_real(out, "high", f->high);
    put_text(out, "reason", f->reason);
    return out;
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
    ig_json_put(out, "significant", ig_json_bool(one->significant));
    put_real(out, "p", one->p);
    put_count(out, "parts", one->parts);
    put_count(out, "parts_greater", one->more);
    put_count(out, "parts_smaller", one->less);
    return out;
}

ig_json *ig_document_json(const ig_document *d)
{
    ig_json *out = ig_json_object(), *runs = ig_json_array();
    ig_json *figures = ig_json_array(), *differences = ig_json_array();
    size_t columns;
    ig_document_column *column = ig_document_columns(d, &columns);

    put_count(out, "isogloss", 1);
    ig_json_put(out, "data", data_json(d));
    for (size_t r = 0; r < d->runs; r++)
        ig_json_push(runs, run_json(&d->run[r], d->set));
    ig_json_put(out, "runs", runs);
    for (size_t c = 0; c < columns; c++)
        for (size_t i = 0; i < column[c].measures->figures.count; i++)
            ig_json_push(figures,
                         figure_json(&column[c], &column[c].measures->figures.row[i]));
    ig_json_put(out, "figures", figures);
    for (size_t i = 0; i < d->differences; i++)
        for (size_t f = 0; f < d->difference[i].count; f++)
            ig_json_push(differences, difference_json(d, &d->difference[i],
                                                      &d->difference[i].figure[f]));
    ig_json_put(out, "differences", differences);
    ig_free(column);
    return out;
}
