/* What is told of a run of the session. */
#include "tui/panels/run_properties.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/axes.h"
#include "tui/advising.h"
#include "tui/playback.h"

static void tell_loss(ig_property_line *line, const char *name, const ig_run_record *r)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    ig_property_if(line, r != NULL, name, "train %s  valid %s",
                   r ? ig_number_format(a, r->epoch.train_loss, 7, 0) : "",
                   r ? ig_number_format(b, r->epoch.valid_loss, 7, 0) : "");
}

static void tell_term(const ig_snapshot *now, const ig_run_record *record, size_t i,
                      ig_property_line *line)
{
    double from = now->records ? now->record[0].epoch.value[i] : NAN;

    if (now->off[i] || !record)
        ig_property(line, now->term[i], now->off[i] ? "struck out" : "");
    else if (isnan(now->weight[i])) /* of a run that was read */
        ig_property(line, now->term[i], "%8.4f  from %.4f", record->epoch.value[i],
                    from);
    else
        ig_property(line, now->term[i], "%8.4f  weight %g  from %.4f",
                    record->epoch.value[i], now->weight[i], from);
}

/* "1e-4" and "0.0001" are the same. */
static bool same_number(const char *a, const char *b)
{
    char *end_a, *end_b;
    double x = strtod(a, &end_a), y = strtod(b, &end_b);

    return (end_a != a && end_b != b && !*end_a && !*end_b && x == y) ||
           strcmp(a, b) == 0;
}

/* "lr 0.001, not 0.0001; seed 2, not 1": where options differ from those of `than`, or
 * with NULL from the usual ones. */
static void tell_difference(const ig_run_line *run, const ig_run_line *than,
                            ig_property_line *line)
{
    const ig_train_option *option;
    char text[192] = "", name[24];
    size_t used = 0;

    if (run->options.lr < 0 || (than && than->options.lr < 0))
        return; /* of weights alone nothing is known */
    for (size_t i = 0; (option = ig_train_option_at(i)) && used < sizeof text; i++) {
        bool follows = strcmp(option->field.name, "split-seed") == 0 &&
                       run->options.split_seed == run->options.seed &&
                       (!than || than->options.split_seed == than->options.seed);
        char value[IG_SETTING_SIZE], other[IG_SETTING_SIZE];
        const char *before = option->usual ? option->usual : "";

        ig_setting_format(&option->field, &run->options, value);
        if (than)
            before = ig_setting_format(&option->field, &than->options, other);
        else if (!option->usual || same_number(before, value))
            continue;
        if (!follows && strcmp(value, before) != 0)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%s%.24s %.24s, not %.24s", used ? "; " : "",
                                     option->field.name, value, before);
    }
    snprintf(name, sizeof name, than ? "unlike run %u" : "unlike the usual",
             than ? than->number : 0);
    ig_property(line, name, "%s", *text ? text : "nothing");
}

static void tell_options(const ig_train_options *o, ig_property_line *line)
{
    ig_property_if(line, o->lr >= 0, "options",
                   "lr %g  batch %zu  patience %ld  seed %llu", o->lr, o->batch,
                   o->patience, (unsigned long long)o->seed);
}

static void tell_directory(const ig_run_line *run, ig_property_line *line)
{
    ig_property(line, "directory", "%s",
                run->directory ? run->directory
                : run->saved   ? "nothing to write"
                               : "not written");
    ig_property_warn_if(line, !run->saved);
}

static void tell_advice(const ig_app *app, const ig_run_line *run,
                        ig_property_line *line)
{
    char advice[IG_ADVICE_MOST][IG_ADVICE_SIZE];
    size_t n = ig_advising_run(app, run, advice);

    for (size_t i = 0; i < n; i++)
        ig_property(line, i ? "" : "advice", "%s", advice[i]);
}

void ig_run_properties_selected(const ig_app *app, const ig_run_line *run,
                                ig_property_line *line)
{
    bool ascii = app->canvas.glyphs == IG_ASCII;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    ig_property(line, "run", "%u, selected; run %u is shown%s", run->number,
                app->now->shown_run, run->has_weights ? ", Enter shows this one" : "");
    ig_property(line, "method", "%s", run->method);
    ig_property(line, "state", "%s",
                run->activity == IG_FOLLOWED   ? "trained by another process"
                : *run->ending                 ? run->ending
                : run->activity == IG_PAUSED   ? "paused"
                : run->activity == IG_TRAINING ? "training"
                                               : "");
    tell_options(&run->options, line);
    tell_difference(run, ig_app_run(app, app->now->shown_run), line);
    tell_directory(run, line);
    ig_property(line, "epochs", "%zu of %zu, best %zu", run->epochs,
                run->options.epochs, run->best);
    ig_property_if(line, !isnan(run->loss), "loss, best epoch", "%s",
                   ig_number_format(a, run->loss, 7, ascii));
    ig_property_if(line, !isnan(run->alignment), "geometry, best epoch",
                   "alignment %s  uniformity %s",
                   ig_number_format(a, run->alignment, 6, ascii),
                   ig_number_format(b, run->uniformity, 6, ascii));
    tell_advice(app, run, line);
}

void ig_run_properties_shown(const ig_app *app, ig_property_line *line)
{
    const ig_snapshot *now = app->now;
    const ig_train_options *o = &now->options;
    const ig_run_record *last = ig_playback_record(app);
    const ig_run_line *run = ig_app_run(app, now->shown_run);
    bool timed = last && isfinite(last->epoch.pairs_per_second);
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    if (now->activity == IG_IDLE) {
        ig_property(line, "no run yet", "Space trains, m chooses a method");
        return;
    }
    ig_property(line, "method", "%s (%s)", now->method,
                ig_extractor_name(now->extractor));
    ig_property(line, "state", "%s",
                now->activity == IG_TRAINING   ? "training"
                : now->activity == IG_PAUSED   ? "paused"
                : now->activity == IG_FOLLOWED ? "trained by another process"
                                               : now->ending);
    tell_options(o, line);
    if (run) {
        tell_difference(run, NULL, line);
        tell_directory(run, line);
        tell_advice(app, run, line);
    }
    ig_property(line, "epochs", "%zu of %zu, best %zu", now->epochs, o->epochs,
                now->best);
    tell_loss(line, now->looking ? "loss then" : "loss now", last);
    tell_loss(line, "loss, best epoch",
              now->best < now->records ? &now->record[now->best] : NULL);
    ig_property_if(
        line, timed, "speed", "%s pairs/s",
        ig_count_format(a, timed ? (size_t)last->epoch.pairs_per_second : 0));
    ig_property_if(line, last && last->epoch.rows, "self-partners", "%s of %s rows",
                   ig_count_format(a, last ? last->epoch.self_partners : 0),
                   ig_count_format(b, last ? last->epoch.rows : 0));
    ig_property_warn_if(line, last ? last->epoch.self_partners : 0);
    ig_property_if(line, now->measurable, "measured on", "%s of %s %s pairs",
                   ig_count_format(a, now->measured),
                   ig_count_format(b, now->measurable),
                   now->measured_valid ? "held-out" : "training");
    for (size_t i = 0; i < now->terms; i++)
        tell_term(now, last, i, line);
}
