/* The shared state of the explorer. */
#include "explorer/app.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

void ig_app_note(ig_app *app, bool is_error, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(app->note, sizeof app->note, format, args);
    va_end(args);
    app->note_is_error = is_error;
}

const char *ig_app_glyph(const ig_app *app, ig_glyph glyph)
{
    return ig_glyph_text(app->canvas.glyphs, glyph);
}

char *ig_app_tail(const ig_app *app, char *text, int columns)
{
    const char *dots = ig_app_glyph(app, IG_GLYPH_ELLIPSIS);
    int cut = (int)strlen(dots), used = ig_text_columns(dots);
    char *at = text;

    if (ig_text_columns(text) <= columns)
        return text;
    while (*at && (at - text < cut || ig_text_columns(at) + used > columns))
        at += ig_text_grapheme(at, strlen(at)).source;
    return at - text < cut || columns < used ? at : memcpy(at - cut, dots, (size_t)cut);
}

void ig_list_word(char *list, size_t size, const char *word)
{
    size_t used = strlen(list);

    if (used + strlen(word) + 8 < size)
        ig_text_append(list, size, "%s%s", used ? ", " : "", word);
    else if (used && !strstr(list, " …"))
        ig_text_append(list, size, " …");
}

void ig_app_go(ig_app *app, uint32_t row)
{
    if (row >= app->set->rows)
        return;
    app->view->typed = 0;
    if (app->passed == sizeof app->trail / sizeof *app->trail)
        memmove(app->trail, app->trail + 1, --app->passed * sizeof *app->trail);
    if (row != app->cursor)
        app->trail[app->passed++] = app->cursor;
    app->cursor = app->view->row = row;
}

uint32_t ig_app_row(ig_app *app)
{
    uint32_t row = app->focus->row ? app->focus->row(app) : IG_NO_ROW;

    return row < app->set->rows ? row : app->cursor;
}

/* --- panels ----------------------------------------------------------------------- */

void *ig_app_state(const ig_app *app, const ig_panel *panel)
{
    size_t i = 0;

    while (i < app->panels && app->panel[i] != panel)
        i++;
    return i < app->panels ? app->state[i] : NULL;
}

const ig_panel *ig_app_first(const ig_app *app, ig_role role)
{
    size_t i = 0;

    while (app->panel[i]->role != role)
        i++;
    return app->panel[i];
}

const ig_panel *ig_app_in(const ig_app *app, ig_role role)
{
    return app->focus->role == role ? app->focus : app->in_role[role];
}

void ig_app_focus(ig_app *app, const ig_panel *panel)
{
    app->levels = 0;
    app->focus = app->in_role[panel->role] = panel;
    if (panel->role == IG_ROLE_LIST && panel != ig_app_first(app, IG_ROLE_LIST))
        app->in_role[IG_ROLE_SIDE] = ig_app_first(app, IG_ROLE_SIDE);
    if (panel->focus)
        panel->focus(app);
}

void ig_app_keep(ig_app *app)
{
    if (app->levels == sizeof app->from / sizeof *app->from)
        memmove(app->from, app->from + 1, --app->levels * sizeof *app->from);
    app->from[app->levels].panel = app->focus;
    app->from[app->levels++].leakage = app->leakage;
}

void ig_app_open(ig_app *app, const ig_panel *panel)
{
    size_t levels;

    if (app->focus == panel)
        return;
    ig_app_keep(app);
    levels = app->levels;
    ig_app_focus(app, panel);
    app->levels = levels;
}

void ig_app_show(ig_app *app, const ig_panel *panel)
{
    if (app->focus == ig_app_first(app, app->focus->role))
        app->in_role[panel->role] = panel;
}

const char *ig_app_name(const ig_app *app, const ig_panel *panel)
{
    return panel->asks == IG_ASKS_VERSIONS ? ig_version_word(app, true) : panel->name;
}

ig_pane ig_app_pane(const ig_app *app, const ig_panel *panel)
{
    return ig_app_in(app, panel->role) == panel ? app->layout.role[panel->role]
                                                : (ig_pane){0};
}

const ig_panel *ig_app_panel_after(const ig_app *app, int step)
{
    ig_role role = app->focus->role;
    size_t i = 0;

    while (app->panel[i] != app->focus)
        i++;
    for (size_t n = 1; n < app->panels && step == IG_ROLES; n++)
        if (app->panel[(i + n) % app->panels]->role == role)
            return app->panel[(i + n) % app->panels];
    return app->in_role[((int)role + step + IG_ROLES) % IG_ROLES];
}

/* --- runs and rows ---------------------------------------------------------------- */

bool ig_app_busy(const ig_app *app)
{
    return ig_session_going(app->now) || ig_session_starting(app->now);
}

unsigned ig_app_run(const ig_app *app)
{
    return app->view->show ? app->view->show : app->now->shown_run;
}

void ig_app_start(ig_app *app, const char *method)
{
    if (method != app->start.method)
        snprintf(app->start.method, sizeof app->start.method, "%s", method);
    app->view->paused = app->view->looking = false;
    app->view->show = 0;
    app->view->halt = 0;
    if (app->now->dataset.room > 1) /* the curves of runs in place of theirs */
        ig_app_show(app, app->panel[2]);
    ig_session_command(app->session, &app->start);
}

const char *ig_run_label(const ig_app *app, unsigned number, char out[IG_RUN_LABEL])
{
    const ig_run_entry *run = ig_runs_find(&app->now->runs, number);

    snprintf(out, IG_RUN_LABEL, "%u", number);
    if (run)
        ig_text_append(out, IG_RUN_LABEL, " %s", run->info->name);
    if (run && app->versions->count > 1)
        ig_text_append(out, IG_RUN_LABEL, " (%.8s)",
                       app->versions->set[run->version]->version);
    return out;
}

void ig_strength_append(const ig_app *app, unsigned run, float strength, char *out,
                        size_t size)
{
    const ig_run_entry *entry = ig_runs_find(&app->now->runs, run);

    if (entry && strength >= 0 && strength != (float)entry->info->options.strength)
        ig_text_append(out, size, " strength %.1f", (double)strength);
}

const char *ig_side_label(const ig_app *app, int side, float strength, int cols,
                          char out[IG_RUN_LABEL])
{
    const ig_session *now = app->now;
    unsigned run = side ? now->compared_run : now->shown_run;
    const ig_dataset *set =
        app->versions->set[side ? now->other.shown->version : now->version];

    if (run)
        ig_run_label(app, run, out);
    else
        snprintf(out, IG_RUN_LABEL, "%s %.80s", ig_version_word(app, false),
                 set->version ? set->version : "");
    if (!side)
        ig_strength_append(app, run, strength, out, IG_RUN_LABEL);
    return run || !cols ? out : ig_app_tail(app, out, cols);
}

const char *ig_version_word(const ig_app *app, bool several)
{
    static const char *const words[][2] = {
        {"layer", "layers"}, {"epoch", "epochs"}, {"checkpoint", "checkpoints"}};
    const ig_session *now = app->now;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t k = 0; k <= now->setup.data_words; k++) {
            const char *path = k < now->setup.data_words ? now->setup.data[k]
                                                         : app->set->name;
            size_t at = strlen(path);

            while (at-- && (path[at] != '/' || strchr("/", path[at + 1]))) /* its end */
                if (strncmp(path + at, *words[i], strlen(*words[i])) == 0 &&
                    (!at || !isalpha((unsigned char)path[at - 1])))
                    return words[i][several];
        }
    return several ? "versions" : "version";
}

const char *ig_version_name(const ig_app *app, size_t version)
{
    return version < app->versions->count ? app->versions->set[version]->version : NULL;
}

const ig_typed *ig_app_current_typed(const ig_app *app)
{
    /* Their neighbours are those of the first version. */
    return app->now->version
               ? NULL
               : ig_typed_find(&app->now->typed_sentences.list, app->view->typed);
}

const char *ig_row_text(const ig_dataset *set, uint32_t row, char out[IG_ROW_TEXT_SIZE])
{
    if (set->has_text && set->text[row][0])
        return set->text[row];
    if (set->ids && set->id[row] != IG_NO_ID)
        return set->id_name[set->id[row]];
    snprintf(out, IG_ROW_TEXT_SIZE, "#%u", row);
    return out;
}

void ig_gloss_show(ig_app *app, size_t language)
{
    const ig_dataset *set = app->set;
    bool can = set->has_text && set->ids;
    uint32_t *row = can ? ig_alloc(set->ids, sizeof *row) : NULL;

    if (!row) {
        ig_app_note(app, true, "%s",
                    !set->has_text ? "the dataset has no texts"
                    : !set->ids    ? "no ids: translations unknown"
                                   : "out of memory for glosses");
        return;
    }
    for (size_t i = 0; i < set->ids; i++)
        row[i] = IG_NO_ROW;
    for (size_t i = set->rows; i-- > 0;)
        if (set->lang[i] == language && set->id[i] != IG_NO_ID && set->text[i][0])
            row[set->id[i]] = (uint32_t)i;
    ig_free(app->gloss.row);
    app->gloss.row = row;
    app->gloss.language = language;
    ig_app_note(app, false, "showing translations in %.24s (r: off, :gloss LANG)",
                set->language[language]);
}

void ig_gloss_toggle(ig_app *app)
{
    if (!app->gloss.row) {
        ig_gloss_show(app, app->gloss.language);
        return;
    }
    ig_free(app->gloss.row);
    app->gloss.row = NULL;
    ig_app_note(app, false, "showing the original texts");
}

uint32_t ig_gloss_row(const ig_app *app, uint32_t row)
{
    const ig_dataset *set = app->set;

    return !app->gloss.row || set->lang[row] == app->gloss.language ||
                   set->id[row] == IG_NO_ID
               ? IG_NO_ROW
               : app->gloss.row[set->id[row]];
}

const char *ig_gloss_text(const ig_app *app, uint32_t row, char out[IG_ROW_TEXT_SIZE])
{
    uint32_t gloss = ig_gloss_row(app, row);

    return ig_row_text(app->set, gloss == IG_NO_ROW ? row : gloss, out);
}
