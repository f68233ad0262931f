/* isogloss encode: encodes the sentences of text files into a dataset. */
#include <string.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/text.h"
#include "data/reader.h"
#include "encode/encoding.h"

typedef struct report {
    ig_progress_meter progress;
    size_t all, written; /* rows */
} report;

static void print_notice(void *context, const char *sentence)
{
    ig_progress_meter_end(context);
    if (!((const ig_progress_meter *)context)->quiet)
        ig_complain("%s", sentence);
}

static void update_progress(void *context, size_t rows)
{
    report *r = context;
    double share = (double)rows / (double)r->all;

    if (!r->written) { /* the first call: those of an earlier attempt */
        r->progress.from = share;
        r->progress.started = ig_clock_now();
    }
    r->written = rows;
    ig_progress_meter_share(&r->progress, "encoding", share);
}

/* Note files of unequal numbers of lines, where ids are these numbers. */
static void note_unequal(const ig_dataset *set)
{
    const ig_dataset_part *a = set->inside->part, *b = a + set->inside->parts;

    while (--b > a)
        if (a->vectors.rows != b->vectors.rows && set->id[b->first] == *set->id &&
            *set->id != IG_NO_ID && strcmp(set->id_name[*set->id], "0") == 0)
            ig_complain("note: %s has %zu lines but %s has %zu: line n of each is "
                        "taken for a translation of line n of the others; give texts "
                        "that are not parallel as a table (lang,text)",
                        a->file, a->vectors.rows, b->file, b->vectors.rows);
}

ig_status ig_encode_command(const ig_options *options, ig_error *error)
{
    report r = {0};
    ig_encoder_options asked = ig_encoder_said(options);
    const ig_encoding_options how = {options->out,
                                     options->words == 1 ? options->word[0] : NULL,
                                     options->run.overwrite};
    ig_encoding_result result = {0};
    ig_dataset *sentences = NULL;
    ig_dataset_options data = options->set;
    ig_encoder *encoder = NULL;
    ig_inputs inputs = {0};
    ig_status status;
    char rows[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    if (!options->encoder.encoder || !options->out)
        return ig_fail(error, IG_USAGE, "encode needs %s",
                       options->encoder.encoder ? "--out NAME.npy"
                                                : "--encoder URL or npy:SET");
    ig_interrupt_catch(true);
    data.texts = true;
    data.inputs = &inputs;
    status = ig_dataset_open(&sentences, options->word, options->words, &data, error);
    if (strncmp(asked.encoder, "npy:", 4) == 0)
        ig_inputs_add(&inputs, asked.encoder + 4);
    if (status == IG_OK)
        status = ig_encoding_check(&how, &inputs, error);
    if (status == IG_OK && sentences->notes.empty_texts && !options->quiet)
        ig_complain("note: empty sentences, encoded as they are: %zu",
                    sentences->notes.empty_texts);
    if (status == IG_OK && !options->quiet)
        note_unequal(sentences);
    ig_progress_meter_init(&r.progress, options->quiet);
    asked.notice = print_notice;
    asked.notice_context = &r.progress;
    if (status == IG_OK)
        status = ig_encoder_open(&encoder, &asked, ig_interrupt_flag(), error);
    if (status == IG_OK) {
        r.all = sentences->rows;
        status = ig_encoding_run(&result, encoder, sentences, &how, update_progress, &r,
                                 error);
        ig_progress_meter_end(&r.progress);
    }
    if (status == IG_OK && result.zero_row != SIZE_MAX && !options->quiet)
        ig_complain("note: the vector of row %zu is zero, which has no direction",
                    result.zero_row);
    if (status == IG_OK && result.alike && !options->quiet)
        ig_complain("note: all %s texts have the same vector: does %s read them?",
                    ig_count_format(all, sentences->rows), asked.encoder);
    ig_encoder_close(encoder);
    if (status == IG_OK)
        status = ig_json_report(
            json_pack("{s:o, s:I, s:I, s:I, s:s, s:I}", "out",
                      ig_json_string(options->out), "rows", (json_int_t)sentences->rows,
                      "dims", (json_int_t)result.dims, "languages",
                      (json_int_t)sentences->languages, "type", "float32", "resumed",
                      (json_int_t)result.resumed),
            options->json, options->quiet, error);
    else if (r.written)
        ig_text_append(error->message, sizeof error->message,
                       "; %s.part has %s of %s rows; run the same command to resume",
                       options->out, ig_count_format(rows, r.written),
                       ig_count_format(all, r.all));
    ig_dataset_free(sentences);
    ig_arena_free(&inputs.arena);
    return status;
}
