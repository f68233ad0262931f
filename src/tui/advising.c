/* The advice for what is on the screen. */
#include "tui/advising.h"

#include <math.h>
#include <string.h>

static ig_advice_facts facts_of(const ig_app *app)
{
    return (ig_advice_facts){.rows = app->set->rows,
                             .dims = app->set->dims,
                             .languages = app->set->languages,
                             .pairs = app->pairs ? app->pairs->count : SIZE_MAX,
                             .first = NAN,
                             .least = NAN};
}

size_t ig_advising_set(const ig_app *app, char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    const ig_advice_facts facts = facts_of(app);

    return ig_advice_for_set(&facts, out);
}

/* Of a run without a loss, or that was stopped by hand, nothing follows. */
size_t ig_advising_run(const ig_app *app, const ig_run_line *run,
                       char out[IG_ADVICE_MOST][IG_ADVICE_SIZE])
{
    ig_advice_facts facts = facts_of(app);
    const ig_run_curves *curves = run ? run->curves : NULL;
    int loss = IG_CURVE_VALID;

    if (!curves || curves->records == 0 || run->stored ||
        (run->activity != IG_FINISHED && run->activity != IG_FAILED) ||
        strcmp(run->ending, "stopped by hand") == 0)
        return 0;
    if (isnan(curves->value[0][loss]))
        loss = IG_CURVE_TRAIN;
    if (isnan(curves->value[0][loss]) || run->best >= curves->records)
        return 0;
    facts.failed = run->activity == IG_FAILED;
    facts.epochs = run->epochs;
    facts.most = run->options.epochs;
    facts.best = run->best;
    facts.lr = run->options.lr;
    facts.first = curves->value[0][loss];
    facts.least = curves->value[run->best][loss];
    return ig_advice_for_run(&facts, out);
}
