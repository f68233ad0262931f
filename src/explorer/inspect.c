/* The card of a sentence: full text, names with values, its translations. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/overlay.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/row_query.h"
#include "explorer/searching.h"

enum {
    CARD_COLS = 108,
    NAME = 13,   /* columns of a name */
    FIGURES = 21 /* of a translation's rank, cosine and margin */
};

static void add_text(ig_app *app, ig_details *p, const char *text, ig_style style)
{
    size_t start = 0, length = 0;
    int used;

    ig_search_find(app, text, &start, &length);
    used = ig_canvas_wrap_lit(p->canvas, p->in, text, style, start, length);
    p->in = ig_rect_inset(p->in, used, 0, 0, 0);
}

/* What the dataset says. */
static void add_row(ig_app *app, ig_details *p)
{
    uint32_t row = app->cursor;
    const ig_dataset *set = app->set;
    uint32_t gloss = ig_gloss_row(app, row);
    bool has_id = set->has_ids && set->id[row] != IG_NO_ID;

    if (set->has_text && set->text[row][0])
        add_text(app, p, set->text[row], ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    else
        add_text(app, p, set->has_text ? "no text" : "dataset has no texts", ig_dim);
    if (gloss != IG_NO_ROW)
        add_text(app, p, set->text[gloss], ig_dim);
    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
    ig_details_add(p, "language", ig_style_of(ig_colour_language(set->lang[row]), 0),
                   "%s", set->language[set->lang[row]]);
    ig_details_add(p, "id", has_id ? ig_plain : ig_dim, "%s",
                   has_id ? set->id_name[set->id[row]] : "none: translations unknown");
    for (size_t i = 0; i < set->labels; i++)
        ig_details_add(p, set->label[i].name, ig_plain, "%s",
                       set->label[i].category[set->label[i].value[row]]);
    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
}

/* Why there are no translations, or NULL. */
static const char *why_missing(const ig_app *app)
{
    const ig_neighbours *near = app->now->neighbours;

    if (!near || near->row != app->cursor)
        return ig_session_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …");
    return near->translations ? NULL : "none: no other language has this id";
}

/* Rank, cosine and margin of a translation in a list, or what the list waits for. */
static void print_figures(ig_app *app, ig_canvas *canvas, ig_rect at,
                          const ig_neighbours_list *list, size_t translation)
{
    const char *waits = ig_neighbours_missing(app, list);
    const ig_translation *of;
    char rank[IG_NUMBER_SIZE], margin[IG_NUMBER_SIZE];

    if (waits) {
        ig_canvas_text(canvas, at.row, at.col, at.cols, waits, ig_dim);
        return;
    }
    of = &list->near->translation[translation];
    ig_rank_format(app, of->rank[list->space], rank);
    ig_canvas_print(canvas, at.row, at.col, at.cols,
                    of->rank[list->space] == 1 ? ig_style_of(IG_COLOUR_GOOD, IG_BOLD)
                                               : ig_plain,
                    "%*s %6.3f %s", 5 + (int)strlen(rank) - ig_text_columns(rank), rank,
                    (double)of->cosine[list->space],
                    ig_margin_format(app, list, of->margin[list->space], margin));
}

/* A line for each: rank, cosine and margin in each list, and the text. A click goes to
 * it. */
static void add_translations(ig_app *app, ig_details *p)
{
    const ig_neighbours *near = app->now->neighbours;
    const char *missing = why_missing(app);
    ig_neighbours_list list[IG_SPACES];
    size_t lists = missing ? 0 : ig_neighbours_lists(app, list);
    char label[IG_RUN_LABEL], text[IG_ROW_TEXT_SIZE];
    int col = p->in.col + NAME + 1, end = p->in.col + p->in.cols;

    ig_details_add(p, "translations", ig_dim, "%s",
                   missing ? missing : "rank, cosine, ratio margin by");
    for (size_t k = 0; k < lists; k++)
        ig_canvas_text(p->canvas, p->in.row, col + (int)k * FIGURES, FIGURES - 1,
                       list[k].side ? ig_side_label(app, list[k].side - 1, label)
                                    : ig_space_name(list[k].space),
                       ig_dim);
    p->in = ig_rect_inset(p->in, !missing, 0, 0, 0);
    for (size_t i = 0; !missing && i < near->listed; i++) {
        uint32_t at = near->translation[i].row;
        uint16_t lang = app->set->lang[at];
        ig_rect line = {p->in.row, p->in.col, 1, p->in.cols};

        ig_canvas_text(p->canvas, line.row, line.col, NAME, app->set->language[lang],
                       ig_style_of(ig_colour_language(lang), 0));
        for (size_t k = 0; k < lists; k++)
            print_figures(app, p->canvas,
                          (ig_rect){line.row, col + (int)k * FIGURES, 1, FIGURES - 1},
                          &list[k], i);
        ig_canvas_text(p->canvas, line.row, col + (int)lists * FIGURES,
                       end - col - (int)lists * FIGURES,
                       ig_row_text(app->set, at, text), ig_plain);
        ig_hotspot_add(app, (ig_hotspot){.rect = ig_rect_clip(line, p->canvas->clip),
                                         .goes = true,
                                         .row = at});
        p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
    }
    if (!missing && near->listed < near->translations)
        ig_details_add(p, "", ig_dim, "%zu more", near->translations - near->listed);
    if (!missing && !app->now->main.shown->weights)
        ig_details_add(p, "", ig_dim, "meaning and language: train a run first");
    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
}

static void add_measures(ig_app *app, ig_details *p)
{
    uint32_t row = app->cursor;
    const ig_shown_evaluation *e = app->now->evaluation;
    char number[IG_NUMBER_SIZE];

    if (!e)
        ig_details_add(
            p, "measures", ig_dim, "%s",
            ig_session_waits(app->now, IG_PRODUCT_EVALUATION, "being measured …"));
    for (int i = 0; e && i < IG_VALUES; i++) {
        const float *value = e->value[i];

        if (value && !isnan(value[row]))
            ig_details_add(p, ig_value_fields[i].name, ig_plain, "%s, %s",
                           ig_fixed_format(number, (double)value[row],
                                           i == IG_VALUE_HUBNESS ? 0 : 3,
                                           app->canvas.glyphs == IG_ASCII),
                           ig_value_fields[i].about);
        else
            ig_details_add(p, ig_value_fields[i].name, ig_dim, "not measured%s",
                           !value && i == IG_VALUE_LEAK
                               ? ": needs a run with language embeddings"
                           : !value             ? ": the dataset has no pairs"
                           : e->held_out        ? ": not held out (a: all rows)"
                           : e->ids < e->of_ids ? ": not in the sample (M: all)"
                                                : ": all candidates tie");
    }
}

/* --- the card --------------------------------------------------------------------- */

static void draw_card(ig_app *app)
{
    ig_list_cursor *at = &app->listed;
    int cols = app->canvas.cols < CARD_COLS ? app->canvas.cols : CARD_COLS, row;
    ig_details page = {.canvas = &app->canvas, .width = NAME};
    char title[64];
    ig_rect clip;

    snprintf(title, sizeof title, "#%u %.40s", app->cursor,
             app->set->language[app->set->lang[app->cursor]]);
    at->rect = ig_overlay_box(app, app->layout.body.rows, cols, title);
    row = at->rect.row - (int)at->line;
    page.in = (ig_rect){row, at->rect.col, INT_MAX / 4, at->rect.cols};
    clip = ig_canvas_clip(&app->canvas, at->rect);
    add_row(app, &page);
    add_translations(app, &page);
    add_measures(app, &page);
    app->canvas.clip = clip;
    at->lines = (size_t)(page.in.row - row);
    if (at->lines > (size_t)at->rect.rows)
        ig_canvas_text(&app->canvas, at->rect.row + at->rect.rows - 1,
                       at->rect.col + at->rect.cols - 1, 1,
                       ig_glyph_text(app->canvas.glyphs, at->line
                                                             ? IG_GLYPH_ARROW_UP
                                                             : IG_GLYPH_ARROW_DOWN),
                       ig_accent);
}

/* Other keys act as without a card: next match, another gloss. */
static bool press_key(ig_app *app, ig_action action, ig_key ignored)
{
    size_t page = ig_list_page(app->listed.rect, false), lines = app->listed.lines;

    (void)ignored;
    if (action == IG_ACT_NONE || action == IG_ACT_STOP)
        return false;
    return ig_overlay_leave(app, action) ||
           ig_list_cursor_act(&app->listed, action,
                              lines > page ? lines - page + 1 : 1);
}

void ig_inspect_open(ig_app *app)
{
    static const ig_overlay card = {
        "r gloss|Backspace back|arrows PgUp PgDn scroll|Esc close",
        .asks = IG_ASKS_EVALUATION, .key = press_key, .draw = draw_card};

    ig_app_jump(app, ig_app_row(app));
    app->typed = 0; /* the card is of a row */
    ig_overlay_open(app, &card);
    ig_list_cursor_reset(&app->listed);
}
