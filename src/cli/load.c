/* Opening what commands work on. */
#include "cli/load.h"

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/threads.h"
#include "data/set.h"
#include "draw/axes.h"
#include "linear/blas.h"
#include "runs/lengths.h"

/* No output may be an input, whatever the command is. */
static ig_status check_outputs(ig_inputs *inputs, const ig_options *options,
                               ig_error *error)
{
    const char *const read[] = {options->pairs,  options->scores,   options->init,
                                options->config, options->train_on, options->train_meta,
                                options->vector};
    const char *const written[] = {options->out, options->report, options->svg,
                                   options->pdf, options->png};
    ig_status status = IG_OK;

    for (size_t i = 0; i < sizeof read / sizeof *read && status == IG_OK; i++)
        if (read[i])
            status = ig_inputs_add(inputs, read[i], error);
    for (size_t i = 0; i < options->tests && status == IG_OK; i++) {
        const char *const of[] = {options->test[i].set, options->test[i].meta,
                                  options->test[i].scores};

        for (size_t f = 0; f < 3 && status == IG_OK; f++)
            if (of[f])
                status = ig_inputs_add(inputs, of[f], error);
    }
    for (size_t i = 0; i < options->run_paths && status == IG_OK; i++)
        status = ig_inputs_add(inputs, options->run_path[i], error);
    for (size_t i = 0; i < sizeof written / sizeof *written && status == IG_OK; i++)
        status = ig_inputs_check(inputs, written[i], error);
    return status;
}

/* Where DATA cannot be opened because it is a run, say how a run is given. */
static ig_status explain(const ig_options *options, ig_status status, ig_error *error)
{
    for (size_t i = 0; i < options->words && status == IG_IO; i++) {
        char *told = ig_path_join(options->word[i], "run.json");
        bool is_run = told && access(told, F_OK) == 0;

        ig_free(told);
        if (is_run)
            return ig_fail(error, IG_IO,
                           "%s is the directory of a run, which --run takes; DATA is a "
                           "set that it fits",
                           options->word[i]);
    }
    return status;
}

ig_status ig_load_open_for(const ig_reading *reading, ig_loaded *loaded,
                           const ig_options *options, ig_error *error)
{
    ig_set_options data = options->set;
    ig_threads granted = ig_threads_granted(options->threads, options->share);
    ig_status status;

    *loaded = (ig_loaded){0};
    data.inputs = &loaded->inputs;
    data.reading = reading;
    ig_blas_init();
    status = ig_pool_new(&loaded->pool, granted.count, error);
    if (status == IG_OK && granted.machine.process > 0)
        status = ig_blas_reserve(granted.count, granted.machine.process, error);
    ig_pool_join(loaded->pool, options->team);
    if (status == IG_OK)
        status = explain(
            options,
            ig_set_open(&loaded->set, options->word, options->words, &data, error),
            error);
    if (status == IG_OK)
        status = check_outputs(&loaded->inputs, options, error);
    if (status == IG_OK)
        loaded->originals = ig_rows_of_set(loaded->set);
    return status;
}

/* "1.0 GB so far of set.npy.gz", which is unpacked into memory. */
static void say_size(void *context, const char *doing, const char *file, double part)
{
    (void)context;
    (void)part;
    ig_complain("note: %s %s", doing, file);
}

ig_status ig_load_open(ig_loaded *loaded, const ig_options *options, ig_error *error)
{
    const ig_reading reading = {
        .tell = say_size, .input = STDIN_FILENO, .rarely = true};

    return ig_load_open_for(options->quiet ? NULL : &reading, loaded, options, error);
}

/* "NAME: 3 rows are zero", when the count is not 0. */
static void note(const ig_loaded *loaded, size_t count, const char *one,
                 const char *many)
{
    char number[IG_NUMBER_SIZE];

    if (count)
        ig_complain("note: %s: %s %s", loaded->set->name,
                    ig_count_format(number, count), count == 1 ? one : many);
}

/* Columns that were taken for others: "column language is read as lang". */
static void put_aliases(const ig_set *set)
{
    static const char *const roles[] = {"lang", "text", "id"};

    for (size_t k = 0; k < 3; k++)
        if (set->notes.alias[k])
            ig_complain("note: %s: column %s is read as %s (--column %s=NAME names "
                        "another)",
                        set->name, set->notes.alias[k], roles[k], roles[k]);
}

static void put_notes(const ig_loaded *loaded)
{
    const ig_set *set = loaded->set;
    const ig_set_notes *notes = &set->notes;
    char some[IG_NUMBER_SIZE], all[IG_NUMBER_SIZE];

    put_aliases(set);
    if (notes->sampled_from)
        ig_complain("note: %s: sampled %s of %s rows", set->name,
                    ig_count_format(some, set->rows),
                    ig_count_format(all, notes->sampled_from));
    note(loaded, loaded->zero_rows, "row is a zero vector, kept",
         "rows are zero vectors, kept");
    note(loaded, notes->empty_texts, "row has an empty text", "rows have empty texts");
    note(loaded, notes->broken_texts,
         "row has a text that is no UTF-8; if it is Latin-1, iconv -f latin1 -t utf-8 "
         "converts it",
         "rows have texts that are no UTF-8; if they are Latin-1, iconv -f latin1 -t "
         "utf-8 converts them");
    note(loaded, notes->repeated_ids, "row repeats an id of its language",
         "rows repeat ids of their language");
    note(loaded, notes->single_languages, "language has a single row",
         "languages have a single row");
}

static ig_status check(ig_loaded *loaded, const ig_options *options, uint64_t *values,
                       ig_error *error)
{
    ig_status status = ig_set_check_sum(loaded->set, &loaded->zero_rows, values,
                                        ig_interrupt_flag(), error);

    if (status == IG_OK && !options->quiet)
        put_notes(loaded);
    return status;
}

ig_status ig_load_check(ig_loaded *loaded, const ig_options *options, ig_error *error)
{
    return check(loaded, options, NULL, error);
}

ig_status ig_load_given_pairs(ig_loaded *loaded, const ig_options *options,
                              ig_error *error)
{
    ig_status status =
        ig_pairs_read(&loaded->pairs, loaded->set, options->pairs, error);
    size_t unknown = loaded->pairs.unknown;

    if (status == IG_OK && !options->quiet && unknown)
        ig_complain("note: %s: %zu line%s words that no row has", options->pairs,
                    unknown, unknown == 1 ? " has" : "s have");
    return status;
}

ig_status ig_load_pairs(ig_loaded *loaded, const ig_options *options, bool optional,
                        ig_error *error)
{
    ig_status status;

    if (options->pairs)
        return ig_load_given_pairs(loaded, options, error);
    status = ig_pairs_derive(&loaded->pairs, loaded->set, options->pairing, error);
    if (status == IG_VALUE && optional && !options->pairing) {
        ig_pairs_free(&loaded->pairs);
        return IG_OK;
    }
    return status;
}

ig_status ig_load_scores(ig_loaded *loaded, const ig_options *options, ig_error *error)
{
    return options->scores
               ? ig_scores_read(&loaded->scores, loaded->set, options->scores, error)
               : IG_OK;
}

/* The run of --run, when there is one. */
static ig_status load_run(ig_loaded *loaded, const ig_options *options, ig_error *error)
{
    ig_status status;

    if (!options->run)
        return IG_OK;
    status = ig_model_read(&loaded->model, options->run, loaded->set, error);
    if (status != IG_OK)
        return status;
    loaded->has_model = true;
    if (loaded->model.unknown_languages && !options->quiet)
        ig_complain("note: %s: %zu of %zu languages %s not in the run %s; %s",
                    loaded->set->name, loaded->model.unknown_languages,
                    loaded->set->languages,
                    loaded->model.unknown_languages == 1 ? "is" : "are", options->run,
                    ig_form_of(loaded->model.extractor.kind)->unknown);
    return IG_OK;
}

ig_status ig_load_with_run(ig_loaded *loaded, const ig_options *options,
                           ig_error *error)
{
    ig_status status = ig_load_open(loaded, options, error);

    if (status == IG_OK)
        status = check(loaded, options, options->run ? &loaded->values : NULL, error);
    return status == IG_OK ? load_run(loaded, options, error) : status;
}

ig_status ig_load_row(const ig_loaded *loaded, const ig_options *options,
                      ig_error *error)
{
    size_t rows = loaded->set->rows;

    if (options->row < rows)
        return IG_OK;
    return ig_fail(error, IG_VALUE, "--row %zu: %s has rows 0 to %zu", options->row,
                   loaded->set->name, rows - 1);
}

bool ig_load_space(ig_loaded *loaded, ig_space space, ig_rows *rows)
{
    if (space == IG_SPACE_ORIGINAL) {
        *rows = loaded->originals;
        return true;
    }
    if (!loaded->has_model || !ig_extractor_serves(&loaded->model.extractor, space))
        return false;
    loaded->space[space] = (ig_space_rows){&loaded->model.extractor, space,
                                           &loaded->originals, loaded->set->lang};
    *rows = ig_rows_of_space(&loaded->space[space]);
    return true;
}

bool ig_load_image(const ig_loaded *loaded, ig_space space, ig_image *image)
{
    *image = (ig_image){0};
    if (space == IG_SPACE_ORIGINAL ||
        !ig_extractor_linear(&loaded->model.extractor, space, &image->w, &image->b,
                             &image->residual))
        return false;
    image->of = &loaded->originals;
    return true;
}

ig_status ig_load_scale(const ig_loaded *loaded, const ig_options *options,
                        ig_space space, const ig_rows *rows, float **scale,
                        ig_error *error)
{
    const ig_lengths_of of = {.directory = options->run,
                              .extractor = &loaded->model.extractor,
                              .space = space,
                              .rows = rows,
                              .values = loaded->values,
                              .worth = IG_LENGTHS_WORTH};
    ig_status status;

    *scale = NULL;
    *scale = ig_alloc(rows->rows, sizeof **scale);
    if (!*scale)
        return ig_fail_memory(error, "the lengths");
    status = ig_lengths_find(&of, loaded->pool, ig_interrupt_flag(), *scale, error);
    if (status != IG_OK) {
        ig_free(*scale);
        *scale = NULL;
    }
    return status == IG_VALUE ? IG_OK : status;
}

void ig_load_free(ig_loaded *loaded)
{
    ig_model_free(&loaded->model);
    ig_pairs_free(&loaded->pairs);
    ig_scores_free(&loaded->scores);
    ig_set_free(loaded->set);
    ig_pool_delete(loaded->pool);
    ig_inputs_free(&loaded->inputs);
    *loaded = (ig_loaded){0};
}
