/* The pictures of a report: curves of all runs over the epochs, and maps. */
#include "report/tables.h"

#include <math.h>
#include <string.h>

#include "data/dataset.h"
#include "view/palette.h"
#include "view/picture.h"
#include "view/projection.h"

/* --- over the epochs ------------------------------------------------------------- */

static size_t lines_of(const ig_document *document, int curve, ig_line *line)
{
    size_t n = 0;

    for (size_t r = 0; r < document->runs; r++) {
        const ig_document_run *run = &document->run[r];
        size_t i = 0;

        while (i < run->epochs && !isfinite(run->curve[curve][i]))
            i++;
        if (i < run->epochs)
            line[n++] = (ig_line){.name = run->title,
                                  .y = run->curve[curve],
                                  .stride = 1,
                                  .count = run->epochs,
                                  .best = (double)run->epoch,
                                  .colour = ig_colour_run(r),
                                  .dash = (int)(r % 6)};
    }
    return n;
}

void ig_report_curves(ig_page *page, const ig_document *document)
{
    static const char *const title[] = {"Training loss", "Validation loss",
                                        "Live alignment of the meanings",
                                        "Live uniformity of the meanings"};
    ig_line *line = ig_alloc(document->runs + 1, sizeof *line);
    bool any = false, html = page->format == IG_AS_HTML;

    if (!line)
        ig_page_fail_memory(page);
    for (int c = 0; c < IG_DOCUMENT_CURVES && html && page->status == IG_OK; c++) {
        ig_plot plot = {.x_label = "epoch", .y_label = title[c], .line = line};
        size_t size;
        char *svg = NULL;

        plot.lines = lines_of(document, c, line);
        if (plot.lines == 0)
            continue;
        if (!any) {
            ig_page_heading(page, 2, "Training");
            ig_page_paragraph(page, "A dot marks the best epoch, whose weights are the "
                                    "run's; losses of different methods are sums of "
                                    "different terms and do not compare. Live measures "
                                    "are of held-out pairs of the trained languages.");
            ig_page_side_by_side(page, true);
        }
        any = true;
        page->status = ig_plot_svg(&plot, &svg, &size, page->error);
        if (page->status == IG_OK) {
            ig_page_picture_begin(page, svg, size, title[c], 0, 0);
            ig_page_picture_end(page, title[c], 0);
        }
        ig_free(svg);
    }
    if (any)
        ig_page_side_by_side(page, false);
    ig_free(line);
}

/* --- maps ------------------------------------------------------------------------ */

enum { TITLES = 1000, TITLES_MOST = 5000 }; /* points with texts; rows that have any */

/* The texts of the rows, "de: Die Katze schläft.", for points that are pointed at; of
 * many rows those of some. */
static void put_titles(ig_page *page, const ig_scatter *picture, const ig_dataset *set)
{
    ig_span axis[2];
    double place[2];
    char text[160];

    ig_picture_axes(picture, axis);
    for (size_t row = 0; row < set->rows; row += (set->rows - 1) / TITLES + 1) {
        if (!ig_picture_place(picture, axis, row, place))
            continue;
        snprintf(text, sizeof text, "%.20s: %.100s", set->language[set->lang[row]],
                 set->has_text              ? set->text[row]
                 : set->id[row] != IG_NO_ID ? set->id_name[set->id[row]]
                                            : "");
        ig_page_picture_point(page, place, text);
    }
}

/* Put a map of a space; where the rows do not allow one, the reason. */
static void put_map(ig_page *page, const ig_dataset *set, const ig_rows *rows,
                    const char *caption, ig_pool *pool, const atomic_bool *stop)
{
    double width = set->rows <= TITLES_MOST ? IG_PICTURE_WIDTH : 0; /* of titles */
    size_t k = rows->dims < 2 ? 1 : 2, size;
    float *xy = ig_alloc(set->rows, 2 * sizeof *xy);
    ig_colour_group *group = ig_colour_groups_new(set->language, set->languages);
    char label[2][32] = {"PC1", "PC2"}, *svg = NULL;
    ig_map_source source = {.rows = *rows};
    ig_projection map = {0};
    ig_scatter picture = {.x_label = label[0],
                          .y_label = label[1],
                          .group = group,
                          .groups = set->languages,
                          .of = set->lang,
                          .count = set->rows,
                          .series = 1,
                          .of_series = {{.xy = xy, .grouped = true}}};
    ig_error error = {0};
    ig_status status = xy && group ? page->status : ig_fail_memory(&error, "a map");

    if (status == IG_OK)
        status = ig_projection_fit(&map, &source, 1, k, true, pool, stop, &error);
    if (status == IG_OK)
        status = ig_projection_place(&map, &source, 1, NULL, k, true, pool, stop, &xy,
                                     2, &error);
    for (size_t j = 0; j < map.pca.k && status == IG_OK; j++)
        snprintf(label[j], sizeof label[j], "PC%zu  %.1f%%", j + 1,
                 100 * map.pca.ratio[j]);
    if (status == IG_OK)
        status = ig_picture_svg(&picture, &svg, &size, &error);
    if (status == IG_OK) {
        ig_page_picture_begin(page, svg, size, caption, width, IG_PICTURE_HEIGHT);
        if (width > 0)
            put_titles(page, &picture, set);
        ig_page_picture_end(page, caption, width);
    } else if (status == IG_VALUE || status == IG_SHAPE) {
        ig_page_paragraph(page, "%s: no map, because %s", caption, error.message);
    } else if (page->status == IG_OK) {
        page->status = ig_fail(page->error, status, "%s", error.message);
    }
    ig_projection_free(&map);
    IG_FREE(xy, group, svg);
}

void ig_report_maps(ig_page *page, const ig_document *document, ig_pool *pool,
                    const atomic_bool *stop)
{
    const ig_dataset *set = document->set;
    ig_rows originals = ig_rows_of_dataset(set);

    if (set->rows < 2 || page->format != IG_AS_HTML)
        return;
    ig_page_heading(page, 2, "Maps");
    ig_page_paragraph(page, "The first two principal components of all rows, scaled to "
                            "length 1, coloured by language; both axes have one "
                            "scale.");
    ig_page_side_by_side(page, true);
    put_map(page, set, &originals, "Original embeddings.", pool, stop);
    for (size_t r = 0; r < document->runs; r++) {
        const ig_document_run *run = &document->run[r];
        ig_measured spaces;
        char caption[256];

        if (!run->extractor || run->extractor->dims > originals.dims)
            continue;
        ig_measured_open(&spaces, run->extractor, set, &originals);
        snprintf(caption, sizeof caption, "%.160s: meaning.", run->title);
        put_map(page, set, &spaces.rows[IG_SPACE_MEANING], caption, pool, stop);
    }
    ig_page_side_by_side(page, false);
}
