/* isogloss encode: sentences in files, an encoder, and a set of their vectors. */
#include "base/builder.h"
#include "cli/commands.h"
#include "cli/encoding_options.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "draw/axes.h"
#include "encode/encoding.h"

/* What can be said to be wrong before any file is opened. */
static int check_usage(const ig_options *options)
{
    if (!options->encoder.encoder)
        ig_complain(
            "encode needs --encoder URL, the server (or a command, or npy:SET)");
    else if (!options->out)
        ig_complain("encode needs --out NAME.npy, the set to write");
    else
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

/* No file that is written may be one that is read. */
static ig_status check_outputs(const ig_options *options, const ig_inputs *inputs,
                               ig_error *error)
{
    char *table, *origin;
    ig_status status = ig_encoding_names(options->out, &table, &origin, error);

    if (status == IG_OK)
        status = ig_inputs_check(inputs, options->out, error);
    if (status == IG_OK)
        status = ig_inputs_check(inputs, table, error);
    if (status == IG_OK)
        status = ig_inputs_check(inputs, origin, error);
    if (status == IG_OK && !options->overwrite)
        status = ig_encoding_check(table, origin, error);
    ig_free(table);
    ig_free(origin);
    return status;
}

/* What is told between. */
typedef struct telling {
    ig_progress progress;
    size_t all, written;
    ig_json *refused; /* places of texts without a row */
    ig_builder list;  /* the first SHOWN of them */
} telling;

enum { SHOWN = 400 }; /* bytes */

/* Above the line of the progress. */
static void notice(void *context, const char *sentence)
{
    telling *t = context;

    if (t->progress.quiet)
        return;
    ig_progress_end(&t->progress);
    ig_complain("%s", sentence);
}

static void list_refused(void *context, const char *file, size_t line)
{
    telling *t = context;
    ig_builder place = {0};

    ig_builder_add(&place, "%s:%zu", file, line);
    if (t->list.length < SHOWN)
        ig_builder_add(&t->list, "%s%s", t->list.length ? ", " : "", place.text);
    else if (t->list.text && t->list.text[t->list.length - 1] != '.')
        ig_builder_add(&t->list, " ...");
    ig_json_push(t->refused, ig_json_text(place.text));
    ig_builder_free(&place);
}

static void tick(void *context, size_t rows)
{
    telling *t = context;

    t->written = rows;
    ig_progress_rows(&t->progress, "encoding", rows, t->all);
}

static int tell(const ig_options *options, const ig_text_files *sentences,
                const ig_encoding_result *result, telling *t)
{
    char rows[IG_NUMBER_SIZE], before[IG_NUMBER_SIZE];

    if (options->json) {
        ig_json *out = ig_json_object();

        ig_json_put(out, "out", ig_json_text(options->out));
        ig_json_put(out, "rows", ig_json_count(result->rows));
        ig_json_put(out, "dims", ig_json_count(result->dims));
        ig_json_put(out, "languages", ig_json_count(sentences->languages));
        ig_json_put(out, "type",
                    ig_json_text(options->dtype == 1 ? "float16" : "float32"));
        ig_json_put(out, "resumed", ig_json_count(result->resumed));
        ig_json_put(out, "zero_vectors", ig_json_count(result->zeros));
        ig_json_put(out, "skipped", t->refused);
        t->refused = NULL;
        return ig_json_print(out);
    }
    if (options->quiet)
        return IG_EXIT_OK;
    if (result->zeros)
        ig_complain("note: %zu %s", result->zeros,
                    result->zeros == 1 ? "row is a zero vector"
                                       : "rows are zero vectors");
    if (result->refused)
        ig_complain("note: %zu text%s skipped, which the encoder refused: %s",
                    result->refused, result->refused == 1 ? " is" : "s are",
                    t->list.text ? t->list.text : "");
    printf("%s: %s rows of %zu dimensions in %zu language%s, %s", options->out,
           ig_count_format(rows, result->rows), result->dims, sentences->languages,
           sentences->languages == 1 ? "" : "s",
           options->dtype == 1 ? "float16" : "float32");
    if (result->resumed)
        printf(" (%s were there already)", ig_count_format(before, result->resumed));
    putchar('\n');
    return IG_EXIT_OK;
}

/* It ended before its end: what there is, and that the same command goes on. */
static int tell_failure(const ig_options *options, ig_status status, const telling *t,
                        const ig_error *error)
{
    char rows[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];
    int code = ig_fail_exit(error);

    if (t->written && !options->quiet)
        ig_complain("%s.part has %s of %s rows; the same command goes on from there",
                    options->out, ig_count_format(rows, t->written),
                    ig_count_format(all, t->all));
    return status == IG_INTERRUPTED ? IG_EXIT_INTERRUPTED : code;
}

int ig_encode_command(const ig_options *options)
{
    telling t = {.refused = ig_json_array()};
    ig_encoder_options said = ig_encoder_said(options);
    const ig_encoding_options how = {.out = options->out,
                                     .half = options->dtype == 1,
                                     .overwrite = options->overwrite,
                                     .refused = list_refused,
                                     .context = &t};
    ig_encoding_result result = {0};
    ig_text_files sentences = {0};
    ig_encoder *encoder = NULL;
    ig_inputs inputs = {0};
    ig_error error = {0};
    ig_status status;
    int code = check_usage(options);

    if (code != IG_EXIT_OK) {
        ig_json_delete(t.refused);
        return code;
    }
    ig_interrupt_catch(IG_INTERRUPT_WRITES);
    status = ig_text_files_open(&sentences, options->word, options->words,
                                &options->set, &inputs, &error);
    if (status == IG_OK)
        status = check_outputs(options, &inputs, &error);
    if (status == IG_OK && sentences.empty && !options->quiet)
        ig_complain("note: %zu sentence%s empty and encoded as %s", sentences.empty,
                    sentences.empty == 1 ? " is" : "s are",
                    sentences.empty == 1 ? "it is" : "they are");
    said.skip = options->on_error == 1;
    said.notice = notice;
    said.notice_context = &t;
    ig_progress_init(&t.progress, options->quiet);
    if (status == IG_OK)
        status = ig_encoder_open(&encoder, &said, ig_interrupt_flag(), &error);
    if (status == IG_OK) {
        ig_progress_init(&t.progress, options->quiet); /* from now on */
        t.all = sentences.count;
        status = ig_encoding_run(&result, encoder, &sentences, &how, tick, &t, &error);
        ig_progress_end(&t.progress);
    }
    ig_encoder_close(encoder);
    code = status == IG_OK ? tell(options, &sentences, &result, &t)
                           : tell_failure(options, status, &t, &error);
    ig_json_delete(t.refused);
    ig_builder_free(&t.list);
    ig_text_files_free(&sentences);
    ig_inputs_free(&inputs);
    return code;
}
