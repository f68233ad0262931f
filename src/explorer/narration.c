/* The demo as a talk. */
#include "explorer/playback.h"
#include "explorer/provenance.h"
#include "explorer/selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

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

/* A figure of the whole in a space, in percent; NaN: not measured. */
static double percent_of(const ig_shown_evaluation *e, ig_space space,
                         const char *measure)
{
    return e && e->space[space]
               ? 100 * ig_figures_value(&e->space[space]->figures, measure)
               : (double)NAN;
}

/* The start of the talk: what the encoder groups sentences by. */
static void describe_original(const ig_app *app, const ig_shown_evaluation *e,
                              char *out, size_t size)
{
    double same = percent_of(e, IG_SPACE_ORIGINAL, "pool_same_language");
    double found = percent_of(e, IG_SPACE_ORIGINAL, "pool_translation");
    char rows[IG_COUNTED], count[IG_COUNTED];

    snprintf(out, size, "%s",
             app->options.subject ? app->options.subject : "The encoder");
    if (isnan(same) || isnan(found))
        ig_text_append(out, size, ": %s in %s",
                       ig_counted(rows, app->set->rows, "sentence"),
                       ig_counted(count, app->set->languages, "language"));
    else
        ig_text_append(out, size,
                       " groups by %s: a translation is nearest for %.1f%% of %s",
                       same > found ? "language" : "meaning", found,
                       ig_counted(rows, e->rows, "row"));
}

/* At the end, once it is measured: the same figure, and of the findings of the leakage
 * panel what is worse, first, and that the language remains. */
static void describe_finding(const ig_app *app, const ig_shown_evaluation *e, char *out,
                             size_t size)
{
    ig_finding finding[IG_FINDINGS_MAX];
    double after = percent_of(e, IG_SPACE_MEANING, "pool_translation");
    const char *worse = "A", *read = "";
    char rows[IG_COUNTED];

    snprintf(out, size, "done; measuring all %ssentences …",
             app->view->all_rows ? "" : "validation ");
    if (isnan(after) ||
        (ig_session_measured(app->now) >= 0 && !ig_session_reports(app->now)))
        return;
    for (size_t n = ig_findings_make(finding, e->space, NULL, "", false); n-- > 0;)
        if (strstr(finding[n].text, "language remains"))
            read = "; language remains";
        else if (strstr(finding[n].text, "meaning embeddings have collapsed"))
            worse = "Meaning embeddings are nearly one point: try a smaller lr; a";
        else if (strstr(finding[n].text, "meaning embeddings are nearly one point"))
            worse = "Meaning embeddings are nearly one point, as the vectors are; a";
        else if (finding[n].tone == IG_TONE_BAD && finding[n].view &&
                 strcmp(finding[n].view, "meaning") == 0)
            worse = "Retrieval between two languages is worse; a";
    snprintf(out, size, "%s translation is nearest for %.1f%% of %s, was %.1f%%%s",
             worse, after, ig_counted(rows, e->rows, "row"),
             percent_of(e, IG_SPACE_ORIGINAL, "pool_translation"), read);
}

/* Of a version: what the nearest sentences are; of all, once they are measured. */
static void describe_version(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const char *word = ig_version_word(app, false);
    const char *name = ig_version_name(app, now->version), *best = "";
    const ig_shown_evaluation *e = now->of[now->version].evaluation;
    double first = 0, most = -1, found = 0;

    snprintf(out, size, "%s %s: measuring …", word, name);
    if (e)
        snprintf(out, size,
                 "%s %s: a translation is nearest for %.0f%%, the same language for "
                 "%.0f%%",
                 word, name, percent_of(e, IG_SPACE_ORIGINAL, "pool_translation"),
                 percent_of(e, IG_SPACE_ORIGINAL, "pool_same_language"));
    for (size_t v = 0; v < now->dataset.count && !isnan(found); v++) {
        found =
            percent_of(now->of[v].evaluation, IG_SPACE_ORIGINAL, "pool_translation");
        best = found > most ? ig_version_name(app, v) : best;
        most = fmax(most, found);
        first = v ? first : found;
    }
    if (!isnan(found)) /* all are measured */
        ig_text_append(out, size,
                       "; best %s %s with %.0f%% (first %.0f%%, last %.0f%%)", word,
                       best, most, first, found);
}

void ig_narration_line(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_shown_evaluation *e = now->evaluation; /* of the version shown, or NULL */
    bool training = now->activity == IG_TRAINING, weights = now->main.shown->run;
    bool splits = ig_extractor_serves(&now->main.shown->x, IG_SPACE_LANGUAGE);
    double part = (double)ig_run_epochs(now->info) / (double)now->info->options.epochs;
    const char *line = NULL;

    if (!app->options.narrate)
        return;
    e = e && e->by.version == now->version ? e : NULL;
    if (app->versions->count > 1 && !training && !weights)
        describe_version(app, out, size);
    else if (now->looking)
        line = "past epoch: , and . step, Esc returns";
    else if (app->talk.waits || (training && (!weights || !now->main.shown->epoch)))
        describe_original(app, e, out, size);
    else if (now->activity == IG_PAUSED)
        line = "paused: , and . show past epochs, Space resumes";
    else if (now->activity == IG_FINISHED && weights && app->talk.keys < 6)
        describe_finding(app, e, out, size);
    else if (!training)
        return;
    else if (part < 0.5)
        line = splits ? "training separates meaning from language: two clouds"
                      : "training brings translations together: languages mix";
    else
        line = "v switches between meaning, language and original";
    if (line)
        snprintf(out, size, "%s", line);
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
    snprintf(out, size, "%s%s %s|) next-sentence|%s|%s%sm method",
             app->canvas.cols < 60 ? "" : "try next:|",
             !versions                                        ? "]"
             : app->view->version + 1 == app->versions->count ? "{"
                                                              : "}",
             versions ? ig_version_word(app, false) : "leakage",
             versions ? "C compare" : "v embeddings",
             now->setup.encoder ? "A ask|" : "",
             versions || now->history->count > 1 ? "p replay|" : "");
    if (app->options.next_demo)
        ig_text_append(out, size, "|then: %s", app->options.next_demo);
    return true;
}
