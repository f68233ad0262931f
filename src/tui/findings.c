/* What is to be measured while one looks. */
#include "tui/app.h"

void ig_findings_rows(ig_app *app)
{
    app->request.all_rows = !app->request.all_rows;
    ig_app_note(app, false,
                app->request.all_rows
                    ? "measures of all rows"
                    : "measures of the held-out ids, where a run has some");
    ig_app_send(app);
}

void ig_findings_exact(ig_app *app)
{
    if (ig_app_order(app, IG_COMMAND_MEASURE, 0))
        ig_app_note(app, false, "measuring on all there is …");
}

/* What shows findings is on the screen. */
static bool are_seen(const ig_app *app)
{
    ig_panel panel = app->settings.expanded ? app->settings.focus : app->settings.side;

    return panel == IG_PANEL_LEAKAGE || panel == IG_PANEL_SENTENCES ||
           ig_colouring_is_value(app, app->colours.choice);
}

void ig_findings_follow(ig_app *app)
{
    if (app->request.evaluation == are_seen(app))
        return;
    app->request.evaluation = !app->request.evaluation;
    ig_app_send(app);
}
