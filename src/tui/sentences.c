/* The sentences panel: a list that is walked through while the cursor, and with it map,
 * neighbours and texts, follows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "draw/axes.h"
#include "draw/list.h"
#include "tui/app.h"

enum {
    VALUE = 6,       /* columns of a value: "0.0412", "−12.34", "1234.5" */
    MOST_HEADING = 9 /* of its heading: "alignment" */
};

/* --- the list --------------------------------------------------------------------- */

void ig_sentences_free(ig_sentences *list)
{
    ig_free(list->item);
    *list = (ig_sentences){0};
}

static void go_to(ig_app *app, size_t at)
{
    ig_sentences *list = &app->sentences;

    if (list->count == 0)
        return;
    list->at = at < list->count ? at : list->count - 1;
    ig_app_go(app, list->item[list->at].row);
}

/* Decimals with which every value of a list stands in VALUE columns. */
static int decimals_of(const ig_sentences *list)
{
    double most = 0, least = 0;
    bool whole = true;

    for (size_t i = 0; i < list->count; i++) {
        double value = list->item[i].value;

        most = fmax(most, fabs(value)); /* never a NaN */
        least = fmin(least, value);
        whole &= isnan(value) || value == rint(value);
    }
    if (whole || most >= (least < 0 ? 1000 : 10000))
        return 0;
    return most >= 100 ? 1 : most >= 10 ? 2 : 4 - (least < 0);
}

void ig_sentences_set(ig_app *app, const ig_sentences *list)
{
    ig_sentences_free(&app->sentences);
    app->sentences = *list;
    app->sentences.mixed = false;
    app->sentences.decimals = decimals_of(list);
    for (size_t i = 1; i < list->count; i++)
        app->sentences.mixed |= app->set->lang[list->item[i].row] !=
                                app->set->lang[list->item[0].row];
    if (list->count == 0 && app->settings.focus == IG_PANEL_SENTENCES)
        ig_app_focus(app, list->from);
}

void ig_sentences_open(ig_app *app)
{
    if (app->sentences.count == 0) {
        ig_app_note(app, false,
                    "no sentences are listed: Enter on a cell of leakage lists some");
        return;
    }
    ig_app_focus(app, IG_PANEL_SENTENCES);
    go_to(app, app->sentences.at);
}

void ig_sentences_step(ig_app *app, int step)
{
    const ig_sentences *list = &app->sentences;
    bool here = list->count && app->cursor == list->item[list->at].row;

    if (list->count == 0)
        ig_sentences_open(app); /* says what is missing */
    else if (!here) /* the cursor was elsewhere meanwhile: back to the list first */
        go_to(app, list->at);
    else if (step < 0 && list->at == 0)
        ig_app_note(app, false, "this is the first sentence of the list");
    else if (step > 0 && list->at + 1 == list->count)
        ig_app_note(app, false, "this is the last sentence of the list");
    else
        go_to(app, step < 0 ? list->at - 1 : list->at + 1);
}

const char *ig_row_text(const ig_set *set, uint32_t row, char out[IG_ROW_TEXT_SIZE])
{
    if (set->has_text && set->text[row][0])
        return set->text[row];
    if (set->has_ids && set->id[row] != IG_NO_ID)
        return set->id_name[set->id[row]];
    snprintf(out, IG_ROW_TEXT_SIZE, "#%u", row);
    return out;
}

/* --- where things stand ----------------------------------------------------------- */

/* The list above, the selected sentence with its translation in full below. */
struct places {
    ig_rect list, full;
    bool header;
};

static struct places places_of(const ig_app *app)
{
    ig_rect in = app->layout.panel[IG_PANEL_SENTENCES].inside;
    int full = in.rows >= 9 ? in.rows / 2 : in.rows >= 6 ? 2 : 0;
    int most = (int)app->sentences.count + 1;
    struct places p = {in, in, in.rows >= 8};

    full = in.rows - full > most && full ? in.rows - most : full;
    p.list.rows = in.rows - full;
    p.full = ig_rect_inset(in, p.list.rows, 0, 0, 0);
    return p;
}

static size_t page_of(const struct places *p)
{
    size_t page = ig_list_page(p->list, p->header);

    return page ? page : 1;
}

/* --- keys ------------------------------------------------------------------------- */

bool ig_sentences_act(ig_app *app, ig_action action)
{
    ig_sentences *list = &app->sentences;
    struct places p = places_of(app);
    size_t page = page_of(&p), at = list->at, last = list->count ? list->count - 1 : 0;

    switch (action) {
    case IG_ACT_DOWN:
        at += at < last;
        break;
    case IG_ACT_UP:
        at -= at > 0;
        break;
    case IG_ACT_PAGE_DOWN:
        at = last - at > page ? at + page : last;
        break;
    case IG_ACT_PAGE_UP:
        at = at > page ? at - page : 0;
        break;
    case IG_ACT_FIRST:
        at = 0;
        break;
    case IG_ACT_LAST:
        at = last;
        break;
    case IG_ACT_LEFT:
    case IG_ACT_RIGHT:
        return true;
    case IG_ACT_ENTER:
        go_to(app, at);
        ig_app_focus(app, IG_PANEL_NEIGHBOURS);
        return true;
    default:
        return false;
    }
    go_to(app, at);
    return true;
}

void ig_sentences_mouse(ig_app *app, ig_key key)
{
    ig_sentences *list = &app->sentences;
    struct places p = places_of(app);
    size_t line = list->offset + (size_t)(key.row - p.list.row - p.header);

    if (key.mouse == IG_MOUSE_WHEEL_UP)
        ig_sentences_act(app, IG_ACT_UP);
    if (key.mouse == IG_MOUSE_WHEEL_DOWN)
        ig_sentences_act(app, IG_ACT_DOWN);
    if (key.mouse == IG_MOUSE_PRESS && ig_rect_has(p.list, key.row, key.col) &&
        key.row >= p.list.row + p.header && line < list->count)
        go_to(app, line);
}

/* --- drawing ---------------------------------------------------------------------- */

struct lines {
    const ig_app *app;
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE];
};

static const char *format_value(const ig_app *app, const ig_sentence *s,
                                char out[IG_NUMBER_SIZE])
{
    bool ascii = app->canvas.glyphs == IG_ASCII;

    if (isnan(s->value))
        return ig_number_format(out, s->value, VALUE, ascii);
    return ig_fixed_format(out, s->value, app->sentences.decimals, ascii);
}

static void line_cell(void *context, size_t row, size_t column, ig_list_cell *cell)
{
    struct lines *lines = context;
    const ig_app *app = lines->app;
    const ig_set *set = app->set;
    const ig_sentence *s = &app->sentences.item[row];

    column += !app->sentences.value_name[0];
    if (column == 0) {
        cell->text = format_value(app, s, lines->number);
        cell->style = ig_style_of(IG_COLOUR_DIM, 0);
    } else if (column == 1 && app->sentences.mixed) {
        cell->text = set->language[set->lang[s->row]];
        cell->style = ig_style_of(ig_colour_language(set->lang[s->row]), 0);
    } else {
        cell->text = ig_row_text(set, s->row, lines->text);
    }
    cell->length = strlen(cell->text);
}

static void draw_list(ig_app *app, const struct places *p)
{
    ig_sentences *s = &app->sentences;
    int heading = (int)ig_text_width(s->value_name, strlen(s->value_name));
    int value = s->whole ? 4 : VALUE;
    int width = heading <= value         ? value
                : heading < MOST_HEADING ? heading
                                         : MOST_HEADING;
    const ig_column one[] = {{s->value_name, width, IG_ALIGN_RIGHT},
                             {"text", 0, IG_ALIGN_LEFT}};
    const ig_column several[] = {{s->value_name, width, IG_ALIGN_RIGHT},
                                 {"lang", 4, IG_ALIGN_LEFT},
                                 {"text", 0, IG_ALIGN_LEFT}};
    struct lines context = {.app = app};
    size_t without = !s->value_name[0]; /* a list without values has no such column */
    ig_list list = {.column = (s->mixed ? several : one) + without,
                    .columns = (s->mixed ? 3 : 2) - without,
                    .rows = s->count,
                    .selected = (long)s->at,
                    .offset = s->offset,
                    .header = p->header,
                    .focused = app->settings.focus == IG_PANEL_SENTENCES,
                    .source = line_cell,
                    .context = &context};

    ig_list_draw(&app->canvas, p->list, &list);
}

/* "de  translation  .812" and the text below it, in at most `most` lines; how many. */
static int draw_full(ig_app *app, ig_rect at, int most, uint32_t row, const char *what,
                     float cosine, ig_style style)
{
    const ig_set *set = app->set;
    const char *code = set->language[set->lang[row]];
    char text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE] = "";
    bool heading = most >= 2;
    int used;

    at.rows = at.rows < most ? at.rows : most;
    if (ig_rect_empty(at))
        return 0;
    if (!isnan(cosine))
        ig_fixed_format(number, (double)cosine, 3, app->canvas.glyphs == IG_ASCII);
    used = 1 + ig_canvas_text(&app->canvas, at.row, at.col, at.cols, code,
                              ig_style_of(ig_colour_language(set->lang[row]), IG_BOLD));
    if (heading) {
        int room = at.cols - used - (int)(strlen(what) + strlen(number)) - 1;
        const char *by = !*number ? "" : room >= 8 ? ", cosine " : " ";

        ig_canvas_print(&app->canvas, at.row, at.col + used, at.cols - used,
                        ig_style_of(IG_COLOUR_DIM, 0), "%s%s%s", what, by, number);
        at = ig_rect_inset(at, 1, 0, 0, 0);
    } else {
        at = ig_rect_inset(at, 0, 0, 0, used);
    }
    used = ig_canvas_wrap(&app->canvas, at, 0, ig_row_text(set, row, text), style);
    return heading + (used < at.rows ? used : at.rows);
}

/* The selected sentence, its translation and what was found instead. The last two come
 * first where there is little room: the list has the sentence's beginning. */
static void draw_selected(ig_app *app, ig_rect full)
{
    const ig_sentences *list = &app->sentences;
    const ig_sentence *s = &list->item[list->at];
    int parts = (s->truth != IG_NO_ROW) + (s->other != IG_NO_ROW);
    bool own = full.rows >= 2 * (parts + 1) || parts == 0;
    int most, used;

    parts += own;
    full = ig_rect_inset(full, full.rows > 2 * parts, 0, 0, 0);
    if (own) {
        most = full.rows / parts--;
        used = draw_full(app, full, most, s->row, "sentence", NAN,
                         ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));
        full = ig_rect_inset(full, used, 0, 0, 0);
    }
    if (s->truth != IG_NO_ROW) {
        most = full.rows / parts--;
        used = draw_full(app, full, most, s->truth, "translation", s->cosine,
                         ig_style_of(IG_COLOUR_GOOD, 0));
        full = ig_rect_inset(full, used, 0, 0, 0);
    }
    if (s->other != IG_NO_ROW)
        draw_full(app, full, full.rows, s->other, list->other_name, s->other_cosine,
                  ig_style_of(IG_COLOUR_WARN, 0));
}

/* The title, cut so that the place in the list stands beside it. */
static void draw_frame(ig_app *app, const ig_slot *slot)
{
    const ig_sentences *list = &app->sentences;
    char title[sizeof list->title + 8], note[64], at[IG_NUMBER_SIZE],
        of[IG_NUMBER_SIZE];
    const char *goes_on = ig_glyph_text(app->canvas.glyphs, IG_GLYPH_ELLIPSIS);
    int room, used;

    used = snprintf(note, sizeof note, "%s/%s",
                    ig_count_format(at, list->count ? list->at + 1 : 0),
                    ig_count_format(of, list->count));

    snprintf(title, sizeof title - 8, "%s", list->title);
    room = slot->rect.cols - used - 7;
    if (room > 8 && ig_text_width(title, strlen(title)) > (size_t)room)
        strcpy(title + ig_text_fit(title, strlen(title), (size_t)room - 1, NULL),
               goes_on);
    ig_frame_draw(&app->canvas, slot->rect, slot->edges, title, note,
                  app->settings.focus == IG_PANEL_SENTENCES);
}

void ig_sentences_draw(ig_app *app)
{
    const ig_slot *slot = &app->layout.panel[IG_PANEL_SENTENCES];
    ig_sentences *list = &app->sentences;
    struct places p = places_of(app);

    if (ig_rect_empty(slot->rect))
        return;
    draw_frame(app, slot);
    if (list->count == 0) {
        ig_canvas_text(&app->canvas, p.list.row, p.list.col, p.list.cols,
                       "no sentences are listed", ig_style_of(IG_COLOUR_DIM, 0));
        return;
    }
    list->offset =
        ig_list_scroll(list->offset, (long)list->at, list->count, page_of(&p));
    draw_list(app, &p);
    if (p.full.rows > 0)
        draw_selected(app, p.full);
}
