/* The pictures of a report: curves of all runs over the epochs, and maps. */
#include "report/tables.h"

#include <math.h>

#include "data/dataset.h"
#include "view/palette.h"
#include "view/picture.h"
#include "view/projection.h"

/* Append a picture, which is freed, unless it failed. */
static void add_picture(ig_sections *out, ig_status status, char *svg, size_t size,
                        const char *caption)
{
    ig_section *section;

    if (status != IG_OK) {
        out->status = status;
        return;
    }
    section = ig_sections_add(out, NULL);
    section->text = caption;
    section->picture = ig_arena_text(&out->arena, svg, size);
    ig_free(svg);
}

/* --- over the epochs ------------------------------------------------------------- */

enum { CURVES = 4 };

/* The lines of a curve, of the runs that have values of it. */
static size_t lines_of(const ig_document *document, int curve, ig_line *line)
{
    size_t n = 0;

    for (size_t r = 0; r < document->runs; r++) {
        const ig_run_info *run = document->run[r].info;
        const ig_run_record *first = run->record;
        const ig_geometry *meaning = first ? &first->geometry[IG_SPACE_MEANING] : NULL;
        const size_t stride = sizeof *first / sizeof(double);
        size_t i = 0;

        if (!first)
            continue;
        line[n] = (ig_line){.name = document->run[r].title,
                            .y = curve == 0   ? &first->epoch.train_loss
                                 : curve == 1 ? &first->epoch.valid_loss
                                 : curve == 2 ? &meaning->alignment
                                              : &meaning->uniformity,
                            .stride = stride,
                            .count = run->records,
                            .best = (double)run->best,
                            .colour = ig_colour_run(r),
                            .dash = (int)(r % 6)};
        while (i < run->records && !isfinite(line[n].y[i * stride]))
            i++;
        n += i < run->records;
    }
    return n;
}

void ig_report_curves(ig_sections *out, const ig_document *document)
{
    static const char *const title[CURVES] = {"Training loss", "Validation loss",
                                              "Live alignment of the meanings",
                                              "Live uniformity of the meanings"};
    ig_line *line = ig_arena_array(&out->arena, document->runs + 1, sizeof *line);
    bool any = false;

    for (int c = 0; c < CURVES && line && out->status == IG_OK; c++) {
        ig_plot plot = {.x_label = "epoch", .y_label = title[c], .line = line};
        ig_status status;
        size_t size;
        char *svg = NULL;

        plot.lines = lines_of(document, c, line);
        if (plot.lines == 0)
            continue;
        if (!any)
            ig_sections_add(out, "Training")->text =
                "A dot marks the best epoch, whose weights are the run's; losses of "
                "different methods are sums of different terms and do not compare. "
                "Live measures are of held-out pairs of the trained languages.";
        any = true;
        status = ig_plot_svg(&plot, &svg, &size, &out->error);
        add_picture(out, status, svg, size, title[c]);
    }
}

/* --- maps ------------------------------------------------------------------------ */

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
    if (status == IG_VALUE || status == IG_SHAPE) {
        ig_section *section = ig_sections_add(out, NULL);

        section->text = ig_table_text_of(&section->list, "%s: no map, because %s",
                                         caption, error->message);
    } else {
        add_picture(out, status, svg, size, caption);
    }
    ig_projection_free(&map);
    IG_FREE(xy, group);
}

void ig_report_maps(ig_sections *out, const ig_document *document, ig_pool *pool,
                    const atomic_bool *stop)
{
    const ig_dataset *set = document->set;
    ig_rows originals = ig_rows_of_dataset(set);
    ig_section *section;

    if (set->rows < 2)
        return;
    section = ig_sections_add(out, "Maps");
    section->text = "The first two principal components of all rows, scaled to length "
                    "1, coloured by language; both axes have one scale.";
    add_map(out, set, &originals, "Original embeddings.", pool, stop);
    for (size_t r = 0; r < document->runs && out->status == IG_OK; r++) {
        const ig_document_run *run = &document->run[r];
        ig_measured spaces;

        if (!run->extractor || run->extractor->dims > originals.dims)
            continue;
        ig_measured_open(&spaces, run->extractor, set, &originals);
        add_map(out, set, &spaces.rows[IG_SPACE_MEANING],
                ig_table_text_of(&section->list, "%s: meaning.", run->title), pool,
                stop);
    }
}
