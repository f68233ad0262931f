/* Run, epoch and rows of figures, in one form. */
#include "explorer/provenance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"

const char *ig_sampled_rows(size_t rows, size_t of, const char *what,
                            char out[IG_PROVENANCE])
{
    bool whole = rows > 1 && !strstr(what, "valid") && !strstr(what, "test");
    char n[IG_NUMBER_SIZE], all[IG_COUNTED];

    ig_counted(all, rows < of ? of : rows, what);
    if (rows < of)
        snprintf(out, IG_PROVENANCE, "sample %s of %s", ig_count_format(n, rows), all);
    else
        snprintf(out, IG_PROVENANCE, "%s%s", whole ? "all " : "", all);
    return out;
}

const char *ig_measured_rows(const ig_app *app, const ig_shown_evaluation *e,
                             char out[IG_PROVENANCE])
{
    bool ids = e->of_ids && !(e->ids == e->of_ids && e->rows < e->of_rows);
    const ig_run_entry *of = ig_runs_find(&app->now->runs, app->now->shown_run);
    const char *part = of && of->info->holdout_pairs ? "test " : "validation ";
    char what[16];

    snprintf(what, sizeof what, "%s%s", e->held_out ? part : "", ids ? "id" : "row");
    return ig_sampled_rows(ids ? e->ids : e->rows, ids ? e->of_ids : e->of_rows, what,
                           out);
}

const char *ig_provenance(const ig_app *app, ig_made_by by, const char *rows,
                          char out[IG_PROVENANCE])
{
    const ig_run_entry *entry = ig_runs_find(&app->now->runs, by.run);
    const char *name = app->versions->set[by.version]->version;

    snprintf(out, IG_PROVENANCE, "%s", name || entry ? "" : "original");
    if (name)
        ig_text_append(out, IG_PROVENANCE, "%s %.64s%s", ig_version_word(app, false),
                       name, entry ? ", " : "");
    if (entry)
        ig_text_append(out, IG_PROVENANCE, "%.64s%s%u epoch %zu", entry->info->name,
                       ig_app_glyph(app, IG_GLYPH_BULLET), by.run, by.epoch);
    ig_strength_append(app, by.run, by.strength, out, IG_PROVENANCE);
    ig_text_append(out, IG_PROVENANCE, "%s%s", *rows ? ", " : "", rows);
    return out;
}

const char *ig_map_provenance(const ig_app *app, const ig_map *map, char *out)
{
    char all[IG_PROVENANCE], fitted[IG_NUMBER_SIZE];

    ig_provenance(app, map->by, "", out);
    if (map->fit)
        ig_text_append(out, IG_PROVENANCE, ", axes of the %s shown",
                       ig_count_format(fitted, map->fitted));
    ig_text_append(out, IG_PROVENANCE, ", %s",
                   ig_sampled_rows(map->rows, app->set->rows, "row", all));
    return out;
}

void ig_live_source(const ig_app *app, const ig_run_entry *entry, size_t epoch,
                    char *out)
{
    const ig_run *run = entry ? entry->run : NULL;
    char pairs[IG_PROVENANCE] = "";

    if (run && run->measurable)
        ig_sampled_rows(run->measured, run->measurable,
                        run->measured_valid ? "validation pair" : "training pair",
                        pairs);
    if (entry && entry->info->records)
        ig_provenance(app, (ig_made_by){entry->number, entry->version, epoch, -1},
                      pairs, out);
}

void ig_measured_source(const ig_app *app, const ig_shown_evaluation *e, char *out)
{
    char rows[IG_PROVENANCE];

    if (e)
        ig_provenance(app, e->by, ig_measured_rows(app, e, rows), out);
}

const char *ig_unlike_compared(const ig_app *app, const ig_run_entry *run,
                               char out[IG_UNLIKE_SIZE])
{
    enum { ENDING = IG_TRAINING_VALUES - 1 };
    const ig_run_entry *of[] = {run,
                                ig_runs_find(&app->now->runs, app->view->compared)};
    ig_training two[2];
    char label[IG_RUN_LABEL];

    *out = '\0';
    if (!run || !of[1] || of[1] == run)
        return out;
    for (int i = 0; i < 2; i++) {
        two[i] = ig_training_of(of[i]->info);
        snprintf(two[i].name, sizeof two[i].name, "%s",
                 ig_run_label(app, of[i]->number, label));
    }
    if (strcmp(two[0].value[ENDING], two[1].value[ENDING]) == 0)
        *two[0].value[ENDING] = *two[1].value[ENDING] = '\0'; /* both still improved */
    ig_training_compare(out, two, 2);
    return *out ? out + strlen("; ") : out;
}

/* The share of the rows measured on which the run was trained, counted once. */
static double find_trained(const ig_app *app, ig_shown_evaluation *e)
{
    const ig_run_entry *run = e ? ig_runs_find(&app->now->runs, e->by.run) : NULL;
    const uint8_t *trained, *only;
    size_t both = 0;

    if (!run || e->trained >= 0 || !ig_run_fits(run->info, app->set))
        return run ? fmax(0, e->trained) : 0;
    trained = ig_training_rows(app->now, run->number, false);
    only = e->held_out ? ig_training_rows(app->now, app->now->shown_run, true) : NULL;
    for (size_t i = 0; trained && i < app->set->rows; i++)
        both += (!only || only[i]) && trained[i];
    return e->trained = (double)both / (double)e->of_rows;
}

const char *ig_trained_compared(const ig_app *app, char out[IG_PROVENANCE])
{
    ig_shown_evaluation *e = app->now->compared_evaluation;
    const ig_run_entry *run = e ? ig_runs_find(&app->now->runs, e->by.run) : NULL;
    double share = find_trained(app, e);
    char label[IG_RUN_LABEL];

    *out = '\0';
    if (share > find_trained(app, app->now->evaluation))
        ig_trained_format(out, ig_run_label(app, e->by.run, label), share);
    else if (run && run->info->checksum && app->now->evaluation &&
             run->info->checksum != app->versions->set[run->version]->checksum &&
             run->info->checksum != app->now->info->checksum)
        snprintf(out, IG_PROVENANCE, "%s was trained on %.80s",
                 ig_run_label(app, e->by.run, label), run->info->data);
    return out;
}

/* Leave out the next of a source that is too long: all rows, names of runs, others. */
static void shorten(const ig_app *app, int step, char source[IG_PROVENANCE])
{
    const char *part[] = {", all ", NULL, ", "};
    char *first = strstr(source, " epoch "), *at = NULL, name[IG_PROVENANCE];
    char rest[IG_PROVENANCE];

    for (char *next = first ? first : source;
         part[step] && (next = strstr(next, part[step])); next++)
        at = next; /* the last */
    if (at && step == 2 && strncmp(at, ", sample ", 9) == 0)
        at[8] = '\0'; /* figures that are estimates say so */
    else if (at)
        snprintf(at, IG_PROVENANCE - (size_t)(at - source), "%s",
                 step == 2 ? ig_app_glyph(app, IG_GLYPH_ELLIPSIS) : "");
    for (size_t i = 0; step == 1 && i < app->now->runs.count; i++) {
        const ig_run_entry *run = app->now->runs.entry[i];

        snprintf(name, sizeof name, "%.64s%s%u epoch ", run->info->name,
                 ig_app_glyph(app, IG_GLYPH_BULLET), run->number);
        if (!(at = strstr(source, name)))
            continue;
        snprintf(rest, sizeof rest, "%s", at + strlen(name));
        snprintf(at, IG_PROVENANCE - (size_t)(at - source), "run %u epoch %s",
                 run->number, rest);
    }
}

void ig_source_draw(ig_app *app, ig_rect frame, ig_result_id of, const char *source)
{
    ig_rect at = ig_rect_inset(frame, frame.rows - 1, 1, 0, 1), by = app->message_at;
    char all[IG_PROVENANCE], *text;
    int cols;

    snprintf(all, sizeof all, "%s",
             of && *source ? ig_session_waits(app->now, of, source) : source);
    if (at.row == by.row && by.cols && at.col <= by.col + by.cols)
        at = ig_rect_inset(at, 0, 0, 0, by.col + by.cols + 1 - at.col);
    for (int i = 0; ig_text_columns(all) + 2 > at.cols && i < 3; i++)
        shorten(app, i, all);
    text = ig_app_tail(app, all, at.cols - 2); /* the ends of names */
    cols = ig_text_columns(text) + 2;
    if (*text && at.cols > 12)
        ig_canvas_print(&app->canvas, at.row, at.col + at.cols - cols, cols, ig_dim,
                        " %s ", text);
}
