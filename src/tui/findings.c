/* What is to be measured while one looks. */
#include "tui/app.h"

void ig_findings_rows(ig_app *app)
{
    app->want.all_rows = !app->want.all_rows;
    ig_app_note(app, false,
                app->want.all_rows
                    ? "measures of all rows"
                    : "measures of the held-out ids, where a run has some");
    ig_app_want(app);
}

void ig_findings_exact(ig_app *app)
{
    app->want.exact++;
    ig_app_note(app, false, "measuring on all there is …");
    ig_app_want(app);
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
    if (app->want.findings == are_seen(app))
        return;
    app->want.findings = !app->want.findings;
    ig_app_want(app);
}
