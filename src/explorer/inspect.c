/* The card of a sentence: full text, names with values, its translations. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "core/text.h"
#include "explorer/overlay.h"
#include "explorer/row_query.h"
#include "view/axes.h"

enum { CARD_COLS = 108, NAME = 13 /* columns of a name */ };

/* Language, id, labels and measured values. */
static void add_columns(const ig_app *app, ig_details *p)
{
    const ig_dataset *set = app->set;
    ig_row_source source = {.set = set, .measured = app->now->evaluation};
    const char *missing =
        source.measured
            ? source.measured->held_out ? "not measured, a: all rows" : "not measured"
            : ig_session_waits(app->now, IG_PRODUCT_EVALUATION, "being measured …");
    char number[IG_NUMBER_SIZE];

    for (size_t c = IG_ROW_LANG; c < ig_row_columns(set); c++) {
        ig_row_column of = ig_row_column_of(set, c);
        const char *word = ig_row_word(set, c, app->cursor);
        double x = ig_row_number(&source, c, app->cursor);

        if (of.value < IG_VALUES) {
            ig_fixed_format(number, x, ig_value_fields[of.value].decimals,
                            app->canvas.glyphs == IG_ASCII);
            ig_details_add(p, of.name, isnan(x) ? ig_dim : ig_plain, "%s, %s",
                           isnan(x) ? missing : number,
                           ig_value_fields[of.value].about);
        } else if (c != IG_ROW_TEXT) {
            ig_details_add(p, of.name, *word ? ig_plain : ig_dim, "%s",
                           *word ? word : "none");
        }
    }
}

/* A line for each: its rank in each space, and the text. */
static void add_translations(const ig_app *app, ig_details *p)
{
    const ig_neighbours *near = app->now->neighbours;
    bool found = near && near->row == app->cursor && !near->typed;
    char line[128] = "", text[IG_ROW_TEXT_SIZE], number[IG_NUMBER_SIZE];

    for (int s = 0; s < IG_SPACES && found; s++)
        if (near->has[s])
            ig_text_append(line, sizeof line, "%-9s", ig_space_name((ig_space)s));
    ig_text_append(line, sizeof line, "(rank in its language)");
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
                ig_text_append(line, sizeof line, "%-9s",
                               of->rank[s] ? ig_fixed_format(number, of->rank[s], 0, 0)
                                           : "tie");
        ig_details_add(p, app->set->language[app->set->lang[of->row]], ig_plain, "%s%s",
                       line, ig_row_text(app->set, of->row, text));
    }
    if (found && near->listed < near->translations)
        ig_details_add(p, "", ig_dim, "%zu more", near->translations - near->listed);
}

static void draw_card(ig_app *app)
{
    ig_list_cursor *at = &app->listed;
    ig_details page = {.canvas = &app->canvas, .width = NAME};
    uint32_t gloss = ig_gloss_row(app, app->cursor);
    char title[64], label[IG_ROW_TEXT_SIZE];
    ig_rect clip;
    int row;

    snprintf(title, sizeof title, "#%u %.40s", app->cursor,
             app->set->language[app->set->lang[app->cursor]]);
    at->rect = ig_overlay_box(app, app->layout.body.rows, CARD_COLS, title);
    row = at->rect.row - (int)at->line;
    page.in = (ig_rect){row, at->rect.col, INT_MAX / 4, at->rect.cols};
    clip = ig_canvas_clip(&app->canvas, at->rect);
    ig_details_add(&page, "text", ig_style_of(IG_COLOUR_DEFAULT, IG_BOLD), "%s",
                   ig_row_text(app->set, app->cursor, label));
    if (gloss != IG_NO_ROW)
        ig_details_add(&page, "gloss", ig_plain, "%s", app->set->text[gloss]);
    add_columns(app, &page);
    add_translations(app, &page);
    app->canvas.clip = clip;
    at->lines = (size_t)(page.in.row - row);
}

/* Other keys act as without a card: next row, another gloss. */
static bool press_key(ig_app *app, ig_action action, ig_key ignored)
{
    size_t page = (size_t)app->listed.rect.rows, lines = app->listed.lines;

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
        "r gloss|Backspace return|arrows PgUp PgDn scroll|Esc close",
        .asks = IG_ASKS_EVALUATION, .key = press_key, .draw = draw_card};

    if (ig_app_current_typed(app) && !app->focus->row) {
        ig_app_note(app, false,
                    "a typed sentence has no row to inspect: Esc leaves it");
        return;
    }
    ig_app_go(app, ig_app_row(app));
    app->overlay = &card;
    app->listed.line = 0;
}
