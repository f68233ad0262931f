/* The line above and the line below the panels, messages, and tabs. */
#include "explorer/chrome.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/narration.h"
#include "explorer/overlay.h"
#include "view/axes.h"

/* --- the line above --------------------------------------------------------------- */

static const char *glyph_text(const ig_app *app, ig_glyph which)
{
    return ig_glyph_text(app->canvas.glyphs, which);
}

/* Append ", best 11  0:08 left". */
static void add_progress(const ig_app *app, char *out, size_t size)
{
    const ig_run_info *info = app->now->info;
    size_t done = ig_run_epochs(info);
    double slow = app->view->pace > 0 ? 1 / app->view->pace : 0, left;

    if (!done)
        return;
    left = fmax(info->seconds / (double)done, slow) *
           ((double)info->options.epochs - (double)done);
    ig_text_append(out, size, ", best %zu", info->best);
    if (app->now->activity == IG_TRAINING && left >= 0 && left < 360000)
        ig_text_append(out, size, "  %ld:%02ld left", (long)ceil(left) / 60,
                       (long)ceil(left) % 60);
}

/* Append the run shown, "seed ▸ epoch 14/60, best 11  0:08 left"; how to show it. */
static ig_style add_run(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const ig_run_info *info = now->info;
    const char *runs = glyph_text(app, IG_GLYPH_RUN), *name = info->method;
    size_t epochs = ig_run_epochs(info), all = info->options.epochs;
    bool paused = now->activity == IG_PAUSED;

    if (now->looking) {
        ig_text_append(out, size, "%s: %s epoch %zu of %zu", name,
                       app->replay.on ? "replay" : "looking at", now->main.shown->epoch,
                       epochs);
        if (now->history->every > 1)
            ig_text_append(out, size, " (1 in %zu kept)", now->history->every);
        return ig_style_of(IG_COLOUR_WARN, IG_BOLD | IG_REVERSE);
    }
    switch (now->activity) {
    case IG_IDLE:
        if (ig_app_busy(app) && !ig_session_going(now)) {
            ig_text_append(out, size, "%.128s %s starting …", app->start.method, runs);
            return ig_accent;
        }
        ig_text_append(out, size,
                       ig_session_going(now) ? "no run of this version"
                                             : "no run: Space trains");
        return ig_dim;
    case IG_TRAINING:
    case IG_PAUSED:
        ig_text_append(out, size, "%s %s epoch %zu/%zu", name,
                       paused ? glyph_text(app, IG_GLYPH_PAUSE) : runs, epochs, all);
        add_progress(app, out, size);
        return ig_style_of(paused ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
    case IG_FOLLOWED:
        ig_text_append(out, size, "following %s %s epoch %zu/%zu, best %zu", name, runs,
                       epochs, all, info->best);
        return ig_accent;
    case IG_FINISHED:
        ig_text_append(out, size, "%s %s", name, glyph_text(app, IG_GLYPH_CHECK));
        if (now->main.shown->x.kind >= IG_RESIDUAL &&
            info->records) /* it was trained */
            ig_text_append(out, size, " best epoch %zu of %zu", info->best, epochs);
        return ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
    case IG_FAILED:
        break;
    }
    ig_text_append(out, size, "%s failed after epoch %zu", name, epochs);
    return ig_style_of(IG_COLOUR_BAD, IG_BOLD);
}

/* "without de, fr   measuring 40%   2 seed ▸ epoch 14/60": hidden languages, what
 * Ctrl-C cancels, the run shown, and another in training. */
static ig_style describe_state(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    double measured = ig_session_measured(now);
    ig_style style;

    out[0] = '\0';
    if (*app->colouring->hidden)
        ig_text_append(out, size, "without %s   ", app->colouring->hidden);
    if (measured >= 0)
        ig_text_append(out, size, "measuring %.0f%%   ", 100 * measured);
    if (now->typed_sentences.asked)
        ig_text_append(out, size, "encoding   ");
    if (now->runs.count > 1)
        ig_text_append(out, size, "%u ", now->shown_run);
    style = add_run(app, out, size);
    for (size_t i = 0; i < now->runs.count; i++) {
        const ig_run_entry *run = now->runs.entry[i];

        if (ig_run_entry_going(run) && run->number != now->shown_run)
            ig_text_append(out, size, "   %u %s %zu/%zu", run->number,
                           glyph_text(app, ig_session_training(app->session)
                                               ? IG_GLYPH_RUN
                                               : IG_GLYPH_PAUSE),
                           ig_run_epochs(run->info), run->info->options.epochs);
    }
    return style;
}

void ig_header_draw(ig_app *app)
{
    ig_rect at = ig_rect_inset(app->layout.header, 0, 1, 0, 1);
    const ig_session *now = app->now;
    const ig_dataset *set = app->versions->set[now->version];
    const char *version = ig_version_shown(app),
               *dot = glyph_text(app, IG_GLYPH_BULLET);
    char state[224], about[200], count[IG_NUMBER_SIZE], *cut;
    ig_style style = describe_state(app, state, sizeof state);
    int width = ig_text_columns(state);
    int col = at.col + (width < at.cols ? at.cols - width : 0);

    snprintf(about, sizeof about, "  %.40s", set->name);
    if (version)
        ig_text_append(about, sizeof about, " version %.40s", version);
    ig_text_append(about, sizeof about, " %s %s rows %s %zu language%s %s d %zu", dot,
                   ig_count_format(count, set->rows), dot, set->languages,
                   set->languages == 1 ? "" : "s", dot, set->dims);
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
    const char *text = app->prompt.text;
    size_t length = app->prompt.length, before = app->prompt.at;
    int used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, app->overlay->sign,
                              ig_accent);
    int room = at.cols - used - 1;

    /* A long text shows what is before the cursor. */
    while (room > 0 && ig_text_width(text, before) > (size_t)room) {
        size_t skip = ig_text_grapheme(text, length).source;

        text += skip;
        length -= skip;
        before -= skip;
    }
    app->caret[0] = at.row;
    app->caret[1] = at.col + used + (int)ig_text_width(text, before);
    if (app->caret[1] >= at.col + at.cols)
        app->caret[1] = at.col + at.cols - 1;
    ig_canvas_text_n(
        &app->canvas, at.row, at.col + used, room, text, length,
        ig_style_of(IG_COLOUR_DEFAULT, app->prompt.fresh ? IG_REVERSE : 0));
}

/* The lower line of the body, between the corners of its frame. */
static ig_rect find_line(const ig_app *app)
{
    ig_rect body = app->layout.body;

    return ig_rect_inset(body, body.rows - 1, 1, 0, 1);
}

void ig_message_choose(ig_app *app)
{
    int room = find_line(app).cols, most = 3, rows, cols;
    const ig_rect all = {0, 0, 0, room - 2};
    char *text = app->message, *cut;

    *text = '\0';
    if (app->note[0])
        snprintf(text, sizeof app->message, "%s", app->note);
    else if (app->overlay || !ig_narration_line(app, text, sizeof app->message))
        *text = '\0';
    else if (app->focus->role == IG_ROLE_LIST)
        most = 1; /* it covers no lines of a list with the keys */
    while ((rows = ig_canvas_wrap(&app->canvas, all, text, ig_plain)) > most &&
           (cut = strrchr(text, ' '))) { /* to whole words */
        cut -= cut > text && strchr(",;:", cut[-1]);
        *cut = '\0';
        ig_text_append(text, sizeof app->message, "…");
    }
    rows = rows < most ? rows : most;
    cols = *text ? ig_text_columns(text) + 2 : 0;
    app->message_lines = rows > 1 ? rows : 0;
    app->message_cols = rows > 1 ? 0 : cols < room ? cols : room;
}

/* Several lines are above the lower line, one is in it. */
static void draw_message(ig_app *app)
{
    ig_rect line = find_line(app);
    int lines = app->message_lines;
    ig_style style = ig_style_of(!app->note[0]        ? IG_COLOUR_TEXT
                                 : app->note_is_error ? IG_COLOUR_BAD
                                                      : IG_COLOUR_ACCENT,
                                 IG_BOLD);

    if (!*app->message)
        return;
    line = lines ? (ig_rect){line.row - lines, line.col, lines, line.cols}
                 : (ig_rect){line.row, line.col, 1, app->message_cols};
    ig_canvas_fill(&app->canvas, line, style);
    ig_canvas_wrap(&app->canvas, ig_rect_inset(line, 0, 1, 0, 1), app->message, style);
}

enum { ALWAYS = 24 /* columns of the keys that are always hinted, and a gap */ };

void ig_footer_draw(ig_app *app)
{
    ig_rect at = ig_rect_inset(app->layout.footer, 0, 0, 0, 1);
    char hints[IG_HINTS_SIZE];
    int used;

    draw_message(app);
    if (ig_app_types(app)) {
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

/* --- tabs ------------------------------------------------------------------------- */

enum { SEPARATOR = 3, SHORT_NOTE = 10 /* columns */ };

void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note)
{
    int noted = *note ? ig_text_columns(note) + 3 : 0, others = 0, end;
    int room = frame.cols - 4, least = ig_text_columns(title) + 2;
    bool focused = app->focus == open;
    ig_style style =
        ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_TEXT, focused ? IG_BOLD : 0);
    ig_rect at = {frame.row, frame.col + 2, 1, 0};
    char marked[192];

    if (room < 8)
        return;
    for (size_t i = 0; i < app->panels; i++)
        if (app->panel[i]->role == open->role && app->panel[i] != open)
            others += SEPARATOR + ig_text_columns(app->panel[i]->name);
    if (strncmp(title, open->name, strlen(open->name)) == 0)
        least = ig_text_columns(open->name) + 2; /* "curves" of "curves: loss 5.73" */
    least = ig_min_int(least, room * 2 / 3);
    if (noted > SHORT_NOTE && room - others - noted < least)
        noted = 0;
    if (room - others - noted < least)
        others = 0;
    if (others && app->canvas.depth == IG_DEPTH_NONE) {
        snprintf(marked, sizeof marked, "[%s]", title);
        title = marked;
    } else if (others) {
        style.attributes |= IG_UNDERLINE;
    }
    room -= noted;
    end = frame.col + frame.cols - noted;
    if (noted)
        ig_canvas_print(&app->canvas, at.row, end, noted - 1, ig_dim, " %s ", note);
    ig_canvas_put(&app->canvas, at.row, at.col - 1, " ", ig_dim);
    for (size_t i = 0; i < app->panels; i++) {
        if (app->panel[i] != open && (!others || app->panel[i]->role != open->role))
            continue;
        if (at.cols > 0)
            at.col += ig_canvas_print(&app->canvas, at.row, at.col, SEPARATOR, ig_dim,
                                      " %s ", glyph_text(app, IG_GLYPH_VERTICAL));
        at.cols = app->panel[i] == open
                      ? ig_canvas_caption(&app->canvas, at.row, at.col, room - others,
                                          title, style)
                      : ig_canvas_text(&app->canvas, at.row, at.col, room,
                                       app->panel[i]->name, ig_dim);
        app->tab[i] = at;
        at.col += at.cols;
    }
    ig_canvas_put(&app->canvas, at.row, at.col, " ", ig_dim);
    /* "Tab", where it leads here, and there is room for it before the note. */
    if (!focused && ig_app_panel_after(app, 1) == open && end - 5 > at.col + 2)
        ig_canvas_text(&app->canvas, at.row, end - 6, 5, " Tab ", ig_accent);
}
