/* Progress as one line; the cancel flag of signals. */
#include "cli/progress_meter.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "core/text.h"
#include "view/axes.h"

/* --- signals ---------------------------------------------------------------------- */

static atomic_bool cancelled; /* lock-free: safe in a signal handler */
static volatile sig_atomic_t first;

static void note_signal(int number)
{
    atomic_store(&cancelled, true);
    first = number;
}

/* End by the signal, whose default action SA_RESETHAND restored. */
static void end_by_signal(int number)
{
    ig_writers_remove_unfinished();
    raise(number);
}

void ig_interrupt_catch(bool writes)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now, action = {.sa_handler = writes ? note_signal : end_by_signal,
                                    .sa_flags = SA_RESTART | (int)SA_RESETHAND};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &now) != 0 || now.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

int ig_interrupt_status(void)
{
    return 128 + (first ? first : SIGINT);
}

const atomic_bool *ig_interrupt_flag(void)
{
    return &cancelled;
}

/* --- a line of progress ----------------------------------------------------------- */

enum { LINES = 20, LINE_SIZE = 512 };

static const double INTERVAL = 0.1; /* seconds between two frames of the line */

void ig_progress_meter_init(ig_progress_meter *progress, bool quiet)
{
    *progress = (ig_progress_meter){.quiet = quiet, .started = ig_clock_now()};
    progress->terminal = ig_terminal_columns(stderr, 0) > 0;
    progress->drawn = progress->started;
}

void ig_progress_meter_share(ig_progress_meter *p, const char *what, double share)
{
    double now = ig_clock_now();
    double left = ceil((now - p->started) * (1 - share) / (share - p->from));
    char line[LINE_SIZE];

    if (p->quiet || !p->terminal || now - p->drawn < INTERVAL)
        return;
    snprintf(line, sizeof line, "%s%s%s", p->label ? p->label : "",
             p->label ? "  " : "", what);
    if (share >= 0)
        ig_text_append(line, sizeof line, "  %2.0f%%", 100 * share);
    if (share > p->from)
        ig_text_append(line, sizeof line, "  %.0f:%02.0f left", floor(left / 60),
                       fmod(left, 60));
    /* Erase to the end of the line after writing over it: no flicker. */
    fputc('\r', stderr);
    ig_text_put(stderr, line, strlen(line), ig_terminal_columns(stderr, 80) - 1, false);
    fputs("\033[K", stderr);
    fflush(stderr);
    p->drawn = now;
    p->shown = true;
}

void ig_progress_meter_end(ig_progress_meter *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

/* --- training --------------------------------------------------------------------- */

/* Context of the callback between batches. */
struct loop {
    ig_progress_meter progress;
    const ig_run *run;
};

/* "epoch 2/60  train 0.1234  valid 0.2345  30,343 pairs/s  best" of the last epoch. */
static const char *format_epoch(const ig_run *run, char out[LINE_SIZE])
{
    const ig_run_record *last = &run->info.record[run->info.records - 1];
    char loss[IG_NUMBER_SIZE], valid[IG_NUMBER_SIZE], speed[IG_NUMBER_SIZE];

    snprintf(out, LINE_SIZE, "epoch %zu/%zu  train %s  valid %s", last->epoch.epoch,
             run->info.options.epochs,
             ig_fixed_format(loss, last->epoch.train_loss, 4, 1),
             ig_fixed_format(valid, last->epoch.valid_loss, 4, 1));
    if (last->epoch.pairs_per_second > 0)
        ig_text_append(out, LINE_SIZE, "  %s pairs/s",
                       ig_count_format(speed, (size_t)last->epoch.pairs_per_second));
    if (last->epoch.best)
        ig_text_append(out, LINE_SIZE, "  best");
    return out;
}

static bool show_batch(void *context)
{
    struct loop *l = context;
    const ig_run *run = l->run;
    double epochs = (double)run->info.options.epochs;
    double done = (double)run->info.records - 1;
    char line[LINE_SIZE] = "epoch 0";

    if (run->going && run->trainer->batches && done >= 0)
        done += (double)atomic_load(&run->trainer->progress) /
                (double)run->trainer->batches;
    if (done >= 0 && l->progress.terminal)
        format_epoch(run, line);
    ig_progress_meter_share(&l->progress, line,
                            done > 0 && epochs > 0 ? fmin(1, done / epochs) : 0);
    return *ig_interrupt_flag();
}

ig_status ig_train_loop(ig_run *run, const char *label, bool quiet, ig_dir *dir,
                        ig_error *error)
{
    struct loop w = {.run = run};
    size_t every = (run->info.options.epochs + LINES - 1) / LINES; /* logged */
    char line[LINE_SIZE];
    ig_status status = IG_OK;
    ig_error unsaved;
    double interrupted = 0; /* processes */

    ig_progress_meter_init(&w.progress, quiet);
    w.progress.label = label;
    while (status == IG_OK && run->going) {
        status = ig_run_epoch(run, show_batch, &w, error);
        if (status != IG_OK)
            break;
        /* Closed forms have no losses to show. */
        if (run->trainer->batches && run->info.records && !w.progress.terminal &&
            !quiet && !label && ((run->info.records - 1) % every == 0 || !run->going))
            fprintf(stderr, "%s\n", format_epoch(run, line));
        /* A full disk can have space for the next checkpoint. */
        if (run->checkpoint && run->going && ig_comm_is_root(ig_pool_comm(run->pool)) &&
            (run->info.records - 1) % run->checkpoint == 0 &&
            ig_run_write_into(run, dir, &unsaved) != IG_OK)
            ig_complain("cannot save the checkpoint of epoch %zu: %s",
                        run->info.records - 1, unsaved.message);
        if (!run->going)
            break;
        interrupted = *ig_interrupt_flag();
        ig_comm_sum(ig_pool_comm(run->pool), IG_COMM_DOUBLE, &interrupted, 1);
        status = interrupted > 0 ? IG_INTERRUPTED : IG_OK;
    }
    ig_progress_meter_end(&w.progress);
    return status;
}
