/* Epochs, progress and interruption. */
#include "cli/train_loop.h"

#include "cli/interrupt.h"
#include "cli/progress.h"

/* What is asked between batches. */
typedef struct watch {
    ig_progress progress;
    const ig_run *run;
} watch;

static bool between(void *context)
{
    watch *w = context;

    ig_progress_batch(&w->progress, w->run);
    return ig_interrupted();
}

ig_status ig_train_loop(ig_run *run, const char *label, bool quiet, ig_error *error)
{
    watch w = {.run = run};
    ig_status status = IG_OK;

    ig_progress_init(&w.progress, quiet);
    w.progress.label = label;
    while (status == IG_OK && ig_run_going(run)) {
        status = ig_run_epoch(run, between, &w, error);
        if (status == IG_OK)
            ig_progress_epoch(&w.progress, run);
        if (status == IG_OK && ig_run_going(run) && ig_interrupted())
            status = IG_INTERRUPTED;
    }
    ig_progress_end(&w.progress);
    return status;
}
