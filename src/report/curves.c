/* Curves of all runs over the epochs, and spectra, as charts. */
#include <math.h>
#include <stdio.h>

#include "draw/chart.h"
#include "draw/palette.h"
#include "report/content.h"

/* Shares below are not shown: rounding, not variance. */
static const double LEAST_SHARE = 1e-6;

static void put_chart(ig_page *page, const ig_chart *chart, const char *caption)
{
    size_t size;
    char *svg;
    ig_status status;

    if (page->status != IG_OK)
        return;
    status = ig_chart_svg(chart, &svg, &size, page->error);
    if (status == IG_OK)
        ig_page_picture(page, svg, size, caption);
    else
        ig_page_fail(page, status);
}

/* --- over the epochs ------------------------------------------------------------- */

enum course { TRAIN, VALID, ALIGNMENT, UNIFORMITY, COURSES };

static const double *course_of(const ig_report_curves *curves, int course)
{
    switch (course) {
    case TRAIN:
        return curves->train;
    case VALID:
        return curves->valid;
    case ALIGNMENT:
        return curves->alignment;
    default:
        return curves->uniformity;
    }
}

static bool has_course(const ig_report_curves *curves, int course)
{
    const double *value = course_of(curves, course);

    for (size_t i = 0; value && i < curves->epochs; i++)
        if (isfinite(value[i]))
            return true;
    return false;
}

static size_t lines_of(const ig_report *report, int course, ig_chart_line *line)
{
    size_t n = 0;

    for (size_t r = 0; r < report->runs; r++) {
        const ig_report_curves *curves = &report->run[r].curves;

        if (has_course(curves, course))
            line[n++] = (ig_chart_line){.name = report->run[r].name,
                                        .y = course_of(curves, course),
                                        .count = curves->epochs,
                                        .best = (double)curves->best,
                                        .colour = ig_colour_language(r),
                                        .dash = (int)(r % 6)};
    }
    return n;
}

void ig_section_curves(ig_page *page, const ig_report *report)
{
    static const char *const title[] = {"training loss", "validation loss",
                                        "alignment of the meanings",
                                        "uniformity of the meanings"};
    static const char *const caption[] = {
        "Training loss by epoch.", "Validation loss by epoch.",
        "Alignment of the meaning embeddings by epoch (smaller is better).",
        "Uniformity of the meaning embeddings by epoch (smaller is better)."};
    ig_chart_line *line = ig_alloc(report->runs + 1, sizeof *line);
    bool any = false;

    if (!line) {
        ig_page_fail_memory(page);
        return;
    }
    for (int c = 0; c < COURSES; c++) {
        ig_chart chart = {.x_label = "epoch", .y_label = title[c], .line = line};

        chart.lines = lines_of(report, c, line);
        if (chart.lines == 0)
            continue;
        if (!any) {
            ig_page_heading(page, 2, "Training");
            ig_page_paragraph(page, "A dot marks the best epoch, whose weights are the "
                                    "run's; losses of different methods are sums of "
                                    "different terms and do not compare.");
            ig_page_beside(page, true);
        }
        any = true;
        put_chart(page, &chart, caption[c]);
    }
    if (any)
        ig_page_beside(page, false);
    ig_free(line);
}

/* --- spectra --------------------------------------------------------------------- */

static bool add_spectrum(const ig_evaluation *e, const char *name, int colour, int dash,
                         ig_chart_line *line)
{
    if (!e || !(e->taken & IG_MEASURE_ISOTROPY) || !e->isotropy.eigenvalue)
        return false;
    *line = (ig_chart_line){.name = name,
                            .y = e->isotropy.eigenvalue,
                            .count = e->isotropy.dims,
                            .first = 1,
                            .best = NAN,
                            .colour = colour,
                            .dash = dash};
    return true;
}

void ig_section_spectra(ig_page *page, const ig_report *report)
{
    static const char *const caption[IG_SPACES] = {
        [IG_SPACE_MEANING] = "Spectrum of the meaning embeddings beside the original.",
        [IG_SPACE_LANGUAGE] =
            "Spectrum of the language embeddings beside the original."};
    ig_chart_line *line = ig_alloc(report->runs + 1, sizeof *line);
    bool any = false;

    if (!line) {
        ig_page_fail_memory(page);
        return;
    }
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
        ig_chart chart = {.x_label = "component",
                          .y_label = "share of variance",
                          .line = line,
                          .log_x = true,
                          .log_y = true,
                          .low = LEAST_SHARE};
        bool original =
            add_spectrum(report->original, "original", IG_COLOUR_DEFAULT, 0, &line[0]);

        chart.lines = original;
        for (size_t r = 0; r < report->runs; r++)
            chart.lines += add_spectrum(report->run[r].space[s], report->run[r].name,
                                        ig_colour_language(r), (int)(r % 6),
                                        &line[chart.lines]);
        if (chart.lines == 0 || (s == IG_SPACE_LANGUAGE && chart.lines == original))
            continue;
        if (!any) {
            ig_page_heading(page, 2, "Spectra");
            ig_page_paragraph(page, "Share of the variance along each principal "
                                    "component, both axes logarithmic: the flatter, "
                                    "the more isotropic [struct §III.3].");
            ig_page_beside(page, true);
        }
        any = true;
        put_chart(page, &chart,
                  report->runs ? caption[s] : "Spectrum of the original embeddings.");
    }
    if (any)
        ig_page_beside(page, false);
    ig_free(line);
}
