/* A document for programs. CSV: a row a figure. JSON of one shape for no run, one and
 * several: the data, the runs, a row a figure, a row a difference. */
#include "report/tables.h"

#include "core/json.h"

json_t *ig_document_dataset_json(const ig_dataset *set)
{
    json_t *languages = json_object(), *out;

    for (size_t k = 0; k < set->languages; k++)
        languages = ig_json_set(languages, set->language[k],
                                json_integer(set->language_rows[k]));
    out = json_pack("{s:o, s:I, s:I, s:o}", "name", ig_json_string(set->name), "rows",
                    (json_int_t)set->rows, "dims", (json_int_t)set->dims, "languages",
                    languages);
    if (set->notes.dropped)
        out = ig_json_set(out, "dropped", json_integer(set->notes.dropped));
    return out;
}

static json_t *data_json(const ig_document *d)
{
    const ig_dataset_notes *notes = &d->set->notes;
    const ig_query_sample *sample = &d->original.sample;
    json_t *out = ig_document_dataset_json(d->set);

    out = ig_json_set(out, "split", json_string(ig_document_split_name(d->split)));
    out = ig_json_set(out, "measured_rows", json_integer(d->subset->rows));
    out = ig_json_set(out, "pairs", json_integer(d->subset->pairs));
    out = ig_json_set(out, "meanings", json_integer(d->subset->meanings));
    if (d->scores) {
        out = ig_json_set(out, "scores", json_integer(d->scored));
        out = ig_json_set(out, "of_scores", json_integer(d->of_scores));
    }
    if (sample->rows)
        out = ig_json_set(
            out, "sample",
            json_pack("{s:I, s:I, s:I, s:I, s:I}", "queries", (json_int_t)sample->rows,
                      "of_rows", (json_int_t)sample->of_rows, "meanings",
                      (json_int_t)sample->meanings, "of_meanings",
                      (json_int_t)sample->of_meanings, "seed", (json_int_t)d->seed));
    out = ig_json_set(out, "zero_rows", json_integer(d->zero_rows));
    if (d->original.multilingual_pool.rows)
        out = ig_json_set(out, "copies",
                          json_integer(d->original.multilingual_pool.copies));
    out = ig_json_set(out, "repeated_ids", json_integer(notes->repeated_ids));
    out = ig_json_set(out, "single_languages", json_integer(notes->single_languages));
    return ig_json_set(out, "seed", json_integer((json_int_t)d->seed));
}

static json_t *run_json(const ig_document_run *r)
{
    return json_pack("{s:o, s:o, s:I, s:b, s:o}", "run", ig_json_string(r->name),
                     "method", ig_json_string(r->info->method), "epoch",
                     (json_int_t)r->info->best, "transductive", r->transductive,
                     "trained_share", ig_json_number(r->trained));
}

static json_t *difference_json(const ig_document *d, const ig_document_difference *of,
                               const ig_difference *one)
{
    return json_pack(
        "{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:I, s:I, s:b, s:o, s:b}", "run",
        ig_json_string(d->run[of->second].name), "less",
        ig_json_string(of->first == IG_NO_RUN ? NULL : d->run[of->first].name), "space",
        ig_space_name(of->space), "measure", one->measure->name, "value",
        ig_json_number(one->value), "low", ig_json_number(one->low), "high",
        ig_json_number(one->high), "seeds", (json_int_t)of->seeds[1], "less_seeds",
        (json_int_t)of->seeds[0], "these_runs_only", of->only, "p_holm",
        ig_json_number(one->holm), "significant", one->significant);
}

/* Print the data, the runs and the differences. */
static bool put_head(const ig_document *d, FILE *out)
{
    static const char *const name[] = {"data", "runs", "differences"};
    json_t *part[] = {data_json(d), json_array(), json_array()};
    bool whole = true;

    for (size_t r = 0; r < d->runs; r++)
        part[1] = ig_json_append(part[1], run_json(&d->run[r]));
    for (size_t i = 0; i < d->differences; i++)
        for (size_t f = 0; f < d->difference[i].count; f++)
            part[2] = ig_json_append(
                part[2],
                difference_json(d, &d->difference[i], &d->difference[i].figure[f]));
    fprintf(out, "{\"isogloss\": %d", IG_JSON_SHAPE);
    for (size_t i = 0; i < 3; i++) {
        fprintf(out, ", \"%s\": ", name[i]);
        whole &= ig_json_write(out, part[i], JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        json_decref(part[i]);
    }
    fputs(", \"figures\": [", out);
    return whole;
}

/* Print each figure as a row: many languages have hundreds of thousands. */
ig_status ig_document_data(const ig_document *d, FILE *out, bool json, ig_error *error)
{
    ig_table t = {.digits = 15};
    ig_document_columns columns = ig_document_spaces(d, &t.arena);
    bool whole = !json || put_head(d, out);

    ig_table_heads(&t,
                   "run version space measure from to n value chance low high reason");
    ig_table_heads(&t, json ? "" : "data rows sample source");
    ig_table_end_row(&t);
    if (!json)
        ig_table_flush(&t, out, IG_AS_CSV, ',');
    for (size_t c = 0; c < columns.count; c++)
        for (size_t i = 0; i < columns.at[c].measures->figures.count; i++) {
            const ig_figure *f = columns.at[c].measures->figures.row[i];

            ig_table_text(&t, columns.at[c].run ? columns.at[c].run->name : NULL);
            ig_table_text(&t, columns.at[c].version);
            ig_table_text(&t, ig_space_name(columns.at[c].space));
            ig_table_text(&t, f->measure->name);
            ig_table_text(&t, f->from);
            ig_table_text(&t, f->to);
            ig_table_count(&t, f->n);
            ig_table_number(&t, f->value);
            ig_table_number(&t, f->chance);
            ig_table_number(&t, f->low);
            ig_table_number(&t, f->high);
            ig_table_text(&t, f->reason);
            if (!json) { /* its head has them */
                ig_table_add(&t, "%s%s", d->set->name, d->set->notes.left_out);
                ig_table_count(&t, d->subset->rows);
                ig_table_count(&t, d->original.sample.rows);
                ig_table_text(&t, columns.at[c].run ? columns.at[c].run->origin : NULL);
            }
            ig_table_flush(&t, out, json ? IG_AS_JSON : IG_AS_CSV, ',');
        }
    fputs(json ? "\n]}\n" : "", out);
    whole &= !t.arena.failed;
    ig_table_free(&t);
    return whole ? IG_OK : ig_fail_memory(error, "the document");
}
