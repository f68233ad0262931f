/* isogloss project: exact principal components of all rows as CSV, JSON or pictures. */
#include <math.h>
#include <string.h>

#include "cli/load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "core/decimal.h"
#include "core/file.h"
#include "measure/searcher.h"
#include "view/axes.h"
#include "view/map_axis.h"
#include "view/neighbour_map.h"
#include "view/picture.h"

/* The requested projection, and coordinates of all rows in each shown space of a
 * version. */
typedef struct projection {
    ig_loaded *loaded;     /* of all versions */
    const ig_dataset *set; /* this one */
    int fit;               /* ig_space, or IG_FIT_JOINT */
    size_t k;              /* coordinates: custom axes, then components */
    bool unit;
    bool neighbours; /* neighbour layout, initialised with the components */
    size_t axes;
    ig_map_axis axis[IG_CUSTOM_AXES_MAX];
    ig_projection map;
    size_t spaces;
    ig_space space[IG_SPACES];
    float *at[IG_SPACES]; /* (rows, k) of each shown space */
    json_t *json;         /* with --json */
} projection;

/* --- spaces to fit and show ------------------------------------------------------- */

/* Whether the name of a picture lacks its extension: a typing error could overwrite
 * another file. */
static bool is_misnamed(const char *path, const char *ending)
{
    if (!path || ig_path_ends(path, ending) || ig_path_is_stream(path))
        return false;
    ig_complain("--%s %s: its name does not end in %s", ending + 1, path, ending);
    return true;
}

static int check_usage(const ig_options *options)
{
    bool picture = options->project.svg || options->project.pdf || options->project.png;

    if (options->project.components &&
        options->project.components < options->project.axes) {
        ig_complain("%zu custom axes need --components %zu or more, not %zu",
                    options->project.axes, options->project.axes,
                    options->project.components);
        return IG_EXIT_USAGE;
    }
    if (options->project.layout == IG_LAYOUT_NEIGHBOURS &&
        (options->project.axes || options->project.fit == IG_FIT_XY ||
         options->project.fit == IG_FIT_JOINT ||
         (options->project.components && options->project.components != 2))) {
        ig_complain("--layout neighbours needs one space and 2 components: no --axis, "
                    "--fit joint or --fit xy");
        return IG_EXIT_USAGE;
    }
    if (options->project.fit == IG_FIT_XY &&
        (options->run.path || options->project.axes || options->project.components ||
         options->search.space != IG_UNSET)) {
        ig_complain("--fit xy cannot be combined with --run, --space, --axis or "
                    "--components");
        return IG_EXIT_USAGE;
    }
    if (options->search.space > IG_SPACE_ORIGINAL && !options->run.path) {
        ig_complain("--space %s needs --run RUN",
                    ig_space_name((ig_space)options->search.space));
        return IG_EXIT_USAGE;
    }
    if (options->project.fit > IG_SPACE_ORIGINAL && options->project.fit != IG_FIT_XY &&
        !options->run.path)
        ig_complain("--fit %s needs --run RUN",
                    options->project.fit == IG_FIT_JOINT
                        ? "joint"
                        : ig_space_name((ig_space)options->project.fit));
    else if (picture && options->project.components == 1)
        ig_complain("a picture needs 2 components, not 1");
    else if (!is_misnamed(options->project.svg, ".svg") &&
             !is_misnamed(options->project.pdf, ".pdf") &&
             !is_misnamed(options->project.png, ".png"))
        return IG_EXIT_OK;
    return IG_EXIT_USAGE;
}

static bool has_space(const projection *p, ig_space space)
{
    return space == IG_SPACE_ORIGINAL ||
           (p->loaded->run.extractor &&
            ig_extractor_serves(p->loaded->run.extractor, space));
}

/* Dimensions of a space: those of the dataset, except after a head. */
static size_t width_of(const projection *p, ig_space space)
{
    return p->loaded->run.extractor && space != IG_SPACE_ORIGINAL
               ? p->loaded->run.extractor->width
               : p->set->dims;
}

/* Choose the spaces: that of --space, or with a run meaning and language, else
 * original. */
static ig_status choose_spaces(projection *p, const ig_options *options,
                               ig_error *error)
{
    const ig_dataset *set = p->set;
    ig_space lacking;
    size_t dims; /* of the rows that components are fitted to */
    bool picture = options->project.svg || options->project.pdf ||
                   options->project.png || p->neighbours;

    if (options->project.fit == IG_FIT_XY) {
        p->fit = IG_FIT_XY;
        p->k = 2;
        p->space[p->spaces++] = IG_SPACE_ORIGINAL;
        return set->xy[0]
                   ? IG_OK
                   : ig_fail(error, IG_VALUE,
                             "%s: no columns x and y with a number in every row; "
                             "--column x=NAME and y=NAME name others",
                             set->name);
    }
    p->fit = options->project.fit != IG_FIT_UNSET        ? options->project.fit
             : options->search.space != IG_UNSET         ? options->search.space
             : p->neighbours && p->loaded->run.extractor ? IG_SPACE_MEANING
             : p->loaded->run.extractor                  ? IG_FIT_JOINT
                                                         : IG_SPACE_ORIGINAL;
    for (int s = p->loaded->run.extractor ? IG_SPACE_MEANING : IG_SPACE_ORIGINAL;
         s < IG_SPACES; s++)
        if (has_space(p, (ig_space)s) && !p->neighbours &&
            options->search.space == IG_UNSET)
            p->space[p->spaces++] = (ig_space)s;
    if (options->search.space != IG_UNSET)
        p->space[p->spaces++] = (ig_space)options->search.space;
    else if (p->neighbours)
        p->space[p->spaces++] = (ig_space)p->fit;
    lacking = p->fit != IG_FIT_JOINT && !has_space(p, (ig_space)p->fit)
                  ? (ig_space)p->fit
                  : p->space[0];
    if (!has_space(p, lacking))
        return ig_fail(
            error, IG_VALUE, "the run %s (%s) has no %s space", options->run.path,
            ig_form_of(p->loaded->run.extractor->kind)->name, ig_space_name(lacking));
    dims = width_of(p, p->fit == IG_FIT_JOINT ? IG_SPACE_MEANING : (ig_space)p->fit);
    p->k = options->project.components ? options->project.components
           : dims < 2                  ? dims
                                       : 2;
    if (p->k < options->project.axes)
        return ig_fail(error, IG_VALUE, "%zu custom axes in %zu dimension%s",
                       options->project.axes, p->k, p->k == 1 ? "" : "s");
    if (p->k > dims || (picture && p->k < 2))
        return ig_fail(error, IG_VALUE, "%s has %zu dimension%s, not %zu components",
                       set->name, dims, dims == 1 ? "" : "s",
                       picture && p->k < 2 ? 2 : p->k);
    if (dims != width_of(p, p->space[0]))
        return ig_fail(error, IG_SHAPE,
                       "the %s rows have %zu dimensions but components of the %s rows "
                       "have %zu",
                       ig_space_name(p->space[0]), width_of(p, p->space[0]),
                       ig_space_name((ig_space)p->fit), dims);
    return IG_OK;
}

/* --- fitting --------------------------------------------------------------------- */

/* Sources of the map, as linear images of the original vectors where possible. */
static void make_sources(projection *p, const ig_space *which, size_t n,
                         ig_map_source *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (ig_map_source){0};
        ig_load_space(p->loaded, which[i], &out[i].rows);
        if (p->loaded->run.extractor)
            ig_load_image(p->loaded, which[i], &out[i].image);
    }
}

static bool is_fitted(const projection *p, ig_space space)
{
    return has_space(p, space) &&
           (p->fit == IG_FIT_JOINT ? space != IG_SPACE_ORIGINAL : (int)space == p->fit);
}

static ig_status add_axis(projection *p, const ig_map_axis *axis,
                          const ig_map_source *space, size_t spaces, ig_error *error)
{
    const ig_dataset *set = p->set;
    const ig_rows *all[IG_SPACES];
    ig_map_group from = {0}, to = {0};
    char name[IG_MAP_AXIS_SIZE];
    ig_error why;
    ig_status status = ig_map_end_rows(&to, set, &axis->to, 0, &why);

    for (size_t s = 0; s < spaces; s++)
        all[s] = &space[s].rows;
    if (status == IG_OK && axis->kind == IG_AXIS_BETWEEN)
        status = ig_map_end_rows(&from, set, &axis->from, 0, &why);
    if (status == IG_OK)
        status = ig_map_axis_add(&p->map, axis, &from, &to, space, all, spaces, p->unit,
                                 p->loaded->pool, NULL, &why);
    IG_FREE(from.row, to.row);
    return status == IG_OK
               ? IG_OK
               : ig_fail(error, status, "--axis %s: %s",
                         ig_map_axis_format(name, axis, set, "to"), why.message);
}

static ig_status fit_map(projection *p, ig_error *error)
{
    ig_map_source space[IG_SPACES];
    ig_space which[IG_SPACES];
    size_t spaces = 0;
    ig_status status;

    for (int s = 0; s < IG_SPACES; s++)
        if (is_fitted(p, (ig_space)s))
            which[spaces++] = (ig_space)s;
    make_sources(p, which, spaces, space);
    status = ig_projection_sum(&p->map, space, spaces, p->unit, p->loaded->pool, NULL,
                               error);
    for (size_t i = 0; i < p->axes && status == IG_OK; i++)
        status = add_axis(p, &p->axis[i], space, spaces, error);
    if (status != IG_OK)
        return status;
    return ig_projection_solve(&p->map, p->k > p->axes ? p->k - p->axes : 1, error);
}

static ig_status copy_coordinates(projection *p, ig_error *error)
{
    const ig_dataset *set = p->set;

    p->at[0] = ig_alloc(set->rows, 2 * sizeof *p->at[0]);
    if (!p->at[0])
        return ig_fail_memory(error, "the coordinates");
    for (size_t i = 0; i < 2 * set->rows; i++)
        p->at[0][i] = (float)set->xy[i % 2]->number[i / 2];
    return IG_OK;
}

static ig_status place_rows(projection *p, ig_error *error)
{
    ig_map_source space[IG_SPACES];

    make_sources(p, p->space, p->spaces, space);
    for (size_t i = 0; i < p->spaces; i++) {
        p->at[i] = ig_alloc(p->set->rows, p->k * sizeof *p->at[i]);
        if (!p->at[i])
            return ig_fail_memory(error, "the coordinates");
    }
    return ig_projection_place(&p->map, space, p->spaces, NULL, p->k, p->unit,
                               p->loaded->pool, NULL, p->at, p->k, error);
}

/* --- neighbours ------------------------------------------------------------------- */

enum { NEAR = IG_NEIGHBOUR_MAP_K - 1 };

/* Replace the coordinates of one space by its neighbour layout. */
static ig_status layout_neighbours(projection *p, size_t s, ig_error *error)
{
    size_t n = p->set->rows, near = n - 1 < NEAR ? n - 1 : NEAR;
    uint32_t *neighbour = ig_alloc(n, near * sizeof *neighbour);
    float *distance = ig_alloc(n, near * sizeof *distance);
    double *xy = ig_alloc(n, 2 * sizeof *xy);
    ig_map_source space;
    ig_status status =
        neighbour && distance && xy ? IG_OK : ig_fail_memory(error, "the nearest rows");

    make_sources(p, &p->space[s], 1, &space);
    for (size_t i = 0; status == IG_OK && i < 2 * n; i++)
        xy[i] = (double)p->at[s][i];
    if (status == IG_OK)
        status = ig_searcher_nearest(&space.rows, p->loaded->pool, near, NULL,
                                     neighbour, distance, error);
    if (status == IG_OK)
        status = ig_neighbour_map_fit(neighbour, distance, n, near, xy,
                                      (ig_neighbour_map_options){.seed = 1},
                                      p->loaded->pool, NULL, error);
    for (size_t i = 0; status == IG_OK && i < 2 * n; i++)
        p->at[s][i] = (float)xy[i];
    IG_FREE(neighbour, distance, xy);
    return status;
}

/* --- output ---------------------------------------------------------------------- */

/* "xy" for the coordinates of the dataset. */
static const char *space_name(const projection *p, size_t s)
{
    return p->fit == IG_FIT_XY ? "xy" : ig_space_name(p->space[s]);
}

static void put_header(const projection *p, bool versions)
{
    char name[IG_MAP_AXIS_SIZE];

    fputs(versions ? "version,row,lang,space" : "row,lang,space", stdout);
    for (size_t j = 0; j < p->axes; j++) {
        putchar(',');
        ig_field_put(stdout, ig_map_axis_format(name, &p->axis[j], p->set, "to"), ',');
    }
    for (size_t j = p->axes; j < p->k; j++)
        if (p->fit == IG_FIT_XY || p->neighbours)
            printf(",%c", "xy"[j]);
        else
            printf(",pc%zu", j - p->axes + 1);
    putchar('\n');
}

static void put_rows(const projection *p, bool versions)
{
    const ig_dataset *set = p->set;
    char number[IG_FLOAT_SIZE];

    for (size_t s = 0; s < p->spaces; s++)
        for (size_t i = 0; i < p->set->rows && !ferror(stdout); i++) {
            if (versions) {
                ig_field_put(stdout, set->version, ',');
                putchar(',');
            }
            printf("%zu,", i);
            ig_field_put(stdout, set->language[set->lang[i]], ',');
            printf(",%s", space_name(p, s));
            for (size_t j = 0; j < p->k; j++) {
                putchar(',');
                fputs(ig_float_format(number, p->at[s][i * p->k + j]), stdout);
            }
            putchar('\n');
        }
}

static const char *fit_name(const projection *p)
{
    return p->fit == IG_FIT_XY      ? "xy"
           : p->fit == IG_FIT_JOINT ? "joint"
                                    : ig_space_name((ig_space)p->fit);
}

static json_t *points_json(const projection *p, size_t s)
{
    json_t *list = json_array();

    for (size_t i = 0; i < p->set->rows; i++) {
        json_t *point = json_array();

        for (size_t j = 0; j < p->k; j++)
            point = ig_json_append(point, ig_json_number(p->at[s][i * p->k + j]));
        list = ig_json_append(list, point);
    }
    return list;
}

static json_t *make_json(const projection *p)
{
    const ig_dataset *set = p->set;
    json_t *ratio = json_array(), *variance = json_array(), *axes = json_array();
    json_t *lang = json_array(), *spaces = json_object(), *out;
    char name[IG_MAP_AXIS_SIZE];

    for (size_t j = 0; j < p->k && p->fit != IG_FIT_XY && !p->neighbours; j++) {
        double share = ig_projection_share(&p->map, j);

        ratio = ig_json_append(ratio, ig_json_number(share));
        variance = ig_json_append(
            variance, ig_json_number(j < p->axes ? share * p->map.pca.total
                                                 : p->map.pca.variance[j - p->axes]));
    }
    for (size_t j = 0; j < p->axes; j++)
        axes = ig_json_append(
            axes, ig_json_string(ig_map_axis_format(name, &p->axis[j], set, "to")));
    for (size_t i = 0; i < set->rows; i++)
        lang = ig_json_append(lang, ig_json_string(set->language[set->lang[i]]));
    for (size_t s = 0; s < p->spaces; s++)
        spaces = ig_json_set(spaces, space_name(p, s), points_json(p, s));
    out = json_pack("{s:I, s:I, s:s, s:s, s:I, s:o, s:o, s:o, s:o}", "rows",
                    (json_int_t)set->rows, "dims", (json_int_t)set->dims, "fit",
                    fit_name(p), "layout", p->neighbours ? "neighbours" : "pca",
                    "fitted_rows", (json_int_t)p->map.pca.rows, /* 0: none */
                    "explained_variance_ratio", ratio, "explained_variance", variance,
                    "lang", lang, "spaces", spaces);
    if (p->axes)
        return ig_json_set(out, "axes", axes);
    json_decref(axes);
    return out;
}

/* One document, or {"versions": [document, …]}. */
static int put_json(const projection *p, size_t versions)
{
    json_t *all = versions == 1 ? NULL : json_array();

    if (versions == 1)
        return ig_json_print(p->json);
    for (size_t v = 0; v < versions; v++)
        all = ig_json_append(
            all, ig_json_set(p[v].json, "version", ig_json_string(p[v].set->version)));
    return ig_json_print(json_pack("{s:o}", "versions", all));
}

enum { LABEL = IG_MAP_AXIS_SIZE + 16 };

static void axis_label(const projection *p, size_t axis, char out[LABEL])
{
    char name[IG_MAP_AXIS_SIZE];

    if (p->fit == IG_FIT_XY) {
        snprintf(out, LABEL, "%.60s", p->set->xy[axis]->name);
        return;
    }
    if (p->neighbours) { /* its axes have no meaning */
        *out = '\0';
        return;
    }
    if (axis < p->axes)
        ig_map_axis_format(name, &p->axis[axis], p->set, "→");
    else
        snprintf(name, sizeof name, "%sPC%zu", p->axes ? "⊥" : "", axis - p->axes + 1);
    snprintf(out, LABEL, "%s  %.1f%%", name, 100 * ig_projection_share(&p->map, axis));
}

static ig_status put_pictures(const projection *p, const ig_options *options,
                              ig_error *error)
{
    const ig_dataset *set = p->set;
    const char *path[] = {[IG_SVG] = options->project.svg,
                          [IG_PDF] = options->project.pdf,
                          [IG_PNG] = options->project.png};
    char title[320], x[LABEL], y[LABEL], rows[IG_NUMBER_SIZE];
    ig_picture picture = {.title = title,
                          .x_label = x,
                          .y_label = y,
                          .group = set->language,
                          .groups = set->languages,
                          .of = set->lang,
                          .rows = p->set->rows,
                          .series = p->spaces};
    ig_status status = IG_OK;

    axis_label(p, 0, x);
    axis_label(p, 1, y);
    ig_count_format(rows, p->set->rows);
    if (p->loaded->run.extractor)
        snprintf(title, sizeof title, "%.100s, %s rows: %.80s%s, epoch %zu (%s fit)",
                 set->name, rows, p->loaded->run.method, p->loaded->run.suffix,
                 p->loaded->run.best, fit_name(p));
    else
        snprintf(title, sizeof title, "%.100s, %s rows", set->name, rows);
    for (size_t s = 0; s < p->spaces; s++)
        picture.of_series[s] = (ig_picture_series){space_name(p, s), p->at[s], p->k};
    for (int f = 0; f <= IG_PNG && status == IG_OK; f++)
        if (path[f])
            status = ig_picture_write(&picture, (ig_picture_format)f, path[f], error);
    return status;
}

/* --- the command ----------------------------------------------------------------- */

static ig_status project(projection *p, const ig_options *options, ig_error *error)
{
    ig_status status = IG_OK;
    ig_error why;

    p->set = p->loaded->set;
    p->unit = options->project.unit;
    p->neighbours = options->project.layout == IG_LAYOUT_NEIGHBOURS;
    p->axes = options->project.axes;
    for (size_t i = 0; i < p->axes && status == IG_OK; i++) {
        status = ig_map_axis_parse(&p->axis[i], options->project.axis[i], p->set, NULL,
                                   NULL, &why);
        if (status != IG_OK)
            ig_fail(error, status, "--axis: %s", why.message);
    }
    if (status == IG_OK)
        status = choose_spaces(p, options, error);
    if (status == IG_OK && p->fit == IG_FIT_XY) {
        status = copy_coordinates(p, error);
    } else {
        if (status == IG_OK)
            status = fit_map(p, error);
        if (status == IG_OK)
            status = place_rows(p, error);
        for (size_t s = 0; s < p->spaces && p->neighbours && status == IG_OK; s++)
            status = layout_neighbours(p, s, error);
    }
    return status;
}

/* Project all versions.
 *   of  out  (versions) projections, or NULL */
static ig_status project_all(projection **of, ig_loaded *loaded,
                             const ig_options *options, bool pictures, ig_error *error)
{
    ig_status status = ig_load_versions_with_run(loaded, options, error);
    size_t versions = loaded->versions.count;

    if (status == IG_OK && pictures && versions > 1)
        status = ig_fail(error, IG_USAGE,
                         "a picture shows one version of DATA, which --only NAME "
                         "chooses");
    if (status == IG_OK && !(*of = ig_alloc(versions, sizeof **of)))
        status = ig_fail_memory(error, "the versions");
    for (size_t v = 0; v < versions && status == IG_OK; v++) {
        (*of)[v].loaded = loaded;
        status = v ? ig_load_next(loaded, options, v, error) : IG_OK;
        if (status == IG_OK)
            status = project(&(*of)[v], options, error);
        if (status == IG_OK && (*of)[v].k != (*of)[0].k)
            status = ig_fail(error, IG_SHAPE,
                             "version %s has %zu components and version %s has %zu: "
                             "--components N chooses",
                             (*of)[0].set->version, (*of)[0].k, (*of)[v].set->version,
                             (*of)[v].k);
        if (status == IG_OK && options->json)
            (*of)[v].json = make_json(&(*of)[v]);
        if (!pictures) /* d² numbers of each version */
            ig_projection_free(&(*of)[v].map);
    }
    return status;
}

int ig_project_command(const ig_options *options)
{
    ig_loaded loaded = {0};
    projection *of = NULL;
    ig_error error = {0};
    bool pictures = options->project.svg || options->project.pdf ||
                    options->project.png;
    ig_status status;
    size_t versions;
    int code = check_usage(options);

    if (code != IG_EXIT_OK)
        return code;
    status = project_all(&of, &loaded, options, pictures, &error);
    versions = loaded.versions.count;
    if (status == IG_OK && pictures)
        status = put_pictures(of, options, &error);
    for (size_t v = 0; of && v < versions && status != IG_OK; v++)
        json_decref(of[v].json);
    if (status != IG_OK)
        code = ig_fail_exit(&error);
    else if (options->json)
        code = put_json(of, versions);
    else if (!pictures)
        put_header(of, versions > 1);
    for (size_t v = 0; of && v < versions; v++) {
        if (status == IG_OK && !pictures && !options->json)
            put_rows(&of[v], versions > 1);
        for (size_t s = 0; s < of[v].spaces; s++)
            ig_free(of[v].at[s]);
        ig_projection_free(&of[v].map);
    }
    ig_free(of);
    ig_load_free(&loaded);
    return code;
}
