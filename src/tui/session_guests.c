/* Guests of a session: written, asked for again, and awaited. */
#include "tui/session_guests.h"

#include <stdio.h>
#include <string.h>

#include "tui/session_check.h"

/* --- writing ---------------------------------------------------------------------- */

/* A guest of the session that was opened: it is asked for again, and written again as
 * long as it is not there. */
struct ig_awaited {
    char text[IG_GUEST_TEXT], name[IG_GUEST_NAME]; /* text "": none */
    int lang;                                      /* -1: not said */
    unsigned number; /* of the guest it has become; 0: it is not there */
};

static ig_json *guest_json(const ig_app *app, const char *text, int lang,
                           const char *name)
{
    ig_json *out = ig_json_object();

    ig_json_put(out, "text", ig_json_text(text));
    if (lang >= 0)
        ig_json_put(out, "lang", ig_json_text(app->set->language[lang]));
    if (*name)
        ig_json_put(out, "name", ig_json_text(name));
    return out;
}

ig_json *ig_session_guests_json(const ig_app *app)
{
    ig_json *out = ig_json_array();

    for (size_t i = 0; i < app->now->guests; i++) {
        const ig_guest *g = &app->now->guest[i];

        ig_json_push(out, guest_json(app, g->text, g->said ? g->lang : -1, g->name));
    }
    for (size_t i = 0; app->awaited && i < IG_GUESTS_MAX; i++) {
        const struct ig_awaited *a = &app->awaited[i];

        if (a->text[0] && !a->number)
            ig_json_push(out, guest_json(app, a->text, a->lang, a->name));
    }
    return out;
}

/* --- axes through them ------------------------------------------------------------ */

static bool is_guest(const ig_map_axis *axis, const ig_map_end *end)
{
    return end->kind == IG_END_GUEST &&
           (axis->kind == IG_AXIS_BETWEEN ||
            (axis->kind == IG_AXIS_PROBE && end == &axis->to));
}

/* Give the guests of an axis other numbers; false: one has none (0). */
static bool renumber(const ig_app *app, ig_map_axis *axis,
                     uint32_t (*number)(const ig_app *app, uint32_t guest))
{
    ig_map_end *end[] = {&axis->from, &axis->to};

    for (int e = 0; e < 2; e++)
        if (is_guest(axis, end[e]) &&
            (end[e]->number = number(app, end[e]->number)) == 0)
            return false;
    return axis->kind != IG_AXIS_COMPONENT;
}

static uint32_t place_of_guest(const ig_app *app, uint32_t guest)
{
    for (size_t i = 0; i < app->now->guests; i++)
        if (app->now->guest[i].number == guest)
            return (uint32_t)i + 1;
    return 0;
}

/* The place of one that was at a place of the session that was opened. */
static uint32_t place_of_awaited(const ig_app *app, uint32_t place)
{
    const struct ig_awaited *a = app->awaited;
    size_t before = app->now->guests;

    if (!a || a[place - 1].number)
        return a ? place_of_guest(app, a[place - 1].number) : 0;
    for (size_t i = 0; i + 1 < place; i++)
        before += a[i].text[0] && !a[i].number;
    return (uint32_t)before + 1;
}

static uint32_t number_of_awaited(const ig_app *app, uint32_t place)
{
    return app->awaited ? app->awaited[place - 1].number : 0;
}

bool ig_session_guests_axis(const ig_app *app, int which, ig_map_axis *axis)
{
    *axis = app->request.laid[which];
    if (axis->kind != IG_AXIS_COMPONENT)
        return renumber(app, axis, place_of_guest);
    *axis = app->awaited_axis[which];
    return renumber(app, axis, place_of_awaited);
}

/* Whether the session has all guests that an axis of its view leads to. */
static bool all_named(const ig_app *app, const ig_map_axis *axis)
{
    const ig_map_end *end[] = {&axis->from, &axis->to};

    for (int e = 0; e < 2; e++)
        if (is_guest(axis, end[e]) &&
            !(app->awaited && app->awaited[end[e]->number - 1].text[0]))
            return false;
    return true;
}

/* Lay axes whose guests have all come, unless another was laid meanwhile. */
static void lay_awaited(ig_app *app)
{
    for (int j = 0; j < 2; j++) {
        ig_map_axis axis = app->awaited_axis[j];

        if (!renumber(app, &axis, number_of_awaited))
            continue;
        app->awaited_axis[j] = (ig_map_axis){0};
        if (app->request.laid[j].kind != IG_AXIS_COMPONENT)
            continue;
        app->request.laid[j] = axis;
        ig_app_send(app);
    }
}

/* --- reading ---------------------------------------------------------------------- */

static bool await(ig_app *app, size_t i, const char *text, int lang, const char *name)
{
    if (!app->awaited)
        app->awaited = ig_alloc(IG_GUESTS_MAX, sizeof *app->awaited);
    if (!app->awaited)
        return false;
    app->awaited[i] = (struct ig_awaited){.lang = lang};
    snprintf(app->awaited[i].text, IG_GUEST_TEXT, "%s", text);
    snprintf(app->awaited[i].name, IG_GUEST_NAME, "%s", name ? name : "");
    return true;
}

static bool has_come(const ig_app *app, unsigned number)
{
    for (size_t k = 0; k < IG_GUESTS_MAX; k++)
        if (app->awaited[k].number == number)
            return true;
    return false;
}

void ig_session_guests_update(ig_app *app)
{
    for (size_t i = 0; app->awaited && i < app->now->guests; i++)
        for (size_t k = 0; k < IG_GUESTS_MAX; k++) {
            struct ig_awaited *a = &app->awaited[k];
            const ig_guest *g = &app->now->guest[i];
            ig_command rename = {.kind = IG_COMMAND_RENAME, .run = g->number};

            if (has_come(app, g->number))
                break;
            if (a->number || strcmp(a->text, g->text) != 0)
                continue;
            a->number = g->number;
            snprintf(rename.path, sizeof rename.path, "%s", a->name);
            if (a->name[0] && !g->name[0])
                ig_app_command(app, &rename);
            break;
        }
    lay_awaited(app);
}

/* Why guests are not there, and that they stay in the session.
 *   named  in  the session names an encoder */
static void tell_unasked(ig_app *app, bool named, size_t guests)
{
    const char *why = app->no_encoder ? app->no_encoder : "there is no encoder";

    if (guests)
        ig_app_note(app, false, "%s; the session keeps its guest%s", why,
                    guests == 1 ? "" : "s");
    else if (named)
        ig_app_note(app, false, "%s", why);
}

/* They are encoded anew, where there is an encoder. */
ig_status ig_session_guests_restore(ig_app *app, const char *file,
                                    const ig_json_value *session, bool named,
                                    ig_error *error)
{
    static const char *const keys[] = {"text", "lang", "name", NULL};
    const ig_json_value *list = ig_json_get(session, "guests");

    if (ig_json_size(list) > IG_GUESTS_MAX)
        return ig_fail(error, IG_FORMAT, "%s: guests: %zu of them, where %d are most",
                       file, ig_json_size(list), IG_GUESTS_MAX);
    for (size_t i = 0; i < ig_json_size(list); i++) {
        const ig_json_value *one = ig_json_at(list, i);
        const char *text = ig_json_text_of(ig_json_get(one, "text"), NULL);
        const char *lang = ig_json_text_of(ig_json_get(one, "lang"), NULL);
        const char *name = ig_json_text_of(ig_json_get(one, "name"), NULL);
        ig_command ask = {.kind = IG_COMMAND_ASK};
        ig_status status = ig_session_keys(file, "a guest", one, keys, error);

        if (status != IG_OK)
            return status;
        if (!text || !*text || strlen(text) >= sizeof ask.path)
            return ig_session_refuse(error, file, "guests: text", "a sentence",
                                     ig_json_get(one, "text"));
        if (ig_json_get(one, "lang") && (!lang || ig_set_language(app->set, lang) < 0))
            return ig_session_refuse(error, file, "guests: lang",
                                     "a language of the set", ig_json_get(one, "lang"));
        snprintf(ask.path, sizeof ask.path, "%s", text);
        snprintf(ask.method, sizeof ask.method, "%s", lang ? lang : "");
        if (ig_json_get(one, "name") && (!name || strlen(name) >= IG_GUEST_NAME))
            return ig_session_refuse(error, file, "guests: name", "a short text",
                                     ig_json_get(one, "name"));
        if (!await(app, i, text, lang ? ig_set_language(app->set, lang) : -1, name))
            return ig_fail_memory(error, "the session's guests");
        if (app->can_ask)
            ig_app_command(app, &ask);
    }
    for (int j = 0; j < 2; j++)
        if (!all_named(app, &app->awaited_axis[j]))
            return ig_session_refuse(error, file, "view: axes",
                                     "axes through guests that the session has",
                                     ig_json_get(ig_json_get(session, "view"), "axes"));
    if (!app->can_ask)
        tell_unasked(app, named, ig_json_size(list));
    return IG_OK;
}
