/* Curves over epochs. A plan holds the positions of axes and plot, shared by drawing
 * and mouse handling. */
#include "view/curves.h"

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "view/axes.h"

enum {
    TICK_COLS = 16, /* minimum columns for value ticks */
    EPOCH_ROWS = 5, /* minimum rows for the epoch axis */
    MOST_TICKS = IG_AXES_TICKS,
    MOST_MARKS = 64
};

struct plan {
    ig_rect plot;       /* area of the curves */
    double first, last; /* epochs at the left and right edge */
    double low, high;   /* values at the bottom and top edge */
    size_t ticks;       /* value ticks; 0: none */
    double tick[MOST_TICKS];
    char text[MOST_TICKS][IG_NUMBER_SIZE];
    int tick_cols; /* width of the widest tick */
    bool constant; /* one value only, with one tick */
    bool empty;    /* no values: no axes */
    bool epochs;   /* show the epoch axis */
    int marks;     /* columns at the right for labels at the ends of curves */
};

ig_curves_options ig_curves_defaults(void)
{
    return (ig_curves_options){NAN, NAN, NAN, NAN, NAN, true, NULL, 0, NULL, NULL};
}

static double value_of(const ig_curve *curve, size_t i)
{
    return curve->y[i * curve->stride];
}

/* Ranges of epochs and values; fmin and fmax ignore NaN. */
static void find_ranges(struct plan *plan, const ig_curve *curve, size_t n,
                        const ig_curves_options *options)
{
    double first = NAN, last = options->last, low = options->low, high = options->high;

    for (size_t c = 0; c < n; c++) {
        if (curve[c].count == 0)
            continue;
        first = fmin(first, curve[c].first);
        last = fmax(last, curve[c].first + (double)curve[c].count - 1);
        for (size_t i = 0; i < curve[c].count; i++) {
            double y = value_of(&curve[c], i);

            if (!isfinite(y))
                continue;
            low = fmin(low, y);
            high = fmax(high, y);
        }
    }
    plan->first = isfinite(first) ? first : 0;
    plan->last = isfinite(last) && last > plan->first ? last : plan->first + 1;
    plan->empty = !isfinite(low) && !isfinite(high);
    low = isfinite(low) ? low : isfinite(high) ? high : 0;
    high = isfinite(high) ? high : low;
    if (high - low <= fmax(fabs(low), fabs(high)) * 1e-9) {
        double room = low != 0 ? fabs(low) * 0.05 : 0.5;

        plan->constant = true;
        low -= room;
        high += room;
    }
    plan->low = low;
    plan->high = high;
}

/* Choose and format the value ticks. A low plot shows the bounds instead of round
 * numbers. */
static void find_ticks(struct plan *plan, int rows, bool ascii)
{
    int decimals;

    if (plan->constant) {
        plan->ticks = 1;
        plan->tick[0] = (plan->low + plan->high) / 2;
    } else if (rows < EPOCH_ROWS) {
        plan->ticks = rows > 1 ? 2 : 1;
        plan->tick[0] = plan->high;
        plan->tick[1] = plan->low;
    } else {
        int most = (rows + 1) / 2 < 6 ? (rows + 1) / 2 : 6;

        plan->ticks =
            ig_axes_rows(&plan->low, &plan->high, rows, (size_t)most, plan->tick);
        if (plan->ticks == 0)
            plan->ticks =
                ig_axes_ticks(plan->low, plan->high, (size_t)most, plan->tick);
    }
    decimals = ig_axes_decimals(plan->tick, plan->ticks);
    for (size_t i = 0; i < plan->ticks; i++) {
        char *text = plan->text[i];
        double size = fabs(plan->tick[i]);
        int width;

        if (rows >= EPOCH_ROWS && decimals <= 4 && size < 1e5)
            ig_fixed_format(text, plan->tick[i], decimals, ascii);
        else
            ig_number_format(text, plan->tick[i], plan->tick[i] < 0 ? 5 : 4, ascii);
        width = ig_text_columns(text);
        plan->tick_cols = width > plan->tick_cols ? width : plan->tick_cols;
    }
}

/* Columns for the widest label and a blank, if the plot is wide enough. */
static int mark_columns(const struct plan *plan, const ig_curve *curve, size_t n)
{
    int widest = 0;

    for (size_t c = 0; c < n; c++) {
        int width = curve[c].mark ? ig_text_columns(curve[c].mark) + 1 : 0;

        widest = width > widest ? width : widest;
    }
    return widest * 4 <= plan->plot.cols ? widest : 0;
}

static struct plan plan_of(ig_rect rect, ig_glyphs glyphs, const ig_curve *curve,
                           size_t n, const ig_curves_options *options)
{
    struct plan plan = {.plot = rect};

    find_ranges(&plan, curve, n, options);
    plan.epochs = rect.rows >= EPOCH_ROWS;
    if (plan.epochs)
        plan.plot.rows--;
    if (rect.cols >= TICK_COLS && rect.rows > 0) {
        find_ticks(&plan, plan.plot.rows, glyphs == IG_ASCII);
        plan.plot = ig_rect_inset(plan.plot, 0, 0, 0, plan.tick_cols + 1);
    }
    plan.marks = mark_columns(&plan, curve, n);
    plan.plot.cols -= plan.marks;
    return plan;
}

/* --- axes ------------------------------------------------------------------------- */

static int row_of(const struct plan *plan, double value)
{
    double part = (plan->high - value) / (plan->high - plan->low);

    return plan->plot.row + (int)lround(part * (plan->plot.rows - 1));
}

static int col_of(const struct plan *plan, double epoch)
{
    double part = (epoch - plan->first) / (plan->last - plan->first);

    return plan->plot.col + (int)lround(part * (plan->plot.cols - 1));
}

static void draw_ticks(ig_canvas *canvas, const struct plan *plan)
{
    ig_style line = ig_style_of(IG_COLOUR_FRAME, 0);
    int axis = plan->plot.col - 1;

    for (int i = 0; i < plan->plot.rows; i++)
        ig_canvas_put(canvas, plan->plot.row + i, axis,
                      ig_glyphs_line(canvas->glyphs, IG_ARM_UP | IG_ARM_DOWN), line);
    for (size_t i = 0; i < plan->ticks; i++) {
        int row = row_of(plan, plan->tick[i]);
        int width = ig_text_columns(plan->text[i]);

        ig_canvas_text(canvas, row, axis - width, width, plan->text[i], ig_dim);
        ig_canvas_put(
            canvas, row, axis,
            ig_glyphs_line(canvas->glyphs, IG_ARM_UP | IG_ARM_DOWN | IG_ARM_LEFT),
            line);
    }
}

static void draw_epochs(ig_canvas *canvas, const struct plan *plan,
                        const ig_curves_options *options)
{
    double tick[MOST_TICKS];
    int most = plan->plot.cols / 8 + 1, end = plan->plot.col;
    int row = plan->plot.row + plan->plot.rows;
    size_t count = ig_axes_ticks(plan->first, plan->last,
                                 (size_t)(most < MOST_TICKS ? most : MOST_TICKS), tick);

    size_t each = 1; /* versions between two names */

    if (options->name) {
        size_t widest = 0;

        count = (size_t)plan->last + 1;
        for (size_t i = 0; i < count; i++) {
            const char *text = options->name(options->context, i);
            size_t width = ig_text_width(text, strlen(text)) + 1;

            widest = width > widest ? width : widest;
        }
        while (plan->plot.cols > 1 &&
               each * (size_t)(plan->plot.cols - 1) < widest * (count - 1))
            each++;
    }
    for (size_t i = 0; i < count; i += each) {
        char number[IG_NUMBER_SIZE];
        const char *text = options->name ? options->name(options->context, i) : number;
        double at = options->name ? (double)i : tick[i];
        int width, col;

        if (at != floor(at))
            continue;
        if (!options->name)
            ig_fixed_format(number, at, 0, canvas->glyphs == IG_ASCII);
        width = ig_text_columns(text);
        col = col_of(plan, at) - width / 2;
        if (col < plan->plot.col)
            col = plan->plot.col;
        if (col + width > plan->plot.col + plan->plot.cols)
            col = plan->plot.col + plan->plot.cols - width;
        if (col < end)
            continue;
        ig_canvas_text(canvas, row, col, width, text, ig_dim);
        end = col + width + 1;
    }
}

/* --- curves and labels ------------------------------------------------------------ */

static void draw_curve(ig_canvas *canvas, const struct plan *plan,
                       const ig_curve *curve)
{
    double right = plan->plot.cols * ig_glyphs_dot_cols(canvas->glyphs) - 1;
    double bottom = plan->plot.rows * ig_glyphs_dot_rows(canvas->glyphs) - 1;
    ig_style style = ig_style_of(curve->colour, 0);
    double x0 = NAN, y0 = NAN;

    for (size_t i = 0; i < curve->count; i++) {
        double y = value_of(curve, i), x = curve->first + (double)i;

        x = (x - plan->first) / (plan->last - plan->first) * right;
        y = (plan->high - y) / (plan->high - plan->low) * bottom;
        if (isfinite(y) && isfinite(y0))
            ig_dots_line(canvas, plan->plot, x0, y0, x, y, curve->dashed ? 2 : 0,
                         curve->dashed ? '.' : '*', style);
        else if (isfinite(y))
            ig_dots_set(canvas, plan->plot, (int)lround(x), (int)lround(y),
                        curve->dashed ? '.' : '*', style);
        x0 = x;
        y0 = y;
    }
}

struct marks {
    struct mark {
        int row, col, width;
        double value;
    } at[MOST_MARKS];
    size_t count;
};

/* The mark in these cells, or NULL. */
static const struct mark *find_mark(const struct marks *marks, int row, int col,
                                    int width)
{
    for (size_t i = 0; i < marks->count; i++)
        if (marks->at[i].row == row && col < marks->at[i].col + marks->at[i].width &&
            marks->at[i].col < col + width)
            return &marks->at[i];
    return NULL;
}

/* Draw the label of a curve at its end, or above or below another in the order of their
 * values. */
static void draw_mark(ig_canvas *canvas, const struct plan *plan, const ig_curve *curve,
                      struct marks *marks)
{
    size_t last = curve->count;
    int top = plan->plot.row, bottom = top + plan->plot.rows - 1, at, row, col, width;
    int right = plan->plot.col + plan->plot.cols + plan->marks, side;
    int dots = ig_glyphs_dot_rows(canvas->glyphs);
    const struct mark *other;
    double value;

    while (last > 0 && !isfinite(value_of(curve, last - 1)))
        last--;
    if (!curve->mark || last == 0 || marks->count == MOST_MARKS)
        return;
    width = ig_text_columns(curve->mark);
    col = col_of(plan, curve->first + (double)last - 1) + (plan->marks > 0 ? 2 : 0);
    col = col + width > right ? right - width : col;
    value = value_of(curve, last - 1);
    at = top + (int)lround((plan->high - value) / (plan->high - plan->low) *
                           (plan->plot.rows * dots - 1)) /
                   dots;
    row = at;
    other = find_mark(marks, row, col, width);
    side = other && other->value < value ? -1 : 1;
    for (int away = 1; find_mark(marks, row, col, width) && away <= 2 * plan->plot.rows;
         away++) {
        row = at + side * (away % 2 ? (away + 1) / 2 : -away / 2);
        if (row < top || row > bottom)
            row = at;
    }
    if (col < plan->plot.col || find_mark(marks, row, col, width))
        return;
    marks->at[marks->count++] = (struct mark){row, col, width, value};
    ig_canvas_text(canvas, row, col, width, curve->mark,
                   ig_style_of(curve->colour, IG_BOLD));
}

static bool is_free(const ig_canvas *canvas, int row, int col)
{
    const ig_cell *cell = ig_canvas_cell(canvas, row, col);

    return cell && cell->length == 1 && cell->bytes[0] == ' ';
}

/* Draw a vertical line at an epoch, every few rows, behind the curves. */
static void draw_vertical(ig_canvas *canvas, const struct plan *plan, double epoch,
                          int each, int colour)
{
    int col = col_of(plan, epoch);

    for (int i = 0; i < plan->plot.rows; i += each)
        ig_canvas_put(canvas, plan->plot.row + i, col,
                      ig_glyph_text(canvas->glyphs, IG_GLYPH_VERTICAL),
                      ig_style_of(colour, 0));
}

/* Mark the best epoch in the lowest free cell of its column. */
static void draw_best(ig_canvas *canvas, const struct plan *plan, double epoch)
{
    int col = col_of(plan, epoch), row = plan->plot.row + plan->plot.rows - 1;
    int lowest = row;

    while (row > plan->plot.row && !is_free(canvas, row, col))
        row--;
    if (!is_free(canvas, row, col))
        row = lowest;
    ig_canvas_put(canvas, row, col, ig_glyph_text(canvas->glyphs, IG_GLYPH_UP),
                  ig_style_of(IG_COLOUR_GOOD, IG_BOLD));
}

static bool in_plan(const struct plan *plan, double epoch)
{
    return epoch >= plan->first && epoch <= plan->last;
}

static int legend_width(const ig_curve *curve, size_t n)
{
    size_t width = 0;

    for (size_t c = 0; c < n; c++) {
        if (curve[c].name)
            width += ig_text_width(curve[c].name, strlen(curve[c].name)) + 3;
    }
    return (int)width - 1;
}

/* Draw "train ─ valid ┄" at the right of the first line without curves, else of the
 * first. */
static void draw_legend(ig_canvas *canvas, const struct plan *plan,
                        const ig_curve *curve, size_t n)
{
    int width = legend_width(curve, n), row, col;
    bool ascii = canvas->glyphs == IG_ASCII, clear = false;

    if (width <= 0 || width > plan->plot.cols || plan->plot.rows < 2)
        return;
    col = plan->plot.col + plan->plot.cols - width;
    for (row = plan->plot.row; row < plan->plot.row + plan->plot.rows; row++) {
        clear = true;
        for (int i = 0; i < width && clear; i++)
            clear = is_free(canvas, row, col + i);
        if (clear)
            break;
    }
    if (!clear)
        row = plan->plot.row;
    for (size_t c = 0; c < n; c++) {
        ig_style style = ig_style_of(curve[c].colour, 0);
        ig_glyph line = curve[c].dashed ? IG_GLYPH_LINE_DASHED : IG_GLYPH_LINE;

        if (!curve[c].name)
            continue;
        col += ig_canvas_text(canvas, row, col, width, curve[c].name, ig_plain);
        ig_canvas_put(canvas, row, col + 1,
                      ascii ? (curve[c].dashed ? "." : "*")
                            : ig_glyph_text(canvas->glyphs, line),
                      style);
        col += 3;
    }
}

void ig_curves_draw(ig_canvas *canvas, ig_rect rect, const ig_curve *curve, size_t n,
                    const ig_curves_options *options)
{
    ig_curves_options defaults = ig_curves_defaults();
    struct marks marks = {.count = 0};
    struct plan plan;

    if (!options)
        options = &defaults;
    if (ig_rect_empty(rect))
        return;
    plan = plan_of(rect, canvas->glyphs, curve, n, options);
    if (plan.empty || ig_rect_empty(plan.plot))
        return;
    if (plan.ticks > 0)
        draw_ticks(canvas, &plan);
    if (plan.epochs)
        draw_epochs(canvas, &plan, options);
    for (size_t i = 0; i < options->marks; i++)
        if (in_plan(&plan, (double)options->mark[i]))
            draw_vertical(canvas, &plan, (double)options->mark[i], 2, IG_COLOUR_WARN);
    if (in_plan(&plan, options->cursor))
        draw_vertical(canvas, &plan, options->cursor, 1, IG_COLOUR_ACCENT);
    for (size_t c = 0; c < n; c++)
        draw_curve(canvas, &plan, &curve[c]);
    for (size_t c = n; c-- > 0;) /* the current run is last and takes precedence */
        draw_mark(canvas, &plan, &curve[c], &marks);
    if (in_plan(&plan, options->best))
        draw_best(canvas, &plan, options->best);
    if (options->legend)
        draw_legend(canvas, &plan, curve, n);
}

double ig_curves_epoch(ig_rect rect, ig_glyphs glyphs, const ig_curve *curve, size_t n,
                       const ig_curves_options *options, int col)
{
    ig_curves_options defaults = ig_curves_defaults();
    struct plan plan = plan_of(rect, glyphs, curve, n, options ? options : &defaults);

    if (ig_rect_empty(plan.plot) || col < plan.plot.col ||
        col >= plan.plot.col + plan.plot.cols + plan.marks)
        return NAN;
    if (col >= plan.plot.col + plan.plot.cols) /* columns of the end labels */
        return plan.last;
    if (plan.plot.cols == 1)
        return plan.first;
    return plan.first +
           (col - plan.plot.col) * (plan.last - plan.first) / (plan.plot.cols - 1);
}
