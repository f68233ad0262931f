/* The card of a sentence. It is made of lines that are told from above, whatever part
 * of them is seen: a whole text, names with values, a table of translations. */
#include "tui/inspect.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/codes.h"
#include "search/searcher.h"
#include "tui/gloss.h"
#include "tui/overlay.h"
#include "tui/panels/neighbours_panel.h"
#include "tui/searching.h"

enum {
    CARD_COLS = 108,
    NAME = 14,        /* columns of a name */
    FIGURES = 20,     /* of a translation's rank, cosine and margin */
    FEW_FIGURES = 12, /* of rank and cosine */
    TEXT_LEAST = 12   /* of its text, where there is room for it */
};

/* Where the lines come to stand; nothing is drawn above or below `in`. */
struct page {
    ig_app *app;
    ig_rect in;
    int skip, line; /* lines above `in`; told so far */
};

/* What of the page is below the lines told, and in *skip how many of the next lines are
 * above it. */
static ig_rect below(const struct page *p, int *skip)
{
    int down = p->line - p->skip;

    *skip = down < 0 ? -down : 0;
    return ig_rect_inset(p->in, down < 0 ? 0 : down, 0, 0, 0);
}

static void tell_text(struct page *p, const char *text, ig_style style)
{
    size_t start = 0, length = 0;
    int skip;
    ig_rect at = below(p, &skip);

    ig_search_find(p->app, text, &start, &length);
    p->line +=
        ig_canvas_wrap_lit(&p->app->canvas, at, skip, text, style, start, length);
}

__attribute__((format(printf, 4, 5))) static void
tell(struct page *p, const char *name, ig_style style, const char *format, ...)
{
    char value[1024];
    int skip, used, width = p->in.cols >= 3 * NAME ? NAME : p->in.cols / 3;
    ig_rect at = below(p, &skip);
    va_list args;

    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    value[ig_text_valid(value, strlen(value))] = '\0';
    if (skip == 0 && at.rows > 0)
        ig_canvas_text(&p->app->canvas, at.row, at.col, width - 1, name,
                       ig_style_of(IG_COLOUR_DIM, 0));
    used = ig_canvas_wrap(&p->app->canvas, ig_rect_inset(at, 0, 0, 0, width), skip,
                          value, style);
    p->line += used > 0 ? used : 1;
}

static const ig_style plain = {.fg = IG_COLOUR_TEXT}, dim = {.fg = IG_COLOUR_DIM};

/* --- what the set says ------------------------------------------------------------ */

static void tell_row(struct page *p, uint32_t row)
{
    const ig_set *set = p->app->set;
    uint32_t gloss = ig_gloss_row(p->app, row);
    const char *why = set->has_text ? "without a text" : "in a set without texts";

    if (set->has_text && set->text[row][0])
        tell_text(p, set->text[row], ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
    else
        tell_text(p, why, dim);
    if (gloss != IG_NO_ROW)
        tell_text(p, set->text[gloss], dim);
    p->line++;
    tell(p, "language", ig_style_of(ig_colour_language(set->lang[row]), 0), "%s",
         set->language[set->lang[row]]);
    if (set->has_ids && set->id[row] != IG_NO_ID)
        tell(p, "id", plain, "%s", set->id_name[set->id[row]]);
    else
        tell(p, "id", dim, "none: nothing says what translates it");
    for (size_t i = 0; i < set->labels; i++)
        tell(p, set->label[i].name, plain, "%s",
             set->label[i].category[set->label[i].value[row]]);
}

/* --- its translations ------------------------------------------------------------- */

struct table {
    const ig_neighbours *near;
    ig_neighbours_list list[IG_SPACES];
    size_t lists;
    int code, figures; /* columns */
    int text;          /* 0: no room */
};

static struct table table_of(const struct page *p)
{
    const ig_set *set = p->app->set;
    struct table t = {.near = p->app->now->neighbours};
    int room;

    t.lists = ig_neighbours_lists(p->app, t.list);
    t.code = ig_translations_code_width(set, 3 + p->in.cols / 16) + 1;
    room = p->in.cols - t.code;
    t.figures = room >= FIGURES * (int)t.lists ? FIGURES : FEW_FIGURES;
    t.text = room - t.figures * (int)t.lists;
    t.text = set->has_text && t.text >= TEXT_LEAST ? t.text : 0;
    return t;
}

static void draw_figures(struct page *p, ig_rect at, const struct table *t, size_t i,
                         const ig_neighbours_list *list)
{
    ig_canvas *canvas = &p->app->canvas;
    char text[IG_FIGURE_SIZE];
    const ig_translation *of;
    bool ascii = canvas->glyphs == IG_ASCII;

    if (!ig_neighbours_ready(list)) {
        ig_canvas_text(canvas, at.row, at.col, at.cols - 1,
                       ig_neighbours_waits(p->app, list), dim);
        return;
    }
    of = &list->near->translation[i];
    if (of->rank[list->space])
        ig_canvas_print(
            canvas, at.row, at.col, 5,
            of->rank[list->space] == 1 ? ig_style_of(IG_COLOUR_GOOD, IG_BOLD) : plain,
            "%5u", of->rank[list->space]);
    else
        ig_canvas_text(canvas, at.row, at.col + 4, 1, ascii ? "-" : "–", dim);
    ig_cosine_format(text, of->cosine[list->space], 3);
    ig_canvas_text(canvas, at.row, at.col + 6, 5, text, plain);
    if (t->figures < FIGURES)
        return;
    ig_margin_format(text, ig_neighbours_margins(p->app, list), of->margin[list->space],
                     3, canvas->glyphs);
    ig_canvas_text(canvas, at.row, at.col + 12, 6, text, plain);
}

static void tell_headings(struct page *p, const struct table *t)
{
    int skip;
    ig_rect at = below(p, &skip);
    ig_style style = ig_style_of(IG_COLOUR_ACCENT, IG_BOLD);

    for (size_t i = 0; i < t->lists && skip == 0 && at.rows > 0; i++) {
        int col = at.col + t->code + t->figures * (int)i;
        char name[IG_RUN_LABEL + 16];

        snprintf(name, sizeof name, "%s", ig_space_name(t->list[i].space));
        if (t->list[i].run)
            snprintf(name, sizeof name, "run %u", t->list[i].run);
        ig_canvas_text(&p->app->canvas, at.row, col + 1, t->figures - 2, name, style);
        if (at.rows > 1)
            ig_canvas_text(&p->app->canvas, at.row + 1, col + 1, t->figures - 2,
                           t->figures < FIGURES ? "rank  cos" : "rank  cos  margin",
                           dim);
    }
    p->line += 2;
}

static void tell_translation(struct page *p, const struct table *t, size_t i)
{
    const ig_app *app = p->app;
    const ig_set *set = app->set;
    uint32_t row = t->near->translation[i].row;
    char code[IG_CODE_SIZE], text[IG_ROW_TEXT_SIZE];
    int skip;
    ig_rect at = below(p, &skip);

    p->line++;
    if (skip || at.rows <= 0)
        return;
    ig_hotspot_row(p->app, (ig_rect){at.row, at.col, 1, at.cols}, row);
    ig_canvas_text(&p->app->canvas, at.row, at.col, t->code - 1,
                   ig_code_short(code, set->language, set->languages, set->lang[row],
                                 t->code - 1, app->canvas.glyphs),
                   ig_style_of(ig_colour_language(set->lang[row]), 0));
    at = ig_rect_inset(at, 0, 0, 0, t->code);
    for (size_t n = 0; n < t->lists; n++) {
        draw_figures(p, (ig_rect){at.row, at.col, 1, t->figures}, t, i, &t->list[n]);
        at = ig_rect_inset(at, 0, 0, 0, t->figures);
    }
    if (t->text)
        ig_canvas_text(&p->app->canvas, at.row, at.col, at.cols,
                       ig_row_text(set, row, text), plain);
}

static void tell_translations(struct page *p, uint32_t row)
{
    const ig_app *app = p->app;
    const ig_neighbours *near = app->now->neighbours;
    struct table t;

    p->line++;
    if (row != app->cursor) {
        tell(p, "translations", dim,
             "ranks are those of the cursor's sentence: Enter goes to this one");
        return;
    }
    if (!near || near->row != row) {
        tell(p, "translations", dim, "%s",
             ig_snapshot_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …"));
        return;
    }
    t = table_of(p);
    if (near->translations == 0) {
        tell(p, "translations", dim, "none: no other language has this id");
        return;
    }
    tell_headings(p, &t);
    for (size_t i = 0; i < near->listed; i++)
        tell_translation(p, &t, i);
    if (near->listed < near->translations)
        tell(p, "", dim, "%zu more", near->translations - near->listed);
    if (!app->now->has_spaces)
        tell(p, "", dim, "meaning and language: once a run is trained");
}

/* --- what was measured ------------------------------------------------------------ */

/* What a value of a row stands for in words. */
static const struct {
    ig_value value;
    const char *name, *means;
} values[] = {
    {IG_VALUE_ALIGNMENT, "alignment", "mean squared distance to its translations"},
    {IG_VALUE_RANK, "mean rank", "of its translations"},
    {IG_VALUE_LEAK, "leak", "where 1 is all translations found by language alone"},
};

static void tell_value(struct page *p, size_t which, uint32_t row)
{
    const ig_snapshot *now = p->app->now;
    const ig_shown_evaluation *e = now->evaluation;
    const float *value = e->value[values[which].value];
    char number[IG_NUMBER_SIZE];

    if (!value && values[which].value == IG_VALUE_LEAK)
        tell(p, values[which].name, dim,
             now->has_spaces ? "this method has no language embeddings"
                             : "once a run has language embeddings");
    else if (!value)
        tell(p, values[which].name, dim, "not measured: the set has no pairs");
    else if (isnan(value[row]))
        tell(p, values[which].name, dim,
             e->held_out          ? "not measured: no held-out id (a: all rows)"
             : e->ids < e->of_ids ? "not measured: not in the sample (M: all)"
                                  : "not measured: no translation that tells");
    else
        tell(p, values[which].name, plain, "%s, %s",
             ig_fixed_format(number, (double)value[row], 3,
                             p->app->canvas.glyphs == IG_ASCII),
             values[which].means);
}

/* The place of a row in an ascending list, or n. */
static size_t place_of(const uint32_t *list, size_t n, uint32_t row)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && list[low] == row ? low : n;
}

static void tell_probe(struct page *p, ig_space space, uint32_t row)
{
    const ig_set *set = p->app->set;
    const ig_evaluation *e = p->app->now->evaluation->space[space];
    char name[32], number[IG_NUMBER_SIZE];
    size_t i;

    if (!e)
        return;
    snprintf(name, sizeof name, "in %s", ig_space_name(space));
    i = place_of(e->probe.row, e->probe.answers, row);
    if (e->probe.reason) {
        tell(p, name, dim, "%s", e->probe.reason);
    } else if (i == e->probe.answers) {
        bool learnt = place_of(e->probe.learnt_row, e->probe.learnt, row) <
                      e->probe.learnt;

        tell(p, name, dim, "not asked: %s",
             learnt ? "it learnt from this row"
                    : "this row is not among those measured");
    } else {
        bool right = e->probe.read[i] == set->lang[row];

        ig_fixed_format(number, fabs((double)e->probe.certainty[i]), 2,
                        p->app->canvas.glyphs == IG_ASCII);
        tell(p, name, right ? plain : ig_style_of(IG_COLOUR_WARN, 0),
             right ? "read as %s, %s ahead of the next language"
                   : "read as %s, %s ahead of its own",
             set->language[e->probe.read[i]], number);
    }
}

static void tell_measures(struct page *p, uint32_t row)
{
    const ig_snapshot *now = p->app->now;

    p->line++;
    if (!now->evaluation) {
        tell(p, "measures", dim, "%s",
             ig_snapshot_waits(now, IG_PRODUCT_EVALUATION, "being measured …"));
        return;
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        tell_value(p, i, row);
    tell(p, "linear probe", dim, "tells the language from a vector:");
    for (int s = 0; s < IG_SPACES; s++)
        tell_probe(p, (ig_space)s, row);
}

/* --- the card --------------------------------------------------------------------- */

static void tell_all(struct page *p, uint32_t row)
{
    tell_row(p, row);
    tell_translations(p, row);
    tell_measures(p, row);
}

/* Its row: the cursor's from when that moves on. */
static uint32_t row_of(ig_app *app)
{
    ig_card *card = &app->card;

    if (card->cursor != app->cursor)
        *card = (ig_card){.row = app->cursor, .cursor = app->cursor};
    return card->row;
}

static void draw(ig_app *app)
{
    uint32_t row = row_of(app);
    int cols = app->canvas.cols < CARD_COLS ? app->canvas.cols : CARD_COLS;
    struct page page = {.app = app, .in = {.cols = cols - 4}};
    char title[64];
    int lines;

    tell_all(&page, row); /* nowhere: how many lines there are */
    lines = page.line;
    snprintf(title, sizeof title, "#%u %.40s", row,
             app->set->language[app->set->lang[row]]);
    page = (struct page){.app = app, .in = ig_overlay_box(app, lines + 2, cols, title)};
    if (app->card.line > lines - page.in.rows)
        app->card.line = lines > page.in.rows ? lines - page.in.rows : 0;
    app->card.page = page.in.rows;
    page.skip = app->card.line;
    tell_all(&page, row);
    if (lines > page.in.rows && page.in.rows > 0)
        ig_canvas_text(
            &app->canvas, page.in.row + page.in.rows - 1,
            page.in.col + page.in.cols - 1, 1,
            ig_glyph_text(app->canvas.glyphs, page.skip + page.in.rows < lines
                                                  ? IG_GLYPH_ARROW_DOWN
                                                  : IG_GLYPH_ARROW_UP),
            ig_style_of(IG_COLOUR_ACCENT, IG_BOLD));
}

/* What is neither scrolling nor leaving does what it does without a card: the next
 * match, another gloss. */
static bool key(ig_app *app, ig_action action, ig_key ignored)
{
    ig_list_cursor at = {.line = (size_t)app->card.line};

    (void)ignored;
    if (action == IG_ACT_NONE || action == IG_ACT_STOP)
        return false;
    if (action == IG_ACT_ENTER) {
        uint32_t row = row_of(app);

        if (row == app->cursor)
            app->overlay = NULL;
        ig_app_jump(app, row);
        row_of(app);
    } else if (!ig_overlay_leave(app, action) &&
               ig_list_cursor_act(&at, action, SIZE_MAX / 2,
                                  app->card.page > 1 ? (size_t)app->card.page : 1)) {
        /* The last line is known when it is drawn. */
        app->card.line = at.line < INT16_MAX ? (int)at.line : INT16_MAX;
    }
    return true;
}

void ig_inspect_open(ig_app *app)
{
    static const ig_overlay card = {
        .keys = "Enter go there|arrows PgUp PgDn scroll|Esc close",
        .asks = IG_ASKS_EVALUATION,
        .key = key,
        .draw = draw};

    app->overlay = &card;
    app->card = (ig_card){.row = ig_app_row(app), .cursor = app->cursor};
}
