/* What was loaded: a list of its properties, of the languages and of the labels. Enter
 * on a language shows or hides it, on a label colours the map by it. */
#include <stdio.h>
#include <string.h>

#include "draw/axes.h"
#include "tui/colouring.h"
#include "tui/properties.h"

enum { PROPERTIES = 8 /* before the languages */ };

extern const ig_panel ig_data_panel;

static ig_list_cursor *cursor_of(const ig_app *app)
{
    return ig_app_state(app, &ig_data_panel);
}

static size_t lines_of(const ig_app *app)
{
    return PROPERTIES + app->set->languages + app->set->labels;
}

static void focus(ig_app *app)
{
    *cursor_of(app) = (ig_list_cursor){0};
}

static void enter(ig_app *app, size_t line)
{
    if (line < PROPERTIES)
        return;
    line -= PROPERTIES;
    if (line < app->set->languages)
        ig_colouring_toggle_language(app, line);
    else if (line - app->set->languages < app->set->labels)
        ig_colouring_choose(app, 1 + line - app->set->languages);
}

static bool act(ig_app *app, ig_action action)
{
    ig_list_cursor *cursor = cursor_of(app);
    ig_rect inside = ig_app_pane(app, &ig_data_panel).inside;

    if (action == IG_ACT_ENTER)
        enter(app, cursor->line);
    return action == IG_ACT_ENTER ||
           ig_list_cursor_act(cursor, action, lines_of(app),
                              ig_list_cursor_page(inside, false));
}

static void mouse(ig_app *app, ig_key key)
{
    ig_list_cursor *cursor = cursor_of(app);

    if (ig_list_cursor_mouse(cursor, key, ig_app_pane(app, &ig_data_panel).inside,
                             false, lines_of(app)))
        enter(app, cursor->line);
}

static void data_property(const ig_app *app, size_t i, ig_property_text *f)
{
    const ig_set *set = app->set;
    const ig_set_notes *n = &set->notes;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    switch (i) {
    case 0:
        snprintf(f->name, sizeof f->name, "rows");
        snprintf(f->value, sizeof f->value,
                 n->sampled_from ? "%s, sampled from %s" : "%s",
                 ig_count_format(a, set->rows), ig_count_format(b, n->sampled_from));
        break;
    case 1:
        snprintf(f->name, sizeof f->name, "dimensions");
        snprintf(f->value, sizeof f->value, "%zu", set->dims);
        break;
    case 2:
        snprintf(f->name, sizeof f->name, "ids");
        snprintf(f->value, sizeof f->value, set->has_ids ? "%s" : "none: no pairs",
                 ig_count_format(a, set->ids));
        break;
    case 3:
        snprintf(f->name, sizeof f->name, "texts");
        snprintf(f->value, sizeof f->value,
                 set->has_text ? "%zu of them empty" : "none: no search",
                 n->empty_texts);
        ig_property_warn_if(f, n->empty_texts);
        break;
    case 4:
        snprintf(f->name, sizeof f->name, "zero vectors");
        snprintf(f->value, sizeof f->value, "%zu", app->zero_rows);
        ig_property_warn_if(f, app->zero_rows);
        break;
    case 5:
        snprintf(f->name, sizeof f->name, "repeated ids");
        snprintf(f->value, sizeof f->value, "%zu", n->repeated_ids);
        ig_property_warn_if(f, n->repeated_ids);
        break;
    case 6:
        snprintf(f->name, sizeof f->name, "single-row lang.");
        snprintf(f->value, sizeof f->value, "%zu", n->single_languages);
        ig_property_warn_if(f, n->single_languages);
        break;
    default:
        snprintf(f->name, sizeof f->name, "languages");
        snprintf(f->value, sizeof f->value, "%zu", set->languages);
    }
}

static void data_line(const ig_app *app, size_t i, ig_property_text *f)
{
    const ig_set *set = app->set;
    char count[IG_NUMBER_SIZE];

    if (i < PROPERTIES) {
        data_property(app, i, f);
        return;
    }
    i -= PROPERTIES;
    if (i < set->languages) {
        snprintf(f->name, sizeof f->name, "  %s", set->language[i]);
        snprintf(f->value, sizeof f->value, "%s rows%s",
                 ig_count_format(count, set->language_rows[i]),
                 app->colouring->language[i] ? "" : ", hidden");
        f->style = app->colouring->language[i] ? ig_style_of(ig_colour_language(i), 0)
                                               : ig_style_of(IG_COLOUR_DIM, 0);
        return;
    }
    i -= set->languages;
    snprintf(f->name, sizeof f->name, "label %s", set->label[i].name);
    snprintf(f->value, sizeof f->value, "%zu values", set->label[i].categories);
}

static void title(ig_app *app, char *out, char *note, size_t size)
{
    (void)app;
    (void)note;
    snprintf(out, size, "data");
}

static void draw(ig_app *app, const ig_pane *slot)
{
    ig_list_cursor none = {0}, *cursor = cursor_of(app);
    bool focused = app->focus == &ig_data_panel;

    ig_list_cursor_follow(cursor, lines_of(app),
                          ig_list_cursor_page(slot->inside, false));
    ig_properties_draw(app, slot->inside, lines_of(app), 18, focused ? cursor : &none,
                       focused, data_line);
}

const ig_panel ig_data_panel = {.name = "data",
                                .role = IG_ROLE_LIST,
                                .state = sizeof(ig_list_cursor),
                                .focus = focus,
                                .act = act,
                                .mouse = mouse,
                                .title = title,
                                .draw = draw};
