/* Progress as one line. */
#include "cli/progress_meter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/clock.h"
#include "core/text.h"
#include "view/axes.h"

enum { BAR = 20, LINES = 20, LINE_SIZE = 512 };

static const double INTERVAL = 0.1;       /* seconds between two frames of the line */
static const double FIRST = 1, LONG = 10; /* seconds until the forecast, and minimal
                                             remaining time for one */

void ig_progress_meter_init(ig_progress_meter *progress, bool quiet)
{
    *progress = (ig_progress_meter){
        .quiet = quiet,
        .terminal = ig_terminal_columns(stderr) > 0,
        .utf8 = ig_locale_utf8(),
        .started = ig_clock_now(),
        .drawn = -INFINITY,
    };
}

/* Fraction of the epochs that is done, including batches of the current one. */
static double share_done(const ig_run *run)
{
    size_t batches = run->trainer->batches;
    double within = 0;

    if (run->info.records == 0 || run->info.options.epochs == 0)
        return 0;
    if (run->going && batches)
        within = (double)atomic_load(&run->trainer->progress) / (double)batches;
    return fmin(1, ((double)run->info.records - 1 + within) /
                       (double)run->info.options.epochs);
}

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

/* 0:08, 12:40, 3:05:00, 2 d 4 h, 5 years; "-" for NaN. */
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

/* The validation loss, or the training loss without validation. */
static double selection_loss(const ig_run *run, const ig_run_record *record)
{
    return run->split.valid ? record->epoch.valid_loss : record->epoch.train_loss;
}

/* Redraw the line "HEAD ████ TAIL  0:03 left", truncated to the terminal. */
static void draw_line(ig_progress_meter *p, const char *head, double share,
                      const char *tail, double left_seconds)
{
    char line[LINE_SIZE], bar[4 * BAR + 1], left[32];
    size_t columns = ig_terminal_columns(stderr);

    format_bar(bar, share, p->utf8);
    format_time(left, sizeof left, left_seconds);
    snprintf(line, sizeof line, "%s%s%s %s%s%s %s  %s left", p->label ? p->label : "",
             p->label ? "  " : "", head, p->utf8 ? "" : "[", bar, p->utf8 ? "" : "]",
             tail, left);
    line[ig_text_fit(line, strlen(line), columns ? columns - 1 : 79, NULL)] = '\0';
    /* Erase to the end of the line after writing over it: no flicker. */
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    p->drawn = ig_clock_now();
    p->dirty = true;
}

static bool is_due(const ig_progress_meter *p)
{
    return !p->quiet && p->terminal && ig_clock_now() - p->drawn >= INTERVAL;
}

static void draw_run(ig_progress_meter *p, const ig_run *run)
{
    const ig_run_record *last =
        run->info.records ? &run->info.record[run->info.records - 1] : NULL;
    const ig_run_record *best = ig_run_best(run);
    char loss[IG_NUMBER_SIZE], min[IG_NUMBER_SIZE], speed[IG_NUMBER_SIZE] = "";
    char head[64], tail[LINE_SIZE / 2];
    double share = share_done(run), elapsed = ig_clock_now() - p->started;

    if (last && last->epoch.pairs_per_second > 0)
        ig_count_format(speed, (size_t)last->epoch.pairs_per_second);
    snprintf(head, sizeof head, "epoch %zu/%zu", last ? last->epoch.epoch : 0,
             run->info.options.epochs);
    snprintf(tail, sizeof tail, "loss %s  best %zu (%s)%s%s%s",
             ig_fixed_format(loss, last ? selection_loss(run, last) : NAN, 4, !p->utf8),
             best ? best->epoch.epoch : 0,
             ig_fixed_format(min, best ? selection_loss(run, best) : NAN, 4, !p->utf8),
             *speed ? "  " : "", speed, *speed ? " pairs/s" : "");
    draw_line(p, head, share, tail, share > 0 ? elapsed / share - elapsed : NAN);
}

static void print_forecast(ig_progress_meter *p, double elapsed, double left)
{
    char time[32];

    if (p->quiet || p->forecast_done || elapsed < FIRST || isnan(left))
        return;
    p->forecast_done = true;
    if (left < LONG)
        return;
    ig_progress_meter_end(p);
    format_time(time, sizeof time, left);
    fprintf(stderr, "measuring takes about %s%s%s%s\n", time, p->advice ? " (" : "",
            p->advice ? p->advice : "", p->advice ? ")" : "");
}

void ig_progress_meter_share(ig_progress_meter *p, const char *what, double share)
{
    double elapsed = ig_clock_now() - p->started;
    double left = share > 0 ? elapsed / share - elapsed : (double)NAN;
    char head[64], tail[16];

    print_forecast(p, elapsed, left);
    if (!is_due(p))
        return;
    snprintf(head, sizeof head, "measuring %s", what);
    snprintf(tail, sizeof tail, "%2.0f%%", 100 * share);
    draw_line(p, head, share, tail, left);
}

void ig_progress_meter_rows(ig_progress_meter *p, const char *what, size_t done,
                            size_t all)
{
    double now = ig_clock_now(), share = all ? (double)done / (double)all : 0, rate;
    char number[IG_NUMBER_SIZE], total[IG_NUMBER_SIZE], tail[IG_NUMBER_SIZE + 32] = "";
    char text[IG_NUMBER_SIZE + 16] = "", time[32];
    double left;

    if (p->quiet || !all)
        return;
    if (isinf(p->drawn)) { /* the first call */
        p->drawn = p->started = now;
        p->from = done;
        p->lines = (size_t)(share * LINES);
    }
    rate = now > p->started ? (double)(done - p->from) / (now - p->started) : 0;
    left = rate > 0 ? (double)(all - done) / rate : NAN;
    if (rate > 0)
        snprintf(text, sizeof text, "  %s rows/s",
                 rate < 10 ? ig_fixed_format(number, rate, 1, true)
                           : ig_count_format(number, (size_t)rate));
    snprintf(tail, sizeof tail, "%2.0f%%%s", 100 * share, text);
    if (is_due(p)) {
        draw_line(p, what, share, tail, left);
    } else if (!p->terminal && share * LINES >= (double)p->lines + 1) {
        p->lines = (size_t)(share * LINES);
        format_time(time, sizeof time, left);
        fprintf(stderr, "%s %s/%s%s  %s left\n", what, ig_count_format(number, done),
                ig_count_format(total, all), text, time);
    }
}

/* A log line, for about LINES epochs including the first and last. */
static void put_epoch(const ig_run *run)
{
    const ig_run_record *last = &run->info.record[run->info.records - 1];
    size_t epochs = run->info.options.epochs, every = (epochs + LINES - 1) / LINES;
    char loss[IG_NUMBER_SIZE], valid[IG_NUMBER_SIZE], speed[IG_NUMBER_SIZE];

    if (every && last->epoch.epoch % every && run->going)
        return;
    fprintf(stderr, "epoch %zu/%zu  train %s  valid %s", last->epoch.epoch, epochs,
            ig_fixed_format(loss, last->epoch.train_loss, 4, 1),
            ig_fixed_format(valid, last->epoch.valid_loss, 4, 1));
    if (last->epoch.pairs_per_second > 0)
        fprintf(stderr, "  %s pairs/s",
                ig_count_format(speed, (size_t)last->epoch.pairs_per_second));
    fprintf(stderr, "%s\n", last->epoch.best ? "  best" : "");
}

void ig_progress_meter_end(ig_progress_meter *progress)
{
    if (progress->dirty)
        fputs("\r\033[K", stderr);
    progress->dirty = false;
}

/* --- training --------------------------------------------------------------------- */

/* Context of the callback between batches. */
struct loop {
    ig_progress_meter progress;
    const ig_run *run;
};

static bool show_batch(void *context)
{
    struct loop *l = context;

    if (is_due(&l->progress))
        draw_run(&l->progress, l->run);
    return ig_interrupted();
}

/* Closed forms have no losses to show. */
static void show_epoch(struct loop *l)
{
    const ig_progress_meter *p = &l->progress;

    if (p->quiet || l->run->info.records == 0 || !l->run->trainer->batches)
        return;
    if (!p->terminal && !p->label)
        put_epoch(l->run);
    else
        show_batch(l);
}

ig_status ig_train_loop(ig_run *run, const char *label, bool quiet,
                        ig_checkpoint_writer *write, void *context, ig_error *error)
{
    struct loop w = {.run = run};
    ig_status status = IG_OK;

    ig_progress_meter_init(&w.progress, quiet);
    w.progress.label = label;
    while (status == IG_OK && run->going) {
        status = ig_run_epoch(run, show_batch, &w, error);
        if (status == IG_OK)
            show_epoch(&w);
        if (status == IG_OK && write && run->setup.checkpoint && run->going &&
            (run->info.records - 1) % run->setup.checkpoint == 0)
            write(run, context);
        if (status == IG_OK && run->going &&
            ig_comm_any(ig_pool_comm(run->setup.pool), ig_interrupted()))
            status = IG_INTERRUPTED;
    }
    ig_progress_meter_end(&w.progress);
    return status;
}
