/* The loaded dataset: its properties, languages and labels. Enter on a language shows
 * or hides it, on a label colours the map by it. */
#include <stdio.h>
#include <string.h>

#include "explorer/colouring.h"
#include "explorer/narration.h"
#include "view/axes.h"

extern const ig_panel ig_data_panel;

struct state {
    ig_list_cursor cursor;
    ig_details lines; /* … then the languages, then the labels */
};

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_data_panel);
}

/* Encoder fields of its .json. */
static void add_origin(ig_details *p, const ig_origin *o)
{
    if (!o || !o->encoder)
        return;
    ig_details_add(p, "encoder", "%s", o->model ? o->model : o->encoder);
    if (o->model)
        ig_details_add(p, "  at", "%s", o->encoder);
    if (o->prefix && *o->prefix)
        ig_details_add(p, "  prefix", "'%s'", o->prefix);
    if (o->date)
        ig_details_add(p, "  on", "%.10s", o->date);
}

static void add_advice(ig_details *p, const ig_app *app)
{
    char advice[IG_ADVICE_MAX][IG_ADVICE_SIZE];
    size_t n = ig_advising_set(app, advice);

    for (size_t k = 0; k < n; k++) {
        ig_details_add(p, k ? "" : "advice", "%s", advice[k]);
        ig_details_warn_if(p, 1);
    }
}

/* A count that should be 0. */
static void add_fault(ig_details *p, const char *name, size_t n)
{
    ig_details_add(p, name, "%zu", n);
    ig_details_warn_if(p, n);
}

static void add_groups(ig_details *p, const ig_app *app)
{
    const ig_dataset *set = app->set;
    char name[sizeof p->line->name], count[IG_NUMBER_SIZE];

    for (size_t i = 0; i < set->languages; i++) {
        bool shown = app->colouring->language[i];

        snprintf(name, sizeof name, "  %.60s", set->language[i]);
        ig_details_add(p, name, "%s rows%s",
                       ig_count_format(count, set->language_rows[i]),
                       shown ? "" : ", hidden");
        ig_details_style(p,
                         ig_style_of(shown ? ig_colour_language(i) : IG_COLOUR_DIM, 0));
    }
    for (size_t i = 0; i < set->labels; i++) {
        snprintf(name, sizeof name, "label %.50s", set->label[i].name);
        ig_details_add(p, name, "%zu values", set->label[i].categories);
    }
}

static void collect_lines(const ig_app *app, ig_details *p)
{
    const ig_dataset *set = app->set;
    const ig_dataset_notes *n = &set->notes;
    char a[IG_NUMBER_SIZE], b[IG_NUMBER_SIZE];

    p->count = 0;
    ig_details_add(p, "rows", n->sampled_from ? "%s, sampled from %s" : "%s",
                   ig_count_format(a, set->rows), ig_count_format(b, n->sampled_from));
    ig_details_add(p, "dimensions", "%zu", set->dims);
    add_origin(p, app->options.origin);
    ig_details_add(p, "ids", set->has_ids ? "%s" : "none: no pairs",
                   ig_count_format(a, set->ids));
    add_advice(p, app);
    if (set->has_text)
        add_fault(p, "empty texts", n->empty_texts);
    else
        ig_details_add(p, "texts", "none (search needs texts)");
    if (n->broken_texts)
        add_fault(p, "texts not UTF-8", n->broken_texts);
    add_fault(p, "zero vectors", app->options.zero_rows);
    add_fault(p, "repeated ids", n->repeated_ids);
    add_fault(p, "single-row languages", n->single_languages);
    if (set->xy[0])
        ig_details_add(p, "map xy", "columns %.60s, %.60s", set->xy[0]->name,
                       set->xy[1]->name);
    ig_details_add(p, "languages", "%zu", set->languages);
    add_groups(p, app);
}

static void focus_first(ig_app *app)
{
    ig_list_cursor_reset(&state_of(app)->cursor);
    collect_lines(app, &state_of(app)->lines);
}

/* Index of the cursor's line among languages and labels; -1: another line. */
static long group_of(const ig_app *app)
{
    const struct state *s = state_of(app);
    size_t groups = app->set->languages + app->set->labels;

    return (long)(s->cursor.line + groups) - (long)s->lines.count;
}

static bool act_on_line(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);
    size_t languages = app->set->languages;
    long group = group_of(app);

    if (action != IG_ACT_ENTER)
        return ig_list_cursor_act(&s->cursor, action, s->lines.count);
    if (group >= (long)languages)
        ig_colouring_choose(app, 1 + (size_t)group - languages);
    else if (group >= 0)
        ig_colouring_toggle_language(app, (size_t)group);
    return group >= 0;
}

static void press_line(ig_app *app, ig_key key)
{
    if (ig_list_cursor_mouse(&state_of(app)->cursor, key))
        act_on_line(app, IG_ACT_ENTER);
}

static void draw_panel(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    bool focused = app->focus == &ig_data_panel;

    if (!focused)
        ig_list_cursor_reset(&s->cursor);
    collect_lines(app, &s->lines);
    ig_details_draw(&s->lines, &app->canvas, pane->inside, 21, &s->cursor, focused);
}

static void free_state(ig_app *app)
{
    ig_details_free(&state_of(app)->lines);
}

/* Word of the Enter key for the cursor's line. */
static const char *enter_word(const ig_app *app)
{
    long group = group_of(app);

    return group >= (long)app->set->languages ? "colour map"
           : group < 0                        ? NULL
           : app->colouring->language[group]  ? "hide"
                                              : "show";
}

static const ig_panel_hint hints[] = {
    {"enter", NULL, enter_word, 0},
    {0},
};

const ig_panel ig_data_panel = {
    .name = "data",
    .about = "the dataset: properties, languages and labels",
    .reads = "Rows, dimensions, and the number of rows of each language and label. "
             "Lines in the warning colour report rows that training or measuring "
             "cannot use well, such as repeated ids or zero vectors. Enter on a "
             "language hides or shows it, and on a label colours the map by it.",
    .role = IG_ROLE_LIST,
    .state = sizeof(struct state),
    .close = free_state,
    .focus = focus_first,
    .act = act_on_line,
    .mouse = press_line,
    .hints = hints,
    .draw = draw_panel};
