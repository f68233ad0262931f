/* The card of a sentence: full text, names with values, a table of translations. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/overlay.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/row_query.h"
#include "explorer/searching.h"
#include "view/layout.h"

enum {
    CARD_COLS = 108,
    NAME = 13,   /* columns of a name */
    FIGURES = 20 /* of a translation's rank, cosine and margin */
};

static void add_text(ig_app *app, ig_details *p, const char *text, ig_style style)
{
    size_t start = 0, length = 0;

    ig_search_find(app, text, &start, &length);
    p->in = ig_rect_inset(
        p->in, ig_canvas_wrap_lit(p->canvas, p->in, text, style, start, length), 0, 0,
        0);
}

/* What the dataset says. */
static void add_row(ig_app *app, ig_details *p, uint32_t row)
{
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
}

/* --- its translations ------------------------------------------------------------- */

struct cells {
    ig_app *app;
    const ig_neighbours_list *list; /* (lists) */
    size_t lists;
    int width; /* columns of a language's code */
    char text[IG_ROW_TEXT_SIZE], code[IG_CODE_SIZE], number[3 * IG_NUMBER_SIZE];
};

/* Language; rank, cosine and ratio margin in each list; text. */
static void fill_cell(void *context, size_t i, size_t column, ig_list_cell *cell)
{
    struct cells *c = context;
    const ig_dataset *set = c->app->set;
    const ig_neighbours_list *list = &c->list[column ? column - 1 : 0];
    const ig_translation *of = &c->list[0].near->translation[i];
    char rank[IG_NUMBER_SIZE], cosine[IG_NUMBER_SIZE], margin[IG_NUMBER_SIZE];
    ig_glyphs glyphs = c->app->canvas.glyphs;

    cell->text = c->number;
    if (column == 0) {
        cell->text = ig_code_short(c->code, set->language, set->languages,
                                   set->lang[of->row], c->width, glyphs);
        cell->style = ig_style_of(ig_colour_language(set->lang[of->row]), 0);
    } else if (column > c->lists) {
        cell->text = ig_row_text(set, of->row, c->text);
    } else if ((cell->text = ig_neighbours_missing(c->app, list)) == NULL) {
        of = &list->near->translation[i];
        snprintf(c->number, sizeof c->number, "%s %s %s",
                 ig_rank_format(c->app, of->rank[list->space], rank),
                 ig_fixed_format(cosine, (double)of->cosine[list->space], 3,
                                 glyphs == IG_ASCII),
                 ig_margin_format(c->app, list, of->margin[list->space], margin));
        cell->text = c->number;
        if (of->rank[list->space] == 1)
            cell->style = ig_style_of(IG_COLOUR_GOOD, IG_BOLD);
    }
}

/* Why there is no table of translations, or NULL. */
static const char *why_missing(const ig_app *app, uint32_t row)
{
    const ig_neighbours *near = app->now->neighbours;

    if (row != app->cursor)
        return "ranks belong to the cursor's sentence: press Enter to go to this one";
    if (!near || near->row != row)
        return ig_session_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …");
    return near->translations ? NULL : "none: no other language has this id";
}

/* Draw them; a click in `in` goes to one. */
static void add_translations(ig_app *app, ig_details *p, uint32_t row, ig_rect in)
{
    const ig_neighbours *near = app->now->neighbours;
    const char *missing = why_missing(app, row);
    ig_neighbours_list list[IG_SPACES];
    struct cells cells = {.app = app, .list = list};
    ig_column column[2 + IG_SPACES] = {{0}};
    char label[IG_SPACES][IG_RUN_LABEL];
    ig_list table = {column, .header = true, .selected = IG_NO_LINE,
                     .source = fill_cell, .context = &cells};

    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
    if (missing) {
        ig_details_add(p, "translations", ig_dim, "%s", missing);
        return;
    }
    cells.lists = ig_neighbours_lists(app, list);
    cells.width = column[0].width = ig_translations_code_width(app->set, 8);
    for (size_t i = 0; i < cells.lists; i++) {
        const char *name = list[i].side ? ig_side_label(app, list[i].side - 1, label[i])
                                        : ig_space_name(list[i].space);

        column[1 + i] = (ig_column){name, FIGURES, IG_ALIGN_RIGHT, 0};
    }
    table.columns = cells.lists + 2;
    table.rows = near->listed;
    ig_canvas_text(p->canvas, p->in.row, p->in.col, p->in.cols,
                   "translations: rank cos margin", ig_dim);
    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
    ig_list_draw(p->canvas,
                 (ig_rect){p->in.row, p->in.col, 1 + (int)near->listed, p->in.cols},
                 &table);
    for (size_t i = 0; i < near->listed; i++)
        if (ig_rect_has(in, p->in.row + 1 + (int)i, p->in.col))
            ig_hotspot_add(app, (ig_hotspot){.rect = {p->in.row + 1 + (int)i, p->in.col,
                                                      1, p->in.cols},
                                             .goes = true,
                                             .row = near->translation[i].row});
    p->in = ig_rect_inset(p->in, 1 + (int)near->listed, 0, 0, 0);
    if (near->listed < near->translations)
        ig_details_add(p, "", ig_dim, "%zu more", near->translations - near->listed);
    if (!app->now->main.shown->weights)
        ig_details_add(p, "", ig_dim, "meaning and language: train a run first");
}

/* --- what was measured ------------------------------------------------------------ */

static void add_measures(ig_app *app, ig_details *p, uint32_t row)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    char number[IG_NUMBER_SIZE];

    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
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

/* Its row; follows the cursor once that moves. */
static uint32_t row_of(ig_app *app)
{
    ig_card *card = &app->card;

    if (card->cursor != app->cursor) {
        card->row = card->cursor = app->cursor;
        ig_list_cursor_reset(&card->at);
    }
    return card->row;
}

/* Draw the card from line `first` on, or with `in` empty nothing; returns its lines. */
static int draw_page(ig_app *app, uint32_t row, ig_rect in, int cols, int first)
{
    int top = in.row - first;
    ig_details page = {&app->canvas, {top, in.col, INT_MAX / 4, cols}, NAME};
    ig_rect clip = ig_canvas_clip(&app->canvas, in);

    add_row(app, &page, row);
    add_translations(app, &page, row, in);
    add_measures(app, &page, row);
    app->canvas.clip = clip;
    return page.in.row - top;
}

static void draw_card(ig_app *app)
{
    uint32_t row = row_of(app);
    ig_list_cursor *at = &app->card.at;
    int cols = app->canvas.cols < CARD_COLS ? app->canvas.cols : CARD_COLS;
    int lines = draw_page(app, row, (ig_rect){0}, cols - 4, 0);
    char title[64];
    ig_rect in;

    snprintf(title, sizeof title, "#%u %.40s", row,
             app->set->language[app->set->lang[row]]);
    in = ig_overlay_box(app, lines + 2, cols, title);
    if (in.cols != cols - 4 || ig_rect_empty(in))
        return;
    at->rect = in;
    at->line = ig_scroll(at->line, IG_NO_LINE, (size_t)lines, ig_list_page(in, false));
    draw_page(app, row, in, in.cols, (int)at->line);
    if (lines > in.rows)
        ig_canvas_text(&app->canvas, in.row + in.rows - 1, in.col + in.cols - 1, 1,
                       ig_glyph_text(app->canvas.glyphs, (int)at->line + in.rows < lines
                                                             ? IG_GLYPH_ARROW_DOWN
                                                             : IG_GLYPH_ARROW_UP),
                       ig_accent);
}

/* Other keys act as without a card: next match, another gloss. */
static bool press_key(ig_app *app, ig_action action, ig_key ignored)
{
    (void)ignored;
    if (action == IG_ACT_NONE || action == IG_ACT_STOP)
        return false;
    if (action == IG_ACT_ENTER) {
        uint32_t row = row_of(app);

        if (row == app->cursor)
            ig_overlay_close(app);
        ig_app_jump(app, row);
        row_of(app);
    } else if (!ig_overlay_leave(app, action)) {
        /* Drawing clamps the offset. */
        ig_list_cursor_act(&app->card.at, action, SIZE_MAX);
    }
    return true;
}

void ig_inspect_open(ig_app *app)
{
    static const ig_overlay card = {
        "Enter go to row|r gloss|arrows PgUp PgDn scroll|Esc close",
        .asks = IG_ASKS_EVALUATION, .key = press_key, .draw = draw_card};

    app->typed = 0; /* the card is of a row */
    ig_overlay_open(app, &card);
    app->card.row = ig_app_row(app);
    app->card.cursor = app->cursor;
    ig_list_cursor_reset(&app->card.at);
}
