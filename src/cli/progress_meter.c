/* Progress as one line. */
#include "cli/progress_meter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/progress.h"
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

/* "████▌   " or "####----", BAR wide. */
static void format_bar(char *out, double share, bool utf8)
{
    static const char *const eighth[] = {" ",      "\u258F", "\u258E", "\u258D",
                                         "\u258C", "\u258B", "\u258A", "\u2589"};
    size_t eighths = (size_t)(share * BAR * 8);

    *out = '\0';
    for (size_t i = 0; i < BAR; i++)
        strcat(out, !utf8              ? i < eighths / 8 ? "#" : "-"
                    : i < eighths / 8  ? "\u2588"
                    : i == eighths / 8 ? eighth[eighths % 8]
                                       : " ");
}

/* 0:08, 12:40, 3:05:00, 2 d 4 h; "-" for NaN. */
static void format_time(char *out, size_t size, double seconds)
{
    unsigned long s = seconds < 1e9 ? (unsigned long)ceil(seconds) : 0;

    if (!s && !(seconds <= 0))
        snprintf(out, size, "-");
    else if (s >= 86400)
        snprintf(out, size, "%lu d %lu h", s / 86400, s / 3600 % 24);
    else if (s < 3600)
        snprintf(out, size, "%lu:%02lu", s / 60, s % 60);
    else
        snprintf(out, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

/* Seconds until all is done. */
static double time_left(const ig_progress_meter *p, double share)
{
    double elapsed = ig_clock_now() - p->started;

    return share > p->from ? elapsed * (1 - share) / (share - p->from) : (double)NAN;
}

static bool is_due(const ig_progress_meter *p)
{
    return !p->quiet && p->terminal && ig_clock_now() - p->drawn >= INTERVAL;
}

/* Redraw the line "HEAD ████ TAIL  0:03 left", truncated to the terminal. */
static void draw_line(ig_progress_meter *p, const char *head, double share,
                      const char *tail)
{
    char line[LINE_SIZE], bar[4 * BAR + 1], left[32];
    size_t columns = ig_terminal_columns(stderr);

    format_bar(bar, share, p->utf8);
    format_time(left, sizeof left, time_left(p, share));
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

void ig_progress_meter_share(ig_progress_meter *p, const char *what, double share)
{
    double left = time_left(p, share);
    char head[64], tail[32];

    if (!p->quiet && !p->forecast_done && ig_clock_now() - p->started >= FIRST &&
        !isnan(left)) {
        p->forecast_done = true;
        ig_progress_meter_end(p);
        format_time(tail, sizeof tail, left);
        if (left >= LONG)
            fprintf(stderr, "measuring takes about %s%s%s%s\n", tail,
                    p->advice ? " (" : "", p->advice ? p->advice : "",
                    p->advice ? ")" : "");
    }
    if (!is_due(p))
        return;
    snprintf(head, sizeof head, "measuring %s", what);
    snprintf(tail, sizeof tail, "%2.0f%%", 100 * share);
    draw_line(p, head, share, tail);
}

void ig_progress_meter_rows(ig_progress_meter *p, const char *what, size_t done,
                            size_t all)
{
    double share = all ? (double)done / (double)all : 0;
    char tail[16], left[32];

    if (p->quiet || !all)
        return;
    if (isinf(p->drawn)) { /* the first call */
        p->drawn = p->started = ig_clock_now();
        p->from = share;
        p->lines = (size_t)(share * LINES);
    }
    if (is_due(p)) {
        snprintf(tail, sizeof tail, "%2.0f%%", 100 * share);
        draw_line(p, what, share, tail);
    } else if (!p->terminal && share * LINES >= (double)p->lines + 1) {
        p->lines = (size_t)(share * LINES);
        format_time(left, sizeof left, time_left(p, share));
        fprintf(stderr, "%s %zu/%zu  %s left\n", what, done, all, left);
    }
}

void ig_progress_meter_end(ig_progress_meter *progress)
{
    if (progress->dirty)
        fputs("\r\033[K", stderr);
    progress->dirty = false;
}

/* --- training --------------------------------------------------------------------- */

/* The validation loss, or the training loss without validation. */
static double selection_loss(const ig_run *run, const ig_run_record *record)
{
    return run->split.valid ? record->epoch.valid_loss : record->epoch.train_loss;
}

static void draw_run(ig_progress_meter *p, const ig_run *run)
{
    size_t records = run->info.records, epochs = run->info.options.epochs;
    const ig_run_record *last = records ? &run->info.record[records - 1] : NULL;
    const ig_run_record *best = ig_run_best(run);
    char loss[IG_NUMBER_SIZE], min[IG_NUMBER_SIZE], head[64], tail[LINE_SIZE / 2];
    double done = last ? (double)last->epoch.epoch : 0;

    if (last && run->going && run->trainer->batches)
        done += (double)atomic_load(&run->trainer->progress) /
                (double)run->trainer->batches;
    snprintf(head, sizeof head, "epoch %zu/%zu", last ? last->epoch.epoch : 0, epochs);
    snprintf(tail, sizeof tail, "loss %s  best %zu (%s)",
             ig_fixed_format(loss, last ? selection_loss(run, last) : NAN, 4, !p->utf8),
             best ? best->epoch.epoch : 0,
             ig_fixed_format(min, best ? selection_loss(run, best) : NAN, 4, !p->utf8));
    draw_line(p, head, epochs ? fmin(1, done / (double)epochs) : 0, tail);
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
        if (status == IG_OK && write && run->checkpoint && run->going &&
            (run->info.records - 1) % run->checkpoint == 0)
            write(run, context);
        if (status == IG_OK && run->going &&
            ig_comm_any(ig_pool_comm(run->pool), ig_interrupted()))
            status = IG_INTERRUPTED;
    }
    ig_progress_meter_end(&w.progress);
    return status;
}
