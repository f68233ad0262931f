/* Run directories, written (interface.md §2). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/dir.h"
#include "base/file.h"
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
        const ig_record *r = &run->record[i];

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

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* A name of a file may hold any bytes, JSON does not: those that are no UTF-8 become
 * U+FFFD. NULL stays null. */
static json_t *text_json(const char *text)
{
    size_t size = 0;
    char *valid = text ? ig_text_mend(text, strlen(text), &size) : NULL;
    json_t *json;

    if (!valid)
        return text ? NULL : json_null();
    json = json_stringn(valid, size);
    ig_free(valid);
    return json;
}

static json_t *options_json(const ig_run *run)
{
    const ig_train_options *o = &run->options;

    return json_pack(
        "{sI sI sI so so sI so ss ss sb}", "epochs", (json_int_t)o->epochs, "batch",
        (json_int_t)o->batch, "batch_used", (json_int_t)ig_trainer_batch(run->trainer),
        "lr", number(o->lr), "weight_decay", number(o->weight_decay), "patience",
        (json_int_t)o->patience, "valid", number(o->valid), "partner",
        o->next_partner ? "next" : "random", "order",
        o->sequential ? "sequential" : "shuffled", "normalize", (int)o->normalize);
}

static json_t *data_json(const ig_run *run)
{
    const ig_set *set = run->setup.set;
    json_t *languages = json_array();
    char checksum[20], pairs[20];

    for (size_t k = 0; k < set->languages; k++)
        json_array_append_new(languages, json_string(set->language[k]));
    snprintf(checksum, sizeof checksum, "%016" PRIx64, set->checksum);
    snprintf(pairs, sizeof pairs, "%016" PRIx64, ig_pairs_checksum(run->setup.pairs));
    return json_pack("{so sI sI so ss sI sI sI so ss}", "name", text_json(set->name),
                     "rows", (json_int_t)set->rows, "dims", (json_int_t)set->dims,
                     "languages", languages, "checksum", checksum, "pairs",
                     (json_int_t)run->setup.pairs->count, "train_pairs",
                     (json_int_t)run->split.train, "valid_pairs",
                     (json_int_t)run->split.valid, "pairing",
                     text_json(run->setup.pairing ? run->setup.pairing : "pivot"),
                     "pairs_checksum", pairs);
}

/* Terms that began while it was trained (from=). */
static json_t *stages_json(const ig_run *run)
{
    json_t *stages = json_array();

    for (size_t i = 0; i < run->objective.terms; i++) {
        size_t epoch = ig_trainer_stage(run->trainer, i);

        if (epoch)
            json_array_append_new(stages,
                                  json_pack("{sI ss}", "epoch", (json_int_t)epoch,
                                            "term", run->objective.term[i].name));
    }
    return stages;
}

/* What was changed while it was trained, as far as an epoch saw it. */
static json_t *edits_json(const ig_run *run)
{
    json_t *edits = json_array();

    for (size_t i = 0; i < run->edits && run->edit[i].epoch < run->records; i++) {
        const ig_run_edit *e = &run->edit[i];

        json_array_append_new(edits,
                              json_pack("{sI ss so sb}", "epoch", (json_int_t)e->epoch,
                                        "term", run->objective.term[e->term].name,
                                        "weight", number(e->weight), "on", (int)e->on));
    }
    return edits;
}

static ig_status write_json(const ig_run *run, const char *directory, ig_error *error)
{
    FILE *f = open_in(directory, "run.json", error);
    size_t best;
    json_t *root;
    int failed;

    if (!f)
        return IG_IO;
    ig_trainer_best(run->trainer, &best);
    root = json_pack(
        "{so ss so sI so so so so sI sI sI ss so s{ss ss ss}}", "method",
        text_json(run->objective.name), "extractor",
        ig_extractor_name(run->objective.extractor), "init", text_json(run->init),
        "seed", (json_int_t)run->options.seed, "options", options_json(run), "data",
        data_json(run), "edits", edits_json(run), "stages", stages_json(run),
        "best_since", (json_int_t)ig_trainer_best_since(run->trainer), "best_epoch",
        (json_int_t)best, "epochs", (json_int_t)(run->records ? run->records - 1 : 0),
        "ending", ig_run_ending(run), "seconds", number(run->seconds), "versions",
        "isogloss", IG_VERSION, "blas", ig_blas_config(), "kernels",
        ig_kernels_best()->name);
    failed = !root || json_dumpf(root, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0;
    json_decref(root);
    fputc('\n', f);
    if (close_file(f, "run.json", error) != IG_OK)
        return IG_IO;
    return failed ? ig_fail(error, IG_IO, "cannot write run.json") : IG_OK;
}

static ig_status write_objective(const ig_run *run, const char *directory,
                                 ig_error *error)
{
    char *text = ig_run_objective(run);
    FILE *f;

    if (!text)
        return ig_fail_memory(error, "the objective");
    f = open_in(directory, "objective", error);
    if (f)
        fputs(text, f);
    ig_free(text);
    return f ? close_file(f, "objective", error) : IG_IO;
}

static bool owns(const char *name)
{
    static const char *const file[] = {"run.json", "objective", "epochs.csv",
                                       "valid.csv"};

    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (strcmp(name, file[i]) == 0)
            return true;
    return ig_path_ends(name, ".weight.npy") || ig_path_ends(name, ".bias.npy");
}

const ig_dir_kind ig_run_dir = {"run", "run.json", owns};

ig_status ig_run_write(const ig_run *run, const char *path, ig_error *error)
{
    ig_dir_writer writer = {0};
    ig_status status = ig_dir_writer_open(&writer, path, &ig_run_dir, error);

    if (status != IG_OK)
        return status;
    status = write_objective(run, writer.temporary, error);
    if (status == IG_OK)
        status = write_epochs(run, writer.temporary, error);
    if (status == IG_OK)
        status = write_valid(run, writer.temporary, error);
    if (status == IG_OK)
        status = ig_weights_write(ig_trainer_best(run->trainer, NULL), writer.temporary,
                                  error);
    if (status == IG_OK)
        status = write_json(run, writer.temporary, error);
    if (status == IG_OK)
        return ig_dir_writer_commit(&writer, error);
    ig_dir_writer_abort(&writer);
    return status;
}
