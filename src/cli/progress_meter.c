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
    *progress = (ig_progress_meter){.quiet = quiet,
                                    .terminal = ig_terminal_columns(stderr) > 0,
                                    .started = ig_clock_now(),
                                    .drawn = -INFINITY};
}

/* 0:08, 12:40, 75:05:00: until all is done; "-": not known. */
static void format_left(const ig_progress_meter *p, double share, char out[32])
{
    double elapsed = ig_clock_now() - p->started;
    double left = ceil(elapsed * (1 - share) / (share - p->from));
    unsigned long s = left < 1e9 ? (unsigned long)left : 0;

    if (share <= p->from || left >= 1e9)
        strcpy(out, "-");
    else if (s < 3600)
        snprintf(out, 32, "%lu:%02lu", s / 60, s % 60);
    else
        snprintf(out, 32, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

static bool is_due(const ig_progress_meter *p)
{
    return !p->quiet && p->terminal && ig_clock_now() - p->drawn >= INTERVAL;
}

/* Redraw the line "HEAD ████ TAIL  0:03 left", truncated to the terminal. */
static void draw_line(ig_progress_meter *p, const char *head, double share,
                      const char *tail)
{
    const char *full = ig_locale_utf8() ? "█" : "#";
    char line[LINE_SIZE], bar[3 * BAR + 1] = "", left[32];
    size_t columns = ig_terminal_columns(stderr);

    for (int i = 0; i < BAR; i++)
        strcat(bar, i < (int)(share * BAR) ? full : *full == '#' ? "-" : " ");
    format_left(p, share, left);
    snprintf(line, sizeof line, "%s%s%s %s %s  %s left", p->label ? p->label : "",
             p->label ? "  " : "", head, bar, tail, left);
    line[ig_text_fit(line, strlen(line), columns ? columns - 1 : 79, NULL)] = '\0';
    /* Erase to the end of the line after writing over it: no flicker. */
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    p->drawn = ig_clock_now();
    p->dirty = true;
}

void ig_progress_meter_share(ig_progress_meter *p, const char *what, double share)
{
    double elapsed = ig_clock_now() - p->started;
    char tail[32];

    if (!p->quiet && !p->forecast_done && elapsed >= FIRST && share > p->from + 0.02) {
        p->forecast_done = true;
        ig_progress_meter_end(p);
        format_left(p, share, tail);
        if (elapsed * (1 - share) / (share - p->from) >= LONG)
            fprintf(stderr, "%s takes about %s%s%s%s\n", what, tail,
                    p->advice ? " (" : "", p->advice ? p->advice : "",
                    p->advice ? ")" : "");
    }
    if (!is_due(p))
        return;
    snprintf(tail, sizeof tail, "%2.0f%%", 100 * share);
    draw_line(p, what, share, tail);
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

/* "0.1234": the validation loss, or the training loss without validation. */
static const char *format_loss(char out[IG_NUMBER_SIZE], const ig_run *run,
                               const ig_run_record *record)
{
    double loss = !record            ? (double)NAN
                  : run->split.valid ? record->epoch.valid_loss
                                     : record->epoch.train_loss;

    return ig_fixed_format(out, loss, 4, !ig_locale_utf8());
}

static bool show_batch(void *context)
{
    struct loop *l = context;
    const ig_run *run = l->run;
    size_t records = run->info.records, epochs = run->info.options.epochs;
    const ig_run_record *last = records ? &run->info.record[records - 1] : NULL;
    const ig_run_record *best = ig_run_best(&run->info);
    char loss[IG_NUMBER_SIZE], min[IG_NUMBER_SIZE], head[64], tail[LINE_SIZE / 2];
    double done = last ? (double)last->epoch.epoch : 0;

    if (!is_due(&l->progress))
        return ig_interrupted();
    if (last && run->going && run->trainer->batches)
        done += (double)atomic_load(&run->trainer->progress) /
                (double)run->trainer->batches;
    snprintf(head, sizeof head, "epoch %zu/%zu", last ? last->epoch.epoch : 0, epochs);
    snprintf(tail, sizeof tail, "loss %s  best %zu (%s)", format_loss(loss, run, last),
             best ? best->epoch.epoch : 0, format_loss(min, run, best));
    draw_line(&l->progress, head, epochs ? fmin(1, done / (double)epochs) : 0, tail);
    return ig_interrupted();
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

ig_status ig_train_loop(ig_run *run, const char *label, bool quiet,
                        ig_checkpoint_writer *write, void *context, ig_error *error)
{
    struct loop w = {.run = run};
    ig_status status = IG_OK;
    double interrupted = 0; /* processes */

    ig_progress_meter_init(&w.progress, quiet);
    w.progress.label = label;
    while (status == IG_OK && run->going) {
        status = ig_run_epoch(run, show_batch, &w, error);
        /* Closed forms have no losses to show. */
        if (status == IG_OK && !quiet && run->trainer->batches && run->info.records) {
            if (w.progress.terminal || label)
                show_batch(&w);
            else
                put_epoch(run);
        }
        if (status == IG_OK && write && run->checkpoint && run->going &&
            (run->info.records - 1) % run->checkpoint == 0)
            write(run, context);
        if (status != IG_OK || !run->going)
            break;
        interrupted = ig_interrupted();
        ig_comm_sum(ig_pool_comm(run->pool), IG_COMM_DOUBLE, &interrupted, 1);
        status = interrupted > 0 ? IG_INTERRUPTED : IG_OK;
    }
    ig_progress_meter_end(&w.progress);
    return status;
}
