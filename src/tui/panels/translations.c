/* The true translations, and figures of neighbours. */
#include "tui/panels/translations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "draw/list.h"
#include "tui/gloss.h"

enum { GAP = 2 /* columns between two */, WIDE = 36 /* a list that has margins */ };

bool ig_neighbours_ready(const ig_neighbours_list *list)
{
    return list->near && list->near->has[list->space];
}

static ig_product_id product_of(const ig_app *app, const ig_neighbours_list *list)
{
    return list->run && list->run == app->now->compared_run
               ? IG_PRODUCT_NEIGHBOURS_COMPARED
               : IG_PRODUCT_NEIGHBOURS;
}

const char *ig_neighbours_waits(const ig_app *app, const ig_neighbours_list *list)
{
    return ig_snapshot_waits(app->now, product_of(app, list), "searching …");
}

ig_margins ig_neighbours_margins(const ig_app *app, const ig_neighbours_list *list)
{
    ig_margins margins = list->near->margins[list->space];
    bool failed = *app->now->failure[product_of(app, list)];

    return margins == IG_MARGINS_DUE && failed ? IG_MARGINS_COSTLY : margins;
}

/* --- figures ---------------------------------------------------------------------- */

/* A size in so many columns: as many decimals as fit, no zero before the point. */
static void format_size(char *out, double size, int columns)
{
    char digits[64];
    int decimals = columns - 1, length;

    do {
        length = snprintf(digits, sizeof digits, "%.*f", decimals, size);
        if (digits[0] == '0' && decimals > 0)
            memmove(digits, digits + 1, (size_t)length--);
    } while (length > columns && decimals-- > 0);
    snprintf(out, IG_FIGURE_SIZE - 1, "%.*s", columns, length > columns ? "#" : digits);
}

void ig_cosine_format(char out[IG_FIGURE_SIZE], float cosine, int decimals)
{
    out[0] = cosine < 0 ? '-' : ' ';
    format_size(out + 1, fabs((double)cosine), 1 + decimals);
}

void ig_margin_format(char out[IG_FIGURE_SIZE], ig_margins margins, float margin,
                      int decimals, ig_glyphs glyphs)
{
    double size = fabs((double)margin);

    if (margins == IG_MARGINS_DUE)
        snprintf(out, IG_FIGURE_SIZE, "%s", ig_glyph_text(glyphs, IG_GLYPH_ELLIPSIS));
    else if (margins == IG_MARGINS_COSTLY || !isfinite(size))
        snprintf(out, IG_FIGURE_SIZE, "%s", glyphs == IG_ASCII ? "-" : "–");
    else if (margin < 0)
        ig_cosine_format(out, margin, decimals);
    else if (size < 1)
        snprintf(out, IG_FIGURE_SIZE, "%.*f", decimals, size);
    else
        format_size(out, size, 2 + decimals);
}

int ig_translations_code_width(const ig_set *set, int most)
{
    int widest = 2;

    for (size_t l = 0; l < set->languages && widest < most; l++) {
        int width = (int)ig_text_width(set->language[l], strlen(set->language[l]));

        widest = width > widest ? width : widest;
    }
    return widest < most ? widest : most;
}

/* --- ranks -------------------------------------------------------------------------*/

static const char *code_of(const ig_app *app, uint32_t row)
{
    return app->set->language[app->set->lang[row]];
}

/* "17", or "–" where a rank says nothing. */
static void format_rank(const ig_app *app, char out[IG_FIGURE_SIZE], uint32_t rank)
{
    if (rank)
        snprintf(out, IG_FIGURE_SIZE, "%u", rank);
    else
        snprintf(out, IG_FIGURE_SIZE, "%s", app->canvas.glyphs == IG_ASCII ? "-" : "–");
}

static ig_style rank_style(uint32_t rank)
{
    return rank == 1 ? ig_style_of(IG_COLOUR_GOOD, IG_BOLD)
                     : ig_style_of(rank ? IG_COLOUR_TEXT : IG_COLOUR_DIM, 0);
}

int ig_translations_width(const ig_app *app, const ig_neighbours *near)
{
    int width = 0;

    for (size_t i = 0; near && i < near->listed; i++) {
        size_t lang = app->set->lang[near->translation[i].row];
        const char *code = app->set->language[lang];

        width += (int)ig_text_width(code, strlen(code)) + 1 + GAP +
                 (app->set->language_rows[lang] > 9 ? 2 : 1);
    }
    return width;
}

/* --- in lines --------------------------------------------------------------------- */

/* Translations in the order in which they are to be told. */
struct order {
    const ig_neighbours *near;
    ig_space space;
    size_t count;
    struct rank {
        uint32_t rank;
        size_t of; /* number of the translation */
    } item[IG_TRANSLATIONS_MAX];
};

static int worst_first(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? 1 : -1;
    return (x->of > y->of) - (x->of < y->of);
}

/* Draw from the front of the order as many as fit, `tail` columns of the last line left
 * free unless all do; returns how many, and where the next one would stand. */
static size_t lay(ig_app *app, ig_rect rect, const struct order *o, int tail, bool draw,
                  int *row, int *col)
{
    size_t i = 0;

    *row = *col = 0;
    for (; i < o->count; i++) {
        const ig_translation *t = &o->near->translation[o->item[i].of];
        const char *code = code_of(app, t->row);
        char rank[IG_FIGURE_SIZE];
        int width, used;

        format_rank(app, rank, o->item[i].rank);
        width = (int)(ig_text_width(code, strlen(code)) +
                      ig_text_width(rank, strlen(rank))) +
                1;
        if (*col > 0 && *col + width > rect.cols && *row + 1 < rect.rows) {
            ++*row;
            *col = 0;
        }
        if (*col + width + (*row + 1 == rect.rows ? tail : 0) > rect.cols)
            return i;
        if (draw) {
            used = ig_canvas_text(
                &app->canvas, rect.row + *row, rect.col + *col, width, code,
                ig_style_of(ig_colour_language(app->set->lang[t->row]), 0));
            ig_canvas_text(&app->canvas, rect.row + *row, rect.col + *col + used + 1,
                           width, rank, rank_style(o->item[i].rank));
        }
        *col += width + GAP;
    }
    return i;
}

void ig_translations_draw(ig_app *app, ig_rect rect, const ig_neighbours_list *list,
                          bool missed)
{
    const ig_neighbours *near = list->near;
    struct order o = {.near = near, .space = list->space};
    const char *dots = ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ELLIPSIS);
    ig_style dim = ig_style_of(IG_COLOUR_DIM, 0);
    size_t untold, drawn;
    int row, col, tail;

    if (ig_rect_empty(rect) || !ig_neighbours_ready(list) || near->listed == 0)
        return;
    if (near->tied[o.space] == near->translations) {
        ig_canvas_text(&app->canvas, rect.row, rect.col, rect.cols, "all tie: no ranks",
                       dim);
        return;
    }
    for (size_t i = 0; i < near->listed; i++)
        if (!missed || near->translation[i].rank[o.space] != 1)
            o.item[o.count++] = (struct rank){near->translation[i].rank[o.space], i};
    untold = near->translations - near->listed;
    if (!untold && lay(app, rect, &o, 0, false, &row, &col) == o.count) {
        lay(app, rect, &o, 0, true, &row, &col);
        return;
    }
    qsort(o.item, o.count, sizeof *o.item, worst_first);
    tail = missed ? 1 + GAP : GAP + 7 + snprintf(NULL, 0, "%zu", near->translations);
    drawn = lay(app, rect, &o, tail, true, &row, &col);
    untold += o.count - drawn;
    if (missed)
        ig_canvas_text(&app->canvas, rect.row + row, rect.col + col, rect.cols - col,
                       dots, dim);
    else
        ig_canvas_print(&app->canvas, rect.row + row, rect.col + col, rect.cols - col,
                        dim, "%s %zu more", dots, untold);
}

/* --- as a table ------------------------------------------------------------------- */

enum { MOST_COLUMNS = 2 + 3 * IG_SPACES };

struct table {
    ig_app *app;
    const ig_neighbours_list *list;
    size_t lists;
    bool margins;
    int decimals;
    char text[IG_FIGURE_SIZE + IG_ROW_TEXT_SIZE];
};

/* What a column of the table tells: 0 language, then of each list rank, cosine and
 * (with margins) margin; last the text. */
static void figure_cell(struct table *t, const ig_neighbours_list *list, size_t i,
                        int what, ig_list_cell *cell)
{
    const ig_translation *of;

    if (!ig_neighbours_ready(list))
        return;
    of = &list->near->translation[i];
    cell->text = t->text;
    cell->style = ig_style_of(what == 1 ? IG_COLOUR_DIM : IG_COLOUR_TEXT, 0);
    if (what == 0) {
        format_rank(t->app, t->text, of->rank[list->space]);
        cell->style = rank_style(of->rank[list->space]);
    } else if (what == 1) {
        ig_cosine_format(t->text, of->cosine[list->space], t->decimals);
    } else {
        ig_margin_format(t->text, ig_neighbours_margins(t->app, list),
                         of->margin[list->space], t->decimals, t->app->canvas.glyphs);
    }
}

static void table_cell(void *context, size_t i, size_t column, ig_list_cell *cell)
{
    struct table *t = context;
    size_t each = t->margins ? 3 : 2;
    uint32_t row = t->list[0].near->translation[i].row;

    if (column == 0) {
        cell->text = code_of(t->app, row);
        cell->style = ig_style_of(ig_colour_language(t->app->set->lang[row]), 0);
    } else if (column <= each * t->lists) {
        figure_cell(t, &t->list[(column - 1) / each], i, (int)((column - 1) % each),
                    cell);
    } else {
        cell->text = ig_gloss_text(t->app, row, t->text);
    }
}

void ig_translations_table_draw(ig_app *app, ig_rect rect,
                                const ig_neighbours_list *list, size_t n,
                                const ig_list_cursor *cursor)
{
    struct table t = {.app = app, .list = list, .lists = n};
    ig_column column[MOST_COLUMNS];
    char name[IG_SPACES][24];
    size_t columns = 0, count;
    ig_list drawn;

    if (ig_rect_empty(rect) || n == 0 || !list[0].near)
        return;
    count = list[0].near->listed;
    t.margins = rect.cols >= (int)(n * WIDE * 3 / 4);
    t.decimals = rect.cols >= (int)n * WIDE ? 3 : 2;
    column[columns++] = (ig_column){
        "", ig_translations_code_width(app->set, rect.cols / 10), IG_ALIGN_LEFT};
    for (size_t i = 0; i < n; i++) {
        snprintf(name[i], sizeof name[i], "%s", ig_space_name(list[i].space));
        if (list[i].run)
            snprintf(name[i], sizeof name[i], "run %u", list[i].run);
        column[columns++] = (ig_column){name[i], 8, IG_ALIGN_RIGHT};
        column[columns++] = (ig_column){"cos", 2 + t.decimals, IG_ALIGN_RIGHT};
        if (t.margins)
            column[columns++] = (ig_column){"margin", 6, IG_ALIGN_RIGHT};
    }
    column[columns++] = (ig_column){"translation", 0, IG_ALIGN_LEFT};
    drawn = (ig_list){.column = column,
                      .columns = columns,
                      .rows = count,
                      .selected = IG_NO_LINE,
                      .header = true,
                      .source = table_cell,
                      .context = &t};
    if (cursor)
        ig_list_cursor_apply(cursor, &drawn, true);
    ig_list_draw(&app->canvas, rect, &drawn);
}
