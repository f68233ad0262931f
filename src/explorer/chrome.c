/* The line above and the line below the panels, messages, and tabs. */
#include "explorer/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/playback.h"

/* --- the line above --------------------------------------------------------------- */

/* Append the run shown, "seed ▸ epoch 14/60, best 11  0:08 left"; how to show it. */
static ig_style add_run(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_run_info *info = now->info;
    const ig_run_entry *run = ig_runs_find(&now->runs, now->shown_run);
    size_t epochs = ig_run_epochs(info), all = info->options.epochs;
    double slow = app->view->pace > 0 ? 1 / app->view->pace : 0, left;
    bool paused = now->activity == IG_PAUSED, going = ig_session_going(now);
    bool starts = ig_app_busy(app) && !going;
    const char *cut, *sign = ig_app_glyph(app, paused ? IG_GLYPH_PAUSE : IG_GLYPH_RUN);

    if (now->looking) {
        ig_text_append(out, size, "%s: %s epoch %zu of %zu", info->name,
                       app->replay.on ? "replay" : "looking at", now->main.shown->epoch,
                       epochs);
        return ig_style_of(IG_COLOUR_WARN, IG_BOLD | IG_REVERSE);
    }
    switch (now->activity) {
    case IG_IDLE:
        if (starts)
            ig_text_append(out, size, "%.128s %s starting …", app->start.method, sign);
        else
            ig_text_append(out, size, "no run%s",
                           going ? " of this version" : ": Space trains");
        return starts ? ig_accent : ig_dim;
    case IG_FINISHED:
        cut = run ? ig_run_cut(run) : NULL;
        ig_text_append(out, size, "%s %s", info->name, cut ? cut : "finished");
        if (now->main.shown->x.kind >= IG_RESIDUAL && info->records) /* trained */
            ig_text_append(out, size,
                           cut ? " at epoch %zu of %zu, best %zu"
                               : ", best epoch %zu of %zu",
                           cut ? epochs : info->best, cut ? all : epochs, info->best);
        return ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
    case IG_FAILED:
        ig_text_append(out, size, "%s failed after epoch %zu", info->name, epochs);
        return ig_style_of(IG_COLOUR_BAD, IG_BOLD);
    default:
        ig_text_append(out, size,
                       paused && !epochs ? "%s%s %s not trained"
                                         : "%s%s %s epoch %zu/%zu",
                       now->activity == IG_FOLLOWED ? "following " : "", info->name,
                       sign, epochs, all);
    }
    if (epochs)
        ig_text_append(out, size, ", best %zu", info->best);
    left = fmax(info->seconds / (double)epochs, slow) * ((double)all - (double)epochs);
    if (epochs && now->activity == IG_TRAINING && left >= 0)
        ig_text_append(out, size, "  %.0f:%02.0f left", floor(ceil(left) / 60),
                       fmod(ceil(left), 60));
    return ig_style_of(paused ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
}

/* "de, fr hidden   measuring 40%   2 seed ▸ epoch 14/60": hidden languages, what
 * Ctrl-C cancels, the run shown, and another in training. */
static ig_style describe_state(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_run_entry *other = ig_session_going(now) ? now->newest : NULL;
    double measured = ig_session_measured(now);
    ig_style style;

    out[0] = '\0';
    if (*app->colouring->hidden)
        ig_text_append(out, size, "%s hidden   ", app->colouring->hidden);
    if (measured >= 0)
        ig_text_append(out, size, "%smeasuring %.0f%%   ",
                       ig_session_reports(now) ? "report: " : "", 100 * measured);
    if (now->typed_sentences.asked)
        ig_text_append(out, size, "encoding   ");
    if (now->runs.count > 1)
        ig_text_append(out, size, "%u ", now->shown_run);
    style = add_run(app, out, size);
    if (other && other->number != now->shown_run)
        ig_text_append(
            out, size, "   %u %s %zu/%zu", other->number,
            ig_app_glyph(app, ig_session_training(now) ? IG_GLYPH_RUN : IG_GLYPH_PAUSE),
            ig_run_epochs(other->info), other->info->options.epochs);
    return style;
}

void ig_header_draw(ig_app *app)
{
    ig_rect at = ig_rect_inset(app->layout.header, 0, 1, 0, 1);
    const ig_session *now = app->now;
    const ig_dataset *set = app->versions->set[now->version];
    const char *version = ig_version_name(app, app->now->version),
               *dot = ig_app_glyph(app, IG_GLYPH_BULLET);
    char state[224], about[200], count[IG_COUNTED], *cut;
    ig_style style = describe_state(app, state, sizeof state);
    int width = ig_text_columns(state);
    int col = at.col + (width < at.cols ? at.cols - width : 0);

    snprintf(about, sizeof about, "  %.40s", set->name);
    if (version)
        ig_text_append(about, sizeof about, " %s %.40s", ig_version_word(app, false),
                       version);
    ig_text_append(about, sizeof about, " %s %s%s", dot,
                   ig_counted(count, set->rows, "row"), set->notes.left_out);
    ig_text_append(about, sizeof about, " %s %s %s d %zu", dot,
                   ig_counted(count, set->languages, "language"), dot, set->dims);
    if (col - at.col > 9)
        at.col +=
            ig_canvas_text(&app->canvas, at.row, at.col, 9, "isogloss", ig_accent);
    while (ig_text_columns(about) > col - at.col - 2 && (cut = strrchr(about, *dot)))
        *cut = '\0'; /* whole parts */
    if (col - at.col > 8)
        ig_canvas_caption(&app->canvas, at.row, at.col, col - at.col - 2, about,
                          ig_plain);
    ig_canvas_text(&app->canvas, at.row, col, at.cols, state, style);
}

/* --- the line below --------------------------------------------------------------- */

static void draw_prompt(ig_app *app, ig_rect at)
{
    const char *text = app->prompt.text, *word = strchr(text, ' ');
    const ig_action_entry *of = word && !word[1] ? ig_action_named(text) : NULL;
    size_t length = app->prompt.length, before = app->prompt.at;
    const char *colon = *text == '/' ? "" : ":"; /* not before a filter of help */
    int used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, colon, ig_accent);
    int room = at.cols - used - 1;

    /* A long text shows what is before the cursor. */
    while (ig_text_width(text, before) > (size_t)room) {
        size_t skip = ig_text_grapheme(text, length).source;

        text += skip;
        length -= skip;
        before -= skip;
    }
    app->caret[0] = at.rows ? at.row : -1;
    app->caret[1] = ig_min_int(used + (int)ig_text_width(text, before), at.cols - 1) +
                    at.col;
    ig_canvas_text_n(&app->canvas, at.row, at.col + used, room, text, length, ig_plain);
    used += at.col + (int)ig_text_width(text, strcspn(text, " ") + 1);
    if (app->prompt.fresh) /* what the first letter replaces */
        ig_canvas_highlight(&app->canvas,
                            (ig_rect){at.row, used, 1, app->caret[1] - used},
                            IG_COLOUR_DEFAULT, IG_REVERSE);
    if (of && of->argument) /* what is typed next */
        ig_canvas_text(&app->canvas, at.row, app->caret[1], at.cols - app->caret[1],
                       of->argument, ig_dim);
}

void ig_message_choose(ig_app *app)
{
    bool narrates = !app->note[0] && !app->overlay, above;
    int most = narrates ? 1 : 3, rows, cols;
    ig_rect body = app->layout.body, line = ig_rect_inset(body, body.rows - 1, 1, 0, 1);
    char *text = app->message, *cut, *part;

    snprintf(text, sizeof app->message, "%s", app->note);
    if (narrates)
        ig_narration_line(app, text, sizeof app->message);
    while ((rows = ig_canvas_wrap(&app->canvas, (ig_rect){0, 0, 0, line.cols - 2}, text,
                                  ig_plain)) > most &&
           (cut = strrchr(text, ' '))) { /* to whole words, narration to whole parts */
        part = NULL;
        for (char *at = text; narrates && (at = strchr(at + 1, ' '));)
            if (at[1] == '(' ||
                (at > text + 1 && at[-2] != ' ' && strchr(",;:", at[-1])))
                part = at; /* not after a key, such as ", " */
        cut = part ? part : cut;
        cut -= cut > text && strchr(",;:", cut[-1]);
        *cut = '\0';
        ig_text_append(text, sizeof app->message, part ? "" : "…");
    }
    rows = ig_min_int(rows, most);
    cols = *text ? ig_text_columns(text) + 2 : 0;
    /* Above the lower line of the body; a short one, or a note, in it. */
    above = rows > 1 || (narrates && 2 * cols > line.cols && cols > line.cols - 40);
    app->message_at =
        above ? (ig_rect){line.row - rows, line.col, rows, line.cols}
              : (ig_rect){line.row, line.col, 1, ig_min_int(cols, line.cols)};
    for (int i = 0; above && i < IG_ROLES + IG_TILES; i++) { /* they hide nothing */
        ig_rect *at = i < IG_ROLES ? &app->layout.role[i].inside
                                   : &app->layout.tile[i - IG_ROLES].inside;

        at->rows = ig_min_int(at->rows, ig_max_int(line.row - rows - at->row, 0));
    }
}

enum { ALWAYS = 24 /* columns of the keys that are always hinted, and a gap */ };

void ig_footer_draw(ig_app *app)
{
    ig_rect at = ig_rect_inset(app->layout.footer, 0, 0, 0, 1);
    ig_rect message = app->message_at;
    ig_style style = ig_style_of(!app->note[0]        ? IG_COLOUR_TEXT
                                 : app->note_is_error ? IG_COLOUR_BAD
                                                      : IG_COLOUR_ACCENT,
                                 IG_BOLD);
    char hints[IG_HINTS_SIZE];
    int used, most;

    ig_canvas_fill(&app->canvas, message, style);
    message = ig_rect_inset(message, 0, 1, 0, 1);
    do /* lines of about the same length */
        most = message.cols--;
    while (most > 1 && ig_canvas_wrap(&app->canvas, (ig_rect){0, 0, 0, most - 1},
                                      app->message, style) <= message.rows);
    message.cols = most;
    ig_canvas_wrap(&app->canvas, message, app->message, style);
    if (app->overlay && app->overlay->types) {
        draw_prompt(app, app->layout.footer);
    } else if (app->overlay) {
        ig_keys_draw(app, at, app->overlay->keys);
    } else if (ig_hints_list(app, hints)) {
        ig_keys_draw(app, at, hints);
    } else {
        used = ig_keys_draw(app, ig_rect_inset(at, 0, ALWAYS, 0, 0), hints);
        ig_keys_draw(app, ig_rect_inset(at, 0, 0, 0, used), "? help|q quit|: more");
    }
}

enum { SEPARATOR = 3, SHORT_NOTE = 10 /* columns */ };

/* Where a title leaves no room the tabs after it go, then the rest. */
void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note)
{
    int noted = *note ? ig_text_columns(note) + 3 : 0, rest[2] = {0}, all;
    int room = frame.cols - 4, least;
    size_t own = 0;
    const char *name = ig_app_name(app, open);
    bool focused = app->focus == open;
    bool named = !open->titled && strstr(title, name) == title;
    ig_style style =
        ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_TEXT, focused ? IG_BOLD : 0);
    ig_rect at = {frame.row, frame.col + 2, 1, 0};
    char marked[192];

    if (room < 8)
        return;
    while (app->panel[own] != open)
        own++;
    for (size_t i = 0; i < app->panels; i++)
        if (app->panel[i]->role == open->role && i != own)
            rest[i > own] += SEPARATOR +
                             ig_text_columns(ig_app_name(app, app->panel[i]));
    all = rest[0] + rest[1];
    least = ig_text_columns(title) + 2;
    if (noted > SHORT_NOTE && room - all - noted < ig_min_int(least, room * 2 / 3))
        noted = 0;
    if (named)
        least = ig_min_int(ig_text_columns(name) + 2, room * 2 / 3);
    for (int side = 1; side >= 0; side--)
        if (room - rest[0] - rest[1] - noted < least)
            rest[side] = 0;
    all = rest[0] + rest[1];
    snprintf(marked, sizeof marked, all ? "[%s" : "%s", title);
    room -= noted;
    if (noted)
        ig_canvas_print(&app->canvas, at.row, frame.col + frame.cols - noted, noted - 1,
                        ig_dim, " %s ", note);
    ig_canvas_put(&app->canvas, at.row, at.col - 1, " ", ig_dim);
    for (size_t i = 0; i < app->panels; i++) {
        const ig_panel *panel = app->panel[i];

        if (panel != open && (!rest[i > own] || panel->role != open->role))
            continue;
        if (at.cols > 0)
            at.col += ig_canvas_print(&app->canvas, at.row, at.col, SEPARATOR, ig_dim,
                                      " %s ", ig_app_glyph(app, IG_GLYPH_VERTICAL));
        at.cols = panel == open
                      ? ig_canvas_caption(&app->canvas, at.row, at.col,
                                          room - all - (all > 0), marked, style)
                      : ig_canvas_text(&app->canvas, at.row, at.col, room,
                                       ig_app_name(app, panel), ig_dim);
        if (panel == open && all)
            at.cols +=
                ig_canvas_text(&app->canvas, at.row, at.col + at.cols, 1, "]", style);
        app->tab[i] = at;
        at.col += at.cols;
    }
    ig_canvas_put(&app->canvas, at.row, at.col, " ", ig_dim);
}
