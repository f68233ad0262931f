/* The strip of versions, "3  4 [5] 6  7", the current one in the middle of what fits;
 * stepping, and comparing two. */
#include "explorer/version_strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/panels/rows_panel.h"
#include "view/axes.h"
#include "view/plot.h"

const char *ig_version_name(const ig_app *app, size_t version)
{
    return version < app->versions.count ? app->versions.set[version]->version : NULL;
}

const char *ig_version_shown(const ig_app *app)
{
    return ig_version_name(app, app->now->version);
}

void ig_version_show(ig_app *app, size_t version)
{
    if (version != app->view->version)
        app->version_before = app->view->version;
    if (version == app->view->compared_version) /* it stays compared */
        app->view->compared_version = app->view->version;
    app->view->version = version;
    app->view->looking = app->replay.on = false;
    app->view->show = 0;
    if (version && app->now->typed_sentences.list.count)
        ig_app_note(
            app, false,
            "typed sentences are on version %s alone: the encoder answers for it",
            ig_version_name(app, 0));
}

void ig_version_step(ig_app *app, int by)
{
    size_t at = app->view->version, count = app->versions.count;

    if (count < 2)
        ig_app_note(app, false,
                    "the dataset has one version; --versions opens layers, encoders or "
                    "checkpoints");
    else if (by < 0 ? at == 0 : at + 1 == count)
        ig_app_note(app, false, "%s is the %s version", ig_version_name(app, at),
                    by < 0 ? "first" : "last");
    else
        ig_version_show(app, by < 0 ? at - 1 : at + 1);
}

bool ig_version_line(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_evaluation *e = now->figures ? now->figures[now->version].evaluation
                                          : NULL;
    bool room = app->canvas.cols >= 100;

    if (app->versions.count < 2 || now->main.shown->weights)
        return false;
    snprintf(out, size, "version %s: ", ig_version_shown(app));
    if (!e)
        ig_text_append(out, size, "measuring …");
    else
        ig_text_append(out, size,
                       "nearest: translation %.0f%%, same language %.0f%%   %s",
                       100 * ig_figures_value(&e->figures, "pool_translation"),
                       100 * ig_figures_value(&e->figures, "pool_same_language"),
                       app->replay.on ? "p pause"
                       : room         ? "p replay, { } step, C compare two, m train"
                                      : "C compare");
    return true;
}

/* The versions in the strip are those around the one shown, in cells of one width:
 * *first of so many, from column *col of the canvas on. */
static size_t fit_strip(const ig_app *app, ig_rect at, size_t *first, int *col,
                        int *width)
{
    size_t count = app->versions.count, shown = app->now->version, fit;

    *width = 1;
    for (size_t v = 0; v < count; v++)
        if (ig_text_columns(ig_version_name(app, v)) + 2 > *width)
            *width = ig_text_columns(ig_version_name(app, v)) + 2;
    fit = at.cols > *width ? (size_t)(at.cols / *width) : 1;
    fit = fit < count ? fit : count;
    *first = shown < fit / 2 ? 0 : shown - fit / 2;
    *first = *first + fit > count ? count - fit : *first;
    *col = at.col + (at.cols - (int)fit * *width) / 2;
    *col = *col > at.col ? *col : at.col;
    return fit;
}

void ig_version_strip_draw(ig_app *app, ig_rect at)
{
    size_t first, n;
    int col, width;

    n = fit_strip(app, at, &first, &col, &width);
    for (size_t v = first; v < first + n && !ig_rect_empty(at); v++, col += width) {
        bool compared = app->now->compares && v == app->now->other.shown->version;

        ig_canvas_print(&app->canvas, at.row, col, at.col + at.cols - col,
                        v == app->now->version
                            ? ig_style_of(IG_COLOUR_ACCENT, IG_BOLD | IG_REVERSE)
                        : compared ? ig_style_of(IG_COLOUR_ACCENT, IG_UNDERLINE)
                                   : ig_dim,
                        " %s ", ig_version_name(app, v));
    }
}

void ig_version_strip_click(ig_app *app, ig_rect at, int col)
{
    size_t first, n;
    int left, width;

    n = fit_strip(app, at, &first, &left, &width);
    if (col >= left && col < left + (int)n * width)
        ig_version_show(app, first + (size_t)((col - left) / width));
}

/* --- what moved between two versions ---------------------------------------------- */

/* List the movers, by the Jaccard distance of their ten nearest. NULL, or why not. */
static const char *list_movers(ig_app *app)
{
    const ig_session *now = app->now;
    const ig_evaluation *shown = now->figures[now->version].evaluation;
    const ig_evaluation *other = now->figures[now->other.shown->version].evaluation;
    const ig_multilingual_pool *a, *b;
    ig_sentences list = {.movers = true,
                         .value_name = "moved",
                         .truth_name = "nearest in the version shown",
                         .other_name = "nearest in the version compared",
                         .file = "movers.csv",
                         .from = &ig_versions_panel};

    if (!shown || !other)
        return "the versions are being measured; press D again";
    a = &shown->multilingual_pool;
    b = &other->multilingual_pool;
    if (!a->near || !b->near || a->rows != b->rows || a->k != b->k)
        return "the versions are measured on different rows";
    list.item = ig_alloc(a->rows, sizeof *list.item);
    if (!list.item)
        return "out of memory for the movers";
    for (size_t i = 0; i < a->rows; i++) {
        const uint32_t *here = a->near + i * a->k, *there = b->near + i * a->k;
        size_t common = 0;

        for (size_t j = 0; j < a->k * a->k; j++)
            common += here[j / a->k] == there[j % a->k];
        list.item[list.count++] =
            (ig_sentence){.row = a->found[i].row,
                          .truth = here[0],
                          .other = there[0],
                          .value = 1 - (double)common / (double)(2 * a->k - common),
                          .cosine = NAN,
                          .other_cosine = NAN};
    }
    snprintf(list.title, sizeof list.title, "movers: %.24s to %.24s",
             ig_version_name(app, now->other.shown->version), ig_version_shown(app));
    ig_rows_list(app, &list);
    return NULL;
}

void ig_movers_open(ig_app *app)
{
    const ig_session *now = app->now;
    const char *why = "movers are between two versions: C compares them";

    if (now->figures && now->compares && !now->compared_run && !now->shown_run)
        why = list_movers(app);
    if (why)
        ig_app_note(app, false, "%s", why);
}
