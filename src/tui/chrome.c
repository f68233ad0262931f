/* The line above and the line below the panels, and messages. */
#include "tui/chrome.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/bars.h"
#include "tui/hints.h"
#include "tui/narration.h"

enum { BAR = 10 };

static const char *glyph(const ig_app *app, ig_glyph which)
{
    return ig_glyph_text(app->canvas.glyphs, which);
}

/* "seed: looking at epoch 14 of 60 (every 2nd kept)" */
static void describe_look(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;
    int used = snprintf(out, size, "%s: %s epoch %zu of %zu", now->method,
                        app->replay.on ? "replay" : "looking at", now->shown,
                        now->epochs);

    if (now->history_every > 1)
        snprintf(out + used, size - (size_t)used, " (every %zu%s kept)",
                 now->history_every, now->history_every == 2 ? "nd" : "th");
}

/* "seed ▸ epoch 14/60", and how to show it. */
static ig_style describe_run(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;

    if (now->looking) {
        describe_look(app, out, size);
        return ig_style_of(IG_COLOUR_WARN, IG_BOLD | IG_REVERSE);
    }
    switch (now->activity) {
    case IG_IDLE:
        if (ig_app_busy(app)) {
            snprintf(out, size, "%s %s starting …", app->start.method,
                     app->beat.off ? " " : glyph(app, IG_GLYPH_RUN));
            return ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
        }
        snprintf(out, size, "no run: Space trains");
        return ig_style_of(IG_COLOUR_DIM, 0);
    case IG_TRAINING:
    case IG_PAUSED:
        snprintf(out, size, "%s %s epoch %zu/%zu", now->method,
                 now->activity == IG_PAUSED ? glyph(app, IG_GLYPH_PAUSE)
                 : app->beat.off            ? " "
                                            : glyph(app, IG_GLYPH_RUN),
                 now->epochs, now->options.epochs);
        return ig_style_of(
            now->activity == IG_PAUSED ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
    case IG_FOLLOWED:
        snprintf(out, size, "following %s %s epoch %zu/%zu, best %zu", now->method,
                 glyph(app, IG_GLYPH_RUN), now->epochs, now->options.epochs, now->best);
        return ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);
    case IG_FINISHED:
        if (now->extractor < IG_RESIDUAL || !now->records) /* nothing was trained */
            snprintf(out, size, "%s %s", now->method, glyph(app, IG_GLYPH_CHECK));
        else
            snprintf(out, size, "%s %s best epoch %zu of %zu", now->method,
                     glyph(app, IG_GLYPH_CHECK), now->best, now->epochs);
        return ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
    case IG_FAILED:
        snprintf(out, size, "%s failed after epoch %zu", now->method, now->epochs);
        return ig_style_of(IG_COLOUR_BAD, IG_BOLD);
    }
    return ig_style_of(IG_COLOUR_DEFAULT, 0);
}

/* What follows the bar: "best 11  0:08 left". */
static void describe_rest(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;
    bool first = now->activity == IG_TRAINING && now->epochs == 0 && now->batches;
    int used =
        first ? snprintf(out, size, "batch %zu of %zu", now->progress + 1, now->batches)
              : snprintf(out, size, "best %zu", now->best);
    long left = isfinite(now->left) ? (long)ceil(now->left) : -1;

    if (now->activity == IG_TRAINING && left >= 0 && left < 100 * 3600)
        snprintf(out + used, size - (size_t)used,
                 left >= 3600 ? "  %ld:%02ld:%02ld left" : "  %ld:%02ld left",
                 left >= 3600 ? left / 3600 : left / 60,
                 left >= 3600 ? left / 60 % 60 : left % 60, left % 60);
}

/* What is trained while another run is shown: "   2 ▸ 14/60". */
static void describe_other(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;
    size_t used = strlen(out);

    for (size_t i = 0; i < now->runs; i++) {
        const ig_run_line *line = &now->run_line[i];

        if (line->activity == IG_TRAINING || line->activity == IG_PAUSED)
            snprintf(
                out + used, size - used, "   %u %s %zu/%zu", line->number,
                glyph(app, line->activity == IG_PAUSED ? IG_GLYPH_PAUSE : IG_GLYPH_RUN),
                line->epochs, line->options.epochs);
    }
}

/* "measuring 40%   ", while it is done (Ctrl-C gives it up), then "2 " of several
 * runs. */
static int describe_before(const ig_app *app, char *out, size_t size)
{
    const ig_snapshot *now = app->now;
    int used = 0;

    out[0] = '\0';
    if (now->measuring)
        used = snprintf(out, size, "measuring %.0f%%   ", 100 * now->measured_part);
    if (now->asking)
        used +=
            snprintf(out + used, size - (size_t)used, "encoding %zu   ", now->asking);
    if (now->runs > 1)
        used += snprintf(out + used, size - (size_t)used, "%u ", now->shown_run);
    return used;
}

static double fraction(const ig_snapshot *now)
{
    double part = now->batches ? (double)now->progress / (double)now->batches : 0;

    if (now->activity == IG_TRAINING)
        return ((double)now->epochs + part) / (double)now->options.epochs;
    return (double)now->epochs / (double)now->options.epochs;
}

void ig_header_draw(ig_app *app)
{
    ig_rect at = app->layout.header;
    const ig_set *set = app->set;
    const char *dot = glyph(app, IG_GLYPH_BULLET);
    char run[192], rest[64] = "", count[IG_NUMBER_SIZE];
    ig_style style;
    int used, width, right;
    bool bar = app->now->activity == IG_TRAINING || app->now->activity == IG_PAUSED;

    if (ig_rect_empty(at))
        return;
    used = describe_before(app, run, sizeof run);
    style = describe_run(app, run + used, sizeof run - (size_t)used);
    if (app->now->busy && !bar)
        describe_other(app, run, sizeof run);
    if (bar)
        describe_rest(app, rest, sizeof rest);
    width = (int)ig_text_width(run, strlen(run)) +
            (bar ? BAR + 4 + (int)strlen(rest) : 0);
    used = ig_canvas_text(&app->canvas, at.row, at.col + 1, at.cols - 1, "isogloss",
                          ig_style_of(IG_COLOUR_ACCENT, IG_BOLD)) +
           1;
    right = at.col + at.cols - width - 1;
    if (right < at.col + used + 2) { /* narrow: the run without its rest */
        right = at.col + used + 2;
        bar = false;
    } else {
        ig_canvas_print(&app->canvas, at.row, at.col + used + 2,
                        right - at.col - used - 4, ig_style_of(IG_COLOUR_TEXT, 0),
                        "%s %s %s rows %s %zu languages %s d %zu", set->name, dot,
                        ig_count_format(count, set->rows), dot, set->languages, dot,
                        set->dims);
    }
    used = ig_canvas_text(&app->canvas, at.row, right, at.col + at.cols - right, run,
                          style);
    if (!bar)
        return;
    ig_bar_draw(&app->canvas, at.row, right + used + 1, BAR, fraction(app->now), style);
    ig_canvas_text(&app->canvas, at.row, right + used + BAR + 3, 40, rest,
                   ig_style_of(IG_COLOUR_TEXT, 0));
}

/* --- the line below --------------------------------------------------------------- */

static void draw_prompt(ig_app *app, ig_rect at, int *row, int *col)
{
    const char *sign = app->prompt.use->sign;
    const char *text = app->prompt.text;
    size_t length = app->prompt.length, before = app->prompt.at;
    int used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, sign,
                              ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
    int room = at.cols - used - 1;

    /* A long text shows what is before the cursor. */
    while (room > 0 && ig_text_width(text, before) > (size_t)room) {
        size_t skip = ig_text_grapheme(text, length).source;

        text += skip;
        length -= skip;
        before -= skip;
    }
    *row = at.row;
    *col = at.col + used + (int)ig_text_width(text, before);
    *col = *col < at.col + at.cols ? *col : at.col + at.cols - 1;
    used += ig_canvas_text_n(&app->canvas, at.row, at.col + used, room, text, length,
                             ig_style_of(IG_COLOUR_DEFAULT, 0));
    if (app->note[0])
        ig_canvas_print(
            &app->canvas, at.row, at.col + used + 3, at.cols - used - 3,
            ig_style_of(app->note_is_error ? IG_COLOUR_BAD : IG_COLOUR_DIM, 0), "%s",
            app->note);
}

/* --- messages --------------------------------------------------------------------- */

enum { MESSAGE_ROWS = 3 };

/* The lower line of the body, where it is a frame's: a message stands in it. */
static ig_rect message_line(const ig_app *app)
{
    ig_rect body = app->layout.body;
    bool framed = body.rows >= 6 && body.cols >= 12;

    return (ig_rect){body.row + body.rows - 1, body.col + 1, framed, body.cols - 2};
}

/* A text of so many lines at most, from the frame's line upward. */
static void draw_message(ig_app *app, ig_rect line, const char *text, ig_style style)
{
    ig_rect at = ig_rect_inset(line, 0, 1, 0, 1), nowhere = {0, 0, 0, at.cols};
    int width = (int)ig_text_width(text, strlen(text));
    int rows = 1;

    if (width > at.cols)
        rows = ig_canvas_wrap(&app->canvas, nowhere, 0, text, style);
    rows = rows < MESSAGE_ROWS ? rows : MESSAGE_ROWS;
    at.row -= rows - 1;
    at.rows = rows;
    if (rows == 1)
        at.cols = width < at.cols ? width : at.cols;
    ig_canvas_fill(&app->canvas, (ig_rect){at.row, at.col - 1, rows, at.cols + 2},
                   style);
    ig_canvas_wrap(&app->canvas, at, 0, text, style);
}

/* What happens, and the key that ends its being told. */
static void draw_narration(ig_app *app, ig_rect at, const char *line)
{
    const ig_action_entry *entry = ig_keymap_named(app->action, "narration");
    int width = (int)ig_text_width(line, strlen(line));
    char keys[64];

    draw_message(app, at, line, ig_style_of(IG_COLOUR_TEXT, IG_BOLD));
    at = ig_rect_inset(at, 0, 0, 0, width + 3);
    if (!entry || at.cols < 12)
        return;
    ig_keymap_keys(app->remap, entry, keys, sizeof keys);
    at.cols = (int)ig_text_width(keys, strlen(keys)) + 6;
    snprintf(keys + strlen(keys), sizeof keys - strlen(keys), " quiet");
    ig_canvas_fill(&app->canvas, (ig_rect){at.row, at.col - 1, 1, at.cols + 2},
                   ig_style_of(0, 0));
    ig_hints_draw_keys(app, at, keys);
    ig_canvas_put(&app->canvas, at.row, at.col + at.cols, " ", ig_style_of(0, 0));
}

static void draw_note(ig_app *app, ig_rect line)
{
    draw_message(
        app, line, app->note,
        ig_style_of(app->note_is_error ? IG_COLOUR_BAD : IG_COLOUR_ACCENT, IG_BOLD));
}

/* --- the line below --------------------------------------------------------------- */

void ig_footer_draw(ig_app *app, int *row, int *col)
{
    ig_rect at = app->layout.footer, line = message_line(app);
    char text[160];

    if (ig_rect_empty(at)) { /* no room: what is typed matters more than the panel */
        if (!app->prompt.use || app->canvas.rows == 0)
            return;
        at = (ig_rect){app->canvas.rows - 1, 0, 1, app->canvas.cols};
        ig_canvas_fill(&app->canvas, at, ig_style_of(IG_COLOUR_DEFAULT, 0));
    }
    if (app->prompt.use) {
        draw_prompt(app, at, row, col);
        return;
    }
    if (app->note[0] && !ig_rect_empty(line))
        draw_note(app, line);
    else if (app->note[0]) {
        int used =
            ig_canvas_text(&app->canvas, at.row, at.col + 1, at.cols - 1, app->note,
                           app->note_is_error ? ig_style_of(IG_COLOUR_BAD, IG_BOLD)
                                              : ig_style_of(IG_COLOUR_TEXT, 0));

        at = ig_rect_inset(at, 0, 0, 0, used + 3);
    } else if (!app->overlay && !app->tour.on && !ig_rect_empty(line) &&
               ig_narration_line(app, text, sizeof text)) {
        draw_narration(app, line, text);
    }
    if (app->overlay)
        ig_hints_draw_keys(app, ig_rect_inset(at, 0, 0, 0, 1), app->overlay->keys);
    else if (app->focus->hint && app->focus->hint(app, text, sizeof text))
        ig_hints_draw_keys(app, ig_rect_inset(at, 0, 0, 0, 1), text);
    else
        ig_hints_draw(app, at);
}
