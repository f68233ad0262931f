/* The card of a sentence: full text, names with values, its translations. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "explorer/glosses.h"
#include "explorer/overlay.h"
#include "explorer/row_query.h"
#include "view/axes.h"

enum { CARD_COLS = 108, NAME = 13 /* columns of a name */ };

/* What the dataset says. */
static void add_row(const ig_app *app, ig_details *p)
{
    const ig_dataset *set = app->set;
    uint32_t row = app->cursor, gloss = ig_gloss_row(app, row);
    bool has_id = set->has_ids && set->id[row] != IG_NO_ID;
    char number[IG_ROW_TEXT_SIZE];
    int used = ig_canvas_wrap(p->canvas, p->in, ig_row_text(set, row, number),
                              ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD));

    p->in = ig_rect_inset(p->in, used + 1, 0, 0, 0);
    if (gloss != IG_NO_ROW)
        ig_details_add(p, "gloss", ig_plain, "%s", set->text[gloss]);
    ig_details_add(p, "language", ig_style_of(ig_colour_language(set->lang[row]), 0),
                   "%s", set->language[set->lang[row]]);
    ig_details_add(p, "id", has_id ? ig_plain : ig_dim, "%s",
                   has_id ? set->id_name[set->id[row]] : "none: translations unknown");
    for (size_t i = 0; i < set->labels; i++)
        ig_details_add(p, set->label[i].name, ig_plain, "%s",
                       set->label[i].category[set->label[i].value[row]]);
    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
}

/* A line for each: its rank in each space, and the text. */
static void add_translations(const ig_app *app, ig_details *p)
{
    const ig_neighbours *near = app->now->neighbours;
    bool found = near && near->row == app->cursor && !near->typed;
    bool ascii = app->canvas.glyphs == IG_ASCII;
    char line[128] = "rank by", text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE];

    for (int s = 0; s < IG_SPACES && found; s++)
        if (near->has[s])
            ig_text_append(line, sizeof line, " %s", ig_space_name((ig_space)s));
    ig_details_add(
        p, "translations", ig_dim, "%s",
        !found ? ig_session_waits(app->now, IG_PRODUCT_NEIGHBOURS, "searching …")
        : near->translations ? line
                             : "none: no other language has this id");
    for (size_t i = 0; found && i < near->listed; i++) {
        const ig_translation *of = &near->translation[i];

        *line = '\0';
        for (int s = 0; s < IG_SPACES; s++)
            if (near->has[s])
                ig_text_append(line, sizeof line, "%-6s",
                               of->rank[s]
                                   ? ig_fixed_format(number, of->rank[s], 0, ascii)
                                   : ig_number_format(number, (double)NAN, 1, ascii));
        ig_details_add(p, app->set->language[app->set->lang[of->row]], ig_plain,
                       "%s %s", line, ig_row_text(app->set, of->row, text));
    }
    if (found && near->listed < near->translations)
        ig_details_add(p, "", ig_dim, "%zu more", near->translations - near->listed);
    p->in = ig_rect_inset(p->in, 1, 0, 0, 0);
}

static void add_measures(const ig_app *app, ig_details *p)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    char number[IG_NUMBER_SIZE];

    if (!e)
        ig_details_add(
            p, "measures", ig_dim, "%s",
            ig_session_waits(app->now, IG_PRODUCT_EVALUATION, "being measured …"));
    for (int i = 0; e && i < IG_VALUES; i++) {
        const ig_value_field *field = &ig_value_fields[i];
        double value = e->value[i] ? (double)e->value[i][app->cursor] : NAN;

        ig_fixed_format(number, value, i == IG_VALUE_HUBNESS ? 0 : 3,
                        app->canvas.glyphs == IG_ASCII);
        ig_details_add(p, field->name, isnan(value) ? ig_dim : ig_plain, "%s, %s",
                       isnan(value) ? "not measured" : number, field->about);
    }
}

/* --- the card --------------------------------------------------------------------- */

static void draw_card(ig_app *app)
{
    ig_list_cursor *at = &app->listed;
    ig_details page = {.canvas = &app->canvas, .width = NAME};
    char title[64];
    ig_rect clip;
    int row;

    snprintf(title, sizeof title, "#%u %.40s", app->cursor,
             app->set->language[app->set->lang[app->cursor]]);
    at->rect = ig_overlay_box(app, app->layout.body.rows, CARD_COLS, title);
    row = at->rect.row - (int)at->line;
    page.in = (ig_rect){row, at->rect.col, INT_MAX / 4, at->rect.cols};
    clip = ig_canvas_clip(&app->canvas, at->rect);
    add_row(app, &page);
    add_translations(app, &page);
    add_measures(app, &page);
    app->canvas.clip = clip;
    at->lines = (size_t)(page.in.row - row);
}

/* Other keys act as without a card: next row, another gloss. */
static bool press_key(ig_app *app, ig_action action, ig_key ignored)
{
    size_t page = ig_list_page(app->listed.rect, false), lines = app->listed.lines;

    (void)ignored;
    if (action != IG_ACT_BACK && action != IG_ACT_QUIT)
        return ig_list_cursor_act(&app->listed, action,
                                  lines > page ? lines - page + 1 : 1);
    app->overlay = NULL;
    return true;
}

void ig_inspect_open(ig_app *app)
{
    static const ig_overlay card = {
        "r gloss|Backspace back|arrows PgUp PgDn scroll|Esc close",
        .asks = IG_ASKS_EVALUATION, .key = press_key, .draw = draw_card};

    ig_app_go(app, ig_app_row(app));
    app->overlay = &card;
    ig_list_cursor_reset(&app->listed);
}
