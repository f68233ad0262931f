/* The progress of a training, as one line. */
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "draw/axes.h"

enum { BAR = 20, LINES = 20, LINE_SIZE = 512 };

static const double INTERVAL = 0.1;       /* seconds between two frames of the line */
static const double FIRST = 1, LONG = 10; /* seconds: of a forecast, and of work that
                                             has one */

void ig_progress_init(ig_progress *progress, bool quiet)
{
    *progress = (ig_progress){
        .quiet = quiet,
        .terminal = ig_terminal_columns(stderr) > 0,
        .utf8 = ig_locale_utf8(),
        .started = ig_clock_now(),
        .drawn = -INFINITY,
    };
}

/* Share of the epochs that is done, the one under way by its batches. */
static double share_done(const ig_run *run)
{
    size_t batches = ig_trainer_batches(run->trainer);
    double within = 0;

    if (run->records == 0 || run->options.epochs == 0)
        return 0;
    if (ig_run_going(run) && batches)
        within = (double)ig_trainer_progress(run->trainer) / (double)batches;
    return fmin(1, ((double)(run->records - 1) + within) / (double)run->options.epochs);
}

/* BAR columns of which a share is filled, in eighths where there is UTF-8. */
static void format_bar(char *out, double share, bool utf8)
{
    static const char *const eighth[] = {"",       "\u258F", "\u258E", "\u258D",
                                         "\u258C", "\u258B", "\u258A", "\u2589"};
    size_t eighths = (size_t)(share * BAR * 8);
    size_t full = eighths / 8;
    size_t used = full;

    *out = '\0';
    for (size_t i = 0; i < full; i++)
        strcat(out, utf8 ? "\u2588" : "#");
    if (utf8 && eighths % 8) {
        strcat(out, eighth[eighths % 8]);
        used++;
    }
    for (; used < BAR; used++)
        strcat(out, utf8 ? " " : "-");
}

static const double YEAR = 365.25 * 86400;

/* 0:08, 12:40, 3:05:00, 2 d 4 h, 5 years; – where nothing is done yet. */
static void format_time(char *out, size_t size, double seconds)
{
    unsigned long s = seconds < YEAR ? (unsigned long)ceil(seconds) : 0;

    if (!(seconds >= 0))
        snprintf(out, size, "-");
    else if (seconds >= YEAR)
        snprintf(out, size, "%.0f years", seconds / YEAR);
    else if (s >= 86400)
        snprintf(out, size, "%lu d %lu h", s / 86400, s / 3600 % 24);
    else if (s < 3600)
        snprintf(out, size, "%lu:%02lu", s / 60, s % 60);
    else
        snprintf(out, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

/* The loss that decides: of validation, or of training where there is none. */
static double deciding_loss(const ig_run *run, const ig_run_record *record)
{
    return run->data.part[IG_SPLIT_VALID] ? record->epoch.valid_loss
                                          : record->epoch.train_loss;
}

/* The line of a run into `out`, cut to `columns`; elapsed: seconds since it began.
 * Returns `out`. */
static const char *format_run(char out[LINE_SIZE], const ig_run *run, double elapsed,
                              size_t columns, bool utf8)
{
    const ig_run_record *last = run->records ? &run->record[run->records - 1] : NULL;
    const ig_run_record *best = ig_run_best(run);
    char bar[4 * BAR + 1], left[32], loss[IG_NUMBER_SIZE], least[IG_NUMBER_SIZE];
    char speed[IG_NUMBER_SIZE] = "";
    double share = share_done(run);
    size_t used = 0, fit;

    format_bar(bar, share, utf8);
    format_time(left, sizeof left, share > 0 ? elapsed / share - elapsed : NAN);
    if (last && last->epoch.pairs_per_second > 0)
        ig_count_format(speed, (size_t)last->epoch.pairs_per_second);
    snprintf(out, LINE_SIZE,
             "epoch %zu/%zu %s%s%s loss %s  best %zu (%s)%s%s%s  %s left",
             last ? last->epoch.epoch : 0, run->options.epochs, utf8 ? "" : "[", bar,
             utf8 ? "" : "]",
             ig_fixed_format(loss, last ? deciding_loss(run, last) : NAN, 4, !utf8),
             best ? best->epoch.epoch : 0,
             ig_fixed_format(least, best ? deciding_loss(run, best) : NAN, 4, !utf8),
             *speed ? "  " : "", speed, *speed ? " pairs/s" : "", left);
    fit = ig_text_fit(out, strlen(out), columns, &used);
    out[fit] = '\0';
    return out;
}

static void draw(ig_progress *progress, const ig_run *run)
{
    char line[LINE_SIZE];
    const char *label = progress->label ? progress->label : "";
    size_t label_columns = ig_text_width(label, strlen(label)) + 2;
    size_t columns = ig_terminal_columns(stderr);
    double now = ig_clock_now();

    columns = columns ? columns - 1 : 79;
    if (progress->label)
        columns = columns > label_columns ? columns - label_columns : 0;
    format_run(line, run, now - progress->started, columns, progress->utf8);
    /* Erase to the end of the line after writing over it: no flicker. */
    fprintf(stderr, "\r%s%s%s\033[K", label, *label ? "  " : "", line);
    fflush(stderr);
    progress->drawn = now;
    progress->dirty = true;
}

/* A line of which a share is done, in place of the one that stands. */
static void draw_share(ig_progress *progress, const char *what, double share,
                       const char *rate, double left_seconds)
{
    char line[LINE_SIZE], bar[4 * BAR + 1], left[32];
    size_t columns = ig_terminal_columns(stderr);
    bool utf8 = progress->utf8;

    format_bar(bar, share, utf8);
    format_time(left, sizeof left, left_seconds);
    snprintf(line, sizeof line, "%s %s%s%s %2.0f%%%s%s  %s left", what, utf8 ? "" : "[",
             bar, utf8 ? "" : "]", 100 * share, *rate ? "  " : "", rate, left);
    line[ig_text_fit(line, strlen(line), columns ? columns - 1 : 79, NULL)] = '\0';
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    progress->drawn = ig_clock_now();
    progress->dirty = true;
}

void ig_progress_about(char *out, size_t size, double seconds)
{
    if (seconds < 90)
        snprintf(out, size, "%.0f s", fmax(seconds, 1));
    else if (seconds < 90 * 60)
        snprintf(out, size, "%.0f min", seconds / 60);
    else if (seconds < 36 * 3600)
        snprintf(out, size, "%.2g h", seconds / 3600);
    else if (seconds < 10 * 86400)
        snprintf(out, size, "%.2g days", seconds / 86400);
    else if (seconds < 3 * YEAR)
        snprintf(out, size, "%.0f days", seconds / 86400);
    else
        snprintf(out, size, "%.0f years", seconds / YEAR);
}

/* How long the whole takes, told once, by what a second or more has done after there
 * was anything done. */
static void foretell(ig_progress *progress, double share, double now)
{
    double took = now - progress->since, left;
    char time[32], less[64] = "";

    if (progress->quiet || progress->foretold || !(share > 0))
        return;
    if (progress->since == 0) {
        progress->since = now;
        progress->from_share = share;
    }
    if (progress->since == now || took < FIRST || !(share > progress->from_share))
        return;
    progress->foretold = true;
    left = took * (1 - share) / (share - progress->from_share);
    if (left < LONG)
        return;
    ig_progress_end(progress);
    ig_progress_about(time, sizeof time, left);
    if (progress->advise)
        progress->advise(progress->adviser, took / (share - progress->from_share), less,
                         sizeof less);
    fprintf(stderr, "measuring takes about %s%s%s%s%s\n", time,
            progress->advice ? " (" : "", less,
            progress->advice ? progress->advice : "", progress->advice ? ")" : "");
}

void ig_progress_share(ig_progress *progress, const char *what, double share)
{
    double now = ig_clock_now(), elapsed = now - progress->started;
    char text[64];

    foretell(progress, share, now);
    if (progress->quiet || !progress->terminal || now - progress->drawn < INTERVAL)
        return;
    snprintf(text, sizeof text, "measuring %s", what);
    draw_share(progress, text, share, "", share > 0 ? elapsed / share - elapsed : NAN);
}

void ig_progress_rows(ig_progress *p, const char *what, size_t done, size_t all)
{
    double now = ig_clock_now(), rate, left;
    char number[IG_NUMBER_SIZE], total[IG_NUMBER_SIZE], text[IG_NUMBER_SIZE + 16] = "";

    if (p->quiet || !all)
        return;
    if (isinf(p->drawn)) { /* the first call */
        p->drawn = p->started = now;
        p->from = done;
        p->lines = (size_t)((double)done / (double)all * LINES);
    }
    rate = now > p->started ? (double)(done - p->from) / (now - p->started) : 0;
    left = rate > 0 ? (double)(all - done) / rate : NAN;
    if (rate > 0)
        snprintf(text, sizeof text, "%s rows/s",
                 rate < 10 ? ig_fixed_format(number, rate, 1, true)
                           : ig_count_format(number, (size_t)rate));
    if (p->terminal && now - p->drawn >= INTERVAL) {
        draw_share(p, what, (double)done / (double)all, text, left);
    } else if (!p->terminal &&
               (double)done / (double)all * LINES >= (double)p->lines + 1) {
        char time[32];

        p->lines = (size_t)((double)done / (double)all * LINES);
        format_time(time, sizeof time, left);
        fprintf(stderr, "%s %s/%s%s%s  %s left\n", what, ig_count_format(number, done),
                ig_count_format(total, all), *text ? "  " : "", text, time);
    }
}

/* One line of a log: the first and the last epoch, and some between. */
static void put_line(const ig_run *run)
{
    const ig_run_record *last = &run->record[run->records - 1];
    size_t every = (run->options.epochs + LINES - 1) / LINES;
    char loss[IG_NUMBER_SIZE], valid[IG_NUMBER_SIZE], speed[IG_NUMBER_SIZE];

    if (every && last->epoch.epoch % every && ig_run_going(run))
        return;
    fprintf(stderr, "epoch %zu/%zu  train %s  valid %s", last->epoch.epoch,
            run->options.epochs, ig_fixed_format(loss, last->epoch.train_loss, 4, 1),
            ig_fixed_format(valid, last->epoch.valid_loss, 4, 1));
    if (last->epoch.pairs_per_second > 0)
        fprintf(stderr, "  %s pairs/s",
                ig_count_format(speed, (size_t)last->epoch.pairs_per_second));
    fprintf(stderr, "%s\n", last->epoch.best ? "  best" : "");
}

/* After an epoch, and between the batches of one. */
static void show_epoch(ig_progress *progress, const ig_run *run)
{
    if (progress->quiet || run->records == 0 || !ig_trainer_batches(run->trainer))
        return; /* a closed form has no losses to show */
    if (!progress->terminal && !progress->label)
        put_line(run);
    else if (progress->terminal && ig_clock_now() - progress->drawn >= INTERVAL)
        draw(progress, run);
}

static void show_batch(ig_progress *progress, const ig_run *run)
{
    if (!progress->quiet && progress->terminal &&
        ig_clock_now() - progress->drawn >= INTERVAL)
        draw(progress, run);
}

void ig_progress_end(ig_progress *progress)
{
    if (progress->dirty)
        fputs("\r\033[K", stderr);
    progress->dirty = false;
}

/* --- a training with it ----------------------------------------------------------- */

/* What is asked between batches. */
typedef struct watch {
    ig_progress progress;
    const ig_run *run;
} watch;

static bool between(void *context)
{
    watch *w = context;

    show_batch(&w->progress, w->run);
    return ig_interrupted();
}

ig_status ig_train_loop(ig_run *run, const char *label, bool quiet,
                        ig_checkpoint_writer *write, void *context, ig_error *error)
{
    watch w = {.run = run};
    ig_status status = IG_OK;

    ig_progress_init(&w.progress, quiet);
    w.progress.label = label;
    while (status == IG_OK && ig_run_going(run)) {
        status = ig_run_epoch(run, between, &w, error);
        if (status == IG_OK)
            show_epoch(&w.progress, run);
        if (status == IG_OK && write && ig_run_checkpoint_due(run))
            write(run, context);
        if (status == IG_OK && ig_run_going(run) &&
            ig_team_any(ig_pool_team(run->setup.pool), ig_interrupted()))
            status = IG_INTERRUPTED;
    }
    ig_progress_end(&w.progress);
    return status;
}
