/* Maps of the original space and of each run: principal components, exact over all
 * rows scaled to length 1; meaning and language rows in one map [seed fig.1]. */
#include <stdio.h>

#include "data/rows.h"
#include "draw/picture.h"
#include "map/pca.h"
#include "report/content.h"

enum {
    SPACES_MOST = 2,
    SHAPES_MOST = 2500 /* points; more are an image: a report holds many maps */
};

/* One map: the spaces that share its axes, and their coordinates. */
struct map {
    size_t spaces;
    ig_space space[SPACES_MOST];
    ig_rows rows[SPACES_MOST];
    float *xy[SPACES_MOST]; /* (N, 2) */
    ig_pca pca;
};

static void free_map(struct map *map)
{
    ig_pca_free(&map->pca);
    for (size_t s = 0; s < map->spaces; s++)
        ig_free(map->xy[s]);
}

static ig_status fit(struct map *map, ig_pool *pool, const atomic_bool *stop,
                     ig_error *error)
{
    ig_moments moments = {0};
    size_t dims = map->rows[0].dims;
    ig_status status = ig_moments_init(&moments, dims, error);

    for (size_t s = 0; s < map->spaces && status == IG_OK; s++)
        status = ig_moments_add(&moments, &map->rows[s], true, pool, stop, error);
    if (status == IG_OK)
        status = ig_pca_fit(&map->pca, &moments, dims < 2 ? 1 : 2, error);
    ig_moments_free(&moments);
    return status;
}

static ig_status place(struct map *map, ig_pool *pool, const atomic_bool *stop,
                       ig_error *error)
{
    ig_projection projection = {0};
    ig_status status =
        ig_projection_init(&projection, map->rows[0].dims, map->pca.k, error);

    if (status == IG_OK)
        status = ig_projection_set(&projection, 0, &map->pca, error);
    for (size_t s = 0; s < map->spaces && status == IG_OK; s++) {
        map->xy[s] = ig_alloc(map->rows[s].rows, 2 * sizeof *map->xy[s]);
        status = map->xy[s] ? ig_project(&projection, &map->rows[s], true, pool, stop,
                                         map->xy[s], 2, error)
                            : ig_fail_memory(error, "a map");
    }
    ig_projection_free(&projection);
    return status;
}

static ig_status draw(const struct map *map, const ig_set *set, char **svg,
                      size_t *size, ig_error *error)
{
    char label[2][32] = {"PC1", "PC2"};
    ig_picture picture = {.x_label = label[0],
                          .y_label = label[1],
                          .group = set->language,
                          .groups = set->languages,
                          .of = set->lang,
                          .rows = set->rows,
                          .series = map->spaces,
                          .shapes = SHAPES_MOST,
                          .density = 1.5};

    for (size_t s = 0; s < map->spaces; s++)
        picture.of_series[s] =
            (ig_picture_series){ig_space_name(map->space[s]), map->xy[s], 2};
    for (size_t j = 0; j < map->pca.k; j++)
        snprintf(label[j], sizeof label[j], "PC%zu  %.1f%%", j + 1,
                 100 * map->pca.ratio[j]);
    return ig_picture_svg(&picture, svg, size, error);
}

/* Put a map; where the rows do not allow one, the reason. */
static void put_map(ig_page *page, const ig_report *report, struct map *map,
                    const char *caption, ig_pool *pool)
{
    ig_error error = {0};
    ig_status status = page->status;
    char *svg = NULL;
    size_t size = 0;

    if (status != IG_OK)
        return;
    status = fit(map, pool, report->stop, &error);
    if (status == IG_OK)
        status = place(map, pool, report->stop, &error);
    if (status == IG_OK)
        status = draw(map, report->set, &svg, &size, &error);
    if (status == IG_OK)
        ig_page_picture(page, svg, size, caption);
    else if (status == IG_VALUE || status == IG_SHAPE)
        ig_page_paragraph(page, "%s: no map, because %s", caption, error.message);
    else
        ig_page_fail(page, ig_fail(page->error, status, "%s", error.message));
    free_map(map);
}

static void put_run(ig_page *page, const ig_report *report, const ig_report_run *run,
                    const ig_rows *originals, ig_pool *pool)
{
    ig_rows_narrow narrow = {originals, run->extractor->dims};
    ig_rows narrowed = *originals;
    ig_space_rows context[IG_SPACES];
    struct map map = {0};
    char caption[256];

    if (run->extractor->dims < originals->dims)
        narrowed = ig_rows_of_narrow(&narrow);
    for (int s = IG_SPACE_MEANING; s < IG_SPACES; s++) {
        if (!ig_extractor_serves(run->extractor, (ig_space)s))
            continue;
        context[s] =
            (ig_space_rows){run->extractor, (ig_space)s, &narrowed, report->set->lang};
        map.space[map.spaces] = (ig_space)s;
        map.rows[map.spaces++] = ig_rows_of_space(&context[s]);
    }
    snprintf(caption, sizeof caption, "%.160s: %s.", run->name,
             map.spaces > 1 ? "meaning (rings) and language (discs)" : "meaning");
    put_map(page, report, &map, caption, pool);
}

void ig_section_maps(ig_page *page, const ig_report *report, ig_pool *pool)
{
    ig_rows originals = ig_rows_of_set(report->set);
    struct map map = {.spaces = 1, .space = {IG_SPACE_ORIGINAL}, .rows = {originals}};

    if (report->set->rows < 2)
        return;
    ig_page_heading(page, 2, "Maps");
    ig_page_paragraph(page, "The first two principal components of all rows, scaled to "
                            "length 1, coloured by language; both axes have one scale. "
                            "Of a run, meaning and language rows are in one map [seed "
                            "fig.1].");
    ig_page_beside(page, true);
    put_map(page, report, &map, "Original embeddings.", pool);
    for (size_t r = 0; r < report->runs; r++)
        if (report->run[r].extractor &&
            report->run[r].extractor->dims <= originals.dims)
            put_run(page, report, &report->run[r], &originals, pool);
    ig_page_beside(page, false);
}
