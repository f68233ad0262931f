/* What is looked at, kept and shown again. */
#include "tui/session_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/builder.h"
#include "base/setting.h"
#include "tui/colouring.h"
#include "tui/gloss.h"
#include "tui/panels/leakage_panel.h"
#include "tui/panels/map_panel.h"
#include "tui/panels/runs_panel.h"
#include "tui/searching.h"
#include "tui/session_check.h"
#include "tui/session_guests.h"
#include "tui/theming.h"

/* One thing that is kept of it. `take` is false when it is not what `expected` says;
 * `kept` tells whether there is something to keep (NULL: there always is). */
struct field {
    const char *name, *expected;
    ig_json *(*put)(const ig_app *app);
    bool (*take)(ig_app *app, const ig_json_value *value);
    bool (*kept)(const ig_app *app);
    void (*names)(const ig_app *app, ig_builder *out); /* that it can have, or NULL */
};

static void add_name(ig_builder *out, const char *name)
{
    ig_builder_add(out, "%s%s", out->length ? ", " : "", name);
}

static ig_json *put_row(const ig_app *app)
{
    return ig_json_count(app->cursor);
}

static bool take_row(ig_app *app, const ig_json_value *value)
{
    size_t row;

    if (!ig_json_count_of(value, &row))
        return false;
    if (row < app->set->rows)
        app->cursor = (uint32_t)row;
    else
        ig_session_leave_out(app, "row %zu of %zu", row, app->set->rows);
    return true;
}

static ig_json *put_space(const ig_app *app)
{
    return ig_json_text(ig_map_space_name(app->request.space));
}

/* Without coordinates of its own the set has no place for them. */
static int spaces(const ig_app *app)
{
    return app->set->xy[0] ? IG_MAP_SPACES : IG_MAP_XY;
}

static void space_names(const ig_app *app, ig_builder *out)
{
    for (int s = 0; s < spaces(app); s++)
        add_name(out, ig_map_space_name((ig_map_space)s));
}

static bool take_space(ig_app *app, const ig_json_value *value)
{
    const char *name = ig_json_text_of(value, NULL);

    for (int s = 0; name && s < spaces(app); s++)
        if (strcmp(ig_map_space_name((ig_map_space)s), name) == 0) {
            app->request.space = (ig_map_space)s;
            return true;
        }
    return false;
}

static bool take_bool(const ig_json_value *value, bool *out)
{
    *out = ig_json_is_true(value);
    return ig_json_kind_of(value) == IG_JSON_BOOL;
}

#define SWITCH(name, field)                                                            \
    static ig_json *put_##name(const ig_app *app)                                      \
    {                                                                                  \
        return ig_json_bool(field);                                                    \
    }                                                                                  \
    static bool take_##name(ig_app *app, const ig_json_value *value)                   \
    {                                                                                  \
        return take_bool(value, &(field));                                             \
    }
SWITCH(unit, app->request.unit)
SWITCH(all_rows, app->request.all_rows)
SWITCH(lines, ig_map_of(app)->lines)
SWITCH(expanded, app->expanded)

/* A word of a command that lays an axis. */
static void put_word(ig_builder *out, const char *word)
{
    const char *quote = strchr(word, ' ') ? "\"" : "";

    ig_builder_add(out, "%s%s%s", quote, word, quote);
}

static void put_end(ig_builder *out, const ig_map_end *end, const ig_set *set)
{
    char text[512];

    if (end->kind == IG_END_LABEL)
        snprintf(text, sizeof text, "%s=%s", set->label[end->label].name,
                 set->label[end->label].category[end->number]);
    else if (end->kind == IG_END_LANGUAGE)
        snprintf(text, sizeof text, "%s", set->language[end->number]);
    else if (end->kind == IG_END_GUEST)
        snprintf(text, sizeof text, "g%u", end->number);
    else
        snprintf(text, sizeof text, "#%u", end->number);
    put_word(out, text);
}

/* "g3" is the third guest of the session. */
static uint32_t find_place(const void *context, const char *word)
{
    uint64_t place;

    (void)context;
    return *word == 'g' && ig_whole_parse(word + 1, IG_GUESTS_MAX, &place)
               ? (uint32_t)place
               : 0;
}

static bool to_guest(const ig_map_axis *axis)
{
    return axis->kind != IG_AXIS_COMPONENT &&
           (axis->to.kind == IG_END_GUEST ||
            (axis->kind == IG_AXIS_BETWEEN && axis->from.kind == IG_END_GUEST));
}

/* What lays an axis again, whose guests are told by their place in the session; or
 * NULL: a name cannot be typed. */
static char *axis_words(const ig_map_axis *axis, const ig_set *set)
{
    ig_builder out = {0};
    ig_map_axis again;
    char *text;

    if (axis->kind == IG_AXIS_PROBE)
        ig_builder_add(&out, "probe ");
    if (axis->kind == IG_AXIS_BETWEEN) {
        put_end(&out, &axis->from, set);
        ig_builder_add(&out, " ");
    }
    put_end(&out, &axis->to, set);
    text = ig_builder_take(&out);
    if (text &&
        (ig_map_axis_parse(&again, text, set, find_place, NULL, NULL) != IG_OK ||
         !ig_map_axis_same(&again, axis))) {
        ig_free(text);
        text = NULL;
    }
    return text;
}

static ig_json *put_axes(const ig_app *app)
{
    const ig_view_request *r = &app->request;
    ig_json *out = ig_json_array();

    for (int i = 0; i < 2; i++) {
        ig_map_axis axis;
        char *laid = ig_session_guests_axis(app, i, &axis) ? axis_words(&axis, app->set)
                                                           : NULL;

        ig_json_push(out, laid ? ig_json_text(laid) : ig_json_count(r->axis[i] + 1));
        ig_free(laid);
    }
    return out;
}

static bool take_axes(ig_app *app, const ig_json_value *value)
{
    ig_view_request *r = &app->request;

    if (ig_json_kind_of(value) != IG_JSON_ARRAY || ig_json_size(value) != 2)
        return false;
    for (size_t i = 0; i < 2; i++) {
        const ig_json_value *one = ig_json_at(value, i);
        const char *laid = ig_json_text_of(one, NULL);
        size_t number;

        if (laid) {
            ig_map_axis axis;

            if (ig_map_axis_parse(&axis, laid, app->set, find_place, NULL, NULL) !=
                IG_OK)
                return false;
            *(to_guest(&axis) ? &app->awaited_axis[i] : &r->laid[i]) = axis;
            continue;
        }
        if (!ig_json_count_of(one, &number) || number == 0 || number > app->set->dims)
            return false;
        r->axis[i] = number - 1;
    }
    return true;
}

static ig_json *put_to(const ig_app *app)
{
    const ig_view_request *r = &app->request;
    ig_json *out;

    if (r->to != IG_TO_CHOSEN)
        return ig_json_text(r->to == IG_TO_ALL ? "all" : "others");
    out = ig_json_array();
    for (size_t l = 0; l < app->set->languages; l++)
        if (ig_request_has_language(r, l))
            ig_json_push(out, ig_json_text(app->set->language[l]));
    return out;
}

static bool take_to(ig_app *app, const ig_json_value *value)
{
    const char *word = ig_json_text_of(value, NULL);
    ig_view_request *r = &app->request;

    if (word && strcmp(word, "all") != 0 && strcmp(word, "others") != 0)
        return false;
    r->to = !word ? IG_TO_CHOSEN : *word == 'a' ? IG_TO_ALL : IG_TO_OTHERS;
    for (size_t i = 0; i < ig_json_size(value); i++) {
        const char *code = ig_json_text_of(ig_json_at(value, i), NULL);
        int language = code ? ig_set_language(app->set, code) : -1;

        if (language < 0)
            return false;
        ig_request_choose_language(r, (size_t)language);
    }
    return word || (ig_json_kind_of(value) == IG_JSON_ARRAY && ig_json_size(value) > 0);
}

static ig_json *put_sort(const ig_app *app)
{
    char sorting[IG_RUNS_SORTING];

    return ig_json_text(ig_runs_sorting(app, sorting));
}

static bool kept_sort(const ig_app *app)
{
    char sorting[IG_RUNS_SORTING];

    return ig_runs_sorting(app, sorting) != NULL;
}

static bool take_sort(ig_app *app, const ig_json_value *value)
{
    const char *name = ig_json_text_of(value, NULL);

    return name && ig_runs_set_sorting(app, name);
}

static void sort_names(const ig_app *app, ig_builder *out)
{
    for (size_t i = 0; ig_runs_columns(app, i, NULL); i++)
        add_name(out, ig_runs_columns(app, i, NULL));
}

static bool was_opened(const ig_app *app, unsigned number)
{
    for (size_t i = 0; i < app->opened_runs; i++)
        if (app->opened_run[i] == number)
            return true;
    return false;
}

bool ig_session_run(const ig_app *app, size_t place, unsigned *number,
                    const char **directory)
{
    for (size_t i = 0; i < app->opened_runs; i++) {
        const ig_run_line *line =
            app->opened_run[i] ? ig_app_run(app, app->opened_run[i]) : NULL;

        if (app->opened_run[i] && !(line && ig_run_line_kept(line)))
            continue; /* it was closed */
        if (place-- > 0)
            continue;
        *number = app->opened_run[i];
        *directory = line ? line->directory : app->opened_path[i];
        return true;
    }
    for (size_t i = 0; i < app->now->runs; i++) {
        const ig_run_line *line = &app->now->run_line[i];

        if (!ig_run_line_kept(line) || was_opened(app, line->number) || place-- > 0)
            continue;
        *number = line->number;
        *directory = line->directory;
        return true;
    }
    return false;
}

/* The place of a run in that list, from 1; 0: none. */
static size_t place_of(const ig_app *app, unsigned number)
{
    const char *directory;
    unsigned there;

    for (size_t i = 0; number && ig_session_run(app, i, &there, &directory); i++)
        if (there == number)
            return i + 1;
    return 0;
}

/* Runs by their place there. */
static bool take_run(ig_app *app, const ig_json_value *value, unsigned *out)
{
    size_t number;

    if (!ig_json_count_of(value, &number) || number > app->opened_runs)
        return false;
    *out = number ? app->opened_run[number - 1] : 0;
    return true;
}

static ig_json *put_shown(const ig_app *app)
{
    return ig_json_count(place_of(app, app->request.show));
}

static bool take_shown(ig_app *app, const ig_json_value *value)
{
    return take_run(app, value, &app->request.show);
}

static ig_json *put_compared(const ig_app *app)
{
    return ig_json_count(place_of(app, app->request.compared));
}

static bool take_compared(ig_app *app, const ig_json_value *value)
{
    return take_run(app, value, &app->request.compared);
}

static ig_json *put_colour(const ig_app *app)
{
    return ig_json_text(ig_colouring_name(app, app->colouring->choice));
}

static bool take_colour(ig_app *app, const ig_json_value *value)
{
    const char *name = ig_json_text_of(value, NULL);

    for (size_t i = 0; name && i < ig_colouring_choices(app); i++)
        if (strcmp(ig_colouring_name(app, i), name) == 0) {
            ig_colouring_choose(app, i);
            return true;
        }
    return false;
}

static ig_json *put_hidden(const ig_app *app)
{
    ig_json *out = ig_json_array();

    for (size_t l = 0; l < app->set->languages; l++)
        if (!app->colouring->language[l])
            ig_json_push(out, ig_json_text(app->set->language[l]));
    return out;
}

static bool take_hidden(ig_app *app, const ig_json_value *value)
{
    for (size_t i = 0; i < ig_json_size(value); i++) {
        const char *code = ig_json_text_of(ig_json_at(value, i), NULL);
        int language = code ? ig_set_language(app->set, code) : -1;

        if (language < 0)
            return false;
        if (app->colouring->language[language])
            ig_colouring_toggle_language(app, (size_t)language);
    }
    return ig_json_kind_of(value) == IG_JSON_ARRAY;
}

/* The part of the map that was zoomed or panned to. */
static ig_json *put_window(const ig_app *app)
{
    const ig_map_state *m = ig_map_of(app);
    const double edge[] = {m->main.view.xmin, m->main.view.xmax, m->main.view.ymin,
                           m->main.view.ymax};
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < 4; i++)
        ig_json_push(out, ig_json_real(edge[i]));
    return out;
}

static bool kept_window(const ig_app *app)
{
    return ig_map_of(app)->view_is_mine;
}

static bool take_window(ig_app *app, const ig_json_value *value)
{
    double edge[4];

    if (ig_json_size(value) != 4)
        return false;
    for (size_t i = 0; i < 4; i++) {
        edge[i] = ig_json_number_of(ig_json_at(value, i));
        if (!isfinite(edge[i]) || fabs(edge[i]) > 1e30)
            return false;
    }
    if (edge[0] >= edge[1] || edge[2] >= edge[3])
        return false;
    ig_map_window(app, (ig_view){edge[0], edge[1], edge[2], edge[3]});
    return true;
}

static ig_json *put_gloss(const ig_app *app)
{
    return ig_json_text(ig_gloss_language(app));
}

static bool kept_gloss(const ig_app *app)
{
    return ig_gloss_language(app) != NULL;
}

static bool take_gloss(ig_app *app, const ig_json_value *value)
{
    const char *code = ig_json_text_of(value, NULL);

    if (!code || ig_set_language(app->set, code) < 0)
        return false;
    ig_gloss_command(app, code);
    return ig_gloss_language(app) != NULL;
}

static ig_json *put_accents(const ig_app *app)
{
    return ig_json_text(ig_search_accents(app) == IG_ACCENTS_TYPED ? "typed" : "count");
}

static bool take_accents(ig_app *app, const ig_json_value *value)
{
    const char *word = ig_json_text_of(value, NULL);

    if (!word || (strcmp(word, "typed") != 0 && strcmp(word, "count") != 0))
        return false;
    ig_search_set_accents(app, *word == 't' ? IG_ACCENTS_TYPED : IG_ACCENTS_COUNT);
    return true;
}

static ig_json *put_theme(const ig_app *app)
{
    return ig_json_text(ig_theme_choice(app->theme));
}

static bool kept_theme(const ig_app *app)
{
    return app->theme >= 0;
}

static bool take_theme(ig_app *app, const ig_json_value *value)
{
    const char *name = ig_json_text_of(value, NULL);

    for (int i = 0; name && ig_theme_choice(i); i++)
        if (strcmp(ig_theme_choice(i), name) == 0) {
            if (app->theme < 0) /* the command line has the last word */
                ig_theming_choose(app, i);
            return true;
        }
    return false;
}

static void theme_names(const ig_app *app, ig_builder *out)
{
    (void)app;
    for (int i = 0; ig_theme_choice(i); i++)
        add_name(out, ig_theme_choice(i));
}

static ig_json *put_leakage(const ig_app *app)
{
    return ig_json_text(ig_leakage_view_at(ig_leakage_of(app)->view)->name);
}

static bool take_leakage(ig_app *app, const ig_json_value *value)
{
    const char *name = ig_json_text_of(value, NULL);

    for (size_t i = 0; name && ig_leakage_view_at(i); i++)
        if (strcmp(ig_leakage_view_at(i)->name, name) == 0) {
            ig_leakage_of(app)->view = i;
            return true;
        }
    return false;
}

static void leakage_names(const ig_app *app, ig_builder *out)
{
    (void)app;
    for (size_t i = 0; ig_leakage_view_at(i); i++)
        add_name(out, ig_leakage_view_at(i)->name);
}

/* A panel that may be empty shows a list, which is not kept: the first of its role then
 * stands there. */
static const ig_panel *kept_panel(const ig_app *app, const ig_panel *panel)
{
    return panel->empty ? ig_app_first(app, panel->role) : panel;
}

static const ig_panel *panel_of(const ig_app *app, const ig_json_value *value)
{
    const char *name = ig_json_text_of(value, NULL);

    for (size_t i = 0; name && i < app->panels; i++)
        if (strcmp(app->panel[i]->name, name) == 0 && !app->panel[i]->empty)
            return app->panel[i];
    return NULL;
}

static void panel_names(const ig_app *app, ig_builder *out)
{
    for (size_t i = 0; i < app->panels; i++)
        if (!app->panel[i]->empty)
            add_name(out, app->panel[i]->name);
}

static void side_names(const ig_app *app, ig_builder *out)
{
    for (size_t i = 0; i < app->panels; i++)
        if (!app->panel[i]->empty && app->panel[i]->role == IG_ROLE_SIDE)
            add_name(out, app->panel[i]->name);
}

static ig_json *put_side(const ig_app *app)
{
    return ig_json_text(kept_panel(app, ig_app_in(app, IG_ROLE_SIDE))->name);
}

static bool take_side(ig_app *app, const ig_json_value *value)
{
    const ig_panel *panel = panel_of(app, value);

    if (!panel || panel->role != IG_ROLE_SIDE)
        return false;
    ig_app_show(app, panel);
    return true;
}

static ig_json *put_panel(const ig_app *app)
{
    return ig_json_text(kept_panel(app, app->focus)->name);
}

static bool take_panel(ig_app *app, const ig_json_value *value)
{
    const ig_panel *panel = panel_of(app, value);

    if (panel)
        ig_app_focus(app, panel);
    return panel != NULL;
}

/* In the order in which they are taken. */
static const struct field view[] = {
    {"row", "the number of a row", put_row, take_row, NULL, NULL},
    {"space", "a space of the map", put_space, take_space, NULL, space_names},
    {"unit", "true or false", put_unit, take_unit, NULL, NULL},
    {"axes", "two components of the set, from 1, or what an axis is laid through",
     put_axes, take_axes, NULL, NULL},
    {"to", "all, others, or a list of languages of the set", put_to, take_to, NULL,
     NULL},
    {"all_rows", "true or false", put_all_rows, take_all_rows, NULL, NULL},
    {"shown", "a number of the runs, 0 for the newest", put_shown, take_shown, NULL,
     NULL},
    {"compared", "a number of the runs, 0 for none", put_compared, take_compared, NULL,
     NULL},
    {"sort", "a column of the runs, after - from the greatest on", put_sort, take_sort,
     kept_sort, sort_names},
    {"colour", "what the map can be coloured by", put_colour, take_colour, NULL, NULL},
    {"hidden", "a list of languages of the set", put_hidden, take_hidden, NULL, NULL},
    {"lines", "true or false", put_lines, take_lines, NULL, NULL},
    {"window", "left, right, lower and upper edge", put_window, take_window,
     kept_window, NULL},
    {"gloss", "a language of the set, which has texts and ids", put_gloss, take_gloss,
     kept_gloss, NULL},
    {"accents", "typed or count", put_accents, take_accents, NULL, NULL},
    {"theme", "the name of a theme", put_theme, take_theme, kept_theme, theme_names},
    {"leakage", "the name of a matrix", put_leakage, take_leakage, NULL, leakage_names},
    {"side", "the name of a panel beside the map", put_side, take_side, NULL,
     side_names},
    {"panel", "the name of a panel", put_panel, take_panel, NULL, panel_names},
    {"expanded", "true or false", put_expanded, take_expanded, NULL, NULL},
};
enum { FIELDS = sizeof view / sizeof *view };

ig_json *ig_session_view_json(const ig_app *app)
{
    ig_json *out = ig_json_object();

    for (size_t i = 0; i < FIELDS; i++)
        if (!view[i].kept || view[i].kept(app))
            ig_json_put(out, view[i].name, view[i].put(app));
    return out;
}

static ig_status refuse(const ig_app *app, const struct field *f, const char *file,
                        const char *what, const ig_json_value *value, ig_error *error)
{
    ig_builder names = {0}, expected = {0};
    ig_status status;

    if (f->names)
        f->names(app, &names);
    ig_builder_add(&expected, "%s", f->expected);
    if (names.length && !names.failed)
        ig_builder_add(&expected, " (%s)", names.text);
    status = ig_session_refuse(error, file, what,
                               expected.failed ? f->expected : expected.text, value);
    ig_builder_free(&names);
    ig_builder_free(&expected);
    return status;
}

ig_status ig_session_view_take(ig_app *app, const char *file,
                               const ig_json_value *object, ig_error *error)
{
    const char *keys[FIELDS + 1] = {NULL};
    ig_status status;

    for (size_t i = 0; i < FIELDS; i++)
        keys[i] = view[i].name;
    status = ig_session_keys(file, "view", object, keys, error);
    for (size_t i = 0; i < FIELDS && status == IG_OK; i++) {
        const ig_json_value *value = ig_json_get(object, view[i].name);
        char what[64];

        snprintf(what, sizeof what, "view: %s", view[i].name);
        if (value && !view[i].take(app, value))
            status = refuse(app, &view[i], file, what, value, error);
    }
    return status;
}
