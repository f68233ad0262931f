/* The maps of a report. */
#include "report/tables.h"

#include <stdlib.h>

#include "data/dataset.h"
#include "view/palette.h"
#include "view/picture.h"
#include "view/projection.h"

/* Append a map of a space; where the rows do not allow one, the reason. */
static void add_map(ig_sections *out, const ig_dataset *set, const ig_rows *rows,
                    const char *caption, ig_pool *pool, const atomic_bool *stop)
{
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
    ig_error *error = &out->error;
    ig_status status = xy && group ? IG_OK : ig_fail_memory(error, "a map");
    ig_section *section = ig_sections_add(out, NULL);

    if (status == IG_OK)
        status = ig_projection_fit(&map, &source, 1, k, true, pool, stop, error);
    if (status == IG_OK)
        status = ig_projection_place(&map, &source, 1, NULL, k, true, pool, stop, &xy,
                                     2, error);
    for (size_t j = 0; j < map.pca.k && status == IG_OK; j++)
        snprintf(label[j], sizeof label[j], "PC%zu  %.1f%%", j + 1,
                 100 * map.pca.ratio[j]);
    if (status == IG_OK)
        status = ig_picture_svg(&picture, &svg, &size, error);
    if (status == IG_OK) {
        section->text = caption;
        section->picture = ig_arena_text(&out->arena, svg, size);
    } else if (status == IG_VALUE || status == IG_SHAPE) {
        section->text = ig_table_text_of(&section->table, "%s: no map, because %s",
                                         caption, error->message);
    } else {
        out->status = status;
    }
    ig_projection_free(&map);
    IG_FREE(xy, group);
    free(svg);
}

void ig_report_maps(ig_sections *out, const ig_document *document,
                    ig_document_columns columns, ig_pool *pool, const atomic_bool *stop)
{
    const ig_dataset *set = document->set;
    ig_rows originals = ig_rows_of_dataset(set);

    ig_sections_add(out, "Maps")->text =
        "The first two principal components of all rows, scaled to length 1, coloured "
        "by language; both axes have one scale.";
    for (size_t c = 0; c < columns.count && out->status == IG_OK; c++) {
        const ig_document_column *of = &columns.at[c];
        const ig_extractor *x = of->run ? of->run->extractor : NULL;
        ig_measured spaces;

        if (of->space == IG_SPACE_LANGUAGE || (x && x->dims > originals.dims))
            continue;
        if (x)
            ig_measured_open(&spaces, x, set, &originals);
        add_map(out, set, x ? &spaces.rows[IG_SPACE_MEANING] : &originals, of->name,
                pool, stop);
    }
}
