/* What was loaded: a list of its properties, of the languages and of the labels. Enter
 * on a language shows or hides it, on a label colours the map by it. */
#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "tui/colouring.h"
#include "tui/narration.h"
#include "tui/properties.h"

extern const ig_panel ig_data_panel;

static ig_list_cursor *cursor_of(const ig_app *app)
{
    return ig_app_state(app, &ig_data_panel);
}

static void tell_language(const ig_app *app, size_t i, ig_property_line *line)
{
    bool shown = app->colouring->language[i];
    char name[sizeof line->name], count[IG_NUMBER_SIZE];

    snprintf(name, sizeof name, "  %.60s", app->set->language[i]);
    ig_property(line, name, "%s rows%s",
                ig_count_format(count, app->set->language_rows[i]),
                shown ? "" : ", hidden");
    line->style = ig_style_of(shown ? ig_colour_language(i) : IG_COLOUR_DIM, 0);
}

/* What its .json says of the encoder. */
static void tell_origin(const ig_origin *o, ig_property_line *line)
{
    if (!o || !o->encoder)
        return;
    ig_property(line, "encoder", "%s", o->model ? o->model : o->encoder);
    if (o->model)
        ig_property(line, "  at", "%s", o->encoder);
    if (o->prefix && *o->prefix)
        ig_property(line, "  prefix", "'%s'", o->prefix);
    if (o->date)
        ig_property(line, "  on", "%.10s", o->date);
}

static void tell_advice(const ig_app *app, ig_property_line *line)
{
    char advice[IG_ADVICE_MOST][IG_ADVICE_SIZE];
    size_t n = ig_advising_set(app, advice);

    for (size_t k = 0; k < n; k++) {
        ig_property(line, k ? "" : "advice", "%s", advice[k]);
        ig_property_warn_if(line, 1);
    }
}

static void tell(const ig_app *app, ig_property_line *line)
{
    const ig_set *set = app->set;
    const ig_set_notes *n = &set->notes;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE], name[sizeof line->name];
    size_t i;

    ig_property(line, "rows", n->sampled_from ? "%s, sampled from %s" : "%s",
                ig_count_format(a, set->rows), ig_count_format(b, n->sampled_from));
    ig_property(line, "dimensions", "%zu", set->dims);
    tell_origin(app->origin, line);
    ig_property(line, "ids", set->has_ids ? "%s" : "none: no pairs",
                ig_count_format(a, set->ids));
    tell_advice(app, line);
    ig_property(line, set->has_text ? "empty texts" : "texts",
                set->has_text ? "%zu" : "none, so nothing can be searched",
                n->empty_texts);
    ig_property_warn_if(line, n->empty_texts);
    if (n->broken_texts) {
        ig_property(line, "not UTF-8", "%s text%s (Latin-1?)",
                    ig_count_format(a, n->broken_texts),
                    n->broken_texts == 1 ? "" : "s");
        ig_property_warn_if(line, n->broken_texts);
    }
    ig_property(line, "zero vectors", "%zu", app->zero_rows);
    ig_property_warn_if(line, app->zero_rows);
    ig_property(line, "repeated ids", "%zu", n->repeated_ids);
    ig_property_warn_if(line, n->repeated_ids);
    ig_property(line, "single-row lang.", "%zu", n->single_languages);
    ig_property_warn_if(line, n->single_languages);
    if (set->xy[0])
        ig_property(line, "map xy", "columns %.60s, %.60s", set->xy[0]->name,
                    set->xy[1]->name);
    ig_property(line, "languages", "%zu", set->languages);
    i = line->wanted - line->next; /* of the languages, then of the labels */
    if (line->wanted >= line->next && i < set->languages) {
        line->next = line->wanted;
        tell_language(app, i, line);
    } else if (line->wanted >= line->next && i - set->languages < set->labels) {
        const ig_label *label = &set->label[i - set->languages];

        line->next = line->wanted;
        snprintf(name, sizeof name, "label %.50s", label->name);
        ig_property(line, name, "%zu values", label->categories);
    } else {
        line->next += set->languages + set->labels;
    }
}

static size_t lines_of(const ig_app *app)
{
    return ig_properties_count(app, tell);
}

static void focus(ig_app *app)
{
    *cursor_of(app) = (ig_list_cursor){0};
}

/* False: the line is neither a language nor a label. */
static bool enter(ig_app *app, size_t line)
{
    size_t languages = app->set->languages;
    size_t first = lines_of(app) - languages - app->set->labels;

    if (line >= first + languages)
        ig_colouring_choose(app, 1 + line - first - languages);
    else if (line >= first)
        ig_colouring_toggle_language(app, line - first);
    return line >= first;
}

static bool act(ig_app *app, ig_action action)
{
    ig_list_cursor *cursor = cursor_of(app);
    ig_rect inside = ig_app_pane(app, &ig_data_panel).inside;

    if (action == IG_ACT_ENTER)
        return enter(app, cursor->line);
    return ig_list_cursor_act(cursor, action, lines_of(app),
                              ig_list_cursor_page(inside, false));
}

static void mouse(ig_app *app, ig_key key)
{
    ig_list_cursor *cursor = cursor_of(app);

    if (ig_list_cursor_mouse(cursor, key, ig_app_pane(app, &ig_data_panel).inside,
                             false, lines_of(app)))
        enter(app, cursor->line);
}

static void draw(ig_app *app, const ig_pane *pane)
{
    ig_list_cursor none = {0}, *cursor = cursor_of(app);
    bool focused = app->focus == &ig_data_panel;

    ig_list_cursor_follow(cursor, lines_of(app),
                          ig_list_cursor_page(pane->inside, false));
    ig_properties_draw(app, pane->inside, 18, focused ? cursor : &none, focused, tell);
}

/* What Enter does to the language or the label of the cursor's line. */
static const char *enter_word(const ig_app *app)
{
    size_t languages = app->set->languages, line = cursor_of(app)->line;
    size_t first = lines_of(app) - languages - app->set->labels;

    return line >= first + languages                ? "colour by it"
           : line < first                           ? NULL
           : app->colouring->language[line - first] ? "hide"
                                                    : "show";
}

static const ig_panel_hint hints[] = {
    {"enter", NULL, enter_word, 0},
    {0},
};

const ig_panel ig_data_panel = {
    .name = "data",
    .about = "what was loaded: its properties, languages and labels",
    .reads = "What was read: rows, dimensions, and how many rows each "
             "language and label has. Lines in the colour of warnings tell "
             "of rows that training or measuring cannot use well, such as "
             "repeated ids or zero vectors. Enter on a language hides or "
             "shows it, and on a label colours the map by it.",
    .role = IG_ROLE_LIST,
    .state = sizeof(ig_list_cursor),
    .focus = focus,
    .act = act,
    .mouse = mouse,
    .hints = hints,
    .draw = draw};
