/* The line above and the line below the panels, and messages. */
#include "explorer/chrome.h"
#include "explorer/version_strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/colouring.h"
#include "explorer/narration.h"
#include "explorer/overlay.h"
#include "explorer/prompt.h"
#include "view/axes.h"
#include "view/legend.h"

enum { BAR = 10 };

static const char *glyph_text(const ig_app *app, ig_glyph which)
{
    return ig_glyph_text(app->canvas.glyphs, which);
}

static const char *activity_sign(const ig_app *app, ig_activity activity)
{
    return glyph_text(app, activity == IG_PAUSED     ? IG_GLYPH_PAUSE
                           : activity == IG_FINISHED ? IG_GLYPH_CHECK
                                                     : IG_GLYPH_RUN);
}

/* Append "seed ▸ epoch 14/60", and how to show it. */
static ig_style add_run(const ig_app *app, char *out, size_t size)
{
    const ig_session *now = app->now;
    const char *sign = activity_sign(app, now->activity);

    if (now->looking) {
        ig_text_append(out, size, "%s: %s epoch %zu of %zu", now->info->method,
                       app->replay.on ? "replay" : "looking at", now->main.shown->epoch,
                       ig_run_epochs(now->info));
        if (now->history->every > 1)
            ig_text_append(out, size, " (every %zu%s kept)", now->history->every,
                           now->history->every == 2 ? "nd" : "th");
        return ig_style_of(IG_COLOUR_WARN, IG_BOLD | IG_REVERSE);
    }
    switch (now->activity) {
    case IG_IDLE:
        if (ig_app_busy(app) && !now->busy) {
            ig_text_append(out, size, "%.128s %s starting …", app->start.method, sign);
            return ig_accent;
        }
        ig_text_append(out, size,
                       now->busy ? "no run of this version" : "no run: Space trains");
        return ig_dim;
    case IG_TRAINING:
    case IG_PAUSED:
        ig_text_append(out, size, "%s %s epoch %zu/%zu", now->info->method, sign,
                       ig_run_epochs(now->info), now->info->options.epochs);
        return ig_style_of(
            now->activity == IG_PAUSED ? IG_COLOUR_WARN : IG_COLOUR_ACCENT, IG_BOLD);
    case IG_FOLLOWED:
        ig_text_append(out, size, "following %s %s epoch %zu/%zu, best %zu",
                       now->info->method, sign, ig_run_epochs(now->info),
                       now->info->options.epochs, now->info->best);
        return ig_accent;
    case IG_FINISHED:
        ig_text_append(out, size, "%s %s", now->info->method, sign);
        if (now->extractor >= IG_RESIDUAL && now->info->records) /* it was trained */
            ig_text_append(out, size, " best epoch %zu of %zu", now->info->best,
                           ig_run_epochs(now->info));
        return ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
    case IG_FAILED:
        break;
    }
    ig_text_append(out, size, "%s failed after epoch %zu", now->info->method,
                   ig_run_epochs(now->info));
    return ig_style_of(IG_COLOUR_BAD, IG_BOLD);
}

/* "without de, fr   measuring 40%   2 seed ▸ epoch 14/60   3 ▸ 1/60": hidden languages,
 * what Ctrl-C cancels, the run shown, and others in training. */
static ig_style describe_state(const ig_app *app, bool bar, char *out, size_t size)
{
    const ig_session *now = app->now;
    char hidden[32] = "";
    ig_style style;

    out[0] = '\0';
    for (size_t l = 0; l < app->set->languages; l++)
        if (!app->colouring->language[l])
            ig_list_word(hidden, sizeof hidden, app->set->language[l]);
    if (*hidden)
        ig_text_append(out, size, "without %s   ", hidden);
    if (now->measuring)
        ig_text_append(out, size, "measuring %.0f%%   ", 100 * now->measured_part);
    if (now->typed_sentences.queued)
        ig_text_append(out, size, "encoding %zu   ", now->typed_sentences.queued);
    if (now->runs.count > 1)
        ig_text_append(out, size, "%u ", now->shown_run);
    style = add_run(app, out, size);
    for (size_t i = 0; now->busy && !bar && i < now->runs.count; i++) {
        const ig_run_entry *line = now->runs.entry[i];

        if (ig_run_entry_going(line))
            ig_text_append(out, size, "   %u %s %zu/%zu", line->number,
                           activity_sign(app, ig_session_training(app->session)
                                                  ? IG_TRAINING
                                                  : IG_PAUSED),
                           ig_run_epochs(line->info), line->info->options.epochs);
    }
    return style;
}

/* What follows the bar: "best 11  0:08 left". */
static void describe_rest(const ig_app *app, char *out, size_t size)
{
    const ig_run_info *info = app->now->info;
    const ig_trainer *trainer = app->now->trained->trainer;
    bool training = app->now->activity == IG_TRAINING;
    size_t done = ig_run_epochs(info);
    double each = info->records ? info->seconds / (double)info->records : 0;
    double slow = app->view->pace > 0 ? 1 / app->view->pace : 0;
    long left =
        (long)ceil(fmax(each, slow) * ((double)info->options.epochs - (double)done));

    if (training && done == 0 && trainer->batches)
        snprintf(out, size, "batch %zu of %zu", atomic_load(&trainer->progress) + 1,
                 trainer->batches);
    else
        snprintf(out, size, "best %zu", info->best);
    if (training && done > 0 && left >= 0 && left < 100 * 3600)
        ig_text_append(out, size, "  %ld:%02ld left", left / 60, left % 60);
}

/* Name and size of the dataset, as far as it fits. */
static void draw_dataset(ig_app *app, int row, int col, int end)
{
    const ig_dataset *set = app->versions.set[app->now->version];
    const char *version = ig_version_shown(app),
               *dot = glyph_text(app, IG_GLYPH_BULLET);
    char part[5][80] = {""}, count[IG_NUMBER_SIZE];

    snprintf(part[0], sizeof *part, "%.40s", set->name);
    snprintf(part[1], sizeof *part, " %s %s rows", dot,
             ig_count_format(count, set->rows));
    snprintf(part[2], sizeof *part, " %s %zu language%s", dot, set->languages,
             set->languages == 1 ? "" : "s");
    snprintf(part[3], sizeof *part, " %s d %zu", dot, set->dims);
    if (version)
        snprintf(part[4], sizeof *part, "  version %.40s", version);
    for (int i = 0; i < 5 && (i == 0 || col + ig_text_columns(part[i]) <= end); i++)
        col += ig_canvas_text(&app->canvas, row, col, end - col, part[i], ig_plain);
}

void ig_header_draw(ig_app *app)
{
    ig_rect at = ig_rect_inset(app->layout.header, 0, 0, 0, 1);
    const ig_session *now = app->now;
    bool training = now->activity == IG_TRAINING;
    bool bar = training || now->activity == IG_PAUSED;
    double trained = (double)ig_run_epochs(now->info); /* then their share */
    char run[192], rest[64] = "";
    ig_style style = describe_state(app, bar, run, sizeof run);
    int width = ig_text_columns(run), left;

    if (bar) {
        describe_rest(app, rest, sizeof rest);
        width += BAR + 4 + (int)strlen(rest);
    }
    left = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, "isogloss", ig_accent);
    at = ig_rect_inset(at, 0, 0, 0, left + 2);
    if (width + 1 > at.cols) { /* narrow: the run without its rest */
        bar = false;
    } else {
        draw_dataset(app, at.row, at.col, at.col + at.cols - width - 3);
        at = ig_rect_inset(at, 0, 0, 0, at.cols - width - 1);
    }
    at.col += ig_canvas_text(&app->canvas, at.row, at.col, at.cols, run, style);
    if (!bar)
        return;
    if (training && now->trained->trainer->batches)
        trained += (double)atomic_load(&now->trained->trainer->progress) /
                   (double)now->trained->trainer->batches;
    ig_bar_draw(&app->canvas, at.row, at.col + 1, BAR,
                trained / (double)now->info->options.epochs, style);
    ig_canvas_text(&app->canvas, at.row, at.col + BAR + 3, 40, rest, ig_plain);
}

/* --- the line below --------------------------------------------------------------- */

static void draw_prompt(ig_app *app, ig_rect at, int *row, int *col)
{
    const char *sign = app->overlay->sign;
    const char *text = app->prompt.text;
    size_t length = app->prompt.length, before = app->prompt.at;
    int used = ig_canvas_text(&app->canvas, at.row, at.col, at.cols, sign, ig_accent);
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
    ig_canvas_text_n(
        &app->canvas, at.row, at.col + used, room, text, length,
        ig_style_of(IG_COLOUR_DEFAULT, app->prompt.fresh ? IG_REVERSE : 0));
}

/* --- messages --------------------------------------------------------------------- */

enum { MESSAGE_ROWS = 3 };

/* The lower line of the body, a frame's: a message stands in it. */
static ig_rect message_line(const ig_app *app)
{
    ig_rect body = app->layout.body;

    return (ig_rect){body.row + body.rows - 1, body.col + 1, 1, body.cols - 2};
}

/* A text of so many lines at most: one in the frame's line, several above it. */
static void draw_message(ig_app *app, ig_rect line, const char *text, int most,
                         ig_style style)
{
    ig_rect at = ig_rect_inset(line, 0, 1, 0, 1), nowhere = {0, 0, 0, at.cols};
    int width = ig_text_columns(text);
    int rows = 1;

    if (width > at.cols)
        rows = ig_canvas_wrap(&app->canvas, nowhere, text, style);
    rows = rows < most ? rows : most;
    at.row -= rows > 1 ? rows : 0;
    at.rows = rows;
    if (rows == 1)
        at.cols = width < at.cols ? width : at.cols;
    ig_canvas_fill(&app->canvas, (ig_rect){at.row, at.col - 1, rows, at.cols + 2},
                   style);
    if (rows > 1)
        ig_canvas_wrap(&app->canvas, at, text, style);
    else
        ig_canvas_text(&app->canvas, at.row, at.col, at.cols, text, style);
}

/* In the lower edge of the list's frame. */
static void draw_legend(ig_app *app)
{
    const ig_panel *panel = ig_app_in(app, IG_ROLE_LIST);
    ig_pane pane = ig_app_pane(app, panel);
    char text[200] = "";

    if (!panel->legend || ig_rect_empty(pane.rect) || !(pane.edges & IG_EDGE_BOTTOM))
        return;
    pane.rect = ig_rect_inset(pane.rect, pane.rect.rows - 1, 1, 0, 1);
    panel->legend(app, pane.rect.cols, text, sizeof text);
    if (*text)
        draw_message(app, pane.rect, text, MESSAGE_ROWS, ig_dim);
}

/* --- hints ------------------------------------------------------------------------ */

enum {
    GAP = 2,  /* columns between two hints */
    OWN = 8,  /* rank of a panel's own hints */
    LAST = 90 /* ranks that must fit */
};

/* Whether a list of words between blanks has this one. */
static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    const char *at = list;

    while ((at = strstr(at, word)) != NULL &&
           ((at > list && at[-1] != ' ') || (at[n] != ' ' && at[n])))
        at += n;
    return at != NULL;
}

/* One more, unless the action is there by then. */
static void add_hint(ig_hint *out, size_t *count, const ig_action_entry *entry,
                     const char *brief, int rank)
{
    size_t i = *count;

    for (size_t k = 0; k < *count; k++)
        if (out[k].entry == entry)
            return;
    if (!entry || !brief || *count == IG_HINTS)
        return;
    while (i > 0 && out[i - 1].rank > rank) {
        out[i] = out[i - 1];
        i--;
    }
    out[i] = (ig_hint){entry, brief, rank};
    ++*count;
}

size_t ig_hints_collect(const ig_app *app, ig_hint out[IG_HINTS])
{
    const ig_panel_hint *own = app->focus->hints;
    size_t count = 0;

    for (; own && own->action; own++)
        add_hint(out, &count, ig_action_named(own->action),
                 own->word ? own->word(app) : own->brief, own->rank ? own->rank : OWN);
    for (const ig_action_entry *b = ig_actions; b->name; b++)
        if (!b->panels || has_word(b->panels, app->focus->name))
            add_hint(out, &count, b, b->word ? b->word(app) : b->brief, b->rank);
    return count;
}

/* The first key of an entry and its name; false: no key. */
static bool first_key(const ig_action_entry *entry, char name[IG_KEY_NAME_SIZE],
                      ig_key *key)
{
    snprintf(name, IG_KEY_NAME_SIZE, "%.*s", (int)strcspn(entry->keys, " "),
             entry->keys);
    return ig_key_parse(key, name);
}

/* Draw what fits of the hints, or count its columns; returns the columns used. */
static int draw_some(ig_app *app, ig_rect at, const ig_hint *hint, size_t count,
                     bool last, bool drawn)
{
    int used = 0;

    for (size_t i = 0; i < count; i++) {
        char name[IG_KEY_NAME_SIZE];
        ig_rect rect = ig_rect_inset(at, 0, 0, 0, used);
        ig_key key;
        int width;

        if ((hint[i].rank >= LAST) != last || !first_key(hint[i].entry, name, &key))
            continue;
        width = ig_text_columns(name) + 1 + ig_text_columns(hint[i].brief);
        if (used + width > at.cols)
            continue;
        rect.cols = width;
        if (drawn) {
            ig_key_draw(app, rect, name, hint[i].brief);
            ig_hotspot_add(app, (ig_hotspot){.rect = rect, .key = key});
        }
        used += width + GAP;
    }
    return used;
}

/* Those that fit, each with its first key; what always must be found (help, commands,
 * quit) has its room first. */
static void draw_hints(ig_app *app, ig_rect at)
{
    ig_hint hint[IG_HINTS];
    size_t count = ig_hints_collect(app, hint);
    int last, used;

    at = ig_rect_inset(at, 0, 0, 0, 1);
    last = draw_some(app, at, hint, count, true, false);
    used = draw_some(app, ig_rect_inset(at, 0, last, 0, 0), hint, count, false, true);
    draw_some(app, ig_rect_inset(at, 0, 0, 0, used), hint, count, true, true);
}

/* --- the line below --------------------------------------------------------------- */

void ig_footer_draw(ig_app *app, int *row, int *col)
{
    ig_rect at = app->layout.footer, line = message_line(app);
    ig_style style = ig_style_of(0, IG_BOLD);
    char text[400];

    if (app->note[0]) {
        style.fg = app->note_is_error ? IG_COLOUR_BAD : IG_COLOUR_ACCENT;
        draw_message(app, line, app->note, MESSAGE_ROWS, style);
    } else if (!app->overlay && ig_narration_line(app, text, sizeof text)) {
        draw_message(app, line, text, /* covers no list with the keys */
                     app->focus == ig_app_in(app, IG_ROLE_LIST) ? 1 : MESSAGE_ROWS,
                     ig_style_of(IG_COLOUR_TEXT, IG_BOLD));
    } else if (!app->overlay) {
        draw_legend(app);
    }
    if (ig_app_types(app)) {
        draw_prompt(app, at, row, col);
        return;
    }
    if (app->overlay)
        ig_keys_draw(app, ig_rect_inset(at, 0, 0, 0, 1), app->overlay->keys);
    else if ((app->focus->hint && app->focus->hint(app, text, sizeof text)) ||
             ig_talk_menu(app, text, sizeof text))
        ig_keys_draw(app, ig_rect_inset(at, 0, 0, 0, 1), text);
    else
        draw_hints(app, at);
}

/* --- tabs ------------------------------------------------------------------------- */

enum { SEPARATOR = 3, LEAST = 8, SHORT_NOTE = 10 /* columns */ };

/* The open one: bold while it has the keys, and in brackets where there are no
 * colours. */
static int draw_open(ig_app *app, ig_rect at, const ig_panel *open, const char *title,
                     bool alone)
{
    bool focused = app->focus == open;
    bool brackets = app->canvas.depth == IG_DEPTH_NONE && !alone && at.cols > 2;
    ig_style style =
        ig_style_of(focused ? IG_COLOUR_FOCUS : IG_COLOUR_TEXT, focused ? IG_BOLD : 0);
    int used = brackets;

    if (!alone && !brackets)
        style.attributes |= IG_UNDERLINE;
    used += ig_canvas_caption(&app->canvas, at.row, at.col + used,
                              at.cols - 2 * brackets, title, style);
    if (brackets) {
        ig_canvas_text(&app->canvas, at.row, at.col, 1, "[", style);
        used += ig_canvas_text(&app->canvas, at.row, at.col + used, 1, "]", style);
    }
    return used;
}

void ig_tabs_draw(ig_app *app, ig_rect frame, const ig_panel *open, const char *title,
                  const char *note)
{
    int taken = *note ? ig_text_columns(note) + 3 : 0;
    bool noted = taken > 0 && taken <= SHORT_NOTE && taken + LEAST <= frame.cols - 4;
    int room = frame.cols - 4 - (noted ? taken : 0), others = 0, end;
    int width = ig_text_columns(title) + 2, most = room * 2 / 3;
    int least = width < most ? width : most; /* columns that the open one keeps */
    ig_rect at = {frame.row, frame.col + 2, 1, 0};
    const ig_panel *tab[IG_PANELS_MAX]; /* (tabs) of the role */
    size_t tabs = 0, dropped = 0;

    if (room < 1)
        return;
    for (size_t i = 0; i < app->panels; i++) {
        const ig_panel *p = app->panel[i];

        if (p->role != open->role)
            continue;
        tab[tabs++] = p;
        others += p == open ? 0 : SEPARATOR + ig_text_columns(p->name);
    }
    for (; dropped < tabs && room - others < least; dropped++) {
        if (tab[dropped] != open)
            others -= SEPARATOR + ig_text_columns(tab[dropped]->name);
    }
    if (!noted && taken && room - taken - others >= least) {
        noted = true;
        room -= taken;
    }
    end = frame.col + frame.cols - (noted ? taken : 0);
    if (noted)
        ig_canvas_print(&app->canvas, at.row, end, taken - 1, ig_dim, " %s ", note);
    ig_canvas_put(&app->canvas, at.row, at.col - 1, " ", ig_dim);
    for (size_t i = 0; i < tabs; i++) {
        if (tab[i] != open && i < dropped)
            continue;
        if (at.cols > 0)
            at.col += ig_canvas_print(&app->canvas, at.row, at.col, SEPARATOR, ig_dim,
                                      " %s ", glyph_text(app, IG_GLYPH_VERTICAL));
        at.cols = room - others;
        if (tab[i] == open)
            at.cols = draw_open(app, at, open, title, others == 0);
        else
            at.cols = ig_canvas_text(&app->canvas, at.row, at.col,
                                     ig_text_columns(tab[i]->name), tab[i]->name,
                                     ig_dim);
        ig_hotspot_add(app, (ig_hotspot){.rect = at, .panel = tab[i]});
        at.col += at.cols;
    }
    ig_canvas_put(&app->canvas, at.row, at.col, " ", ig_dim);
    /* "Tab", where it leads here, and there is room for it before the note. */
    if (app->focus != open && ig_app_panel_after(app, 1)->role == open->role &&
        end - 5 > at.col + 2) {
        ig_canvas_text(&app->canvas, at.row, end - 6, 5, " Tab ", ig_accent);
        ig_hotspot_add(app, (ig_hotspot){.rect = {at.row, end - 5, 1, 3},
                                         .key = {.code = IG_KEY_TAB}});
    }
}
