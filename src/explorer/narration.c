/* The demo as a talk, and advice. */
#include "explorer/narration.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"

#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "data/pairs.h"

/* --- the course of the talk ------------------------------------------------------- */

/* Seconds that the original map stands, and that training takes. */
static const double BEFORE = 3, TRAINING = 15;

void ig_talk_open(ig_app *app)
{
    size_t epochs = app->start.options.epochs;

    app->talk = (ig_talk){.waits = true};
    app->view->pace = app->pace = epochs ? (double)epochs / TRAINING : app->pace;
    app->view->asks |= IG_ASKS_EVALUATION;
}

static void begin_training(ig_app *app)
{
    app->talk.waits = false;
    ig_app_start(app, app->start.method, 0);
}

bool ig_talk_key(ig_app *app, ig_key key)
{
    if (!app->talk.waits)
        return false;
    begin_training(app);
    return key.code == IG_KEY_ENTER || key.code == IG_KEY_ESCAPE ||
           (key.code == IG_KEY_TEXT && key.unicode == ' ');
}

double ig_talk_tick(ig_app *app)
{
    double now = app->clock();

    if (!app->talk.waits || !app->now->map)
        return -1;
    if (app->talk.at > 0 && now < app->talk.at)
        return app->talk.at - now;
    app->at_once = true;
    if (app->talk.at > 0)
        begin_training(app);
    app->talk.at = now + BEFORE;
    return 0;
}

void ig_talk_update(ig_app *app)
{
    bool finished = app->now->activity == IG_FINISHED;

    if (finished && !app->talk.finished)
        app->talk.row = app->cursor;
    app->talk.finished = finished;
}

/* --- the narration ---------------------------------------------------------------- */

/* A figure of the whole in a space, in percent; NaN: not measured. */
static double percent_of(const ig_app *app, ig_space space, const char *measure)
{
    const ig_shown_evaluation *e = app->now->evaluation;

    return e && e->space[space] && e->version == app->now->version
               ? 100 * ig_figures_value(&e->space[space]->figures, measure)
               : (double)NAN;
}

/* Before training: what the encoder groups sentences by. */
static bool describe_original(const ig_app *app, char *out, size_t size)
{
    double same = percent_of(app, IG_SPACE_ORIGINAL, "pool_same_language");
    double found = percent_of(app, IG_SPACE_ORIGINAL, "pool_translation");
    const char *subject = app->options.subject ? app->options.subject : "The encoder";
    char rows[IG_PROVENANCE];

    if (isnan(same) || isnan(found))
        snprintf(out, size, "%s: %zu sentences in %zu languages", subject,
                 app->set->rows, app->set->languages);
    else
        snprintf(out, size,
                 "%s groups sentences by %slanguage: the nearest sentence is in the "
                 "same language for %.0f%%, a translation for %.0f%% (%s)",
                 subject, same > found ? "" : "meaning, and by ", same, found,
                 ig_measured_rows(app->now->evaluation, rows));
    return true;
}

/* At the end: retrieval, what is worse, and the language that a probe still reads. */
static bool describe_finding(const ig_app *app, char *out, size_t size)
{
    static const struct {
        const char *measure, *name;
        double better, least; /* direction, and the least loss in percent */
    } figure[] = {{"alignment", "alignment", -1, 2},
                  {"top1", "retrieval between two languages", 1, 0.5},
                  {"csls_top1", "CSLS top-1", 1, 0.5}};
    double before = percent_of(app, IG_SPACE_ORIGINAL, "pool_translation");
    double after = percent_of(app, IG_SPACE_MEANING, "pool_translation");
    double probe = percent_of(app, IG_SPACE_MEANING, "probe");
    const char *verb = after - before <= -0.5      ? "worse"
                       : after - before < 0.5      ? "unchanged"
                       : before < 50 && after > 90 ? "repaired"
                                                   : "improved";
    char rows[IG_PROVENANCE];

    if (isnan(before) || isnan(after) || ig_session_measured(app->now) >= 0)
        return false;
    snprintf(out, size, "Retrieval %s (%.0f%% to %.0f%%, %s)", verb, before, after,
             ig_measured_rows(app->now->evaluation, rows));
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++) {
        double original = percent_of(app, IG_SPACE_ORIGINAL, figure[i].measure);
        double meaning = percent_of(app, IG_SPACE_MEANING, figure[i].measure);

        if ((original - meaning) * figure[i].better > figure[i].least)
            ig_text_append(out, size, ", %s worse (%.2f to %.2f)", figure[i].name,
                           original / 100, meaning / 100);
    }
    if (!isnan(probe))
        ig_text_append(out, size, "; a linear probe reads the language from %.0f%%",
                       probe);
    ig_text_append(out, size, ". ] shows why.");
    return true;
}

/* The translations of the cursor's sentence among its ten nearest. */
static bool describe_sentence(const ig_app *app, char *out, size_t size)
{
    const ig_neighbours *near = app->now->neighbours;
    size_t shown, before, after;

    if (!near || near->row != app->cursor || !near->translations ||
        !near->has[IG_SPACE_MEANING] || !near->has[IG_SPACE_ORIGINAL])
        return false;
    before = ig_neighbours_found(near, IG_SPACE_ORIGINAL, &shown);
    after = ig_neighbours_found(near, IG_SPACE_MEANING, &shown);
    snprintf(out, size,
             "meaning space: %zu of %zu translations among the %zu nearest; original: "
             "%zu%s",
             after, near->translations, shown, before,
             after < before ? "; this sentence got worse" : "");
    return true;
}

/* Of a version: what the nearest sentences are. */
static bool describe_version(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_evaluation *e = now->of[now->version].evaluation;

    snprintf(out, size, "version %s: ", ig_version_shown(app));
    if (!e)
        ig_text_append(out, size, "measuring …");
    else
        ig_text_append(out, size,
                       "nearest: translation %.0f%%, same language %.0f%%   %s",
                       100 * ig_figures_value(&e->figures, "pool_translation"),
                       100 * ig_figures_value(&e->figures, "pool_same_language"),
                       app->replay.on            ? "p pause"
                       : app->canvas.cols >= 100 ? "p replay, { } step, C compare two"
                                                 : "C compare");
    return true;
}

bool ig_narration_line(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    bool training = now->activity == IG_TRAINING, weights = now->main.shown->weights;
    bool finished = now->activity == IG_FINISHED && weights;
    bool moved = app->cursor != app->talk.row;
    double part = (double)ig_run_epochs(now->info) / (double)now->info->options.epochs;
    bool splits = ig_extractor_serves(&now->main.shown->x, IG_SPACE_LANGUAGE);
    const struct {
        bool holds;
        bool (*describe)(const ig_app *app, char *out, size_t size);
        const char *line;
    } phase[] = {
        {app->versions->count > 1 && !training && !weights, describe_version, NULL},
        {now->looking, NULL, "past epoch: , and . previous and next, Esc returns"},
        {now->activity == IG_PAUSED, NULL,
         "paused: , and . show past epochs, Space resumes"},
        {finished, moved ? describe_sentence : describe_finding,
         "done; measuring all held-out sentences …"},
        {app->talk.waits || (training && (!weights || now->main.shown->epoch == 0)),
         describe_original, NULL},
        {training && part < 0.3, NULL,
         splits ? "training separates meaning (dots) from language (solid)"
                : "training brings translations together"},
        {training && part < 0.6, NULL,
         splits ? "meaning mixes all languages (white); language separates them"
                : "pale: all languages mix"},
        {training, describe_sentence,
         "v switches between meaning, language and original"}};
    size_t i = 0, phases = sizeof phase / sizeof *phase;

    while (i < phases && !phase[i].holds)
        i++;
    if (!app->options.narrate || i == phases)
        return false;
    if (!phase[i].describe || !phase[i].describe(app, out, size))
        snprintf(out, size, "%s", phase[i].line);
    return true;
}

bool ig_talk_menu(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    bool weights = now->main.shown->weights;
    bool versions = app->versions->count > 1 && !weights && !app->replay.on;
    bool last = app->view->version + 1 == app->versions->count;

    if (!app->options.narrate || now->looking || app->focus != app->panel[0] ||
        app->selection->set.count ||
        !(versions || (now->activity == IG_FINISHED && weights)))
        return false;
    snprintf(out, size, "try next:|");
    if (versions)
        ig_text_append(out, size, "%s|→ sentences|C compare|",
                       last ? "{ previous version" : "} next version");
    else
        ig_text_append(out, size, "] why|→ sentences|%s|",
                       app->view->space == IG_MAP_JOINT ? "v original" : "v next map");
    if (app->now->typed_sentences.options)
        ig_text_append(out, size, "A type a sentence|");
    ig_text_append(out, size, "p replay|m method|? help|q quit");
    if (app->options.next_demo)
        ig_text_append(out, size, "|then: %s", app->options.next_demo);
    return true;
}

/* --- advice ----------------------------------------------------------------------- */

bool ig_advice_for_set(const ig_app *app, char out[IG_ADVICE_SIZE])
{
    const ig_dataset *set = app->set;
    bool lacks = app->now->work.pairs->count == 0;

    if (lacks)
        snprintf(out, IG_ADVICE_SIZE,
                 set->languages < 2
                     ? "One language, no pairs: abtt (m) needs none."
                     : "No pairs to train on: add an id column or --pairs FILE. "
                       "centre, lir, lsar and leace need none (m).");
    else if (set->dims > set->rows)
        snprintf(out, IG_ADVICE_SIZE,
                 "%zu dimensions for %zu rows: likely to overfit. Try --dims 64.",
                 set->dims, set->rows);
    return lacks || set->dims > set->rows;
}
