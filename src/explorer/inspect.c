/* The card of a sentence: full text, names with values, a table of translations. Drawn
 * on its own canvas, of which a part is shown. */

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/overlay.h"
#include "explorer/panels/neighbours_panel.h"
#include "explorer/row_query.h"
#include "explorer/searching.h"
#include "measure/searcher.h"
#include "view/axes.h"

enum {
    CARD_COLS = 108,
    NAME = 14,   /* columns of a name */
    FIGURES = 20 /* of a translation's rank, cosine and margin */
};

/* The page: lines are drawn top down, the next in row `line`, clipped to `in`. */
struct page {
    ig_app *app;
    ig_canvas *canvas;
    ig_rect in; /* empty: only count the lines */
    int col, cols, line;
};

static ig_rect page_below(const struct page *p)
{
    return (ig_rect){p->line, p->col, INT_MAX / 4, p->cols};
}

static void add_text(struct page *p, const char *text, ig_style style)
{
    size_t start = 0, length = 0;

    ig_search_find(p->app, text, &start, &length);
    p->line += ig_canvas_wrap_lit(p->canvas, page_below(p), text, style, start, length);
}

__attribute__((format(printf, 4, 5))) static void
add_line(struct page *p, const char *name, ig_style style, const char *format, ...)
{
    char value[1024];
    int used, width = p->cols >= 3 * NAME ? NAME : p->cols / 3;
    va_list args;

    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    value[ig_text_valid(value, strlen(value))] = '\0';
    ig_canvas_text(p->canvas, p->line, p->col, width - 1, name, ig_dim);
    used = ig_canvas_wrap(p->canvas, ig_rect_inset(page_below(p), 0, 0, 0, width),
                          value, style);
    p->line += used > 0 ? used : 1;
}

/* --- what the set says ------------------------------------------------------------ */

static void add_row(struct page *p, uint32_t row)
{
    const ig_dataset *set = p->app->set;
    uint32_t gloss = ig_gloss_row(p->app, row);
    const char *why = set->has_text ? "no text" : "dataset has no texts";

    if (set->has_text && set->text[row][0])
        add_text(p, set->text[row], ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    else
        add_text(p, why, ig_dim);
    if (gloss != IG_NO_ROW)
        add_text(p, set->text[gloss], ig_dim);
    p->line++;
    add_line(p, "language", ig_style_of(ig_colour_language(set->lang[row]), 0), "%s",
             set->language[set->lang[row]]);
    if (set->has_ids && set->id[row] != IG_NO_ID)
        add_line(p, "id", ig_plain, "%s", set->id_name[set->id[row]]);
    else
        add_line(p, "id", ig_dim, "none: translations unknown");
    for (size_t i = 0; i < set->labels; i++)
        add_line(p, set->label[i].name, ig_plain, "%s",
                 set->label[i].category[set->label[i].value[row]]);
}

/* --- its translations ------------------------------------------------------------- */

/* "    3  .472 1.050": rank, cosine and ratio margin in a space. */
static void draw_figures(struct page *p, ig_rect at, const ig_neighbours_list *list,
                         size_t i)
{
    const ig_translation *of;
    char rank[IG_FIGURE_SIZE], cosine[IG_FIGURE_SIZE], margin[IG_FIGURE_SIZE];
    bool first;

    if (!ig_neighbours_ready(list)) {
        ig_canvas_text(p->canvas, at.row, at.col, at.cols - 1,
                       ig_neighbours_waits(p->app, list), ig_dim);
        return;
    }
    of = &list->near->translation[i];
    first = of->rank[list->space] == 1;
    ig_rank_format(p->app, rank, of->rank[list->space]);
    ig_cosine_format(cosine, of->cosine[list->space], 3);
    ig_margin_format(margin, ig_neighbours_margins(p->app, list),
                     of->margin[list->space], 3, p->canvas->glyphs);
    ig_canvas_text(p->canvas, at.row, at.col + 5 - ig_text_columns(rank), 5, rank,
                   first ? ig_style_of(IG_COLOUR_GOOD, IG_BOLD) : ig_plain);
    ig_canvas_print(p->canvas, at.row, at.col + 6, at.cols - 7, ig_plain, "%s %s",
                    cosine, margin);
}

static void add_translation(struct page *p, const ig_neighbours_list *list,
                            size_t lists, int width, size_t i)
{
    const ig_dataset *set = p->app->set;
    uint32_t row = list[0].near->translation[i].row;
    char code[IG_CODE_SIZE], text[IG_ROW_TEXT_SIZE];
    ig_rect at = page_below(p);

    p->line++;
    if (ig_rect_has(p->in, at.row, at.col))
        ig_hotspot_add(p->app, (ig_hotspot){.rect = {at.row, at.col, 1, at.cols},
                                            .goes = true,
                                            .row = row});
    ig_canvas_text(p->canvas, at.row, at.col, width - 1,
                   ig_code_short(code, set->language, set->languages, set->lang[row],
                                 width - 1, p->canvas->glyphs),
                   ig_style_of(ig_colour_language(set->lang[row]), 0));
    at = ig_rect_inset(at, 0, 0, 0, width);
    for (size_t n = 0; n < lists; n++) {
        draw_figures(p, (ig_rect){at.row, at.col, 1, FIGURES}, &list[n], i);
        at = ig_rect_inset(at, 0, 0, 0, FIGURES);
    }
    ig_canvas_text(p->canvas, at.row, at.col, at.cols, ig_row_text(set, row, text),
                   ig_plain);
}

/* Why there is no table of translations, or NULL. */
static const char *why_missing(const ig_app *app, uint32_t row)
{
    const ig_neighbours *near = app->now->neighbours;

    if (row != app->cursor)
        return "ranks belong to the cursor's sentence: press Enter to go to this one";
    if (!near || near->row != row)
        return ig_snapshot_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …");
    return near->translations ? NULL : "none: no other language has this id";
}

static void add_translations(struct page *p, uint32_t row)
{
    const ig_app *app = p->app;
    const ig_neighbours *near = app->now->neighbours;
    const char *missing = why_missing(app, row);
    ig_style style = ig_accent;
    int width = ig_translations_code_width(app->set, 3 + p->cols / 16) + 1;
    ig_neighbours_list list[IG_SPACES];
    size_t lists;

    p->line++;
    if (missing) {
        add_line(p, "translations", ig_dim, "%s", missing);
        return;
    }
    lists = ig_neighbours_lists(app, list);
    for (size_t i = 0; i < lists; i++) {
        int col = p->col + width + FIGURES * (int)i + 1;
        char label[IG_RUN_LABEL];

        ig_canvas_text(p->canvas, p->line, col, FIGURES - 2,
                       list[i].side ? ig_side_label(app, list[i].side - 1, label)
                                    : ig_space_name(list[i].space),
                       style);
        ig_canvas_text(p->canvas, p->line + 1, col, FIGURES - 2, "rank  cos  margin",
                       ig_dim);
    }
    p->line += 2;
    for (size_t i = 0; i < near->listed; i++)
        add_translation(p, list, lists, width, i);
    if (near->listed < near->translations)
        add_line(p, "", ig_dim, "%zu more", near->translations - near->listed);
    if (!app->now->has_spaces)
        add_line(p, "", ig_dim, "meaning and language: train a run first");
}

/* --- what was measured ------------------------------------------------------------ */

static void add_value(struct page *p, ig_value which, uint32_t row)
{
    const ig_snapshot *now = p->app->now;
    const ig_shown_evaluation *e = now->evaluation;
    const float *value = e->value[which];
    const char *name = ig_value_name(which);
    char number[IG_NUMBER_SIZE];

    if (value && !isnan(value[row]))
        add_line(p, name, ig_plain, "%s, %s",
                 ig_fixed_format(number, (double)value[row],
                                 which == IG_VALUE_HUBNESS ? 0 : 3,
                                 p->app->canvas.glyphs == IG_ASCII),
                 ig_value_about(which));
    else
        add_line(p, name, ig_dim, "%s",
                 !value && which == IG_VALUE_LEAK
                     ? "needs a run with language embeddings"
                 : !value             ? "not measured: the dataset has no pairs"
                 : e->held_out        ? "not measured: not held out (a: all rows)"
                 : e->ids < e->of_ids ? "not measured: not in the sample (M: all)"
                                      : "not measured: all candidates tie");
}

static void add_measures(struct page *p, uint32_t row)
{
    const ig_snapshot *now = p->app->now;

    p->line++;
    if (!now->evaluation) {
        add_line(p, "measures", ig_dim, "%s",
                 ig_snapshot_waits(now, IG_PRODUCT_EVALUATION, "being measured …"));
        return;
    }
    for (int i = 0; i < IG_VALUES; i++)
        add_value(p, (ig_value)i, row);
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
    struct page page = {app, &app->canvas, in, in.col, cols, in.row - first};
    ig_rect clip = ig_canvas_clip(&app->canvas, in);

    add_row(&page, row);
    add_translations(&page, row);
    add_measures(&page, row);
    app->canvas.clip = clip;
    return page.line - in.row + first;
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
            app->overlay = NULL;
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
    app->overlay = &card;
    app->card.row = ig_app_row(app);
    app->card.cursor = app->cursor;
    ig_list_cursor_reset(&app->card.at);
}
