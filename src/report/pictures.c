/* The pictures of a report: curves of all runs over the epochs, and maps. */
#include "report/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/dataset.h"
#include "view/palette.h"
#include "view/picture.h"
#include "view/projection.h"

static void put_chart(ig_page *page, const ig_chart *chart, const char *caption)
{
    size_t size;
    char *svg;
    ig_status status;

    if (page->status != IG_OK)
        return;
    status = ig_chart_svg(chart, &svg, &size, page->error);
    if (status == IG_OK)
        ig_page_picture(page, svg, size, caption, NULL);
    else
        ig_page_fail(page, status);
}

/* --- over the epochs ------------------------------------------------------------- */

static size_t lines_of(const ig_document *document, int curve, ig_chart_line *line)
{
    size_t n = 0;

    for (size_t r = 0; r < document->runs; r++) {
        const ig_document_curves *curves = &document->run[r].curves;
        const double *value = curves->value[curve];
        size_t i = 0;

        while (value && i < curves->epochs && !isfinite(value[i]))
            i++;
        if (value && i < curves->epochs)
            line[n++] = (ig_chart_line){.name = document->run[r].title,
                                        .y = value,
                                        .count = curves->epochs,
                                        .best = (double)curves->best,
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
    ig_chart_line *line = ig_alloc(document->runs + 1, sizeof *line);
    bool any = false;

    if (!line) {
        ig_page_fail_memory(page);
        return;
    }
    for (int c = 0; c < IG_DOCUMENT_CURVES; c++) {
        ig_chart chart = {.x_label = "epoch", .y_label = title[c], .line = line};

        chart.lines = lines_of(document, c, line);
        if (chart.lines == 0)
            continue;
        if (!any && !page->markdown) {
            ig_page_heading(page, 2, "Training");
            ig_page_paragraph(page, "A dot marks the best epoch, whose weights are the "
                                    "run's; losses of different methods are sums of "
                                    "different terms and do not compare. Live measures "
                                    "are of held-out pairs of the trained languages.");
            ig_page_side_by_side(page, true);
        }
        any = true;
        put_chart(page, &chart, title[c]);
    }
    if (any)
        ig_page_side_by_side(page, false);
    ig_free(line);
}

/* --- over the versions ----------------------------------------------------------- */

static void put_versions(ig_page *page, const ig_document *last,
                         const ig_document_column *version, size_t versions)
{
    size_t lines;
    ig_document_line *of = ig_document_lines(version, versions, last->full, &lines);
    ig_chart_line *line = ig_alloc(lines + 1, sizeof *line);
    double *y = ig_alloc((lines + 1) * versions, sizeof *y);
    char axis[128];
    ig_chart chart = {.x_label = axis, .y_label = "%", .line = line};
    ig_table table;

    for (size_t i = 0; of && line && y && i < lines; i++) {
        size_t n = chart.lines;
        double *value = y + n * versions;

        if (of[i].part || of[i].measure->unit != IG_UNIT_SHARE)
            continue;
        for (size_t v = 0; v < versions; v++) {
            const ig_figure *f = ig_document_cell(&version[v], of[i].measure, NULL);

            value[v] = f ? 100 * f->value : (double)NAN;
        }
        line[chart.lines++] = (ig_chart_line){.name = of[i].measure->label,
                                              .y = value,
                                              .count = versions,
                                              .best = (double)NAN,
                                              .colour = ig_colour_language(n),
                                              .dash = (int)(n % 6)};
    }
    if (!of || !line || !y)
        ig_page_fail_memory(page);
    snprintf(axis, sizeof axis, "versions, from %.40s to %.40s", version[0].version,
             version[versions - 1].version);
    ig_table_measures(&table, last, IG_TABLE_RUNS, last->full, version, versions);
    ig_page_table(page, &table);
    if (chart.lines)
        put_chart(page, &chart, "Shares over the versions.");
    IG_FREE(of, line, y);
}

void ig_report_versions(ig_page *page, const ig_document *first,
                        const ig_document *last)
{
    size_t columns, spaces;
    ig_document_column *all = ig_document_columns(first, &columns);
    ig_document_column *space = ig_document_columns(last, &spaces);
    ig_document_column *of = all ? ig_alloc(columns, sizeof *of) : NULL;

    if (!all || !space || !of)
        ig_page_fail_memory(page);
    ig_page_heading(page, 2, "Versions");
    for (size_t s = 0; page->status == IG_OK && s < spaces; s++) {
        size_t n = 0;

        if (space[s].space == IG_SPACE_LANGUAGE)
            continue;
        for (size_t c = 0; c < columns; c++)
            if (all[c].space == space[s].space &&
                (!all[c].of || strcmp(all[c].of, space[s].of) == 0))
                of[n++] = all[c];
        if (spaces > 1)
            ig_page_heading(page, 3, space[s].name);
        put_versions(page, last, of, n);
    }
    ig_page_paragraph(page, "What follows shows the last version, %s.",
                      last->set->version);
    IG_FREE(all, space, of);
}

/* --- maps ------------------------------------------------------------------------ */

enum {
    SPACES_MOST = 2,
    SHAPES_MOST = 2500, /* points; more are an image: a report holds many maps */
    TITLES_MOST = 5000  /* rows that have titles, on maps of one space */
};

/* One map: the spaces that share its axes, and their coordinates. */
struct map {
    size_t spaces;
    ig_space of[SPACES_MOST];
    ig_map_source space[SPACES_MOST];
    float *xy[SPACES_MOST]; /* (N, 2) */
    ig_projection projection;
};

static void free_map(struct map *map)
{
    ig_projection_free(&map->projection);
    for (size_t s = 0; s < map->spaces; s++)
        ig_free(map->xy[s]);
}

static ig_status make(struct map *map, ig_pool *pool, const atomic_bool *stop,
                      ig_error *error)
{
    size_t k = map->space[0].rows.dims < 2 ? 1 : 2;
    ig_status status = ig_projection_fit(&map->projection, map->space, map->spaces, k,
                                         true, pool, stop, error);

    for (size_t s = 0; s < map->spaces && status == IG_OK; s++) {
        map->xy[s] = ig_alloc(map->space[s].rows.rows, 2 * sizeof *map->xy[s]);
        if (!map->xy[s])
            status = ig_fail_memory(error, "a map");
    }
    if (status == IG_OK)
        status = ig_projection_place(&map->projection, map->space, map->spaces, NULL, k,
                                     true, pool, stop, map->xy, 2, error);
    return status;
}

/* A map as a picture; its rows as titles. */
struct drawn {
    ig_picture picture;
    const ig_dataset *set;
    ig_pen_axis axis[2];
    char label[2][32];
};

static void describe_map(struct drawn *drawn, const struct map *map,
                         const ig_dataset *set)
{
    *drawn = (struct drawn){.picture = {.x_label = drawn->label[0],
                                        .y_label = drawn->label[1],
                                        .group = set->language,
                                        .groups = set->languages,
                                        .of = set->lang,
                                        .rows = set->rows,
                                        .series = map->spaces,
                                        .shapes = SHAPES_MOST,
                                        .density = 1.5},
                            .set = set,
                            .label = {"PC1", "PC2"}};
    for (size_t s = 0; s < map->spaces; s++)
        drawn->picture.of_series[s] =
            (ig_picture_series){ig_space_name(map->of[s]), map->xy[s], 2};
    for (size_t j = 0; j < map->projection.pca.k; j++)
        snprintf(drawn->label[j], sizeof drawn->label[j], "PC%zu  %.1f%%", j + 1,
                 100 * map->projection.pca.ratio[j]);
}

/* "de: Die Katze schläft." */
static bool title_row(const void *context, size_t row, double place[2], char text[160])
{
    const struct drawn *drawn = context;
    const ig_dataset *set = drawn->set;

    if (!ig_picture_place(&drawn->picture, drawn->axis, row, place))
        return false;
    snprintf(text, 160, "%.20s: %.100s", set->language[set->lang[row]],
             set->has_text              ? set->text[row]
             : set->id[row] != IG_NO_ID ? set->id_name[set->id[row]]
                                        : "");
    return true;
}

/* Put a map; where the rows do not allow one, the reason. */
static void put_map(ig_page *page, const ig_document *document, struct map *map,
                    const char *caption, ig_pool *pool, const atomic_bool *stop)
{
    ig_error error = {0};
    ig_status status = page->status;
    struct drawn drawn;
    ig_page_titles titles = {.count = document->set->rows,
                             .width = IG_PICTURE_WIDTH,
                             .height = IG_PICTURE_HEIGHT,
                             .radius = 5,
                             .title = title_row,
                             .context = &drawn};
    char *svg = NULL;
    size_t size = 0;

    if (status != IG_OK)
        return;
    status = make(map, pool, stop, &error);
    describe_map(&drawn, map, document->set);
    if (status == IG_OK)
        status = ig_picture_svg(&drawn.picture, &svg, &size, &error);
    if (status == IG_OK) {
        ig_picture_axes(&drawn.picture, drawn.axis);
        ig_page_picture(page, svg, size, caption,
                        map->spaces == 1 && titles.count <= TITLES_MOST ? &titles
                                                                        : NULL);
    } else if (status == IG_VALUE || status == IG_SHAPE) {
        ig_page_paragraph(page, "%s: no map, because %s", caption, error.message);
    } else {
        ig_page_fail(page, ig_fail(page->error, status, "%s", error.message));
    }
    free_map(map);
}

/* A map of the meanings of a run, or `both`, of its languages, too. */
static void put_run(ig_page *page, const ig_document *document,
                    const ig_document_run *run, const ig_rows *originals, bool both,
                    ig_pool *pool, const atomic_bool *stop)
{
    ig_rows narrowed = *originals;
    ig_space_rows context[IG_SPACES];
    struct map map = {0};
    char caption[256];

    narrowed.dims = run->extractor->dims;
    for (int s = IG_SPACE_MEANING; s < (both ? IG_SPACES : IG_SPACE_LANGUAGE); s++) {
        if (!ig_extractor_serves(run->extractor, (ig_space)s))
            continue;
        context[s] = (ig_space_rows){run->extractor, (ig_space)s, &narrowed,
                                     document->set->lang};
        map.of[map.spaces] = (ig_space)s;
        map.space[map.spaces++].rows = ig_rows_of_space(&context[s]);
    }
    snprintf(caption, sizeof caption, "%.160s: %s.", run->title,
             map.spaces > 1 ? "meaning (rings) and language (discs)" : "meaning");
    put_map(page, document, &map, caption, pool, stop);
}

void ig_report_maps(ig_page *page, const ig_document *document, bool both,
                    ig_pool *pool, const atomic_bool *stop)
{
    ig_rows originals = ig_rows_of_dataset(document->set);
    struct map map = {
        .spaces = 1, .of = {IG_SPACE_ORIGINAL}, .space = {{.rows = originals}}};

    if (document->set->rows < 2 || page->markdown)
        return;
    if (!both) {
        ig_page_heading(page, 2, "Maps");
        ig_page_paragraph(page,
                          "The first two principal components of all rows, scaled "
                          "to length 1, coloured by language; both axes have one "
                          "scale.");
    }
    ig_page_side_by_side(page, true);
    if (!both)
        put_map(page, document, &map, "Original embeddings.", pool, stop);
    for (size_t r = 0; r < document->runs; r++)
        if (document->run[r].extractor &&
            document->run[r].extractor->dims <= originals.dims)
            put_run(page, document, &document->run[r], &originals, both, pool, stop);
    ig_page_side_by_side(page, false);
}
