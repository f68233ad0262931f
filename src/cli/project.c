/* isogloss project: exact principal components of rows as CSV, JSON or pictures. */
#include "cli/load.h"
#include "cli/output.h"
#include "core/text.h"
#include "measure/searcher.h"
#include "view/map_axis.h"
#include "view/neighbour_map.h"
#include "view/picture.h"

/* The command: the projection, and coordinates of all rows in each shown space. */
typedef struct projection {
    ig_options options; /* of one run */
    ig_loaded loaded;
    const ig_dataset *set;
    bool neighbours; /* neighbour layout, initialised with the components */
    bool joint;      /* components of the meaning and language rows together */
    size_t k;        /* coordinates: custom axes, then components */
    size_t axes;
    ig_map_axis axis[IG_CUSTOM_AXES_MAX];
    ig_projection map;
    size_t spaces;
    ig_space space[IG_SPACES];
    size_t rows;                     /* that are fitted and placed, … */
    const uint32_t *row;             /* … (rows) those of --langs, or NULL: all */
    ig_map_source source[IG_SPACES]; /* of a shown space; … */
    ig_rows all[IG_SPACES];          /* … of the whole dataset */
    ig_rows_pick pick[IG_SPACES];
    ig_arena memory;
    float *at[IG_SPACES]; /* (rows, k) of each shown space, in one block */
} projection;

/* --- spaces to fit and show ------------------------------------------------------- */

/* List the rows of --langs. */
static ig_status choose_rows(projection *p, ig_error *error)
{
    const ig_dataset *set = p->set;
    const char *langs = p->options.project.langs;
    uint8_t *in = ig_arena_array(&p->memory, set->languages, 1);
    uint32_t *row = ig_arena_array(&p->memory, set->rows, sizeof *row);
    ig_status status = row && in ? ig_load_languages(set, "--langs", langs, in, error)
                                 : ig_fail_memory(error, "the rows");

    for (size_t i = 0; i < set->rows && status == IG_OK; i++) {
        row[p->rows] = (uint32_t)i;
        p->rows += in[set->lang[i]];
    }
    p->row = langs ? row : NULL;
    return status;
}

/* The row of the dataset of a point. */
static size_t row_of(const projection *p, size_t i)
{
    return p->row ? p->row[i] : i;
}

static ig_status add_space(projection *p, ig_space space, ig_error *error)
{
    size_t s = p->spaces++;
    ig_map_source *source = &p->source[s];
    ig_status status =
        ig_load_space(&p->loaded, space, &p->all[s], &source->image, error);

    p->space[s] = space;
    source->rows = p->all[s];
    if (status == IG_OK && p->row) {
        p->pick[s] = (ig_rows_pick){&p->all[s], p->row, p->rows};
        *source = (ig_map_source){.rows = ig_rows_of_pick(&p->pick[s])};
    }
    return status;
}

/* Choose the spaces: --space, or with a run meaning and language, else original. */
static ig_status choose_spaces(projection *p, ig_error *error)
{
    const ig_project_options *o = &p->options.project;
    const ig_extractor *x = p->loaded.run.extractor;
    int chosen = p->options.search.space;
    bool picture = p->options.project.drawn || p->neighbours;
    size_t dims, needed;
    ig_status status = add_space(p,
                                 chosen != IG_UNSET ? (ig_space)chosen
                                 : x                ? IG_SPACE_MEANING
                                                    : IG_SPACE_ORIGINAL,
                                 error);

    p->joint = x && chosen == IG_UNSET;
    if (p->joint && ig_extractor_serves(x, IG_SPACE_LANGUAGE))
        status = add_space(p, IG_SPACE_LANGUAGE, error);
    if (status != IG_OK)
        return status;
    dims = p->source[0].rows.dims;
    p->k = o->components ? o->components : dims < 2 ? dims : 2;
    needed = o->axes > p->k ? o->axes : picture && p->k < 2 ? 2 : p->k;
    return needed <= dims
               ? IG_OK
               : ig_fail(error, IG_VALUE, "%s has %zu dimension%s, not %zu %s",
                         p->set->name, dims, dims == 1 ? "" : "s", needed,
                         o->axes > p->k ? "axes" : "components");
}

/* --- coordinates ------------------------------------------------------------------ */

enum { NEAR = IG_NEIGHBOUR_MAP_K - 1 };

/* Replace the coordinates by a neighbour layout. */
static ig_status layout_neighbours(projection *p, ig_error *error)
{
    ig_rows rows = ig_map_source_join(p->source, p->spaces);
    size_t n = rows.rows, near = n - 1 < NEAR ? n - 1 : NEAR;
    uint32_t *neighbour = ig_alloc(n, near * sizeof *neighbour);
    float *distance = ig_alloc(n, near * sizeof *distance);
    ig_status status =
        neighbour && distance ? IG_OK : ig_fail_memory(error, "the nearest rows");

    if (status == IG_OK)
        status = ig_searcher_nearest(&rows, p->loaded.pool, near, NULL, neighbour,
                                     distance, error);
    if (status == IG_OK)
        status = ig_neighbour_map_fit(neighbour, distance, n, near, p->at[0], false,
                                      p->loaded.pool, NULL, error);
    IG_FREE(neighbour, distance);
    return status;
}

/* Coordinates of all rows. */
static ig_status place_rows(projection *p, ig_error *error)
{
    const ig_rows *all[IG_SPACES] = {&p->all[0], &p->all[1], &p->all[2]};
    bool unit = !p->options.project.raw;
    ig_status status = IG_OK;
    ig_error why;

    p->at[0] = ig_arena_array(&p->memory, p->rows, p->spaces * p->k * sizeof *p->at[0]);
    if (!p->at[0])
        return ig_fail_memory(error, "the coordinates");
    for (size_t s = 1; s < p->spaces; s++)
        p->at[s] = p->at[0] + s * p->k * p->rows;
    status = ig_projection_sum(&p->map, p->source, p->spaces, unit, p->loaded.pool,
                               NULL, error);
    for (size_t i = 0; i < p->axes && status == IG_OK; i++) {
        status = ig_map_axis_add(&p->map, &p->axis[i], p->set, all, p->spaces, 0, unit,
                                 p->loaded.pool, NULL, &why);
        if (status != IG_OK)
            return ig_fail(error, status, "--axis %s: %s", p->options.project.axis[i],
                           why.message);
    }
    if (status == IG_OK)
        status =
            ig_projection_solve(&p->map, p->k > p->axes ? p->k - p->axes : 1, error);
    if (status == IG_OK)
        status = ig_projection_place(&p->map, p->source, p->spaces, NULL, p->k, unit,
                                     p->loaded.pool, NULL, p->at, p->k, error);
    return status == IG_OK && p->neighbours ? layout_neighbours(p, error) : status;
}

/* --- output ---------------------------------------------------------------------- */

/* What was projected, and how. */
static const char *name_projection(const projection *p, char out[IG_SOURCE])
{
    ig_load_source(&p->loaded, p->rows, out);
    if (p->row)
        ig_text_append(out, IG_SOURCE, ", of %.60s", p->options.project.langs);
    if (p->loaded.run.extractor)
        ig_text_append(out, IG_SOURCE, ", %s fit",
                       p->joint ? "joint" : ig_space_name(p->space[0]));
    ig_text_append(out, IG_SOURCE, ", %s%s", p->options.project.raw ? "raw" : "unit",
                   p->neighbours ? ", neighbour layout" : "");
    return out;
}

/* Print what precedes the points in JSON: the shares of the axes and components. */
static void put_head(const projection *p, const char *source)
{
    ig_json_begin(source);
    printf(", \"layout\": \"%s\", \"fitted_rows\": %zu, \"dropped\": %zu, "
           "\"explained_variance_ratio\": [",
           p->neighbours ? "neighbours" : "pca", p->map.all.rows,
           p->set->notes.dropped);
    for (size_t j = 0; j < p->k && !p->neighbours; j++)
        printf("%s%.15g", j ? ", " : "", ig_projection_share(&p->map, j));
    fputs("], \"points\": [", stdout);
}

/* Print a row of each space of each row. IG_OK or IG_NOMEM. */
static ig_status put_rows(const projection *p, ig_error *error)
{
    ig_table_format format = p->options.json ? IG_AS_JSON : IG_AS_CSV;
    ig_table t = {.digits = 9};
    char source[IG_SOURCE], name[IG_MAP_AXIS_SIZE];
    bool failed;

    name_projection(p, source);
    if (p->options.json)
        put_head(p, source);
    ig_table_heads(&t, "row lang space");
    for (size_t j = 0; j < p->k; j++)
        if (j < p->axes)
            ig_table_add(&t, "%s", ig_map_axis_format(name, &p->axis[j], p->set, "to"));
        else if (p->neighbours)
            ig_table_text(&t, j ? "y" : "x");
        else
            ig_table_add(&t, "pc%zu", j - p->axes + 1);
    ig_table_heads(&t, p->options.json ? "" : "source");
    ig_table_end_row(&t);
    ig_table_flush(&t, stdout, format, ',');
    for (size_t s = 0; s < p->spaces; s++)
        for (size_t i = 0; i < p->rows && !t.arena.failed && !ferror(stdout); i++) {
            ig_table_count(&t, row_of(p, i));
            ig_table_text(&t, p->set->language[p->set->lang[row_of(p, i)]]);
            ig_table_text(&t, ig_space_name(p->space[s]));
            for (size_t j = 0; j < p->k; j++)
                ig_table_number(&t, (double)p->at[s][i * p->k + j]);
            if (!p->options.json) /* its head has it */
                ig_table_text(&t, source);
            ig_table_flush(&t, stdout, format, ',');
        }
    fputs(p->options.json ? "\n]}\n" : "", stdout);
    failed = t.arena.failed;
    ig_table_free(&t);
    return failed ? ig_fail_memory(error, "the rows") : IG_OK;
}

enum { LABEL = IG_MAP_AXIS_SIZE + 16 };

static void axis_label(const projection *p, size_t axis, char out[LABEL])
{
    char name[IG_MAP_AXIS_SIZE];

    *out = '\0'; /* axes of a neighbour layout have no meaning */
    if (p->neighbours)
        return;
    if (axis < p->axes)
        ig_map_axis_format(name, &p->axis[axis], p->set, "→");
    else
        snprintf(name, sizeof name, "%sPC%zu", p->axes ? "⊥" : "", axis - p->axes + 1);
    snprintf(out, LABEL, "%s  %.1f%%", name, 100 * ig_projection_share(&p->map, axis));
}

/* The picture of a projection, and its texts. */
typedef struct panel {
    ig_scatter map;
    char title[IG_SOURCE], x[LABEL], y[LABEL];
} panel;

static void make_panel(panel *out, const projection *p, const ig_colour_group *group)
{
    const ig_dataset *set = p->set;

    out->map = (ig_scatter){.title = out->title,
                            .heading = p->options.project.title,
                            .x_label = out->x,
                            .y_label = out->y,
                            .group = group,
                            .groups = set->languages,
                            .of = set->lang,
                            .row = p->row,
                            .count = p->rows,
                            .series = p->spaces};
    axis_label(p, 0, out->x);
    axis_label(p, 1, out->y);
    name_projection(p, out->title);
    for (size_t s = 0; s < p->spaces; s++)
        out->map.of_series[s] =
            (ig_series){ig_space_name(p->space[s]), p->at[s],
                        p->spaces == 1 || p->space[s] != IG_SPACE_MEANING};
}

/* Write the pictures, with a panel for each projection. */
static ig_status put_pictures(const projection *p, size_t panels, ig_error *error)
{
    const char *const *path = p->options.project.picture;
    ig_colour_group *group = ig_colour_groups_new(p->set->language, p->set->languages);
    panel *each = ig_alloc(panels, sizeof *each);
    ig_status status = group && each ? IG_OK : ig_fail_memory(error, "the picture");

    for (size_t i = 0; i < p->set->languages && status == IG_OK; i++)
        group[i].shown = false;
    for (size_t i = 0; i < p->rows && status == IG_OK; i++)
        group[p->set->lang[row_of(p, i)]].shown = true;
    for (size_t i = 0; i < panels && status == IG_OK; i++) {
        make_panel(&each[i], &p[i], group);
        each[i].map.next = i + 1 < panels ? &each[i + 1].map : NULL;
    }
    for (int f = 0; f <= IG_PNG && status == IG_OK; f++)
        if (path[f])
            status = ig_picture_write(&each->map, (ig_picture_format)f, path[f], error);
    IG_FREE(group, each);
    return status;
}

/* --- the command ----------------------------------------------------------------- */

static ig_status project(projection *p, ig_error *error)
{
    const ig_project_options *o = &p->options.project;
    ig_error why;
    ig_status status;

    if (o->components && o->components < o->axes)
        return ig_fail(error, IG_USAGE,
                       "%zu custom axes need --components %zu or more, not %zu",
                       o->axes, o->axes, o->components);
    if (p->neighbours && (o->axes || (o->components && o->components != 2)))
        return ig_fail(error, IG_USAGE,
                       "--layout neighbours has 2 components and no --axis");
    if (o->drawn && o->components && o->components != 2)
        return ig_fail(error, IG_USAGE, "a picture needs --components 2");
    status = ig_load_with_run(&p->loaded, &p->options, error);
    p->set = p->loaded.set;
    for (; p->axes < o->axes && status == IG_OK; p->axes++)
        if (ig_map_axis_parse(&p->axis[p->axes], o->axis[p->axes], p->set, &why) !=
            IG_OK)
            return ig_fail(error, why.status, "--axis: %s", why.message);
    if (status == IG_OK)
        status = choose_rows(p, error);
    if (status == IG_OK)
        status = choose_spaces(p, error);
    return status == IG_OK ? place_rows(p, error) : status;
}

/* Each run is a projection of its own, with its own reading of DATA. */
ig_status ig_project_command(const ig_options *options, ig_error *error)
{
    const ig_project_options *o = &options->project;
    size_t runs = options->run.count ? options->run.count : 1;
    projection *p = ig_alloc(runs, sizeof *p);
    ig_status status = p ? IG_OK : ig_fail_memory(error, "the runs");

    if (status == IG_OK && runs > 1 && (!o->drawn || options->json))
        status = ig_fail(error, IG_USAGE,
                         "project takes one --run; several with --svg, --pdf or --png");
    for (size_t i = 0; i < runs && status == IG_OK; i++) {
        p[i] = (projection){.options = *options,
                            .neighbours = o->layout == IG_LAYOUT_NEIGHBOURS};
        p[i].options.run.list += options->run.count ? i : 0;
        p[i].options.run.count = options->run.count > 0;
        p[i].options.quiet |= i > 0; /* notes once */
        status = project(&p[i], error);
    }
    if (status == IG_OK && o->drawn)
        status = put_pictures(p, runs, error);
    if (status == IG_OK && (!o->drawn || options->json))
        status = put_rows(p, error);
    for (size_t i = 0; i < runs && p; i++) {
        ig_arena_free(&p[i].memory);
        ig_projection_free(&p[i].map);
        ig_load_free(&p[i].loaded);
    }
    ig_free(p);
    return status;
}
