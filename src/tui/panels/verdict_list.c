/* A list of paragraphs: what is measured, in sentences. */
#include "tui/panels/verdict_list.h"

/* The sentences; 0: nothing is measured yet. */
static size_t verdicts_of(const ig_app *app, ig_verdict out[IG_VERDICTS])
{
    const ig_snapshot *now = app->now;
    char run[IG_RUN_LABEL], other[IG_RUN_LABEL];
    ig_verdict all[IG_VERDICTS];
    size_t n = 0, more;

    if (!now->evaluation)
        return 0;
    if (now->compared_run) /* what sets them apart goes first */
        n = ig_verdict_versus(
            out, now->evaluation, ig_run_label(app, now->shown_run, run),
            now->compared_evaluation, ig_run_label(app, now->compared_run, other),
            app->set->language);
    more = ig_verdict_make(all, now->evaluation, app->set->language);
    for (size_t i = 0; i < more && n < IG_VERDICTS; i++)
        out[n++] = all[i];
    return n;
}

bool ig_verdict_list_at(const ig_app *app, const ig_list_cursor *cursor,
                        ig_verdict *out)
{
    ig_verdict verdict[IG_VERDICTS];

    if (cursor->line >= verdicts_of(app, verdict))
        return false;
    *out = verdict[cursor->line];
    return true;
}

bool ig_verdict_list_act(const ig_app *app, ig_list_cursor *cursor, ig_action action)
{
    ig_verdict verdict[IG_VERDICTS];

    return ig_list_cursor_act(cursor, action, verdicts_of(app, verdict), 3);
}

/* Lines of the sentences: each is wrapped beside its mark, and a line is left between
 * two where there is room for all of them. */
struct paragraphs {
    ig_rect rect;
    ig_verdict verdict[IG_VERDICTS];
    size_t count;
    int lines[IG_VERDICTS]; /* of each */
    int gap;
};

enum { MARK_COLS = 2 };

/* Of those from the cursor's offset on; the offset follows the cursor. */
static struct paragraphs paragraphs_of(ig_app *app, ig_rect rect,
                                       ig_list_cursor *cursor)
{
    struct paragraphs p = {.rect = rect};
    ig_rect none = ig_rect_inset(p.rect, 0, 0, 0, MARK_COLS);
    int all = 0, seen = 0;

    none.rows = 0;
    p.count = verdicts_of(app, p.verdict);
    for (size_t i = 0; i < p.count; i++)
        all += p.lines[i] = ig_canvas_wrap(&app->canvas, none, 0, p.verdict[i].text,
                                           ig_style_of(IG_COLOUR_TEXT, 0));
    p.gap = all + (int)p.count <= p.rect.rows;
    ig_list_cursor_follow(cursor, p.count, p.count ? p.count : 1);
    cursor->offset = 0;
    for (size_t i = 0; i <= cursor->line && i < p.count; i++)
        seen += p.lines[i];
    while (seen > p.rect.rows && cursor->offset < cursor->line)
        seen -= p.lines[cursor->offset++];
    return p;
}

bool ig_verdict_list_mouse(ig_app *app, ig_rect rect, ig_list_cursor *cursor,
                           ig_key key)
{
    struct paragraphs p = paragraphs_of(app, rect, cursor);
    bool same;
    int row = p.rect.row;

    if (key.mouse == IG_MOUSE_WHEEL_UP)
        cursor->line -= cursor->line > 0;
    if (key.mouse == IG_MOUSE_WHEEL_DOWN)
        cursor->line += cursor->line + 1 < p.count;
    for (size_t i = cursor->offset; i < p.count && key.mouse == IG_MOUSE_PRESS; i++) {
        if (key.row >= row && key.row < row + p.lines[i]) {
            same = i == cursor->line;
            cursor->line = i;
            return same;
        }
        row += p.lines[i] + p.gap;
    }
    return false;
}

/* The sentences, each with a mark: good, bad, or neither. */
void ig_verdict_list_draw(ig_app *app, ig_rect rect, ig_list_cursor *cursor,
                          bool focused)
{
    static const int colour[] = {IG_COLOUR_DIM, IG_COLOUR_GOOD, IG_COLOUR_BAD};
    struct paragraphs p = paragraphs_of(app, rect, cursor);
    const char *mark[] = {ig_glyph_text(app->canvas.glyphs, IG_GLYPH_BULLET),
                          ig_glyph_text(app->canvas.glyphs, IG_GLYPH_CHECK), "!"};
    ig_rect at = p.rect, end = {p.rect.row + p.rect.rows, 0, 0, 0};

    for (size_t i = cursor->offset; i < p.count && at.row < end.row; i++) {
        const ig_verdict *v = &p.verdict[i];
        bool selected = focused && i == cursor->line;

        at.rows = p.lines[i] < end.row - at.row ? p.lines[i] : end.row - at.row;
        if (selected)
            ig_canvas_fill(&app->canvas, at,
                           (ig_style){IG_COLOUR_TEXT, IG_COLOUR_SELECTION, 0});
        ig_canvas_text(&app->canvas, at.row, at.col, 1, mark[v->tone],
                       ig_style_of(colour[v->tone], IG_BOLD));
        ig_canvas_wrap(&app->canvas, ig_rect_inset(at, 0, 0, 0, MARK_COLS), 0, v->text,
                       ig_style_of(IG_COLOUR_TEXT, 0));
        if (selected)
            ig_canvas_highlight(&app->canvas, at, IG_COLOUR_SELECTION, 0);
        at.row += at.rows + p.gap;
    }
    if (end.row - at.row >= 1)
        ig_canvas_text(&app->canvas, end.row - 1, at.col, at.cols,
                       "Enter: the figures behind it   ] [: matrices, all measures",
                       ig_style_of(IG_COLOUR_DIM, 0));
}

void ig_verdict_list_put(const ig_app *app, ig_table_file *t)
{
    static const char *const tone[] = {"", "good", "bad"};
    ig_verdict verdict[IG_VERDICTS];
    size_t n = verdicts_of(app, verdict);

    ig_table_file_text(t, "tone");
    ig_table_file_text(t, "verdict");
    ig_table_file_end_line(t);
    for (size_t i = 0; i < n; i++) {
        ig_table_file_text(t, tone[verdict[i].tone]);
        ig_table_file_text(t, verdict[i].text);
        ig_table_file_end_line(t);
    }
}
