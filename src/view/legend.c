/* Legends: names with their colours, wrapped. */
#include "view/legend.h"

#include <stdio.h>

#include "core/text.h"

enum {
    MOST = 256,     /* entries placed */
    MOST_COLS = 20, /* of a name */
    MORE = 256
};

/* The entries that fit. */
struct placed {
    size_t fit, left; /* entries placed; groups behind them */
    ig_rect at[MOST];
};

/* The group of an entry, NULL: the heading or a remark; and the text it is drawn as. */
static const ig_colour_group *entry_of(const ig_legend *l, size_t entry,
                                       const char **text)
{
    size_t heading = !!*l->heading;
    const ig_colour_group *group = NULL;

    if (entry >= heading && entry - heading < l->groups)
        group = &l->group[entry - heading];
    *text = group             ? group->name
            : entry < heading ? l->heading
                              : l->remark[entry - heading - l->groups];
    return group;
}

/* Place entries from the upper left, wrapped, but for `end` columns; true: all fit. */
static bool place_entries(struct placed *p, const ig_legend *l, ig_rect rect, int end)
{
    size_t heading = !!*l->heading, all = heading + l->groups + IG_REMARKS, i;
    int line = 0, col = 0;

    for (i = 0; i < all && i < MOST; i++) {
        const char *text;
        const ig_colour_group *group = entry_of(l, i, &text);
        int width = ig_text_columns(text);

        p->at[i] = (ig_rect){rect.row + line, rect.col + col - 1, 1, 0};
        if (!group && !*text)
            continue;
        col += col > 0 && !group; /* a wider gap */
        if (group)
            width = (width < MOST_COLS ? width : MOST_COLS) + (group->shown ? 2 : 4);
        if (col > 0 && col + width > rect.cols - (line == rect.rows - 1 ? end : 0)) {
            line++;
            col = 0;
        }
        if (line >= rect.rows)
            break;
        p->at[i] = (ig_rect){rect.row + line, rect.col + col, 1,
                             width < rect.cols - col ? width : rect.cols - col};
        col += width + 1;
    }
    p->fit = i;
    p->left =
        i < heading + l->groups ? heading + l->groups - (i > heading ? i : heading) : 0;
    return i >= all;
}

/* The same; if not even all groups and the first remark fit, with room for what is
 * written behind them: the number of groups, the first remark, others, and remarks that
 * fit: "… 5 more, pale: mixed, 12 others". Remarks take no group's place, and of
 * a single line none. */
static void fit_entries(struct placed *p, const ig_legend *l, ig_rect rect,
                        char more[MORE])
{
    bool others = l->groups && l->group[l->groups - 1].colour == IG_COLOUR_DIM, fits;
    ig_legend named = {l->heading, {"", "", "", ""}, l->group, l->groups - others, 0};
    ig_legend plain = *l;
    size_t left = IG_REMARKS;

    *more = '\0';
    while (!(fits = place_entries(p, &plain, rect, 0)) && left-- > 1)
        plain.remark[left] = "";
    for (int i = 0; i < 3 && !fits; i++) {
        place_entries(p, &named, rect, *more ? ig_text_columns(more) + 1 : 0);
        *more = '\0';
        if (p->left)
            snprintf(more, MORE, "… %zu more", p->left);
        for (int k = 0; k < IG_REMARKS && (p->left || others); k++) {
            if (*l->remark[k] && rect.rows > 1 &&
                ig_text_columns(more) + 2 + ig_text_columns(l->remark[k]) <= rect.cols)
                ig_text_append(more, MORE, "%s%s", *more ? ", " : "", l->remark[k]);
            if (k == 0 && others)
                ig_text_append(more, MORE, "%s%s", *more ? ", " : "",
                               l->group[named.groups].name);
        }
    }
}

int ig_legend_lines(const ig_legend *legend, int cols)
{
    struct placed p;

    place_entries(&p, legend, (ig_rect){0, 0, MOST, cols}, 0);
    return p.fit ? p.at[p.fit - 1].row + 1 : 0;
}

void ig_legend_draw(ig_canvas *canvas, ig_rect rect, const ig_legend *legend)
{
    bool letters = canvas->glyphs == IG_ASCII || canvas->depth == IG_DEPTH_NONE;
    size_t hues = canvas->depth == IG_DEPTH_8 ? IG_FEW_COLOURS : IG_LANGUAGE_COLOURS;
    struct placed p;
    int last = rect.row + rect.rows - 1, col = rect.col;
    char more[MORE];

    if (ig_rect_empty(rect))
        return;
    fit_entries(&p, legend, rect, more);
    for (size_t i = 0; i < p.fit; i++) {
        const char *text;
        const ig_colour_group *g = entry_of(legend, i, &text);
        ig_rect at = p.at[i];
        size_t number = g ? (size_t)(g - legend->group) + 1 : 0;
        bool lit = g && g->shown && (!legend->only || legend->only == number);
        char letter[2] = {g ? g->letter : '\0', '\0'};

        if (at.row == last)
            col = at.col + at.cols + 1;
        if (!g) {
            ig_canvas_text(canvas, at.row, at.col, at.cols, text, ig_dim);
            continue;
        }
        if (at.cols > 0)
            ig_canvas_put(canvas, at.row, at.col,
                          !g->shown                  ? "□"
                          : letters || number > hues ? letter
                                                     : "■",
                          ig_style_of(g->shown ? g->colour : IG_COLOUR_DIM, 0));
        ig_canvas_print(canvas, at.row, at.col + 1, at.cols - 1,
                        ig_style_of(lit ? IG_COLOUR_TEXT : IG_COLOUR_DIM,
                                    lit && legend->only ? IG_BOLD : 0),
                        g->shown ? " %s" : " (%s)", text);
    }
    ig_canvas_text(canvas, last, col, rect.col + rect.cols - col, more, ig_dim);
}

long ig_legend_at(ig_rect rect, const ig_legend *legend, int row, int col)
{
    struct placed p;
    char more[MORE];
    const char *text;

    fit_entries(&p, legend, rect, more);
    for (size_t i = 0; i < p.fit; i++)
        if (ig_rect_has(p.at[i], row, col)) {
            const ig_colour_group *group = entry_of(legend, i, &text);

            return group ? group - legend->group : -1;
        }
    return -1;
}
