/* The map's colouring: groups of rows, built once for a colouring and its findings and
 * never for a frame. */
#include "tui/colouring.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "tui/app.h"

enum { REMARKS = 3 /* items of a legend that are no groups, at most */ };

static const char *const value_name[IG_VALUES] = {[IG_VALUE_ALIGNMENT] = "alignment",
                                                  [IG_VALUE_RANK] = "rank",
                                                  [IG_VALUE_LEAK] = "leak"};

/* --- what there is ---------------------------------------------------------------- */

size_t ig_colouring_choices(const ig_app *app)
{
    return 1 + app->set->labels + IG_VALUES;
}

const char *ig_colouring_name(const ig_app *app, size_t choice)
{
    if (choice == 0)
        return "language";
    return choice <= app->set->labels ? app->set->label[choice - 1].name
                                      : value_name[choice - 1 - app->set->labels];
}

bool ig_colouring_is_value(const ig_app *app, size_t choice)
{
    return choice > app->set->labels;
}

const float *ig_colouring_values(const ig_app *app)
{
    const ig_findings *findings = app->now->findings;
    size_t choice = app->colours.choice;

    return findings && ig_colouring_is_value(app, choice)
               ? findings->value[choice - 1 - app->set->labels]
               : NULL;
}

/* --- memory ----------------------------------------------------------------------- */

ig_status ig_colouring_init(ig_app *app, ig_error *error)
{
    ig_colouring *c = &app->colours;
    size_t own = IG_GROUPS_MOST + 1;
    size_t most = app->set->languages > own ? app->set->languages : own;

    c->own_shown = ig_alloc(own, sizeof *c->own_shown);
    c->name = ig_alloc(most, sizeof *c->name);
    c->letter = ig_alloc(most, 1);
    c->colour = ig_alloc(most, sizeof *c->colour);
    c->text = ig_alloc(own, sizeof *c->text);
    c->legend = ig_alloc(most + REMARKS, sizeof *c->legend);
    if (!c->own_shown || !c->name || !c->letter || !c->colour || !c->text || !c->legend)
        return ig_fail_memory(error, "the explorer");
    ig_colouring_choose(app, 0);
    return IG_OK;
}

void ig_colouring_free(ig_colouring *c)
{
    ig_free(c->own_of);
    ig_free(c->own_drawn);
    ig_free(c->own_shown);
    ig_free((void *)c->name);
    ig_free(c->letter);
    ig_free(c->colour);
    ig_free(c->text);
    ig_free(c->legend);
    *c = (ig_colouring){0};
}

/* --- the legend ------------------------------------------------------------------- */

static void put_remark(ig_colouring *c, const char *text)
{
    c->legend[c->items++] = (ig_legend_item){.name = text, .plain = true};
}

/* "topic", "alignment 0". */
static void put_heading(const ig_app *app, ig_colouring *c)
{
    char begin[IG_SCALE_NAME_SIZE] = "";

    if (c->steps)
        ig_scale_begin(begin, &c->scale);
    snprintf(c->remark[0], sizeof c->remark[0], "%.40s%s%s",
             ig_colouring_name(app, c->choice), *begin ? " " : "", begin);
    c->remark[0][ig_text_valid(c->remark[0], strlen(c->remark[0]))] = '\0';
    put_remark(c, c->remark[0]);
}

/* "412 of 4,800 measured", "without de fr". */
static void put_remarks(const ig_app *app, ig_colouring *c)
{
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], *out = c->remark[1];
    size_t size = sizeof c->remark[1], used = 0;
    const char *before = "without";

    if (c->waiting)
        used = (size_t)snprintf(out, size, "being measured");
    else if (c->steps && c->measured < app->set->rows)
        used = (size_t)snprintf(
            out, size, "%s of %s measured%s", ig_count_format(a, c->measured),
            ig_count_format(b, app->set->rows),
            app->now->findings && app->now->findings->held_out ? ", a all" : "");
    if (used)
        before = ", without";
    for (size_t i = 0; i < app->set->languages && used < size; i++) {
        if (app->shown[i])
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s %s", before,
                                 app->set->language[i]);
        before = "";
    }
    if (used)
        put_remark(c, out);
}

static void make_legend(ig_app *app)
{
    ig_colouring *c = &app->colours;

    c->items = 0;
    if (c->choice > 0)
        put_heading(app, c);
    c->heading = c->items;
    for (size_t i = 0; i < c->groups; i++)
        c->legend[c->items++] = (ig_legend_item){.name = c->name[i],
                                                 .letter = c->letter[i],
                                                 .colour = c->colour[i],
                                                 .shown = c->shown[i]};
    if (c->choice > 0)
        put_remarks(app, c);
}

long ig_colouring_at(const ig_app *app, ig_rect legend, int row, int col)
{
    const ig_colouring *c = &app->colours;
    long item = ig_legend_at(legend, c->legend, c->items, row, col);

    return item < 0 ? -1 : item - (long)c->heading;
}

/* --- choosing --------------------------------------------------------------------- */

/* What a number on the map is. */
static void explain(ig_app *app)
{
    static const char *const what[IG_VALUES] = {
        [IG_VALUE_ALIGNMENT] = "mean squared distance to its translations, by meaning",
        [IG_VALUE_RANK] = "mean rank of its translations, by meaning",
        [IG_VALUE_LEAK] = "mean 1/rank of its translations by language embeddings"};
    size_t choice = app->colours.choice;

    if (ig_colouring_is_value(app, choice))
        ig_app_note(app, false, "%s%s", what[choice - 1 - app->set->labels],
                    app->request.all_rows ? "" : "; a: of all rows");
}

void ig_colouring_choose(ig_app *app, size_t choice)
{
    app->colours.choice = choice;
    explain(app);
    if (!ig_colouring_build(app)) {
        app->colours.choice = 0;
        ig_colouring_build(app);
    }
    ig_colouring_redo(app);
}

static bool begins(const char *name, const char *typed)
{
    return strncmp(name, typed, strlen(typed)) == 0;
}

void ig_colouring_named(ig_app *app, const char *typed)
{
    size_t n = ig_colouring_choices(app), found = n, like = 0;

    for (size_t i = 0; i < n; i++) {
        const char *name = ig_colouring_name(app, i);

        if (strcmp(name, typed) == 0) {
            ig_colouring_choose(app, i);
            return;
        }
        if (begins(name, typed)) {
            found = i;
            like++;
        }
    }
    if (like == 1)
        ig_colouring_choose(app, found);
    else
        ig_app_note(app, true,
                    "the map is coloured by language, %salignment, rank or leak, not "
                    "by '%s'",
                    app->set->labels ? "a label, " : "", typed);
}

void ig_colouring_follow(ig_app *app)
{
    ig_colouring *c = &app->colours;
    const ig_findings *findings = app->now->findings;

    if (!ig_colouring_is_value(app, c->choice) || !findings ||
        findings->serial == c->serial)
        return;
    ig_colouring_measure(app);
    ig_colouring_redo(app);
}

/* --- what is shown ---------------------------------------------------------------- */

void ig_colouring_redo(ig_app *app)
{
    ig_colouring *c = &app->colours;
    const bool *selected = app->selection.isolated ? app->selection.row : NULL;
    bool hidden = selected;

    for (size_t i = 0; i < app->set->languages && c->choice > 0; i++)
        hidden |= !app->shown[i];
    c->drawn = c->of;
    if (hidden && ig_colouring_reserve(app, &c->own_drawn)) {
        c->drawn = c->own_drawn;
        for (size_t i = 0; i < app->set->rows; i++)
            c->own_drawn[i] = app->shown[app->set->lang[i]] &&
                                      (!selected || selected[i])
                                  ? c->of[i]
                                  : IG_ROW_HIDDEN;
    }
    make_legend(app);
}

bool ig_colouring_shows(const ig_app *app, uint32_t row)
{
    const ig_colouring *c = &app->colours;

    return c->drawn[row] < c->groups && c->shown[c->drawn[row]];
}

void ig_colouring_toggle(ig_app *app, size_t group)
{
    ig_colouring *c = &app->colours;

    if (group >= c->groups) {
        ig_app_note(app, false,
                    c->choice == 0 ? "there are %zu languages"
                                   : "the legend has %zu places",
                    c->groups);
        return;
    }
    c->shown[group] = !c->shown[group];
    ig_colouring_redo(app);
}

void ig_colouring_toggle_language(ig_app *app, size_t language)
{
    app->shown[language] = !app->shown[language];
    ig_colouring_redo(app);
}

void ig_colouring_show_all(ig_app *app)
{
    ig_colouring *c = &app->colours;

    for (size_t i = 0; i < app->set->languages; i++)
        app->shown[i] = true;
    for (size_t i = 0; i < c->groups; i++)
        c->shown[i] = true;
    ig_colouring_redo(app);
}

/* --- for pictures ----------------------------------------------------------------- */

const char *ig_colouring_full(const ig_app *app, size_t group)
{
    const ig_colouring *c = &app->colours;

    return c->choice == 0 ? app->set->language[group] : c->text[group].full;
}
