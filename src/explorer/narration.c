/* The demo as a talk. */
#include "explorer/narration.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"

#include <math.h>
#include <stdio.h>

#include "core/text.h"

/* --- the course of the talk ------------------------------------------------------- */

/* Seconds that the original map stands, and that training takes. */
static const double BEFORE = 3, TRAINING = 15;

void ig_talk_open(ig_app *app)
{
    size_t epochs = app->start.options.epochs;

    app->talk = (ig_talk){.waits = true};
    app->view->pace = app->pace = epochs ? (double)epochs / TRAINING : app->pace;
    app->view->asks |= IG_ASKS_EVALUATION;
    ig_app_start(app, app->start.method);
    app->view->paused = true; /* its validation ids are measured, before and after */
}

bool ig_talk_key(ig_app *app, ig_key key)
{
    if (!app->talk.waits)
        return false;
    app->talk.waits = app->view->paused = false;
    return key.code == IG_KEY_ENTER || key.code == IG_KEY_ESCAPE ||
           (key.code == IG_KEY_TEXT && key.unicode == ' ');
}

double ig_talk_tick(ig_app *app)
{
    double now = app->clock();

    if (!app->talk.waits || !app->now->map)
        return -1;
    if (app->talk.at <= 0) {
        app->at_once = true;
        app->talk.at = now + BEFORE;
    } else if (now >= app->talk.at) {
        app->talk.waits = app->view->paused = false;
    }
    return fmax(0, app->talk.at - now);
}

/* --- the narration ---------------------------------------------------------------- */

/* A figure of the whole in a space, in percent; NaN: not measured. */
static double percent_of(const ig_app *app, ig_space space, const char *measure)
{
    const ig_shown_evaluation *e = app->now->evaluation;

    return e && e->space[space] && e->by.version == app->now->version
               ? 100 * ig_figures_value(&e->space[space]->figures, measure)
               : (double)NAN;
}

/* The start of the talk: what the encoder groups sentences by. */
static void describe_original(const ig_app *app, char *out, size_t size)
{
    double same = percent_of(app, IG_SPACE_ORIGINAL, "pool_same_language");
    double found = percent_of(app, IG_SPACE_ORIGINAL, "pool_translation");
    char rows[IG_PROVENANCE];

    snprintf(out, size, "%s",
             app->options.subject ? app->options.subject : "The encoder");
    if (isnan(same) || isnan(found))
        ig_text_append(out, size, ": %s sentences in %zu languages",
                       ig_count_format(rows, app->set->rows), app->set->languages);
    else
        ig_text_append(out, size,
                       " groups sentences by %s: the nearest sentence is in the same "
                       "language for %.1f%%, a translation for %.1f%% (%s)",
                       same > found ? "language" : "meaning", same, found,
                       ig_measured_rows(app, app->now->evaluation, rows));
}

/* At the end, once it is measured: the same figure, what is worse, and the language
 * that the better of the linear probes still reads, of the same rows (findings.c). */
static void describe_finding(const ig_app *app, char *out, size_t size)
{
    static const struct {
        const char *measure, *name;
        double better, least; /* direction, and the least loss in percent */
    } figure[] = {{"relative_alignment", "relative alignment", -1, 2},
                  {"top1", "retrieval between two languages", 1, 0.5},
                  {"csls_top1", "CSLS top-1", 1, 0.5}};
    double before = percent_of(app, IG_SPACE_ORIGINAL, "pool_translation");
    double after = percent_of(app, IG_SPACE_MEANING, "pool_translation");
    double probe = fmax(percent_of(app, IG_SPACE_MEANING, "probe"),
                        percent_of(app, IG_SPACE_MEANING, "probe_fitted"));
    char rows[IG_PROVENANCE];

    snprintf(out, size, "done; measuring all %ssentences …",
             app->view->all_rows ? "" : "validation ");
    if (isnan(before) || isnan(after) ||
        (ig_session_measured(app->now) >= 0 && !ig_session_reports(app->now)))
        return;
    snprintf(out, size,
             "Now a translation is nearest for %.1f%%, before for %.1f%% (%s)", after,
             before, ig_measured_rows(app, app->now->evaluation, rows));
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        double original = percent_of(app, IG_SPACE_ORIGINAL, figure[i].measure);
        double meaning = percent_of(app, IG_SPACE_MEANING, figure[i].measure);

        if ((original - meaning) * figure[i].better > figure[i].least)
            ig_text_append(out, size, ", %s worse (%.2f to %.2f)", figure[i].name,
                           original / 100, meaning / 100);
    }
    if (!isnan(probe))
        ig_text_append(out, size, "; language readable in %.0f%%", probe);
}

/* Of a version: what the nearest sentences are. */
static void describe_version(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_evaluation *e = now->of[now->version].evaluation;
    const char *name = ig_version_name(app, now->version),
               *word = ig_version_word(app, false);

    snprintf(out, size, "%s %s: measuring …", word, name);
    if (e)
        snprintf(out, size,
                 "%s %s: a translation is nearest for %.0f%%, the same language for "
                 "%.0f%%",
                 word, name, 100 * ig_figures_value(&e->figures, "pool_translation"),
                 100 * ig_figures_value(&e->figures, "pool_same_language"));
}

bool ig_narration_line(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    bool training = now->activity == IG_TRAINING, weights = now->main.shown->run;
    bool splits = ig_extractor_serves(&now->main.shown->x, IG_SPACE_LANGUAGE);
    double part = (double)ig_run_epochs(now->info) / (double)now->info->options.epochs;
    const char *line = NULL;

    if (!app->options.narrate)
        return false;
    if (app->versions->count > 1 && !training && !weights)
        describe_version(app, out, size);
    else if (now->looking)
        line = "past epoch: , and . previous and next, Esc returns";
    else if (app->talk.waits || (training && (!weights || !now->main.shown->epoch)))
        describe_original(app, out, size);
    else if (now->activity == IG_PAUSED)
        line = "paused: , and . show past epochs, Space resumes";
    else if (now->activity == IG_FINISHED && weights)
        describe_finding(app, out, size);
    else if (!training)
        return false;
    else if (part < 0.5)
        line = splits ? "training separates meaning (dots) from language (solid)"
                      : "training brings translations together: languages mix";
    else
        line = "v switches between meaning, language and original";
    if (line)
        snprintf(out, size, "%s", line);
    return true;
}

bool ig_talk_menu(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    bool weights = now->main.shown->run;
    bool versions = app->versions->count > 1 && !weights && !app->replay.on;

    if (!app->options.narrate || now->looking || app->focus != app->panel[0] ||
        app->selection->set.count ||
        !(versions || (now->activity == IG_FINISHED && weights)))
        return false;
    snprintf(out, size,
             "try next:|%s|%s sentences|%s|%sp replay|m method|? help|q quit",
             !versions                                        ? "] why"
             : app->view->version + 1 == app->versions->count ? "{ previous"
                                                              : "} next",
             app->canvas.glyphs == IG_ASCII ? "l" : "→",
             versions                           ? "C compare"
             : app->view->space == IG_MAP_JOINT ? "v original"
                                                : "v next map",
             now->typed_sentences.options ? "A type a sentence|" : "");
    if (app->options.next_demo)
        ig_text_append(out, size, "|then: %s", app->options.next_demo);
    return true;
}
