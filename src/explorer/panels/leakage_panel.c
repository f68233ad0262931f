/* The leakage panel: views of one evaluation; findings, and plane of language pairs. */
#include "explorer/panels/leakage_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "explorer/provenance.h"

enum { FINDINGS_MAX = IG_FINDINGS_MAX + 3 }; /* and what makes figures unequal */

struct state {
    ig_leakage_figures figures; /* of the view shown */
    ig_list_cursor finding;     /* the selected one … */
    const char *kind, *view;    /* … as last drawn */
    size_t line;
    ig_rect paragraph[FINDINGS_MAX]; /* screen area of each; empty: not drawn */
};

/* --- views ------------------------------------------------------------------------ */

const ig_leakage_view ig_leakage_views[] = {
    {"findings", "findings", IG_SPACE_MEANING, NULL, IG_LEAKAGE_FINDINGS},
    {"summary", "main measures", IG_SPACE_MEANING, NULL, IG_LEAKAGE_MAIN},
    {"measures", "all measures", IG_SPACE_MEANING, NULL, IG_LEAKAGE_ALL},
    {"meaning", "top-1", IG_SPACE_MEANING, "top1", IG_LEAKAGE_MISSED},
    {"language", "top-1", IG_SPACE_LANGUAGE, "top1", IG_LEAKAGE_LEAKED},
    {"original", "top-1", IG_SPACE_ORIGINAL, "top1", IG_LEAKAGE_MISSED},
    {"xsim", "xsim error", IG_SPACE_MEANING, "xsim", IG_LEAKAGE_MISPICKED},
    {"overlap", "overlap@5", IG_SPACE_MEANING, "overlap5", IG_LEAKAGE_MISSED},
    {"rank", "mean rank", IG_SPACE_MEANING, "mean_rank", IG_LEAKAGE_MISSED},
    {"probe-meaning", "read as (unit)", IG_SPACE_MEANING, "probe_read",
     IG_LEAKAGE_READ},
    {"probe-language", "read as (unit)", IG_SPACE_LANGUAGE, "probe_read",
     IG_LEAKAGE_READ},
    {"probe-original", "read as (unit)", IG_SPACE_ORIGINAL, "probe_read",
     IG_LEAKAGE_READ},
    {"plane", "plane: meaning × language", IG_SPACE_MEANING, NULL, IG_LEAKAGE_PLANE},
    {0},
};
enum { ALL = 2, VIEWS = sizeof ig_leakage_views / sizeof *ig_leakage_views - 1 };

static struct state *state_of(const ig_app *app)
{
    return ig_app_state(app, &ig_leakage_panel);
}

static const ig_leakage_view *view_of(const ig_app *app)
{
    return state_of(app)->figures.view;
}

/* Show the view of the app, of what the session shows. */
static void follow_view(ig_app *app)
{
    ig_leakage_figures *f = &state_of(app)->figures;

    f->app = app;
    if (f->view != &ig_leakage_views[app->leakage]) {
        f->view = &ig_leakage_views[app->leakage];
        f->row.line = 0;
        f->col = f->view->measure && app->set->languages > 1;
    }
    ig_leakage_update(f);
}

/* The title names whose findings are not compared, the note says what follows. */
static void describe_title(ig_app *app, char *title, char *note, size_t size)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_leakage_figures *f = &state_of(app)->figures;
    const ig_leakage_view *view = view_of(app);
    bool of_space = view->measure ||
                    (view->kind >= IG_LEAKAGE_MAIN && ig_leakage_differs(f));
    int cols = ig_app_pane(app, &ig_leakage_panel).inside.cols - 2;
    const ig_run_entry *run = e ? ig_runs_find(&app->now->runs, e->by.run) : NULL;
    char a[IG_RUN_LABEL], b[IG_RUN_LABEL];

    snprintf(title, size, "%s%s%s", of_space ? ig_space_name(ig_leakage_space(f)) : "",
             of_space ? " " : "", view->title);
    if (app->now->compares && view->kind == IG_LEAKAGE_FINDINGS && e &&
        e->by.run == app->now->shown_run)
        snprintf(title, size, "findings of %s", ig_leakage_side(app, 0, cols - 21, a));
    if (view->kind == IG_LEAKAGE_PLANE && ig_leakage_differs(f))
        snprintf(title, size, "plane: %s → %s",
                 ig_leakage_side(app, 1, cols / 2 - 10, a),
                 ig_leakage_side(app, 0, cols / 2 - 10, b));
    if (e && !e->space[IG_SPACE_ORIGINAL]->figures.intervals)
        snprintf(note, size,
                 ig_session_measured(app->now) >= 0 ? "no intervals yet"
                                                    : "M: intervals");
    else if (run && !e->held_out && ig_run_fits(run->info, app->set))
        snprintf(note, size, "trained on these rows");
}

static void describe_source(const ig_app *app, char *out)
{
    const ig_shown_evaluation *a = app->now->evaluation;
    char text[IG_PROVENANCE];

    ig_measured_source(app, a, out);
    if (ig_leakage_differs(&state_of(app)->figures)) {
        ig_measured_source(app, app->now->compared_evaluation, text);
        ig_provenance(app, a->by, "", out);
        ig_text_append(out, IG_PROVENANCE, " and %s", text);
        ig_trained_compared(app, text);
        ig_text_append(out, IG_PROVENANCE, "%s%s", *text ? ", " : "", text);
    }
}

/* Why there is nothing to draw, or NULL. */
static const char *why_missing(const ig_app *app)
{
    const ig_session *now = app->now;
    const ig_leakage_view *view = view_of(app);
    const ig_evaluation *e;

    if (!now->evaluation)
        return ig_session_waits(now, IG_PRODUCT_EVALUATION,
                                ig_session_measured(now) >= 0 ? "measuring …"
                                                              : "no measures yet");
    e = now->evaluation->space[ig_leakage_space(&state_of(app)->figures)];
    if (view->kind == IG_LEAKAGE_PLANE && !now->evaluation->space[IG_SPACE_LANGUAGE])
        return "a run with language embeddings is needed";
    return view->kind == IG_LEAKAGE_READ                     ? e->unread
           : view->measure || view->kind == IG_LEAKAGE_PLANE ? e->retrieval.reason
                                                             : NULL;
}

/* --- the findings ----------------------------------------------------------------- */

/* The findings; 0: not measured yet. */
static size_t collect_findings(const ig_app *app, ig_finding out[FINDINGS_MAX])
{
    const ig_shown_evaluation *e = app->now->evaluation;
    const ig_evaluation *other[IG_SPACES];
    const ig_run_entry *of = e ? ig_runs_find(&app->now->runs, e->by.run) : NULL;
    char run[IG_RUN_LABEL], room[IG_UNLIKE_SIZE];
    const char *unlike;
    bool good = false; /* too good */
    size_t n = 0;

    if (!e)
        return 0;
    for (int i = 0; i < IG_SPACES; i++)
        other[i] = ig_leakage_compared(app, (ig_space)i);
    for (size_t i = 0; i < FINDINGS_MAX; i++)
        out[i] = (ig_finding){.view = "summary"};
    if (e->rows < e->of_rows)
        snprintf(out[n++].text, sizeof out->text,
                 "Estimates (%.200s): among fewer rows more is found.",
                 ig_measured_rows(app, e, room));
    if (*ig_trained_compared(app, room)) {
        good = strstr(room, " rows measured");
        out[n].tone = good ? IG_TONE_BAD : IG_TONE_PLAIN;
        snprintf(out[n++].text, sizeof out->text, "%.200s%s.", room,
                 good ? ": its figures are too good"
                      : ", other data than are measured");
    }
    n += ig_findings_make(out + n, e->space, other, ig_leakage_side(app, 1, 0, run),
                          (of && !e->held_out && ig_run_fits(of->info, app->set)) |
                              2 * good);
    unlike = ig_unlike_compared(app, of, room);
    if (*unlike)
        snprintf(out[n++].text, sizeof out->text, "The two %.340s.", unlike);
    return n;
}

/* Each right of its mark, scrolled until the selected one fits. */
static void draw_findings(ig_app *app, ig_rect in, int gap)
{
    enum { MARK = 2 };
    struct state *s = state_of(app);
    ig_list_cursor *c = &s->finding;
    ig_finding finding[FINDINGS_MAX];
    int end[FINDINGS_MAX + 1] = {0}; /* row below each finding and its gap */
    size_t n = collect_findings(app, finding), page = 0;

    memset(s->paragraph, 0, sizeof s->paragraph);
    for (size_t i = 0; i < n; i++)
        s->figures.marks |= 1u << finding[i].tone;
    if (in.rows >= 8)
        in = ig_rect_inset(in, 0, 0, ig_leakage_legend(&s->figures, in), 0);
    for (size_t i = 0; i < n; i++)
        end[i + 1] = end[i] + gap +
                     ig_canvas_wrap(&app->canvas,
                                    (ig_rect){0, 0, 0, in.cols - 2 * MARK},
                                    finding[i].text, ig_plain);
    for (size_t i = 0; i < n && c->line == s->line; i++) /* of new figures */
        if (finding[i].kind && finding[i].kind == s->kind && finding[i].view == s->view)
            c->line = i;
    s->line = c->line = c->line < n ? c->line : n - (n > 0);
    s->kind = finding[c->line].kind;
    s->view = finding[c->line].view;
    c->offset = c->offset < c->line ? c->offset : c->line;
    while (c->offset < c->line && end[c->line + 1] - end[c->offset] - gap > in.rows)
        c->offset++;
    while (c->offset && end[n] - end[c->offset - 1] - gap <= in.rows)
        c->offset--;
    for (size_t i = c->offset; i < n && end[i] - end[c->offset] < in.rows; i++) {
        ig_rect at = ig_rect_inset(in, end[i] - end[c->offset], 0, 0, 0);

        page += end[i + 1] - end[i] - gap <= at.rows;
        at.rows = ig_min_int(end[i + 1] - end[i] - gap, at.rows);
        ig_leakage_mark(&s->figures, at.row, at.col, finding[i].tone);
        ig_canvas_wrap(&app->canvas, ig_rect_inset(at, 0, MARK, 0, MARK),
                       finding[i].text, ig_plain);
        if (app->focus == &ig_leakage_panel && i == c->line)
            ig_canvas_highlight(&app->canvas, at, IG_COLOUR_SELECTION, 0);
        s->paragraph[i] = at;
    }
    page += page == 0;
    ig_list_cursor_follow(c, (ig_rect){0, 0, (int)page, 1}, false, n);
    if (n > page)
        ig_thumb_draw(&app->canvas, in, c->offset, page, n);
}

/* --- the plane -------------------------------------------------------------------- */

/* A measure of both embeddings in a direction, or both. 1: few candidates; −1: none. */
static int find_pair(const ig_evaluation *const e[2], const ig_measure *m, size_t a,
                     size_t b, bool both, double out[2])
{
    bool few = false;

    for (int s = 0; s < 2; s++) {
        const ig_figure *f = e[s] ? ig_figures_find(&e[s]->figures, m, a, b) : NULL;
        const ig_figure *g = f && both ? ig_figures_find(&e[s]->figures, m, b, a) : f;

        out[s] = f && g ? (f->value + g->value) / 2 : (double)NAN;
        few |= f && g && (f->few || g->few);
    }
    return isnan(out[0] + out[1]) ? -1 : few;
}

void ig_leakage_pairs(ig_plane *out, const ig_dataset *set,
                      const ig_evaluation *const from[2],
                      const ig_evaluation *const to[2], const ig_measure *measure,
                      bool directions)
{
    size_t k = set->languages, small = 0;

    for (int few = 0; few < 2 && !out->tracks; few++)
        for (size_t i = small = 0; i < k; i++)
            for (size_t j = directions ? 0 : i + 1; j < k; j++) {
                double at[2], before[2];
                ig_track *t;
                int has = find_pair(to, measure, i, j, !directions, at);

                find_pair(from, measure, i, j, !directions, before);
                small += i != j && has == !few;
                if (i == j || has != few ||
                    !(t = ig_plane_arrow(out, before, at, ig_colour_language(j))))
                    continue;
                snprintf(t->name, sizeof t->name, "%.44s%s%.44s", set->language[i],
                         directions ? "→" : "-", set->language[j]);
                snprintf(t->brief, sizeof t->brief, "%s", set->language[j]);
                t->name[ig_text_valid(t->name, strlen(t->name))] = '\0';
                t->brief[ig_text_valid(t->brief, strlen(t->brief))] = '\0';
            }
    out->key = "2nd language";
    out->left_out += small;
    snprintf(out->rule, sizeof out->rule, "%s",
             small ? ", none with fewer than 20 candidates" : "");
}

/* Language top-1, which leaks, × meaning top-1 of each language pair: [oracle] figures
 * 3 and 4; with arrows from the run compared. */
static bool describe_plane(const ig_app *app, ig_plane *out)
{
    const ig_shown_evaluation *shown = app->now->evaluation;
    const ig_evaluation *to[2], *from[2];
    char a[IG_RUN_LABEL], b[IG_RUN_LABEL];

    if (view_of(app)->kind != IG_LEAKAGE_PLANE || !shown ||
        !shown->space[IG_SPACE_LANGUAGE])
        return false;
    for (int i = 0; i < 2; i++) {
        to[i] = shown->space[i ? IG_SPACE_MEANING : IG_SPACE_LANGUAGE];
        from[i] = ig_leakage_compared(app, i ? IG_SPACE_MEANING : IG_SPACE_LANGUAGE);
    }
    *out = (ig_plane){.x_label = "language top-1: leaked meaning",
                      .y_label = "meaning top-1 (colour: 2nd language)"};
    snprintf(out->title, sizeof out->title, "%s%s%s by language pair",
             from[1] ? ig_leakage_side(app, 1, 0, b) : "", from[1] ? " → " : "",
             ig_leakage_side(app, 0, 0, a));
    ig_leakage_pairs(out, app->set, from, to, ig_measure_named("top1"), false);
    return out->tracks > 0;
}

static const char *describe_picture(const ig_app *app, ig_plane *out)
{
    ig_leakage_figures *f = &state_of(app)->figures;

    if (describe_plane(app, out))
        return "plane";
    if (why_missing(app) || !ig_leakage_matrix(f))
        return NULL;
    f->heat.means = false; /* and so no parentheses */
    *out = (ig_plane){.x_label = f->heat.to,
                      .y_label = f->heat.from,
                      .name = f->heat.name,
                      .names = f->heat.n,
                      .heat = &f->heat};
    snprintf(out->title, sizeof out->title, "%s %s", ig_space_name(ig_leakage_space(f)),
             f->view->title);
    return "matrix";
}

static void draw_view(ig_app *app, const ig_pane *pane)
{
    struct state *s = state_of(app);
    const char *missing = why_missing(app);
    ig_rect in = pane->inside;
    ig_plane plane;

    s->figures.marks = 0;
    if (missing) {
        ig_canvas_wrap(&app->canvas, in, missing, ig_dim);
    } else if (view_of(app)->kind == IG_LEAKAGE_PLANE) {
        if (!describe_plane(app, &plane) || !ig_plane_draw(&app->canvas, in, &plane))
            ig_canvas_wrap(&app->canvas, in, "no language pair has figures", ig_dim);
    } else if (view_of(app)->kind == IG_LEAKAGE_FINDINGS) {
        draw_findings(app, in, pane->rect.rows > 17);
    } else {
        ig_leakage_draw(&s->figures, in);
    }
}

void ig_leakage_show(ig_app *app, size_t view)
{
    ig_app_open(app, &ig_leakage_panel);
    app->leakage = view;
    follow_view(app);
}

/* If the panel is not focused, only focus it. */
void ig_leakage_step(ig_app *app, int step)
{
    const ig_shown_evaluation *e = app->now->evaluation;
    size_t view = app->leakage;

    do
        view = (view + VIEWS + (size_t)step) % VIEWS;
    while (e && ig_leakage_views[view].measure &&
           !e->space[ig_leakage_views[view].space]);
    ig_leakage_show(app, app->focus == &ig_leakage_panel ? view : app->leakage);
}

/* The view that Enter opens: of a finding, of the plane, of a measure; NULL: none.
 *   name  out  its name, or a measure of it */
static const ig_leakage_view *find_opened(const ig_app *app, const char **name)
{
    const struct state *s = state_of(app);
    const ig_leakage_figures *f = &s->figures;
    const ig_leakage_view *view = ig_leakage_views;
    bool findings = f->view->kind == IG_LEAKAGE_FINDINGS;
    ig_finding finding[FINDINGS_MAX];

    *name = NULL;
    if (f->view->kind == IG_LEAKAGE_PLANE)
        *name = "meaning";
    else if (f->view->kind == IG_LEAKAGE_MAIN || f->view->kind == IG_LEAKAGE_ALL)
        *name = f->row.line < f->measures ? f->measure[f->row.line]->name : NULL;
    else if (findings && s->finding.line < collect_findings(app, finding))
        *name = finding[s->finding.line].view;
    while (*name && view->name && strcmp(view->name, *name) != 0 &&
           (!view->measure || strcmp(view->measure, *name) != 0))
        view++;
    return !*name ? NULL : view->name ? view : findings ? &ig_leakage_views[ALL] : NULL;
}

/* Enter where it opens a view, or lists the sentences of a cell. */
static bool describe_hints(const ig_app *app, char *out, size_t size)
{
    const ig_leakage_view *view = view_of(app);
    bool lists = view->measure && view->kind != IG_LEAKAGE_READ;
    const char *name;

    snprintf(out, size, "%s] next-view|[ previous-view",
             lists || find_opened(app, &name) ? "Enter open|" : "");
    return false;
}

static void open_selected(ig_app *app)
{
    ig_leakage_figures *f = &state_of(app)->figures;
    const char *name;
    const ig_leakage_view *view = find_opened(app, &name);

    if (view) {
        ig_app_keep(app);
        ig_leakage_show(app, (size_t)(view - ig_leakage_views));
        for (size_t i = 0; i < f->measures; i++)
            if (strcmp(f->measure[i]->name, name) == 0)
                f->row.line = i;
    } else if (f->view->measure && f->view->kind != IG_LEAKAGE_READ &&
               app->now->evaluation)
        ig_leakage_list(f);
    else
        ig_app_note(app, false, "%s; S sorts rows by purity, rank …",
                    f->view->kind == IG_LEAKAGE_READ
                        ? "a probe's answers have no list of sentences"
                        : "no matrix of this");
}

static bool act_on_view(ig_app *app, ig_action action)
{
    struct state *s = state_of(app);

    if (action == IG_ACT_ENTER)
        open_selected(app);
    else if (view_of(app)->kind == IG_LEAKAGE_FINDINGS)
        return ig_list_cursor_act(&s->finding, action, s->finding.lines);
    else
        return ig_leakage_act(&s->figures, action);
    return true;
}

static void press_view(ig_app *app, ig_key key)
{
    struct state *s = state_of(app);
    bool findings = view_of(app)->kind == IG_LEAKAGE_FINDINGS, again;

    if (key.mouse != IG_MOUSE_PRESS)
        return;
    again = !findings && ig_leakage_press(&s->figures, key);
    for (size_t i = 0; findings && i < FINDINGS_MAX; i++)
        if (ig_rect_has(s->paragraph[i], key.row, key.col)) {
            again = i == s->finding.line;
            s->finding.line = i;
        }
    if (again)
        open_selected(app);
}

/* --- as a file -------------------------------------------------------------------- */

/* Findings are for reports. */
static bool name_file(const ig_app *app, char *out, size_t size)
{
    snprintf(out, size, "leakage-%s.tsv", view_of(app)->name);
    return view_of(app)->kind != IG_LEAKAGE_FINDINGS &&
           view_of(app)->kind != IG_LEAKAGE_PLANE && !why_missing(app);
}

static void put_view(const ig_app *app, ig_table *t)
{
    ig_leakage_put(&state_of(app)->figures, t);
}

const ig_panel ig_leakage_panel = {
    .name = "leakage",
    .about = "how well translations are found between languages, and what probes read",
    .reads =
        "How often a sentence of one language finds its translation in another, "
        "and how well a probe reads the language from the embeddings. Good "
        "meaning embeddings find nearly all translations; language embeddings "
        "that find more than chance contain leaked meaning. Step through the "
        "matrices and the plane of language pairs with ] and [, and press Enter on "
        "a line for its matrix, on a cell of top-1, xsim, overlap or rank to list "
        "its sentences.",
    .role = IG_ROLE_SIDE,
    .titled = true,
    .state = sizeof(struct state),
    .asks = IG_ASKS_EVALUATION,
    .shows = IG_PRODUCT_EVALUATION,
    .open = follow_view,
    .update = follow_view,
    .focus = follow_view,
    .act = act_on_view,
    .mouse = press_view,
    .title = describe_title,
    .source = describe_source,
    .draw = draw_view,
    .hint = describe_hints,
    .file = name_file,
    .put = put_view,
    .picture = describe_picture};
