/* Run directories, written. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "linear/blas.h"
#include "linear/kernels.h"
#include "runs/model.h"
#include "runs/run.h"

#ifndef IG_VERSION
#define IG_VERSION "unknown"
#endif

/* Open NAME in the directory; the directory itself is what becomes final at once. */
static FILE *open_in(const char *directory, const char *name, ig_error *error)
{
    char *path = ig_path_join(directory, name);
    FILE *file = path ? fopen(path, "wb") : NULL;

    if (!file)
        ig_fail(error, path ? IG_IO : IG_NOMEM, "cannot write %s in %s", name,
                directory);
    ig_free(path);
    return file;
}

static ig_status close_file(FILE *file, const char *name, ig_error *error)
{
    bool bad = ferror(file) != 0;

    if (fclose(file) != 0 || bad)
        return ig_fail(error, IG_IO, "cannot write %s: the disk is full or gone", name);
    return IG_OK;
}

/* --- epochs.csv ------------------------------------------------------------------- */

static void write_number(FILE *f, double value)
{
    if (isnan(value))
        fputs(",nan", f);
    else
        fprintf(f, ",%.9g", value);
}

static ig_status write_epochs(const ig_run *run, const char *directory, ig_error *error)
{
    FILE *f = open_in(directory, "epochs.csv", error);

    if (!f)
        return IG_IO;
    fputs("epoch,train_loss,valid_loss,alignment,uniformity,seconds,pairs_per_second",
          f);
    for (size_t t = 0; t < run->objective.terms; t++) {
        fputc(',', f);
        ig_field_put(f, run->objective.term[t].name, ',');
    }
    fputc('\n', f);
    for (size_t i = 0; i < run->records; i++) {
        const ig_run_record *r = &run->record[i];

        fprintf(f, "%zu", r->epoch.epoch);
        write_number(f, r->epoch.train_loss);
        write_number(f, r->epoch.valid_loss);
        write_number(f, r->geometry[IG_SPACE_MEANING].alignment);
        write_number(f, r->geometry[IG_SPACE_MEANING].uniformity);
        write_number(f, r->epoch.seconds);
        write_number(f, r->epoch.pairs_per_second);
        for (size_t t = 0; t < run->objective.terms; t++)
            write_number(f, r->epoch.value[t]);
        fputc('\n', f);
    }
    return close_file(f, "epochs.csv", error);
}

/* --- valid.csv -------------------------------------------------------------------- */

/* Whether every held-out row can be named by an id. */
static bool named_by_ids(const ig_run *run)
{
    const ig_set *set = run->setup.set;

    for (size_t i = 0; i < set->rows; i++)
        if (run->split.held_out[i] && set->id[i] == IG_NO_ID)
            return false;
    return set->has_ids;
}

/* The held-out ids, or the rows where some have none, for use elsewhere: what this
 * program needs of the split follows from run.json. */
static ig_status write_valid(const ig_run *run, const char *directory, ig_error *error)
{
    const ig_set *set = run->setup.set;
    bool ids = named_by_ids(run);
    uint8_t *seen = ig_alloc(set->ids, 1);
    FILE *f = seen ? open_in(directory, "valid.csv", error) : NULL;

    if (!f) {
        ig_free(seen);
        return seen ? IG_IO : ig_fail_memory(error, "the split");
    }
    fputs(ids ? "id\n" : "row\n", f);
    for (size_t i = 0; i < set->rows; i++) {
        if (!run->split.held_out[i] || (ids && seen[set->id[i]]))
            continue;
        if (ids) {
            seen[set->id[i]] = 1;
            ig_field_put(f, set->id_name[set->id[i]], ',');
            fputc('\n', f);
        } else {
            fprintf(f, "%zu\n", i);
        }
    }
    ig_free(seen);
    return close_file(f, "valid.csv", error);
}

/* --- run.json --------------------------------------------------------------------- */

static ig_json *data_json(const ig_run *run)
{
    const ig_set *set = run->setup.set;
    ig_json *out = ig_json_object(), *languages = ig_json_array();
    char checksum[20], pairs[20];

    for (size_t k = 0; k < set->languages; k++)
        ig_json_push(languages, ig_json_text(set->language[k]));
    snprintf(checksum, sizeof checksum, "%016" PRIx64, set->checksum);
    snprintf(pairs, sizeof pairs, "%016" PRIx64, ig_pairs_checksum(run->setup.pairs));
    ig_json_put(out, "name", ig_json_text(set->name));
    ig_json_put(out, "rows", ig_json_count(set->rows));
    ig_json_put(out, "dims", ig_json_count(set->dims));
    ig_json_put(out, "languages", languages);
    ig_json_put(out, "checksum", ig_json_text(checksum));
    ig_json_put(out, "pairs", ig_json_count(run->setup.pairs->count));
    ig_json_put(out, "train_pairs", ig_json_count(run->split.train));
    ig_json_put(out, "valid_pairs", ig_json_count(run->split.valid));
    ig_json_put(out, "pairing",
                ig_json_text(run->setup.pairing ? run->setup.pairing : "pivot"));
    ig_json_put(out, "pairs_checksum", ig_json_text(pairs));
    return out;
}

/* Terms that began while it was trained (from=). */
static ig_json *stages_json(const ig_run *run)
{
    ig_json *stages = ig_json_array();

    for (size_t i = 0; i < run->objective.terms; i++) {
        size_t epoch = ig_trainer_stage(run->trainer, i);
        ig_json *stage = epoch ? ig_json_object() : NULL;

        if (!epoch)
            continue;
        ig_json_put(stage, "epoch", ig_json_count(epoch));
        ig_json_put(stage, "term", ig_json_text(run->objective.term[i].name));
        ig_json_push(stages, stage);
    }
    return stages;
}

/* What was changed while it was trained, as far as an epoch saw it. */
static ig_json *edits_json(const ig_run *run)
{
    ig_json *edits = ig_json_array();

    for (size_t i = 0; i < run->edits && run->edit[i].epoch < run->records; i++) {
        const ig_run_edit *e = &run->edit[i];
        ig_json *edit = ig_json_object();

        ig_json_put(edit, "epoch", ig_json_count(e->epoch));
        ig_json_put(edit, "term", ig_json_text(run->objective.term[e->term].name));
        ig_json_put(edit, "weight", ig_json_real(e->weight));
        ig_json_put(edit, "on", ig_json_bool(e->on));
        ig_json_push(edits, edit);
    }
    return edits;
}

static ig_json *run_json(const ig_run *run)
{
    ig_json *out = ig_json_object(), *versions = ig_json_object();
    ig_json *options = ig_train_options_json(&run->options);
    size_t best;

    ig_trainer_best(run->trainer, &best);
    ig_json_put(options, "batch_used", ig_json_count(ig_trainer_batch(run->trainer)));
    ig_json_put(out, "method", ig_json_text(run->objective.name));
    ig_json_put(out, "extractor",
                ig_json_text(ig_extractor_name(run->objective.extractor)));
    ig_json_put(out, "init", ig_json_text(run->init));
    ig_json_put(out, "seed", ig_json_count((size_t)run->options.seed));
    ig_json_put(out, "options", options);
    ig_json_put(out, "data", data_json(run));
    ig_json_put(out, "edits", edits_json(run));
    ig_json_put(out, "stages", stages_json(run));
    ig_json_put(out, "best_since", ig_json_count(ig_trainer_best_since(run->trainer)));
    ig_json_put(out, "best_epoch", ig_json_count(best));
    ig_json_put(out, "epochs", ig_json_count(run->records ? run->records - 1 : 0));
    ig_json_put(out, "ending", ig_json_text(ig_run_ending(run)));
    ig_json_put(out, "seconds", ig_json_real(run->seconds));
    ig_json_put(versions, "isogloss", ig_json_text(IG_VERSION));
    ig_json_put(versions, "blas", ig_json_text(ig_blas_config()));
    ig_json_put(versions, "kernels", ig_json_text(ig_kernels_best()->name));
    ig_json_put(out, "versions", versions);
    return out;
}

/* A text that was made in memory, or NULL when it was short; the text is released. */
static ig_status write_text(char *text, const char *directory, const char *name,
                            ig_error *error)
{
    FILE *f = text ? open_in(directory, name, error) : NULL;
    ig_status status = f ? IG_OK : text ? IG_IO : ig_fail_memory(error, name);

    if (f) {
        fputs(text, f);
        status = close_file(f, name, error);
    }
    ig_free(text);
    return status;
}

static bool owns(const char *name)
{
    static const char *const file[] = {"run.json", "objective", "epochs.csv",
                                       "valid.csv"};

    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (strcmp(name, file[i]) == 0)
            return true;
    return ig_path_ends(name, ".weight.npy") || ig_path_ends(name, ".bias.npy") ||
           ig_path_ends(name, ".basis.npy");
}

const ig_dir_kind ig_run_dir = {"run", "run.json", owns};

ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error)
{
    ig_dir_writer writer = {0};
    ig_status status = ig_dir_writer_open(&writer, path, &ig_run_dir, error);

    if (status != IG_OK)
        return status;
    status = write_text(ig_run_objective(run), writer.temporary, "objective", error);
    if (status == IG_OK)
        status = write_epochs(run, writer.temporary, error);
    if (status == IG_OK)
        status = write_valid(run, writer.temporary, error);
    if (status == IG_OK)
        status = ig_weights_write(ig_trainer_best(run->trainer, NULL), writer.temporary,
                                  error);
    if (status == IG_OK)
        status = write_text(ig_json_format(run_json(run)), writer.temporary, "run.json",
                            error);
    if (status == IG_OK)
        return ig_dir_writer_commit(&writer, error);
    ig_dir_writer_abort(&writer);
    return status;
}
