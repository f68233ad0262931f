/* isogloss train: trains until the method, a limit or Ctrl-C ends it; saves a run. */
#include <string.h>

#include "cli/load.h"
#include "cli/output.h"
#include "cli/progress_meter.h"
#include "core/text.h"

static ig_status open_run(ig_run **run, ig_loaded *loaded, ig_dir *dir,
                          const ig_options *options, ig_error *error)
{
    ig_extractor_kind kind;
    ig_error none;
    ig_status status;

    if (!options->out)
        return ig_fail(error, IG_USAGE, "train needs --out RUN, a new directory");
    status = ig_load_objective(options, &kind, NULL, error);
    if (status == IG_OK)
        status = ig_run_path_open(dir, options->out, &ig_run_dir, NULL,
                                  options->run.overwrite, options->team, error);
    if (status == IG_OK)
        status = ig_load_open(loaded, options, error);
    if (status == IG_OK) {
        status = ig_load_pairs(loaded, options, NULL,
                               ig_form_of(kind)->pairs ? NULL : &none, error);
        if (status == IG_VALUE && !options->pairing && !options->pairs)
            ig_text_append(error->message, sizeof error->message,
                           "; --method centre (of one language: abtt) needs none: it "
                           "subtracts means");
    }
    return status == IG_OK ? ig_load_new_run(run, loaded, NULL, options, error)
                           : status;
}

/* --- results ---------------------------------------------------------------------- */

static json_t *epoch_json(const ig_run *run, const ig_run_record *record)
{
    const ig_epoch *e = &record->epoch;
    const ig_geometry *live = &record->geometry[IG_SPACE_MEANING];
    json_t *terms = json_object();

    for (size_t t = 0; t < run->objective.terms; t++)
        terms = ig_json_set(terms, run->objective.term[t].name,
                            ig_json_number(e->value[t]));
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "epoch",
                     (json_int_t)e->epoch, "train_loss", ig_json_number(e->train_loss),
                     "valid_loss", ig_json_number(e->valid_loss), "live_alignment",
                     ig_json_number(live->alignment), "live_uniformity",
                     ig_json_number(live->uniformity), "seconds",
                     ig_json_number(e->seconds), "pairs_per_second",
                     ig_json_number(e->pairs_per_second), "terms", terms);
}

/* Print the run: as JSON all epochs; for readers the losses of the best one. */
static ig_status put_run(const ig_run *run, const ig_options *options, ig_error *error)
{
    json_t *epochs = json_array(), *spaces = json_object(), *noted = json_array(), *out;
    json_t *trained = ig_json_set(ig_train_options_json(&run->info.options),
                                  "batch_used", json_integer(run->trainer->batch_size));
    json_t *data = ig_document_dataset_json(run->set);
    char note[IG_RUN_NOTES][IG_RUN_NOTE_SIZE];
    size_t steps = run->trainer->batches, selves = 0; /* rows paired with themselves */
    bool sparse = steps && steps < 10 && options->train.lr < 0 &&
                  run->info.options.lr < 1e-3;
    const ig_run_record *best = ig_run_best(&run->info);
    const char *unknown = ig_form_of(run->objective.extractor)->unknown;

    if (run->set->notes.dropped)
        noted = ig_json_append(noted, ig_json_string(run->set->notes.left_out + 2));
    for (size_t i = 0, n = ig_run_notes(run, note); i < n; i++) {
        noted = ig_json_append(noted, ig_json_string(note[i]));
        sparse &= !strstr(note[i], " lr ") && !strstr(note[i], "one point");
    }
    for (size_t i = 0; i < run->info.records; i++) {
        selves += i ? run->info.record[i].epoch.self_partners : 0;
        if (options->json)
            epochs = ig_json_append(epochs, epoch_json(run, &run->info.record[i]));
    }
    if (sparse) /* and no note has a nearer reason */
        noted = ig_json_append(
            noted,
            json_sprintf("steps an epoch: %zu; small sets need --lr 1e-3", steps));
    if (selves)
        noted = ig_json_append(
            noted, ig_json_string("rows were paired with themselves (self_partners): a "
                                  "language is rare for this batch size"));
    if (run->trainer->untrained && unknown)
        noted = ig_json_append(noted,
                               json_sprintf("languages without a training row, %zu: %s",
                                            run->trainer->untrained, unknown));
    for (int s = 0; s < IG_SPACES; s++)
        spaces = ig_json_set(spaces, ig_space_name((ig_space)s),
                             json_pack("{s:o, s:o}", "live_alignment",
                                       ig_json_number(best->geometry[s].alignment),
                                       "live_uniformity",
                                       ig_json_number(best->geometry[s].uniformity)));
    data = ig_json_set(data, "pairs", json_integer(run->pairs->count));
    data = ig_json_set(data, "train_pairs", json_integer(run->split.train));
    data = ig_json_set(data, "valid_pairs", json_integer(run->split.valid));
    data = ig_json_set(data, "holdout_pairs", json_integer(run->split.holdout));
    out = json_pack(
        "{s:o, s:s, s:I, s:o, s:o, s:o, s:I, s:o, s:o, s:{s:I, s:I, s:b}, s:o, s:I, "
        "s:o, s:o}",
        "method", ig_json_string(run->objective.name), "extractor",
        ig_form_of(run->objective.extractor)->name, "seed",
        (json_int_t)run->info.options.seed, "options", trained, "data", data, "epochs",
        epochs, "best", (json_int_t)best->epoch.epoch, "ending",
        ig_json_string(run->info.ending), "spaces", spaces, "measured", "pairs",
        (json_int_t)run->measured, "of", (json_int_t)run->measurable, "held_out",
        run->measured_valid, "notes", noted, "self_partners", (json_int_t)selves,
        "seconds", ig_json_number(run->info.seconds), "path",
        ig_json_string(options->out));
    if (!options->json)
        out =
            ig_json_set(out, "best",
                        json_pack("{s:o, s:I, s:o, s:o}", "epoch",
                                  json_sprintf("%zu", best->epoch.epoch), "of",
                                  (json_int_t)ig_run_epochs(&run->info), "train_loss",
                                  ig_json_number(best->epoch.train_loss), "valid_loss",
                                  ig_json_number(best->epoch.valid_loss)));
    if (!options->json && run->measured)
        out = ig_json_set(
            out, "measured",
            json_sprintf("%zu of %zu %s pairs", run->measured, run->measurable,
                         run->measured_valid ? "validation" : "training"));
    if (options->team)
        out = ig_json_set(out, "ranks", json_integer(ig_comm_processes(options->team)));
    return ig_json_report(out, options->json, options->quiet, error);
}

/* --- the command ------------------------------------------------------------------ */

/* Train, save the best epoch, print the run; the error says why it did not finish. */
static ig_status train_run(ig_run *run, ig_dir *dir, const ig_options *options,
                           ig_error *error)
{
    ig_error other;
    const ig_run_record *best;
    ig_status ended, status = IG_OK;

    ig_interrupt_catch(true);
    ended = ig_train_loop(run, NULL, options->quiet, dir, error);
    ig_run_stop(run);
    best = ig_run_best(&run->info);
    if (best && ig_comm_is_root(options->team))
        status = ig_run_write_into(run, dir, &other);
    if (best && status == IG_OK)
        status = put_run(run, options, &other);
    if (status != IG_OK)
        return ig_fail(error, status, "%s", other.message);
    if (ended == IG_INTERRUPTED)
        ig_fail(error, ended, "interrupted in epoch %zu", run->info.records);
    if (ended == IG_DIVERGED && best) /* the message names that epoch */
        ig_text_append(error->message, sizeof error->message, " in %s", options->out);
    else if (ended != IG_OK && best)
        ig_text_append(error->message, sizeof error->message,
                       "; %s contains the best epoch, %zu", options->out,
                       best->epoch.epoch);
    else if (ended != IG_OK)
        ig_text_append(error->message, sizeof error->message,
                       "; no epoch was completed, nothing is saved");
    return ended;
}

ig_status ig_train_command(const ig_options *options, ig_error *error)
{
    ig_loaded loaded = {0};
    ig_dir dir = {0};
    ig_run *run = NULL;
    ig_status status = open_run(&run, &loaded, &dir, options, error);

    if (status == IG_OK)
        status = train_run(run, &dir, options, error);
    ig_dir_close(&dir);
    ig_run_delete(run);
    ig_load_free(&loaded);
    return status;
}
