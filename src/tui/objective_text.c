/* The run's objective. */
#include "tui/objective_text.h"

#include <string.h>

bool ig_objective_of_run(ig_app *app, ig_objective *o)
{
    const ig_snapshot *now = app->now;
    ig_error error;

    if (ig_objective_parse(o, now->method, now->method, now->objective,
                           strlen(now->objective), &error) != IG_OK) {
        ig_app_note(app, true, "%s", error.message);
        return false;
    }
    for (size_t i = 0; i < o->terms && i < now->terms; i++) {
        o->term[i].weight = now->weight[i];
        o->term[i].off = now->off[i];
    }
    return true;
}

char *ig_objective_text(const ig_objective *o, const char *comment)
{
    ig_builder text = {0};

    ig_builder_add(&text, "%s", comment);
    ig_objective_format(o, &text);
    return ig_builder_take(&text);
}
